/* SPDX-License-Identifier: MIT */
/* Small models written by hand, and what becomes of them when a piece is replaced. */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include "support/ow_test.h"

/* The text with the only place of `from` replaced; the caller frees it. */
static char *replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    assert_null(strstr(at + 1, from));
    const size_t before = (size_t)(at - text);
    const size_t size = strlen(text) - strlen(from) + strlen(to) + 1;
    char *out = malloc(size);
    assert_non_null(out);
    snprintf(out, size, "%.*s%s%s", (int)before, text, to, at + strlen(from));
    return out;
}

static ow_status load_text(ow_context *ctx, const char *text, size_t size)
{
    ow_trees *trees = NULL;
    const ow_status status = ow_trees_load_memory(ctx, text, size, "m", &trees);
    assert_true((status == OW_OK) == (trees != NULL));
    ow_trees_free(trees);
    return status;
}

/* The model with a piece replaced fails with this status, and says this. */
static void expect_failure(ow_context *ctx, const char *text, const char *from,
                           const char *to, ow_status status, const char *sentence)
{
    char *changed = replace(text, from, to);
    const ow_status got = load_text(ctx, changed, strlen(changed));
    if (got != status) print_message("%s became %s\n", from, to);
    assert_fails(got, status, sentence);
    free(changed);
}

/* Cut off anywhere the model is refused by a sentence; up to `size`, or all of it. */
static void expect_failure_when_cut(ow_context *ctx, const char *text, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        /* a block of its own size, so that reading beyond it is noticed */
        char *cut = malloc(n + 1);
        assert_non_null(cut);
        memcpy(cut, text, n);
        assert_status(load_text(ctx, cut, n), OW_ERR_FORMAT);
        assert_non_null(strstr(ow_error_message(), "m"));
        free(cut);
    }
}

#endif
