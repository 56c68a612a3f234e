/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all. */
#include "support/ow_test.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "otherwise/file.h"

static void assert_content(const char *path, const char *want)
{
    size_t size;
    char *got = ow_test_read_file(path, &size);
    assert_int_equal(size, strlen(want));
    assert_memory_equal(got, want, size);
    free(got);
}

static void write_text(ow_context *ctx, const char *path, const char *text)
{
    assert_ok(ow_file_write(ctx, path, text, strlen(text)));
}

/* How many temporary files lie in the folder of this test run. */
static size_t count_leftovers(void)
{
    size_t n = 0;
    DIR *folder = opendir(ow_test_path(".", 7));
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        if (strstr(entry->d_name, ".tmp") != NULL) n++;
    closedir(folder);
    return n;
}

static void the_file_holds_what_was_written(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("plain", 0);
    write_text(ctx, path, "first");
    assert_content(path, "first");
    write_text(ctx, path, "the second, longer one");
    assert_content(path, "the second, longer one");
    write_text(ctx, path, "");
    assert_content(path, "");
    assert_int_equal(count_leftovers(), 0);
}

/* Only there may anything be left of a program that ends in the middle. */
static void the_bytes_are_in_the_temporary_file_until_commit(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_file_writer *writer = NULL;
    assert_ok(ow_file_writer_open(ctx, ow_test_path("until", 0), &writer));
    assert_int_equal(access(ow_file_writer_temporary(writer), F_OK), 0);
    assert_int_equal(unlink(ow_file_writer_temporary(writer)), 0);
    assert_int_equal(count_leftovers(), 0);
    ow_file_writer_abort(writer);
    assert_ok(ow_file_writer_open(ctx, "/dev/null", &writer));
    assert_null(ow_file_writer_temporary(writer));
    ow_file_writer_abort(writer);
}

/* Pieces of every size around the buffer's, against the same bytes put together here. */
static void pieces_of_any_size_come_out_in_order(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const size_t sizes[] = {0, 1, 65535, 65536, 65537, 200000, 3, 65530, 7, 0, 131072, 1};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) total += sizes[i];
    unsigned char *want = malloc(total);
    assert_non_null(want);
    for (size_t i = 0; i < total; i++) want[i] = (unsigned char)(i * 31 + i / 251);

    const char *path = ow_test_path("pieces", 0);
    ow_file_writer *writer;
    assert_ok(ow_file_writer_open(ctx, path, &writer));
    size_t at = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; at += sizes[i++])
        assert_ok(ow_file_writer_write(writer, want + at, sizes[i]));
    assert_ok(ow_file_writer_commit(writer));

    size_t size;
    char *got = ow_test_read_file(path, &size);
    assert_int_equal(size, total);
    assert_memory_equal(got, want, total);
    free(got);
    free(want);
}

static void the_old_file_stands_until_commit_and_after_abort(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("stands", 0);
    write_text(ctx, path, "old");
    ow_file_writer *writer;
    assert_ok(ow_file_writer_open(ctx, path, &writer));
    assert_ok(ow_file_writer_write(writer, "new", 3));
    assert_content(path, "old");
    assert_int_equal(count_leftovers(), 1);
    ow_file_writer_abort(writer);
    assert_content(path, "old");
    assert_int_equal(count_leftovers(), 0);
    ow_file_writer_abort(NULL);
}

static void a_file_given_up_does_not_appear(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("never", 0);
    ow_file_writer *writer;
    assert_ok(ow_file_writer_open(ctx, path, &writer));
    assert_ok(ow_file_writer_write(writer, "new", 3));
    ow_file_writer_abort(writer);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(count_leftovers(), 0);
}

static void two_writers_of_one_file_do_not_mix(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("two", 0);
    ow_file_writer *first, *second;
    assert_ok(ow_file_writer_open(ctx, path, &first));
    assert_ok(ow_file_writer_open(ctx, path, &second));
    assert_ok(ow_file_writer_write(first, "first", 5));
    assert_ok(ow_file_writer_write(second, "second", 6));
    assert_ok(ow_file_writer_commit(second));
    assert_content(path, "second");
    assert_ok(ow_file_writer_commit(first));
    assert_content(path, "first");
}

