/* SPDX-License-Identifier: MIT */
/* Bytes from files, pipes and memory, plain and gzipped. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "support/ow_test.h"
#include "support/test_call.h"

/* Longer than two blocks, and compressible without being constant. */
enum { n_bytes = 600 * 1000 + 7 };
static char content[n_bytes];

static int make_content(void **state)
{
    (void)state;
    uint32_t x = 1;
    for (size_t i = 0; i < n_bytes; i++) {
        x = x * 1664525u + 1013904223u;
        content[i] = "0123456789,\n"[(x >> 24) % 12];
    }
    return 0;
}

/* Reads in pieces of this size and compares with the expected bytes. */
static void assert_reads(owi_byte_source *source, const char *want, size_t size,
                         size_t piece)
{
    char *buffer = malloc(piece);
    assert_non_null(buffer);
    size_t done = 0, n;
    do {
        assert_ok(owi_byte_source_read(source, buffer, piece, &n));
        assert_true(n <= size - done);
        assert_memory_equal(buffer, want + done, n);
        done += n;
    } while (n == piece);
    assert_int_equal(done, size);
    assert_ok(owi_byte_source_read(source, buffer, piece, &n));
    assert_int_equal(n, 0);
    free(buffer);
}

static void assert_reads_in_any_pieces(owi_byte_source *source, const char *want,
                                       size_t size)
{
    const size_t pieces[] = {1, 17, 4096, 256 * 1024, 256 * 1024 + 1, size, 2 * size};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        assert_reads(source, want, size, pieces[i]);
        assert_ok(owi_byte_source_rewind(source));
        /* From the middle, too, the way back leads to the first byte. */
        char some[100];
        size_t n;
        assert_ok(owi_byte_source_read(source, some, sizeof some, &n));
        assert_ok(owi_byte_source_rewind(source));
    }
}

static void a_file_reads_the_same_in_pieces_of_any_size_plain_or_gzipped(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_byte_source *source;
    size_t packed_size;
    unsigned char *packed = ow_test_gzip(content, n_bytes, &packed_size);
    const char *plain_path = ow_test_path("plain", 0);
    const char *packed_path = ow_test_path("packed", 1);
    ow_test_write_file(plain_path, content, n_bytes);
    ow_test_write_file(packed_path, packed, packed_size);

    ow_test_heap_begin(&heap);
    assert_ok(owi_byte_source_open(heap.ctx, plain_path, NULL, &source));
    assert_string_equal(owi_byte_source_name(source), plain_path);
    assert_reads_in_any_pieces(source, content, n_bytes);
    owi_byte_source_free(source);
    assert_ok(owi_byte_source_open(heap.ctx, packed_path, NULL, &source));
    assert_reads_in_any_pieces(source, content, n_bytes);
    owi_byte_source_free(source);
    ow_test_heap_end(&heap);
    free(packed);
}

static void memory_reads_the_same_plain_or_gzipped(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_byte_source *source;
    size_t packed_size;
    unsigned char *packed = ow_test_gzip(content, n_bytes, &packed_size);
    ow_test_heap_begin(&heap);
    assert_ok(owi_byte_source_open_memory(heap.ctx, content, n_bytes, "a name", &source));
    assert_string_equal(owi_byte_source_name(source), "a name");
    assert_reads_in_any_pieces(source, content, n_bytes);
    owi_byte_source_free(source);
    assert_ok(
        owi_byte_source_open_memory(heap.ctx, packed, packed_size, "packed", &source));
    assert_reads_in_any_pieces(source, content, n_bytes);
    owi_byte_source_free(source);
    ow_test_heap_end(&heap);
    free(packed);
}

static void nothing_reads_as_nothing(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_byte_source *source;
    const char *path = ow_test_path("empty", 0);
    ow_test_write_file(path, "", 0);
    ow_test_heap_begin(&heap);
    assert_ok(owi_byte_source_open(heap.ctx, path, NULL, &source));
    assert_reads(source, "", 0, 10);
    owi_byte_source_free(source);
    assert_ok(owi_byte_source_open_memory(heap.ctx, NULL, 0, "nothing", &source));
    assert_reads(source, "", 0, 10);
    owi_byte_source_free(source);
    ow_test_heap_end(&heap);
}

static void several_gzip_members_read_as_one(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_byte_source *source;
    size_t first_size, empty_size, second_size;
    const size_t cut = 100 * 1000;
    unsigned char *first = ow_test_gzip(content, cut, &first_size);
    unsigned char *empty = ow_test_gzip("", 0, &empty_size);
    unsigned char *second = ow_test_gzip(content + cut, n_bytes - cut, &second_size);
    unsigned char *all = malloc(first_size + empty_size + second_size);
    assert_non_null(all);
    memcpy(all, first, first_size);
    memcpy(all + first_size, empty, empty_size);
    memcpy(all + first_size + empty_size, second, second_size);

    ow_test_heap_begin(&heap);
    assert_ok(owi_byte_source_open_memory(
        heap.ctx, all, first_size + empty_size + second_size, "three", &source));
    assert_reads_in_any_pieces(source, content, n_bytes);
    owi_byte_source_free(source);
    ow_test_heap_end(&heap);
    free(all);
    free(second);
    free(empty);
    free(first);
}

