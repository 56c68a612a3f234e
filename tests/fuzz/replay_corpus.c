/* SPDX-License-Identifier: MIT */
/* Drives a fuzz target without libFuzzer: replay_corpus FOLDER gives it each file of the folder, whole and, if it
 * is small, cut off at every byte. */
#include <dirent.h>
#include <string.h>

#include "fuzz_target.h"

enum { most_bytes = 1 << 20, most_bytes_to_cut = 4096 };

/* A copy of exactly this size, so that AddressSanitizer sees a step past its end. */
static void give(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    expect(copy != NULL);
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void replay_file(const char *path)
{
    static uint8_t bytes[most_bytes];
    FILE *file = fopen(path, "rb");
    expect(file != NULL);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    expect(ferror(file) == 0 && size < sizeof bytes);
    fclose(file);

    give(bytes, size);
    if (size <= most_bytes_to_cut)
        for (size_t cut = 0; cut < size; cut++) give(bytes, cut);
}

int main(int argc, char **argv)
{
    expect(argc == 2);
    DIR *folder = opendir(argv[1]);
    if (folder == NULL) {
        fprintf(stderr, "there is no corpus %s\n", argv[1]);
        return 1;
    }
    size_t n_files = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        char path[4096];
        expect(snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name) <
               (int)sizeof path);
        replay_file(path);
        n_files++;
    }
    closedir(folder);
    printf("%zu files replayed\n", n_files);
    return n_files > 0 ? 0 : 1;
}