static void a_link_is_followed_and_stays_a_link(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *file = ow_test_path("linked-file", 0), *link = ow_test_path("link", 1);
    const char *absolute = ow_test_path("absolute-link", 2);
    write_text(ctx, file, "old");
    assert_int_equal(symlink("linked-file", link), 0); /* from its own folder */
    assert_int_equal(symlink(link, absolute), 0);      /* a link to the link  */

    write_text(ctx, absolute, "new");
    struct stat state_of_link;
    assert_int_equal(lstat(link, &state_of_link), 0);
    assert_true(S_ISLNK(state_of_link.st_mode));
    assert_int_equal(lstat(file, &state_of_link), 0);
    assert_true(S_ISREG(state_of_link.st_mode));
    assert_content(file, "new");
}

static void a_link_to_nothing_makes_the_file_it_names(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *link = ow_test_path("dangling", 0);
    assert_int_equal(symlink("not-there-yet", link), 0);
    write_text(ctx, link, "there");
    assert_content(ow_test_path("not-there-yet", 1), "there");
}

static void links_in_a_circle_are_an_error(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *link = ow_test_path("circle", 0);
    assert_int_equal(symlink("circle", link), 0);
    assert_fails(ow_file_write(ctx, link, "x", 1), OW_ERR_IO, "circle");
}

static void a_device_is_written_directly(void **state)
{
    ow_context *ctx = ow_test_context(state);
    write_text(ctx, "/dev/null", "gone");
    struct stat null;
    assert_int_equal(stat("/dev/null", &null), 0);
    assert_true(S_ISCHR(null.st_mode));
}

static void a_pipe_is_written_directly(void **state)
{
    ow_context *ctx = ow_test_context(state);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char path[64], got[6] = "";
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    write_text(ctx, path, "piped");
    assert_int_equal(read(ends[0], got, 5), 5);
    assert_string_equal(got, "piped");
    close(ends[0]);
    close(ends[1]);
}

static void a_full_disk_is_reported_with_the_path(void **state)
{
    ow_context *ctx = ow_test_context(state);
    if (access("/dev/full", W_OK) != 0) skip();
    assert_fails(ow_file_write(ctx, "/dev/full", "x", 1), OW_ERR_IO,
                 "cannot write /dev/full: No space left on device");
    static const char block[70000]; /* past the buffer: not at commit, but before */
    assert_fails(ow_file_write(ctx, "/dev/full", block, sizeof block), OW_ERR_IO,
                 "cannot write /dev/full: No space left on device");
}

/* A limit on the size of files stands in for a disk that fills up half-way and then has
 * room again: what was lost in between must not be renamed into place. */
static void a_failed_write_sticks_and_leaves_the_old_file_and_no_other(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("survives", 0);
    write_text(ctx, path, "old");
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit small = {100000, before.rlim_max};
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);

    static const char block[200000];
    ow_file_writer *writer;
    assert_ok(ow_file_writer_open(ctx, path, &writer));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const ow_status status = ow_file_writer_write(writer, block, sizeof block);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, old_handler);

    assert_fails(status, OW_ERR_IO, "survives: File too large");
    assert_int_equal(count_leftovers(), 1);
    assert_fails(ow_file_writer_commit(writer), OW_ERR_IO, "survives: File too large");
    assert_content(path, "old");
    assert_int_equal(count_leftovers(), 0);
}

static void a_file_that_cannot_be_renamed_leaves_no_other(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("overtaken", 0);
    ow_file_writer *writer;
    assert_ok(ow_file_writer_open(ctx, path, &writer));
    assert_int_equal(mkdir(path, 0777), 0); /* somebody was faster */
    assert_fails(ow_file_writer_commit(writer), OW_ERR_IO, "overtaken: Is a directory");
    assert_int_equal(count_leftovers(), 0);
    assert_int_equal(rmdir(path), 0);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("nowhere/file", 0);
    assert_fails(ow_file_write(ctx, path, "x", 1), OW_ERR_IO,
                 "nowhere/file: No such file or directory");
    assert_fails(ow_file_write(ctx, "", "x", 1), OW_ERR_IO, "No such file");
}

