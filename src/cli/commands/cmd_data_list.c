/* SPDX-License-Identifier: MIT */
/* otherwise data list: the data sets of the experiments, and which of their files are
 * there. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "datasets/data_folder.h"
#include "datasets/dataset_catalogue.h"
#include "otherwise/file.h"
#include "output/json_output.h"
#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"

typedef struct {
    const char *data;
    bool check, json;
} settings;

/* A data set, and what has been found of it. */
typedef struct {
    const dataset *set;
    file_state *states; /* of each file                     */
    size_t n_of[3];     /* files in each state              */
    uint64_t size;      /* of all files, as they should be  */
} finding;

static ow_status look_for(const invocation *call, const char *folder, finding *found)
{
    const settings *set = call->settings;
    found->states = memory_new(found->set->n_files, sizeof *found->states);
    for (size_t i = 0; i < found->set->n_files; i++) {
        const ow_status status =
            dataset_check_file(found->set, i, folder, set->check, &found->states[i]);
        if (status != OW_OK) return status;
        if (interrupt_signal() != 0) return OW_ERR_CANCELLED;
        found->n_of[found->states[i]]++;
        found->size += found->set->files[i].size;
    }
    return OW_OK;
}

/* ---- For people ---- */

/* "11.6 MB", decimal as disks are sold and files listed */
static void print_size(uint64_t bytes, char *text, size_t size)
{
    if (bytes < 1000000)
        snprintf(text, size, "%.0f kB", (double)bytes / 1e3);
    else
        snprintf(text, size, "%.1f MB", (double)bytes / 1e6);
}

/* "complete", "absent", or what keeps it from being complete. */
static void print_state(const finding *found, char *text, size_t size)
{
    const size_t n_files = found->set->n_files;
    if (found->n_of[FILE_PRESENT] == n_files)
        snprintf(text, size, "complete");
    else if (found->n_of[FILE_ABSENT] == n_files)
        snprintf(text, size, "absent");
    else
        snprintf(text, size, "%zu of %zu files", found->n_of[FILE_PRESENT], n_files);
}

static void print_table(const finding *findings, size_t n)
{
    static const table_column columns[] = {{.title = "data set"},
                                           {.title = "what", .least_width = 20},
                                           {.title = "size"},
                                           {.title = "state"}};
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        char size[32], state[64];
        print_size(findings[i].size, size, sizeof size);
        print_state(&findings[i], state, sizeof state);
        text_table_add(table, findings[i].set->name);
        text_table_add(table, findings[i].set->title);
        text_table_add(table, size);
        text_table_add(table, state);
    }
    text_table_print(stdout, table, terminal_width(stdout));
    text_table_free(table);
}

/* The files that data sets lack of which something is there. */
static void print_missing(const finding *findings, size_t n)
{
    const char *before = "\n";
    for (size_t i = 0; i < n; i++) {
        const dataset *set = findings[i].set;
        if (findings[i].n_of[FILE_ABSENT] == set->n_files) continue;
        for (size_t k = 0; k < set->n_files; k++) {
            if (findings[i].states[k] != FILE_ABSENT) continue;
            output_print(stdout, "%s%s/%s is missing\n", before, set->name,
                         set->files[k].name);
            before = "";
        }
    }
}

static void print_for_people(const char *folder, const char *found_by,
                             const finding *findings, size_t n)
{
    char *clean = display_clean(folder);
    output_print(stdout, "Data sets in %s (%s)\n\n", clean, found_by);
    free(clean);
    print_table(findings, n);
    print_missing(findings, n);
}

/* ---- For programs ---- */

static json_t *json_of_finding(const finding *found)
{
    static const char *const state_names[] = {"present", "absent", "different"};
    json_t *files = json_array();
    for (size_t i = 0; i < found->set->n_files; i++) {
        const dataset_file *file = &found->set->files[i];
        json_array_append_new(files,
                              json_pack("{s:s, s:I, s:s, s:s}", "name", file->name, "size",
                                        (json_int_t)file->size, "sha256", file->sha256,
                                        "state", state_names[found->states[i]]));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:o}", "name", found->set->name, "title",
                     found->set->title, "publisher", found->set->publisher, "licence",
                     found->set->licence, "complete",
                     found->n_of[FILE_PRESENT] == found->set->n_files, "files", files);
}

static void print_for_programs(const char *folder, bool checked, const finding *findings,
                               size_t n)
{
    json_t *sets = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(sets, json_of_finding(&findings[i]));
    json_output_document(json_pack("{s:o, s:b, s:o}", "folder", json_output_text(folder),
                                   "checked", checked, "datasets", sets));
}

/* ---- The command ---- */

/* Names the files that are there but are others. */
static int complain(const char *folder, const finding *findings, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < findings[i].set->n_files; k++)
            if (findings[i].states[k] == FILE_DIFFERENT)
                message(OW_LOG_ERROR, "%s/%s/%s is not the published file", folder,
                        findings[i].set->name, findings[i].set->files[k].name);
    return EXIT_DATA;
}

static int list(const invocation *call, const char *folder, const char *found_by,
                finding *findings, size_t n)
{
    const settings *set = call->settings;
    size_t n_different = 0, n_absent = 0, n_files = 0;
    for (size_t i = 0; i < n; i++) {
        findings[i].set = dataset_get(i);
        const ow_status status = look_for(call, folder, &findings[i]);
        if (status != OW_OK) return command_failed(status, false);
        n_different += findings[i].n_of[FILE_DIFFERENT];
        n_absent += findings[i].n_of[FILE_ABSENT];
        n_files += findings[i].set->n_files;
    }
    if (set->json)
        print_for_programs(folder, set->check, findings, n);
    else
        print_for_people(folder, found_by, findings, n);
    if (n_absent == n_files)
        message(OW_LOG_INFO,
                "if they are elsewhere, name that folder with --data DIR or in "
                "OTHERWISE_DATA");
    return n_different > 0 ? complain(folder, findings, n) : EXIT_DONE;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const char *found_by;
    char *folder = data_folder(set->data, &found_by);
    if (folder == NULL) {
        message(OW_LOG_ERROR,
                "no data folder: give --data DIR, or set OTHERWISE_DATA or HOME");
        return EXIT_USAGE;
    }
    size_t n = 0;
    while (dataset_get(n) != NULL) n++;
    finding *findings = memory_new(n, sizeof *findings);
    const int code = list(call, folder, found_by, findings, n);
    for (size_t i = 0; i < n; i++) free(findings[i].states);
    free(findings);
    free(folder);
    return code;
}

static const option_spec options[] = {
    {.name = "data",
     .word = "DIR",
     .help = "the folder to look in; by default $OTHERWISE_DATA, else otherwise/ in the "
             "user's cache folder",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, data)},
    {.name = "check",
     .help = "also compare the sha256 of every file",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, check)},
    {.name = "json",
     .help = "print the list as JSON, with publishers, licences and every file",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, json)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0}};

static const char *const examples[] = {
    "otherwise data list",
    "otherwise data list --data ~/sets --check",
    NULL,
};

const command_spec cmd_data_list = {
    .name = "data list",
    .summary = "list the data sets of the experiments and say which are there",
    .about =
        "Lists the data sets of the experiments and says which of their files are in the "
        "data folder, each in a folder of the data set's name. A file that is there but "
        "has another size (with --check, another sha256) than the published one makes "
        "the command end with exit code 3.",
    .uses = uses,
    .n_uses = 1,
    .examples = examples,
    .settings_size = sizeof(settings),
    .run = run,
};
