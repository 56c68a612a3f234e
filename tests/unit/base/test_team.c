/* SPDX-License-Identifier: MIT */
/* Work divided among processes, which are threads here: everybody gets everything, sums are
 * those of one alone, and the first failure is told to all. */
#include "support/ow_test.h"

#include <string.h>

#include "base/error.h"
#include "base/threads/parallel.h"
#include "base/threads/team.h"
#include "support/test_call.h"
#include "support/thread_team.h"

enum { most = ow_test_most_members, n_rows = 1000, chunk_rows = 7, n_sums = 3 };

typedef struct {
    size_t rank;
    bool fails; /* its own part */
    ow_status status;
    double total[n_sums];
    uint64_t number;
    char message[256];
} member;

/* Sums of rounded numbers, which depend on the order. */
static ow_status add_rows(void *user, const owi_chunk *chunk, double *sums)
{
    const member *m = user;
    if (m->fails) return owi_fail(OW_ERR_NUMERIC, "process %zu has no number", m->rank);
    for (size_t row = chunk->first; row < chunk->first + chunk->n; row++)
        for (size_t i = 0; i < n_sums; i++) sums[i] += 1.0 / (double)(row + i + 1);
    return OW_OK;
}

static void work(void *user, const ow_team *team)
{
    member *m = (member *)user + team->rank;
    ow_context *ctx = NULL;
    const ow_call how = {.size = sizeof how, .threads = 2};
    owi_call call;
    m->rank = team->rank;
    m->status = ow_context_new(NULL, &ctx);
    if (m->status == OW_OK) m->status = owi_call_begin(&call, ctx, &how);
    if (m->status == OW_OK) m->status = owi_call_join(&call, team);
    if (m->status == OW_OK)
        m->status = owi_team_compare(&call, "another number", m->number);
    if (m->status == OW_OK)
        m->status =
            owi_parallel_sum(&call, n_rows, chunk_rows, add_rows, m, n_sums, m->total);
    snprintf(m->message, sizeof m->message, "%s", ow_error_message());
    ow_context_free(ctx);
}

static void shares_follow_each_other_and_cover_all(void **state)
{
    (void)state;
    for (size_t n = 2; n <= most; n++) {
        const ow_team team = {.n = n};
        const owi_call call = {.team = &team};
        for (size_t n_items = 0; n_items < 20; n_items++) {
            size_t at = 0;
            for (size_t rank = 0; rank < n; rank++) {
                const owi_share share = owi_team_share(&call, rank, n_items);
                assert_int_equal(share.first, at);
                assert_in_range(share.end - share.first, n_items / n, n_items / n + 1);
                at = share.end;
            }
            assert_int_equal(at, n_items);
        }
    }
}

static void sums_are_those_of_one_process(void **state)
{
    (void)state;
    double alone[n_sums] = {0};
    for (size_t n = 1; n <= most; n++) {
        member members[most] = {{0}};
        ow_test_run_team(n, work, members);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(members[i].status, OW_OK);
            if (n == 1) memcpy(alone, members[i].total, sizeof alone);
            assert_memory_equal(members[i].total, alone, sizeof alone);
        }
    }
}

static void the_first_failure_is_told_to_all(void **state)
{
    (void)state;
    member members[most] = {{0}};
    members[1].fails = members[2].fails = true;
    ow_test_run_team(3, work, members);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(members[i].status, OW_ERR_NUMERIC);
        assert_string_equal(members[i].message, "process 1 of 3: process 1 has no number");
    }
}

static void what_all_have_found_names_nobody(void **state)
{
    (void)state;
    member members[most] = {{0}};
    members[0].fails = members[1].fails = true;
    ow_test_run_team(2, work, members);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(members[i].message, "process 0 has no number");
}

static void who_has_another_number_is_named(void **state)
{
    (void)state;
    member members[most] = {{0}};
    members[2].number = 1;
    ow_test_run_team(4, work, members);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(members[i].status, OW_ERR_FORMAT);
        assert_string_equal(members[i].message,
                            "process 2 has another number than process 0");
    }
}

static const char *never(void *user, const void *own, const size_t *sizes, void *all)
{
    (void)user;
    (void)own;
    (void)sizes;
    (void)all;
    return "nobody asks";
}

static void a_time_limit_is_refused(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    const ow_call how = {.size = sizeof how, .time_limit = 1.0};
    const ow_team team = {.size = sizeof team, .n = 2, .gather = never};
    owi_call call;
    assert_ok(ow_context_new(NULL, &ctx));
    assert_ok(owi_call_begin(&call, ctx, &how));
    assert_int_equal(owi_call_join(&call, &team), OW_ERR_ARGUMENT);
    ow_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_follow_each_other_and_cover_all),
        cmocka_unit_test(sums_are_those_of_one_process),
        cmocka_unit_test(the_first_failure_is_told_to_all),
        cmocka_unit_test(what_all_have_found_names_nobody),
        cmocka_unit_test(who_has_another_number_is_named),
        cmocka_unit_test(a_time_limit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
