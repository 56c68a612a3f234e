/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/environment.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/memory.h"
#include "cli/terminal/message.h"
#include "comm/launcher.h"

const char *comm_say(comm *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->sentence, sizeof c->sentence, format, arguments);
    va_end(arguments);
    return c->sentence;
}

static const char *gather(void *user, const void *own, const size_t *sizes, void *all)
{
    comm *c = user;
    c->n_gathers++;
    c->bytes_sent += sizes[c->rank] * (c->n - 1);
    return c->engine->gather(c, own, sizes, all);
}

static bool open_engine(comm *c, const launcher *by, const char *wanted)
{
    const char *engine = wanted != NULL ? wanted : by->engine;
    if (engine == NULL) {
        comm_say(c,
                 "started by %s as process %zu of %zu: say which MPI it is, with --mpi "
                 "openmpi or --mpi mpich",
                 by->name, by->rank, by->n);
        return false;
    }
    c->name = engine;
    if (strcmp(engine, "sockets") == 0)
        return comm_sockets_open(c, environment_text("OTHERWISE_SOCKETS"));
    return comm_plugin_open(c, engine);
}

bool comm_begin(const char *wanted, double wait, comm **out,
                char sentence[comm_sentence_size])
{
    const launcher by = launcher_find();
    *out = NULL;
    if (by.name == NULL && wanted == NULL) return true;
    comm *c = memory_new(1, sizeof *c);
    *c = (comm){.rank = by.rank, .n = by.n, .wait = wait, .leads = by.rank == 0};
    if (!open_engine(c, &by, wanted)) {
        snprintf(sentence, comm_sentence_size, "%s", c->sentence);
        free(c);
        return false;
    }
    c->team = (ow_team){
        .size = sizeof c->team, .rank = c->rank, .n = c->n, .user = c, .gather = gather};
    *out = c;
    return true;
}

/* All is well when all say so: the first may still fail to write its file. */
static const char *wait_for_all(comm *c)
{
    size_t *sizes = memory_new(c->n, sizeof *sizes);
    char *all = memory_new(c->n, 1);
    for (size_t i = 0; i < c->n; i++) sizes[i] = 1;
    const char *failed = gather(c, "", sizes, all);
    free(sizes);
    free(all);
    return failed;
}

int comm_end(comm *c, int code, const char *sentence)
{
    bool said = code != 0 && c->rank == 0;
    const char *failed = code == 0 ? wait_for_all(c) : NULL;
    if (failed != NULL) {
        sentence = failed;
        code = EXIT_DATA;
    }
    if (code == 0) {
        c->engine->end(c);
    } else {
        message_set_muted(false);
        char *kept = memory_copy(sentence, strlen(sentence));
        c->engine->abort(c, code, kept, said);
        if (c->leads && !said) message(OW_LOG_ERROR, "%s", kept);
        free(kept);
    }
    free(c);
    return code;
}
