/* SPDX-License-Identifier: MIT */
/* Feeds every file of a corpus folder to the fuzz target, without libFuzzer; of a small
 * file also every beginning, so that each format is tried truncated at every byte.  Each
 * input is a block of its exact size, where AddressSanitizer sees one byte too many. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_target.h"

enum { small_size = 2048 };

static void feed(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) abort();
    if (size > 0) memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/* False if the file cannot be read. */
static bool replay(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    const bool ok = !ferror(file);
    fclose(file);
    if (!ok) return false;
    for (size_t n = size <= small_size ? 0 : size; n <= size; n++) feed(bytes, n);
    return true;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s FOLDER, which must exist\n", argv[0]);
        return 2;
    }
    size_t n_files = 0;
    bool ok = true;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (!replay(path)) {
            fprintf(stderr, "cannot read %s\n", path);
            ok = false;
        }
        n_files++;
    }
    closedir(folder);
    printf("%zu files\n", n_files);
    return ok && n_files > 0 ? 0 : 1;
}
