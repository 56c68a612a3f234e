/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include "circuit/pass/tile_change.h"

enum { n_features = 37, L = owi_tile_lanes, n_words = 2 };

static void what_differs_is_marked_for_its_group_of_lanes(void **state)
{
    (void)state;
    static const struct {
        size_t feature, lane;
    } places[] = {{0, 0}, {31, 15}, {32, 16}, {36, 63}, {5, 40}};
    static float features[n_features * L], known[n_features * L], change[n_features * L];
    uint32_t bits[owi_lane_groups * n_words], want[owi_lane_groups * n_words] = {0};
    assert_int_equal(owi_scope_words(n_features), n_words);
    for (size_t i = 0; i < n_features * L; i++) features[i] = known[i] = 0.1f * (float)i;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const size_t f = places[p].feature, g = places[p].lane / owi_lane_group;
        features[f * L + places[p].lane] += 2.0f;
        want[g * n_words + f / 32] |= 1u << f % 32;
    }
    owi_tile_change(n_features, features, known, change, bits);
    assert_memory_equal(bits, want, sizeof want);
    for (size_t i = 0; i < n_features * L; i++)
        assert_true(change[i] == features[i] - known[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_differs_is_marked_for_its_group_of_lanes),
    };
    return cmocka_run_group_tests_name("circuit/tile_change", tests, NULL, NULL);
}
