/* SPDX-License-Identifier: MIT */
/* Ranges of rows that somebody else looks at make of a column what all rows, one after the
 * other, make of it. */
#include "support/ow_test.h"

#include <math.h>

#include "base/numeric/rng.h"
#include "data/shared/column_part.h"

enum { n_cells = 6000, most_numbers = 100, cell_size = 32, n_kinds = 9 };

static char texts[n_cells][cell_size];

/* Some rows do not count. */
static bool is_outside(size_t i)
{
    return i % 701 == 700;
}

/* Few and many different numbers and texts, sequences, words among numbers, a unit, texts
 * that come late, numbers below 0 that come late. */
static void write_cell(size_t kind, size_t i, owi_rng *rng, size_t *n_used)
{
    static const char *const words[] = {"n/a", "none", "unknown", "-", "odd", "strange"};
    const size_t size = cell_size;
    const unsigned any = (unsigned)owi_rng_below(rng, 1 << 20);
    char *to = texts[i];
    switch (kind) {
    case 0:
        snprintf(to, size, "%u", any % 50);
        break;
    case 1:
        snprintf(to, size, "%.3f", any * 0.37);
        break;
    case 2:
        snprintf(to, size, "%zu", *n_used + 5);
        break;
    case 3:
        snprintf(to, size, "level %u", any % (2 + (unsigned)i / 10));
        break;
    case 4:
        snprintf(to, size, any % 300 < 6 ? "%s" : "%s%u",
                 any % 300 < 6 ? words[any % 6] : "", any);
        break;
    case 5:
        snprintf(to, size, "$%u.%02u", any % 9000, any % 100);
        break;
    case 6:
        snprintf(to, size, i < n_cells / 2 ? "%u" : "%ux", any % 90);
        break;
    case 7:
        snprintf(to, size, "%.2f", (any % 7000) * (i > 3 * n_cells / 4 ? -0.5 : 0.5));
        break;
    default:
        snprintf(to, size, "free text %u", any);
        break;
    }
    if (any % 97 == 0) to[0] = '\0';
    *n_used += to[0] != '\0' && !is_outside(i);
}

static owi_cell cell_at(size_t i)
{
    return (owi_cell){.text = texts[i], .length = strlen(texts[i])};
}

static void add(owi_column_stats *stats, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const owi_cell cell = cell_at(i);
        int32_t id;
        if (is_outside(i))
            assert_ok(owi_column_stats_add_outside(stats, &cell));
        else
            assert_ok(owi_column_stats_add(stats, &cell, &id));
    }
}

static void look_at(owi_column_part *part, const owi_column_stats *whole, size_t first,
                    size_t end)
{
    assert_ok(owi_column_part_begin(part, whole));
    for (size_t i = first; i < end && !part->is_event; i++) {
        const owi_cell cell = cell_at(i);
        int32_t id;
        if (is_outside(i))
            assert_ok(owi_column_part_add_outside(part, whole, &cell));
        else
            assert_ok(owi_column_part_add(part, whole, &cell, &id));
    }
}

static void put_together(owi_column_counts *counts, owi_column_stats *whole,
                         owi_byte_list *letter)
{
    letter->n = 0;
    assert_ok(owi_column_counts_write(counts, letter));
    const unsigned char *from = letter->bytes;
    owi_column_counts_apply(&from, whole);
    assert_ptr_equal(from, letter->bytes + letter->n);
    assert_ok(owi_column_counts_begin(counts, letter->ctx, whole));
}

/* Whether the part became one of the whole; else it was an event. */
static bool take(owi_column_part *part, owi_column_stats *whole, owi_column_counts *counts,
                 owi_byte_list *letter)
{
    bool fits = !part->is_event;
    if (!fits) return false;
    letter->n = 0;
    assert_ok(owi_column_part_write(part, letter));
    const unsigned char *from = letter->bytes, *again = from;
    owi_column_part_check(&from, whole, &fits);
    assert_ptr_equal(from, letter->bytes + letter->n);
    if (!fits) return false;
    assert_ok(owi_column_part_apply(&again, whole));
    assert_ptr_equal(again, letter->bytes + letter->n);
    assert_ok(owi_column_counts_join(counts, letter->ctx, &part->counts));
    return true;
}

