/* SPDX-License-Identifier: MIT */
/* Files of one test run, and the big data files that may or may not be there. */
#include <dirent.h>
#include <unistd.h>
#include <zlib.h>

#include "support/ow_test.h"

static char folder[256];

static void remove_folder(void)
{
    DIR *open = opendir(folder);
    if (open == NULL) return;
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(open);
    rmdir(folder);
}

const char *ow_test_path(const char *name, int slot)
{
    static char paths[8][1024];
    assert_in_range(slot, 0, 7);
    if (folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/ow-test-XXXXXX", base != NULL ? base : "/tmp");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", folder, name);
    return paths[slot];
}

void ow_test_write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

char *ow_test_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) print_error("cannot open %s\n", path);
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long end = ftell(file);
    assert_true(end >= 0);
    rewind(file);
    char *bytes = malloc((size_t)end + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)end, file), (size_t)end);
    bytes[end] = '\0';
    fclose(file);
    if (size != NULL) *size = (size_t)end;
    return bytes;
}

unsigned char *ow_test_gzip(const void *bytes, size_t size, size_t *packed_size)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t room = deflateBound(&z, size) + 64;
    unsigned char *packed = malloc(room);
    assert_non_null(packed);
    z.next_in = (z_const Bytef *)bytes;
    z.avail_in = (uInt)size;
    z.next_out = packed;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *packed_size = z.total_out;
    deflateEnd(&z);
    return packed;
}

const char *ow_test_data_file(const char *name)
{
    static char path[1024];
    const char *base = getenv("OTHERWISE_DATA");
    snprintf(path, sizeof path, "%s/%s", base != NULL ? base : "", name);
    if (base != NULL && access(path, R_OK) == 0) return path;
    print_message("skipped: %s is not in $OTHERWISE_DATA\n", name);
    skip();
    return NULL;
}
