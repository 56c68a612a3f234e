/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

static bool close_enough(double got, double want, double tolerance)
{
    if (isnan(want)) return isnan(got);
    if (isinf(want)) return got == want;
    return fabs(got - want) <= tolerance * fmax(1.0, fabs(want));
}

void ow_test_close(const double *got, const double *want, size_t n, double tolerance,
                   const char *file, int line)
{
    for (size_t i = 0; i < n; i++) {
        if (close_enough(got[i], want[i], tolerance)) continue;
        print_error("entry %zu of %zu: got %.17g, want %.17g (tolerance %g)\n", i, n,
                    got[i], want[i], tolerance);
        _fail(file, line);
    }
}

void ow_test_status(ow_status got, ow_status want, const char *call, const char *file,
                    int line)
{
    if (got == want) return;
    print_error("%s\n  returned \"%s\" (%s), want \"%s\"\n", call, ow_status_text(got),
                got == OW_OK ? "no message" : ow_error_message(), ow_status_text(want));
    _fail(file, line);
}

void ow_test_fails(ow_status got, ow_status want, const char *text, const char *call,
                   const char *file, int line)
{
    ow_test_status(got, want, call, file, line);
    if (strstr(ow_error_message(), text) != NULL) return;
    print_error("%s\n  failed with \"%s\",\n  which does not contain \"%s\"\n", call,
                ow_error_message(), text);
    _fail(file, line);
}

size_t ow_test_scale(void)
{
    const char *scale = getenv("OW_TEST_SCALE");
    const long n = scale != NULL ? strtol(scale, NULL, 10) : 1;
    return n > 0 ? (size_t)n : 1;
}

static void collect(void *user, ow_log_level level, const char *text)
{
    ow_test_log *log = user;
    (void)level;
    const size_t used = strlen(log->text);
    snprintf(log->text + used, sizeof log->text - used, "%s\n", text);
    log->n_messages++;
}

void ow_test_log_attach(ow_test_log *log, ow_context *ctx, ow_log_level level)
{
    memset(log, 0, sizeof *log);
    ow_context_set_log(ctx, collect, log, level);
}

ow_explain_options ow_test_explain_defaults(void)
{
    ow_explain_options made;
    ow_explain_options_init(&made, sizeof made);
    return made;
}

ow_train_options ow_test_train_defaults(void)
{
    ow_train_options made;
    ow_train_options_init(&made, sizeof made);
    return made;
}

ow_learn_options ow_test_learn_defaults(void)
{
    ow_learn_options made;
    ow_learn_options_init(&made, sizeof made);
    return made;
}

ow_experiment ow_test_experiment_defaults(void)
{
    ow_experiment made;
    ow_experiment_init(&made, sizeof made);
    return made;
}
