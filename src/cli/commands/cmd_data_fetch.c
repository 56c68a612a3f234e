/* SPDX-License-Identifier: MIT */
/* otherwise data fetch: downloads a data set from its publisher. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/command.h"
#include "datasets/data_folder.h"
#include "datasets/dataset_catalogue.h"
#include "datasets/download.h"
#include "datasets/unzip_file.h"
#include "otherwise/file.h"
#include "output/make_folder.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

typedef struct {
    const char *to, *from;
} settings;

/* Archives have no size that is known beforehand. */
enum { largest_archive = 1 << 28 };

/* What is fetched, from where, and how it ends. */
typedef struct {
    const invocation *call;
    const dataset *set;
    char *folder; /* of all data sets                                   */
    char *home;   /* of this one: folder/NAME                           */
    int code;     /* exit code if it has to end now; EXIT_DONE: go on   */
} fetching;

/* ---- Folders and names ---- */

static const dataset *find_set(const char *name)
{
    const char *names[16];
    size_t n = 0;
    for (const dataset *set; n < 16 && (set = dataset_get(n)) != NULL; n++) {
        if (strcmp(set->name, name) == 0) return set;
        names[n] = set->name;
    }
    message(OW_LOG_ERROR, "there is no data set \"%s\"%s", name,
            args_did_you_mean(name, "", names, n));
    return NULL;
}

static bool is_folder(const char *place)
{
    return place[0] != '\0' && place[strlen(place) - 1] == '/';
}

/* ---- One file ---- */

/* Whether the file is there, whole and the published one. */
static bool is_present(fetching *work, size_t file)
{
    file_state state;
    const ow_status status =
        dataset_check_file(work->set, file, work->folder, true, &state);
    if (status != OW_OK) work->code = command_failed(status, false);
    return status == OW_OK && state == FILE_PRESENT;
}

/* The part becomes the file if it has the right sum; otherwise it is removed. */
static bool accept_part(fetching *work, const dataset_file *file, const char *part,
                        const char *from)
{
    char sum[OW_SHA256_SIZE];
    if (ow_file_sha256(part, sum) != OW_OK)
        return work->code = command_failed(OW_ERR_IO, false), false;
    if (strcmp(sum, file->sha256) != 0) {
        message(OW_LOG_WARN, "%s from %s is another file: its sha256 is %s, expected %s",
                file->name, from, sum, file->sha256);
        remove(part);
        return false;
    }
    char *path = text_add(NULL, "%s/%s", work->home, file->name);
    const bool renamed = rename(part, path) == 0;
    if (renamed)
        output_print(stdout, "%s\n", path);
    else {
        message(OW_LOG_ERROR, "cannot write %s: %s", path, strerror(errno));
        work->code = EXIT_RESOURCES;
    }
    free(path);
    return renamed;
}

/* True if it is all there; false with a warning, or with work->code set where no other
 * place can help. */
static bool download(fetching *work, const download_request *request)
{
    char *why = NULL;
    const download_result result = download_file(request, &why);
    if (result == DOWNLOAD_FAILED) message(OW_LOG_WARN, "%s", why);
    if (result == DOWNLOAD_NO_ROOM) {
        message(OW_LOG_ERROR, "%s", why);
        work->code = EXIT_RESOURCES;
    }
    if (result == DOWNLOAD_STOPPED) {
        message(OW_LOG_INFO, "%s is kept; fetching again goes on from there",
                request->path);
        work->code = interrupt_end();
    }
    free(why);
    return result == DOWNLOAD_DONE;
}

static bool fetch_file(fetching *work, const char *place, size_t index)
{
    const dataset_file *file = &work->set->files[index];
    char *url = text_add(NULL, "%s%s", place, file->name);
    char *part = text_add(NULL, "%s/%s.part", work->home, file->name);
    struct stat about;
    /* A part that is whole or longer was not accepted before: it is no beginning of this
     * file. */
    if (stat(part, &about) == 0 && (uint64_t)about.st_size >= file->size) remove(part);
    const download_request request = {url, part, file->name, file->size, file->size};
    const bool fetched = download(work, &request) && accept_part(work, file, part, place);
    free(part);
    free(url);
    return fetched;
}

/* ---- All files of a place ---- */