/* Two ranges at a time, both looked at with what is known before the first. */
static size_t add_in_parts(ow_context *ctx, owi_column_stats *whole, size_t length)
{
    owi_column_part parts[2] = {{.ctx = ctx}, {.ctx = ctx}};
    owi_column_counts counts = {0};
    owi_byte_list letter = {.ctx = ctx};
    size_t n_events = 0;
    add(whole, 0, length);
    assert_ok(owi_column_counts_begin(&counts, ctx, whole));
    for (size_t first = length; first < n_cells;) {
        size_t ends[2];
        for (size_t k = 0; k < 2; k++) {
            const size_t begin = k == 0 ? first : ends[0];
            ends[k] = begin + length < n_cells ? begin + length : n_cells;
            look_at(&parts[k], whole, begin, ends[k]);
        }
        for (size_t k = 0; k < 2; k++) {
            const size_t begin = first;
            first = ends[k];
            if (take(&parts[k], whole, &counts, &letter)) continue;
            put_together(&counts, whole, &letter);
            add(whole, begin, ends[k]);
            assert_ok(owi_column_counts_begin(&counts, ctx, whole));
            n_events++;
            break;
        }
    }
    put_together(&counts, whole, &letter);
    for (size_t k = 0; k < 2; k++) owi_column_part_clear(&parts[k]);
    owi_column_counts_clear(&counts, ctx);
    owi_free(ctx, letter.bytes);
    return n_events;
}

static void assert_same_texts(const owi_string_map *a, const owi_string_map *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a == NULL) return;
    assert_int_equal(owi_string_map_count(a), owi_string_map_count(b));
    for (size_t i = 0; i < owi_string_map_count(a); i++)
        assert_string_equal(owi_string_map_text(a, i, NULL),
                            owi_string_map_text(b, i, NULL));
}

static void assert_same_bits(const owi_moments *a, const owi_moments *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static void assert_same(const owi_column_stats *a, const owi_column_stats *b)
{
    assert_int_equal(a->n_present, b->n_present);
    assert_int_equal(a->n_missing, b->n_missing);
    assert_int_equal(a->n_texts, b->n_texts);
    assert_int_equal(a->n_stray, b->n_stray);
    assert_int_equal(a->n_text_bytes, b->n_text_bytes);
    assert_int_equal(a->decimals, b->decimals);
    assert_int_equal(a->all_whole, b->all_whole);
    assert_int_equal(a->in_sequence, b->in_sequence);
    assert_int_equal(a->is_settled, b->is_settled);
    assert_int_equal(a->has_too_many, b->has_too_many);
    assert_int_equal(a->format.writing, b->format.writing);
    assert_memory_equal(&a->extremes, &b->extremes, sizeof a->extremes);
    assert_same_bits(&a->moments, &b->moments);
    if (a->extremes.n_low > 0 && a->extremes.low[0].number >= 0.0)
        assert_same_bits(&a->log_moments, &b->log_moments);
    assert_same_texts(a->texts, b->texts);
    assert_same_texts(a->words, b->words);
    assert_same_texts(a->outside, b->outside);
    for (size_t i = 0; a->texts != NULL && i < owi_string_map_count(a->texts); i++)
        assert_int_equal(a->values[i].count, b->values[i].count);
}

static void parts_make_the_same_column(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const size_t lengths[] = {37, 250, 1500};
    size_t n_calm = 0;
    for (size_t kind = 0; kind < n_kinds; kind++)
        for (size_t l = 0; l < 3; l++) {
            owi_column_stats alone, whole;
            owi_rng rng;
            owi_rng_init(&rng, 11, kind);
            for (size_t i = 0, n_used = 0; i < n_cells; i++)
                write_cell(kind, i, &rng, &n_used);
            owi_column_stats_begin(&alone, ctx, "x", false, most_numbers);
            owi_column_stats_begin(&whole, ctx, "x", false, most_numbers);
            alone.may_be_carried = whole.may_be_carried = true;
            add(&alone, 0, n_cells);
            n_calm += add_in_parts(ctx, &whole, lengths[l]) <= 4;
            assert_ok(owi_column_stats_finish(&alone));
            assert_ok(owi_column_stats_finish(&whole));
            assert_same(&whole, &alone);
            owi_column_stats_clear(&alone);
            owi_column_stats_clear(&whole);
        }
    assert_in_range(n_calm, 20, 3 * n_kinds); /* most parts are none to begin anew at */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(parts_make_the_same_column),
    };
    return cmocka_run_group_tests_name("data/column_part", tests, NULL, NULL);
}