static void a_folder_cannot_be_written_as_a_file(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_fails(ow_file_write(ctx, "/tmp", "x", 1), OW_ERR_IO,
                 "cannot write /tmp: Is a directory");
    const char *file = ow_test_path("just-a-file", 0);
    write_text(ctx, file, "x");
    assert_fails(ow_file_write(ctx, ow_test_path("just-a-file/x", 1), "x", 1), OW_ERR_IO,
                 "Not a directory");
}

static void what_may_not_be_written_is_left_alone(void **state)
{
    ow_context *ctx = ow_test_context(state);
    if (geteuid() == 0) { /* who may write everything: a file system that nobody may */
        assert_fails(ow_file_write(ctx, "/proc/otherwise-test", "x", 1), OW_ERR_IO,
                     "cannot write /proc/otherwise-test");
        return;
    }
    const char *path = ow_test_path("protected", 0);
    write_text(ctx, path, "old");
    assert_int_equal(chmod(path, 0444), 0);
    assert_fails(ow_file_write(ctx, path, "new", 3), OW_ERR_IO, "Permission denied");
    assert_content(path, "old");

    const char *folder = ow_test_path("closed", 1);
    assert_int_equal(mkdir(folder, 0555), 0);
    const ow_status status = ow_file_write(ctx, ow_test_path("closed/file", 2), "x", 1);
    assert_int_equal(rmdir(folder), 0);
    assert_fails(status, OW_ERR_IO, "closed/file: Permission denied");
}

static mode_t mode_of(const char *path)
{
    struct stat state_of_file;
    assert_int_equal(stat(path, &state_of_file), 0);
    return state_of_file.st_mode & 07777;
}

static void a_new_file_has_the_mode_of_the_umask_and_a_replaced_one_its_own(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("mode", 0);
    const mode_t before = umask(027);
    write_text(ctx, path, "new");
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(chmod(path, 0606), 0);
    write_text(ctx, path, "replaced");
    umask(before);
    assert_int_equal(mode_of(path), 0606);
}

static ow_status write_through_link(ow_context *ctx, void *user)
{
    return ow_file_write(ctx, user, "swept", 5);
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    const char *link = ow_test_path("swept-link", 0);
    assert_int_equal(symlink("swept", link), 0);
    char path[1024];
    snprintf(path, sizeof path, "%s", link);
    ow_test_sweep(write_through_link, path);
    assert_content(link, "swept");
    assert_int_equal(count_leftovers(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_file_holds_what_was_written),
        ow_test_on_heap(the_bytes_are_in_the_temporary_file_until_commit),
        ow_test_on_heap(pieces_of_any_size_come_out_in_order),
        ow_test_on_heap(the_old_file_stands_until_commit_and_after_abort),
        ow_test_on_heap(a_file_given_up_does_not_appear),
        ow_test_on_heap(two_writers_of_one_file_do_not_mix),
        ow_test_on_heap(a_link_is_followed_and_stays_a_link),
        ow_test_on_heap(a_link_to_nothing_makes_the_file_it_names),
        ow_test_on_heap(links_in_a_circle_are_an_error),
        ow_test_on_heap(a_device_is_written_directly),
        ow_test_on_heap(a_pipe_is_written_directly),
        ow_test_on_heap(a_full_disk_is_reported_with_the_path),
        ow_test_on_heap(a_failed_write_sticks_and_leaves_the_old_file_and_no_other),
        ow_test_on_heap(a_file_that_cannot_be_renamed_leaves_no_other),
        ow_test_on_heap(a_folder_that_is_not_there_is_an_error),
        ow_test_on_heap(a_folder_cannot_be_written_as_a_file),
        ow_test_on_heap(what_may_not_be_written_is_left_alone),
        ow_test_on_heap(a_new_file_has_the_mode_of_the_umask_and_a_replaced_one_its_own),
        ow_test_on_heap(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("base/file_write", tests, NULL, NULL);
}