static bool unpack_file(fetching *work, const char *archive, size_t index,
                        const char *place)
{
    const dataset_file *file = &work->set->files[index];
    char *part = text_add(NULL, "%s/%s.part", work->home, file->name);
    const ow_status status = unzip_file(work->call->ctx, archive, file->name, part);
    if (status == OW_ERR_FORMAT)
        message(OW_LOG_WARN, "%s", ow_error_message());
    else if (status != OW_OK)
        work->code = command_failed(status, true);
    const bool unpacked = status == OW_OK && accept_part(work, file, part, place);
    free(part);
    return unpacked;
}

/* Fetches what is missing; the number of files that still are.  Ends early when work->code
 * says so. */
static size_t fetch_from(fetching *work, const char *place)
{
    const dataset *set = work->set;
    char *archive = text_add(NULL, "%s/archive.zip.part", work->home);
    bool have_archive = false;
    size_t n_missing = 0;

    for (size_t i = 0; i < set->n_files && work->code == EXIT_DONE; i++) {
        if (is_present(work, i) || work->code != EXIT_DONE) continue;
        bool fetched = false;
        if (is_folder(place)) {
            fetched = fetch_file(work, place, i);
        } else {
            const download_request request = {place, archive, set->name, 0,
                                              largest_archive};
            /* Without a size nobody can tell how much of an older part belongs to this
             * archive. */
            if (!have_archive) remove(archive);
            have_archive = have_archive || download(work, &request);
            if (!have_archive) {
                n_missing = set->n_files - i;
                break;
            }
            fetched = unpack_file(work, archive, i, place);
        }
        n_missing += !fetched;
    }
    remove(archive);
    free(archive);
    return n_missing;
}

static int fetch(fetching *work)
{
    const settings *set = work->call->settings;
    const char *const given[] = {set->from, NULL};
    const char *const *places = set->from != NULL ? given : work->set->places;
    size_t n_missing = work->set->n_files;

    if (!make_folder(work->home)) return EXIT_RESOURCES;
    for (size_t p = 0; places[p] != NULL && n_missing > 0 && work->code == EXIT_DONE; p++)
        n_missing = fetch_from(work, places[p]);
    if (work->code != EXIT_DONE) return work->code;
    if (n_missing > 0) {
        message(OW_LOG_ERROR, "%zu of %zu files of %s could not be fetched", n_missing,
                work->set->n_files, work->set->name);
        return EXIT_DATA;
    }
    return EXIT_DONE;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const char *found_by;
    fetching work = {.call = call, .set = find_set(call->operands[0])};
    if (work.set == NULL) return EXIT_USAGE;
    if (work.set->places[0] == NULL && set->from == NULL) {
        message(OW_LOG_ERROR, "%s cannot be fetched: %s", work.set->name,
                work.set->by_hand);
        return EXIT_DATA;
    }
    work.folder = data_folder(set->to, &found_by);
    if (work.folder == NULL) {
        message(OW_LOG_ERROR,
                "no data folder: give --to DIR, or set OTHERWISE_DATA or HOME");
        return EXIT_USAGE;
    }
    work.home = text_add(NULL, "%s/%s", work.folder, work.set->name);
    const int code = fetch(&work);
    free(work.home);
    free(work.folder);
    return code;
}

static const option_spec options[] = {
    {.name = "to",
     .word = "DIR",
     .help = "the folder of the data sets; by default $OTHERWISE_DATA, else otherwise/ in "
             "the user's cache folder",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, to)},
    {.name = "from",
     .word = "URL",
     .help = "another place than the publisher's: a folder (ending in /) that holds the "
             "files, or a zip archive of them",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, from)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0}};

static const operand_spec operands[] = {{"NAME", "mnist, credit or adult"}};

static const char *const examples[] = {
    "otherwise data fetch adult",
    "otherwise data fetch mnist --to ~/sets",
    NULL,
};

const command_spec cmd_data_fetch = {
    .name = "data fetch",
    .summary = "download a data set from its publisher",
    .about =
        "Downloads the files of a data set that are not there yet into the data folder, "
        "and "
        "prints their paths. Each is compared with the sha256 of the published file before "
        "it gets its name; a download that broke off goes on where it was. If the first "
        "place does not have a file, the next one is tried.",
    .operands = operands,
    .n_operands = 1,
    .n_required = 1,
    .uses = uses,
    .n_uses = 1,
    .examples = examples,
    .settings_size = sizeof(settings),
    .run = run,
};