static ow_status read_everything(ow_context *ctx, const void *bytes, size_t size,
                                 char **text, size_t *length)
{
    owi_byte_source *source;
    ow_status status = owi_byte_source_open_memory(ctx, bytes, size, "x.gz", &source);
    *text = NULL;
    if (status == OW_OK) status = owi_byte_source_read_all(source, SIZE_MAX, text, length);
    owi_byte_source_free(source);
    return status;
}

static void gzip_data_cut_off_anywhere_say_so(void **state)
{
    (void)state;
    ow_test_heap heap;
    size_t packed_size, length;
    unsigned char *packed = ow_test_gzip(content, 1000, &packed_size);
    ow_test_heap_begin(&heap);
    for (size_t size = 2; size < packed_size; size++) {
        char *text;
        assert_fails(read_everything(heap.ctx, packed, size, &text, &length), OW_ERR_FORMAT,
                     "x.gz: the gzip data are cut off");
        assert_null(text);
    }
    ow_test_heap_end(&heap);
    free(packed);
}

/* Some bytes of the gzip header say nothing about the content (time, system). */
static void gzip_data_with_one_bit_changed_never_read_as_something_else(void **state)
{
    (void)state;
    ow_test_heap heap;
    size_t packed_size, length, n_failed = 0;
    unsigned char *packed = ow_test_gzip(content, 1000, &packed_size);
    ow_test_heap_begin(&heap);
    for (size_t bit = 16; bit < 8 * packed_size; bit++) {
        char *text;
        packed[bit / 8] ^= (unsigned char)(1u << bit % 8);
        const ow_status status =
            read_everything(heap.ctx, packed, packed_size, &text, &length);
        packed[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (status == OW_OK) {
            assert_int_equal(length, 1000);
            assert_memory_equal(text, content, 1000);
            owi_free(heap.ctx, text);
        } else {
            assert_int_equal(status, OW_ERR_FORMAT);
            assert_non_null(strstr(ow_error_message(), "x.gz: "));
            n_failed++;
        }
    }
    assert_true(n_failed >= 8 * (packed_size - 10));
    ow_test_heap_end(&heap);
    free(packed);
}

static void what_follows_a_gzip_member_must_be_one(void **state)
{
    (void)state;
    ow_test_heap heap;
    size_t packed_size, length;
    char *text;
    unsigned char *packed = ow_test_gzip(content, 1000, &packed_size);
    packed = realloc(packed, packed_size + 4);
    assert_non_null(packed);
    memcpy(packed + packed_size, "more", 4);
    ow_test_heap_begin(&heap);
    assert_fails(read_everything(heap.ctx, packed, packed_size + 4, &text, &length),
                 OW_ERR_FORMAT, "x.gz: damaged gzip data (");
    ow_test_heap_end(&heap);
    free(packed);
}

static void peeking_takes_nothing(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_byte_source *source;
    char buffer[16];
    size_t n;
    ow_test_heap_begin(&heap);
    assert_ok(owi_byte_source_open_memory(heap.ctx, "0123456789", 10, "ten", &source));
    assert_ok(owi_byte_source_peek(source, buffer, 4, &n));
    assert_int_equal(n, 4);
    assert_memory_equal(buffer, "0123", 4);
    assert_ok(owi_byte_source_peek(source, buffer, 2, &n));
    assert_int_equal(n, 2);
    assert_memory_equal(buffer, "01", 2);
    assert_ok(owi_byte_source_read(source, buffer, 3, &n));
    assert_memory_equal(buffer, "012", 3);
    assert_ok(owi_byte_source_peek(source, buffer, 16, &n));
    assert_int_equal(n, 7);
    assert_memory_equal(buffer, "3456789", 7);
    assert_reads(source, "3456789", 7, 5);
    assert_ok(owi_byte_source_peek(source, buffer, 16, &n));
    assert_int_equal(n, 0);
    assert_ok(owi_byte_source_rewind(source));
    assert_ok(owi_byte_source_peek(source, buffer, 16, &n));
    assert_int_equal(n, 10);
    assert_ok(owi_byte_source_rewind(source));
    assert_reads(source, "0123456789", 10, 4);
    assert_fails(owi_byte_source_peek(source, buffer, 17, &n), OW_ERR_ARGUMENT,
                 "peek_size");
    owi_byte_source_free(source);
    ow_test_heap_end(&heap);
}

/* Makes the file descriptor standard input while reading from "-". */
static void with_standard_input(int file, void (*body)(owi_byte_source *source))
{
    ow_test_heap heap;
    owi_byte_source *source;
    const int saved = dup(STDIN_FILENO);
    assert_true(dup2(file, STDIN_FILENO) >= 0);
    ow_test_heap_begin(&heap);
    assert_ok(owi_byte_source_open(heap.ctx, "-", NULL, &source));
    assert_string_equal(owi_byte_source_name(source), "standard input");
    body(source);
    owi_byte_source_free(source);
    ow_test_heap_end(&heap);
    if (saved >= 0) {
        assert_true(dup2(saved, STDIN_FILENO) >= 0);
        close(saved);
    }
}

static void read_pipe_once(owi_byte_source *source)
{
    assert_reads(source, "abc", 3, 2);
    assert_fails(owi_byte_source_rewind(source), OW_ERR_IO,
                 "standard input can be read only once");
}

static void read_tail_twice(owi_byte_source *source)
{
    assert_reads(source, content + 5, n_bytes - 5, 1000);
    assert_ok(owi_byte_source_rewind(source));
    assert_reads(source, content + 5, n_bytes - 5, 1000);
}

static void standard_input_is_read_once_from_a_pipe_and_again_from_a_file(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    close(ends[1]);
    with_standard_input(ends[0], read_pipe_once);
    close(ends[0]);

    const char *path = ow_test_path("input", 0);
    ow_test_write_file(path, content, n_bytes);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(lseek(fileno(file), 5, SEEK_SET), 5); /* somebody has read before */
    with_standard_input(fileno(file), read_tail_twice);
    fclose(file);
}

static void what_cannot_be_opened_is_named_with_the_reason(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_byte_source *source;
    ow_test_heap_begin(&heap);
    assert_fails(owi_byte_source_open(heap.ctx, "no/such/file", NULL, &source), OW_ERR_IO,
                 "cannot open no/such/file: No such file");
    assert_null(source);
    assert_fails(owi_byte_source_open(heap.ctx, ".", NULL, &source), OW_ERR_IO,
                 "cannot read .: Is a directory");
    assert_null(source);
    ow_test_heap_end(&heap);
}

static void everything_is_read_up_to_the_limit_and_no_further(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_byte_source *source;
    char *bytes;
    size_t size;
    ow_test_heap_begin(&heap);
    assert_ok(owi_byte_source_open_memory(heap.ctx, content, n_bytes, "big", &source));
    assert_ok(owi_byte_source_read_all(source, n_bytes, &bytes, &size));
    assert_int_equal(size, n_bytes);
    assert_memory_equal(bytes, content, n_bytes);
    assert_int_equal(bytes[n_bytes], '\0');
    owi_free(heap.ctx, bytes);

    assert_ok(owi_byte_source_read_all(source, 0, &bytes, &size)); /* nothing is left */
    assert_int_equal(size, 0);
    owi_free(heap.ctx, bytes);

    const size_t limits[] = {0, 1, 1000, 64 * 1024, n_bytes - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        assert_ok(owi_byte_source_rewind(source));
        assert_fails(owi_byte_source_read_all(source, limits[i], &bytes, &size),
                     OW_ERR_FORMAT, "big: more than the ");
        assert_null(bytes);
    }
    owi_byte_source_free(source);
    ow_test_heap_end(&heap);
}

static ow_status open_and_read(ow_context *ctx, void *path)
{
    owi_byte_source *source;
    char *bytes = NULL;
    size_t size;
    ow_status status = owi_byte_source_open(ctx, path, NULL, &source);
    if (status == OW_OK) status = owi_byte_source_read_all(source, SIZE_MAX, &bytes, &size);
    if (status == OW_OK) status = owi_byte_source_rewind(source);
    owi_free(ctx, bytes);
    owi_byte_source_free(source);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    size_t packed_size;
    unsigned char *packed = ow_test_gzip(content, n_bytes, &packed_size);
    char path[1024];
    snprintf(path, sizeof path, "%s", ow_test_path("packed", 0));
    ow_test_write_file(path, packed, packed_size);
    free(packed);
    ow_test_sweep(open_and_read, path);
}

/* A listener that keeps the last report and stops after so many. */
typedef struct {
    ow_progress last;
    char stage[64];
    size_t n_reports, n_allowed;
} listener;

static bool hear(void *user, const ow_progress *progress)
{
    listener *to = user;
    to->last = *progress;
    snprintf(to->stage, sizeof to->stage, "%s", progress->stage);
    return ++to->n_reports <= to->n_allowed;
}

static void progress_counts_the_bytes_of_the_file_gzipped_or_not(void **state)
{
    (void)state;
    const char *path = ow_test_path("bytes", 0);
    size_t packed_size;
    unsigned char *packed = ow_test_gzip(content, n_bytes, &packed_size);
    for (int gzipped = 0; gzipped < 2; gzipped++) {
        const size_t size = gzipped ? packed_size : n_bytes;
        ow_test_write_file(path, gzipped ? (const void *)packed : content, size);
        ow_test_heap heap = {0};
        ow_test_heap_begin(&heap);
        listener heard = {.n_allowed = SIZE_MAX};
        const ow_call how = {.size = sizeof how, .progress = hear, .progress_user = &heard};
        owi_byte_source *source;
        assert_ok(
            owi_byte_source_open(heap.ctx, path, ow_test_call(heap.ctx, &how), &source));
        for (int again = 0; again < 2; again++) {
            assert_reads(source, content, n_bytes, 1000);
            assert_int_equal(heard.last.done, size);
            assert_int_equal(heard.last.total, size);
            assert_ok(owi_byte_source_rewind(source));
            assert_true(heard.last.done < size || heard.n_reports == 1);
        }
        assert_memory_equal(heard.stage, "reading ", 8);
        owi_byte_source_free(source);
        ow_test_heap_end(&heap);
    }
    free(packed);
}

static void reading_stops_when_the_listener_wants_it(void **state)
{
    (void)state;
    const char *path = ow_test_path("stopped", 0);
    ow_test_write_file(path, content, n_bytes);
    ow_test_heap heap = {0};
    ow_test_heap_begin(&heap);
    listener impatient = {.n_allowed = 1};
    const ow_call how = {.size = sizeof how, .progress = hear, .progress_user = &impatient};
    owi_byte_source *source;
    assert_ok(owi_byte_source_open(heap.ctx, path, ow_test_call(heap.ctx, &how),
                                   &source)); /* the first block */
    char *buffer = malloc(n_bytes);
    size_t n;
    assert_status(owi_byte_source_read(source, buffer, n_bytes, &n), OW_ERR_CANCELLED);
    assert_non_null(strstr(ow_error_message(), "stopped while reading "));
    free(buffer);
    owi_byte_source_free(source);
    ow_test_heap_end(&heap);
}

static void wake_up(int signal_number)
{
    (void)signal_number;
}

/* A process that sends a signal to this one again and again, as long as it lives. */
static pid_t start_signalling(int signal_number)
{
    const pid_t parent = getpid(), child = fork();
    assert_true(child >= 0);
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    while (child == 0) {
        nanosleep(&pause, NULL);
        if (getppid() != parent || kill(parent, signal_number) != 0) _exit(1);
    }
    return child;
}

/* Nobody ever writes to the pipe: only the signal ends the wait. */
static void a_signal_wakes_up_a_read_that_waits(void **state)
{
    (void)state;
    const char *path = ow_test_path("pipe", 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    const int writer = open(path, O_RDWR);
    assert_true(writer >= 0);
    struct sigaction action = {.sa_handler = wake_up}, old;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, &old);

    ow_test_heap heap = {0};
    ow_test_heap_begin(&heap);
    listener impatient = {0};
    const ow_call how = {.size = sizeof how, .progress = hear, .progress_user = &impatient};
    owi_byte_source *source;
    const pid_t child = start_signalling(SIGALRM);
    assert_status(owi_byte_source_open(heap.ctx, path, ow_test_call(heap.ctx, &how),
                                       &source),
                  OW_ERR_CANCELLED);
    assert_null(source);
    assert_int_equal(impatient.last.total, 0);
    ow_test_heap_end(&heap);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    sigaction(SIGALRM, &old, NULL);
    close(writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_reads_the_same_in_pieces_of_any_size_plain_or_gzipped),
        cmocka_unit_test(memory_reads_the_same_plain_or_gzipped),
        cmocka_unit_test(nothing_reads_as_nothing),
        cmocka_unit_test(several_gzip_members_read_as_one),
        cmocka_unit_test(gzip_data_cut_off_anywhere_say_so),
        cmocka_unit_test(gzip_data_with_one_bit_changed_never_read_as_something_else),
        cmocka_unit_test(what_follows_a_gzip_member_must_be_one),
        cmocka_unit_test(peeking_takes_nothing),
        cmocka_unit_test(standard_input_is_read_once_from_a_pipe_and_again_from_a_file),
        cmocka_unit_test(what_cannot_be_opened_is_named_with_the_reason),
        cmocka_unit_test(everything_is_read_up_to_the_limit_and_no_further),
        cmocka_unit_test(progress_counts_the_bytes_of_the_file_gzipped_or_not),
        cmocka_unit_test(reading_stops_when_the_listener_wants_it),
        cmocka_unit_test(a_signal_wakes_up_a_read_that_waits),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("base/byte_source", tests, make_content, NULL);
}
