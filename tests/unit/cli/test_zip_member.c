/* SPDX-License-Identifier: MIT */
/* Files out of zip archives. */
#include <zlib.h>

#include "datasets/zip_member.h"
#include "support/ow_test.h"

enum { room = 1024 };

/* An archive put together by hand: one member, and behind it a comment. */
typedef struct {
    uint8_t bytes[room];
    size_t size, directory;
} built;

static void add(built *archive, const void *bytes, size_t size)
{
    assert_true(archive->size + size <= room);
    memcpy(archive->bytes + archive->size, bytes, size);
    archive->size += size;
}

static void add_number(built *archive, unsigned n_bytes, uint32_t number)
{
    for (unsigned i = 0; i < n_bytes; i++) {
        const uint8_t byte = (uint8_t)(number >> (8 * i));
        add(archive, &byte, 1);
    }
}

/* What the local header and the directory's entry have in common, from the flags on. */
static void add_facts(built *archive, unsigned method, uint32_t crc, uint32_t packed,
                      uint32_t size, const char *name)
{
    add_number(archive, 2, 0);
    add_number(archive, 2, method);
    add_number(archive, 4, 0); /* time and date */
    add_number(archive, 4, crc);
    add_number(archive, 4, packed);
    add_number(archive, 4, size);
    add_number(archive, 2, (uint32_t)strlen(name));
    add_number(archive, 2, 0);
}

static built build(unsigned method, const char *name, const char *text, const char *comment)
{
    built archive = {.size = 0};
    uint8_t packed[room];
    const size_t size = strlen(text);
    uint32_t n_packed = (uint32_t)size;
    memcpy(packed, text, size);
    if (method == 8) {
        z_stream stream = {.next_in = (Bytef *)(uintptr_t)text,
                           .avail_in = (uInt)size,
                           .next_out = packed,
                           .avail_out = room};
        assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, 0), Z_OK);
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        n_packed = (uint32_t)stream.total_out;
        deflateEnd(&stream);
    }
    const uint32_t crc = (uint32_t)crc32(0, (const Bytef *)text, (uInt)size);
    add_number(&archive, 4, 0x04034b50);
    add_number(&archive, 2, 20);
    add_facts(&archive, method, crc, n_packed, (uint32_t)size, name);
    add(&archive, name, strlen(name));
    add(&archive, packed, n_packed);

    archive.directory = archive.size;
    add_number(&archive, 4, 0x02014b50);
    add_number(&archive, 4, 20 << 16 | 20);
    add_facts(&archive, method, crc, n_packed, (uint32_t)size, name);
    for (int i = 0; i < 14; i++) add_number(&archive, 1, 0); /* ... local header at 0 */
    add(&archive, name, strlen(name));
    const uint32_t length = (uint32_t)(archive.size - archive.directory);
    add_number(&archive, 4, 0x06054b50);
    add_number(&archive, 4, 0);
    add_number(&archive, 2, 1);
    add_number(&archive, 2, 1);
    add_number(&archive, 4, length);
    add_number(&archive, 4, (uint32_t)archive.directory);
    add_number(&archive, 2, (uint32_t)strlen(comment));
    add(&archive, comment, strlen(comment));
    return archive;
}

static const char text[] = "a,b\n1,2\n1,2\n1,2\n1,2\n";

static ow_status take(ow_context *ctx, const built *archive, const char *name, bool *same)
{
    uint8_t *member = NULL;
    size_t size = 0;
    const ow_status status =
        zip_member(ctx, archive->bytes, archive->size, "x.zip", name, &member, &size);
    *same = status == OW_OK && size == strlen(text) && memcmp(member, text, size) == 0;
    ow_bytes_free(member);
    return status;
}

static void stored_and_deflated_members_come_out_as_they_went_in(void **state)
{
    ow_context *ctx = ow_test_context(state);
    bool same;
    for (unsigned method = 0; method <= 8; method += 8) {
        const built archive = build(method, "folder/rows.csv", text, "a comment");
        assert_ok(take(ctx, &archive, "rows.csv", &same));
        assert_true(same);
        assert_ok(take(ctx, &archive, "folder/rows.csv", &same));
        assert_true(same);
    }
}

static void a_name_must_be_whole(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const built archive = build(8, "old.rows.csv", text, "");
    bool same;
    assert_fails(take(ctx, &archive, "rows.csv", &same), OW_ERR_FORMAT,
                 "x.zip: the zip archive holds no rows.csv");
}

static void a_method_that_is_not_known_is_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const built archive = build(12, "rows.csv", text, "");
    bool same;
    assert_fails(take(ctx, &archive, "rows.csv", &same), OW_ERR_FORMAT, "not known here");
}

/* Cut off at every byte, and every bit turned: a sentence, or the right bytes after all. */
static void damage_is_told_or_does_no_harm(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const built whole = build(8, "rows.csv", text, "");
    bool same;
    for (size_t size = 0; size < whole.size; size++) {
        built cut = whole;
        cut.size = size;
        assert_status(take(ctx, &cut, "rows.csv", &same), OW_ERR_FORMAT);
    }
    for (size_t bit = 0; bit < 8 * whole.size; bit++) {
        built turned = whole;
        turned.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (take(ctx, &turned, "rows.csv", &same) == OW_OK) assert_true(same);
    }
}

static ow_status sweep_body(ow_context *ctx, void *user)
{
    bool same;
    return take(ctx, user, "rows.csv", &same);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    built archive = build(8, "rows.csv", text, "");
    ow_test_sweep(sweep_body, &archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(stored_and_deflated_members_come_out_as_they_went_in),
        ow_test_on_heap(a_name_must_be_whole),
        ow_test_on_heap(a_method_that_is_not_known_is_refused),
        ow_test_on_heap(damage_is_told_or_does_no_harm),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("cli/zip_member", tests, NULL, NULL);
}
