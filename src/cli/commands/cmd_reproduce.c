/* SPDX-License-Identifier: MIT */
/* otherwise reproduce: the paper's experiments, ours beside theirs. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "datasets/data_folder.h"
#include "datasets/dataset_catalogue.h"
#include "options/compute_settings.h"
#include "output/asked.h"
#include "output/make_folder.h"
#include "output/output.h"
#include "reproduce/reproduce.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

typedef struct {
    const char *data, *out, *features, *labels, *images;
    bool quick, tune, boxes;
    compute_settings compute;
} settings;

static const reproduce_spec *find(const char *name)
{
    const char *names[16];
    size_t n = 0;
    for (const reproduce_spec *spec; n < 16 && (spec = reproduce_get(n)) != NULL; n++) {
        if (strcmp(spec->name, name) == 0) return spec;
        names[n] = spec->name;
    }
    message(OW_LOG_ERROR, "there is no experiment \"%s\"%s", name,
            args_did_you_mean(name, "", names, n));
    return NULL;
}

/* Whether the files of the data set are there and are the published ones.  False after a
 * sentence about the first that is not. */
static bool has_data(const char *name, const char *folder)
{
    const dataset *set = NULL;
    for (size_t i = 0; (set = dataset_get(i)) != NULL; i++)
        if (strcmp(set->name, name) == 0) break;
    for (size_t i = 0; set != NULL && i < set->n_files; i++) {
        file_state state;
        const dataset_file *file = &set->files[i];
        if (dataset_check_file(set, i, folder, true, &state) != OW_OK) {
            command_failed(OW_ERR_IO, false);
            return false;
        }
        if (state == FILE_PRESENT) continue;
        char *get = set->by_hand != NULL
                        ? text_add(NULL, "%s", set->by_hand)
                        : text_add(NULL, "\"otherwise data fetch %s\" gets it", set->name);
        message(OW_LOG_ERROR, "%s/%s/%s %s (sha256 %s); %s", folder, set->name, file->name,
                state == FILE_ABSENT ? "is missing" : "is not the published file",
                file->sha256, get);
        free(get);
        return false;
    }
    return true;
}

static int run_experiment(const invocation *call, const reproduce_spec *spec,
                          const char *folder)
{
    const settings *set = call->settings;
    char *out = set->out != NULL ? text_add(NULL, "%s", set->out)
                                 : text_add(NULL, "report-%s", spec->name);
    reproduction r = {.ctx = call->ctx,
                      .data = folder,
                      .out = out,
                      .quick = set->quick,
                      .tune = set->tune,
                      .how = call->how,
                      .backend = set->compute.backend,
                      .features = set->features,
                      .labels = set->labels,
                      .images = set->images,
                      .boxes = set->boxes};
    int code = EXIT_RESOURCES;
    if (!make_folder(out)) goto done;
    ow_status status = ow_page_new(call->ctx, spec->title, spec->lead, &r.page);
    if (status == OW_OK) status = spec->run(&r);
    char *index = reproduce_path(&r, "index.html");
    if (status == OW_OK) {
        asked_add(r.page, &(asked){.ctx = call->ctx});
        status = ow_page_save(r.page, index);
    }
    if (status == OW_OK) output_print(stdout, "%s\n", index);
    free(index);
    if (status == OW_ERR_CANCELLED && interrupt_signal() != 0) {
        message(OW_LOG_INFO,
                "what is complete stays in %s; the same command goes on from there", out);
        code = interrupt_end();
    } else if (r.complained) {
        code = exit_code_for(status, r.cannot_write);
    } else {
        code = status == OW_OK ? EXIT_DONE : command_failed(status, status == OW_ERR_IO);
    }
done:
    ow_page_free(r.page);
    free(out);
    return code;
}

/* Whether what is said about feature maps goes together. */
static bool check_maps(const settings *set, const reproduce_spec *spec)
{
    const bool own = set->features != NULL;
    const char *wrong = NULL;
    if ((own || set->labels != NULL || set->images != NULL || set->boxes) &&
        strcmp(spec->name, "cub") != 0)
        wrong = "--features, --labels, --images and --boxes are for cub";
    else if (own && set->labels == NULL)
        wrong = "--features needs --labels, the class of each map";
    else if (!own && (set->labels != NULL || set->images != NULL))
        wrong = "--labels and --images go with --features";
    else if (own && set->boxes)
        wrong = "--boxes is for the published maps, whose boxes are known";
    if (wrong != NULL) message(OW_LOG_ERROR, "%s", wrong);
    return wrong == NULL;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const reproduce_spec *spec = find(call->operands[0]);
    const char *found_by;
    if (spec == NULL || !compute_settings_check(&set->compute)) return EXIT_USAGE;
    if (!check_maps(set, spec)) return EXIT_USAGE;
    if (set->tune && !spec->tunes) {
        message(OW_LOG_ERROR, "--tune is not for %s, which the appendix does not tune",
                spec->name);
        return EXIT_USAGE;
    }
    if (spec->dataset == NULL || set->features != NULL)
        return run_experiment(call, spec, NULL);
    char *folder = data_folder(set->data, &found_by);
    if (folder == NULL) {
        message(OW_LOG_ERROR,
                "no data folder: give --data DIR, or set OTHERWISE_DATA or HOME");
        return EXIT_USAGE;
    }
    const int code =
        has_data(spec->dataset, folder) ? run_experiment(call, spec, folder) : EXIT_DATA;
    free(folder);
    return code;
}

static const option_spec options[] = {
    {.name = "data",
     .word = "DIR",
     .help = "the folder of the data sets; by default $OTHERWISE_DATA, else otherwise/ in "
             "the user's cache folder",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, data)},
    {.name = "output",
     .letter = 'o',
     .word = "DIR",
     .help = "the folder that the report goes to; by default report-NAME",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, out)},
    {.name = "quick",
     .help = "a minute's worth: fewer rows, passes and seeds",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, quick)},
    {.name = "tune",
     .help = "the appendix's cross-validation too: sizes of the circuit, and what the "
             "methods are set to; takes longer; not for toy",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, tune)},
    {.name = "features",
     .word = "FILE",
     .help = "cub: other feature maps, an NPY array (images, rows, columns, channels)",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, features)},
    {.name = "labels",
     .word = "FILE",
     .help = "cub: the class of each of them, one a line",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, labels)},
    {.name = "images",
     .word = "LIST",
     .help = "cub: a file with the path of each photograph, a JPEG file, one a line",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, images)},
    {.name = "boxes",
     .help = "cub: draw where the bird is",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, boxes)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {{"NAME", "mnist, credit, adult, cub or toy"}};

static const char *const examples[] = {
    "otherwise reproduce toy -o toy",
    "otherwise reproduce credit --quick",
    NULL,
};

const command_spec cmd_reproduce = {
    .name = "reproduce",
    .summary = "run the paper's experiments and write ours beside theirs",
    .about =
        "Runs an experiment of the paper whole and writes a report, index.html, in which "
        "its "
        "tables and figures stand beside ours; the pictures and tables are there as files "
        "too. What a run has finished is kept: the same command goes on from there. The "
        "same "
        "seed gives the same report, but for times.",
    .operands = operands,
    .n_operands = 1,
    .n_required = 1,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .settings_size = sizeof(settings),
    .run = run,
};
