/* SPDX-License-Identifier: MIT */
/* MPI, through a plugin that is looked for beside the program and where it is installed. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/terminal/environment.h"
#include "cli/terminal/exit_codes.h"
#include "cli/terminal/memory.h"
#include "cli/terminal/message.h"
#include "cli/terminal/text_build.h"
#include "comm/comm.h"
#include "comm/launcher.h"
#include "comm/mpi/mpi_plugin.h"

static const comm_plugin *plugin_of(const comm *c)
{
    return *(const comm_plugin *const *)c->state;
}

static const char *gather(comm *c, const void *own, const size_t *sizes, void *all)
{
    const int failed = plugin_of(c)->gather(own, sizes, all, c->wait);
    if (failed == 0) return NULL;
    if (failed == 1)
        return comm_say(c, "process %zu of %zu has waited %g seconds for the others",
                        c->rank, c->n, c->wait);
    return comm_say(c, "process %zu of %zu: MPI failed", c->rank, c->n);
}

/* MPI ends the others at once, before they could say anything: whoever fails says so
 * itself.  What all of them find, in the same file, is process 0's to tell.  A signal
 * during the pause comes from a launcher that ends all, since another has told it.  And a
 * launcher that ends all may forget what it has not passed on yet, so that what was told
 * gets a moment. */
static void abort_all(comm *c, int code, const char *sentence, bool said)
{
    const struct timespec pause = {.tv_sec = 3}, moment = {.tv_sec = 1};
    const bool is_told = c->rank != 0 && nanosleep(&pause, NULL) != 0;
    if (!said && !is_told)
        message(OW_LOG_ERROR, "process %zu of %zu: %s", c->rank, c->n, sentence);
    if (!is_told) (void)nanosleep(&moment, NULL);
    plugin_of(c)->abort(code);
}

/* ---- A deadline for MPI's own beginning and end, which wait without one ---- */

static char late[256];

static void give_up(int signal_number)
{
    (void)signal_number;
    const ssize_t n = write(STDERR_FILENO, late, strlen(late));
    _exit(n < 0 ? EXIT_RESOURCES : EXIT_DATA);
}

/* Process 0 tells it; the others follow, should it be the one that is missing. */
static void set_deadline(const comm *c, const char *what)
{
    enum { more_for_others = 2 };
    const struct sigaction action = {.sa_handler = give_up};
    snprintf(late, sizeof late,
             "otherwise: process %zu of %zu: MPI has not %s within %g seconds\n", c->rank,
             c->n, what, c->wait);
    (void)sigaction(SIGALRM, &action, NULL);
    (void)alarm((unsigned)c->wait + 1 + (c->rank > 0 ? more_for_others : 0));
}

static void end(comm *c)
{
    set_deadline(c, "ended");
    plugin_of(c)->end();
    (void)alarm(0);
    free(c->state);
}

static const comm_engine engine = {gather, abort_all, end};

/* The folder of the program; ends with a slash. */
static char *own_folder(void)
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) return text_add(NULL, "./");
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL) slash[1] = '\0';
    return text_add(NULL, "%s", path);
}

/* *path is the first of the files that are there; of none, where it should be. */
static void *load(const char *name, char **path)
{
    const char *given = environment_text("OTHERWISE_PLUGINS");
    char *own = own_folder();
    char *folders[] = {given != NULL ? text_add(NULL, "%s/", given) : NULL,
                       text_add(NULL, "%s", own),
                       text_add(NULL, "%s../" OW_PLUGIN_DIR "/", own)};
    const size_t n = sizeof folders / sizeof *folders;
    void *library = NULL;
    *path = NULL;
    for (size_t i = 0; i < n && library == NULL; i++) {
        if (folders[i] == NULL) continue;
        free(*path);
        *path = text_add(NULL, "%slibotherwise-mpi-%s.so", folders[i], name);
        if (access(*path, R_OK) == 0) library = dlopen(*path, RTLD_NOW | RTLD_GLOBAL);
    }
    for (size_t i = 0; i < n; i++) free(folders[i]);
    free(own);
    return library;
}

bool comm_plugin_open(comm *c, const char *name)
{
    const launcher by = launcher_find();
    char *path = NULL;
    void *library = strchr(name, '/') == NULL ? load(name, &path) : NULL;
    const comm_plugin *plugin = library != NULL ? dlsym(library, COMM_PLUGIN_SYMBOL) : NULL;
    const char *why =
        library == NULL && path != NULL && access(path, R_OK) == 0 ? dlerror() : NULL;
    if (plugin == NULL || plugin->version != comm_plugin_version)
        comm_say(c, "process %zu of %zu, started by %s, cannot join the others: %s%s",
                 c->rank, c->n, by.name != NULL ? by.name : "hand",
                 why != NULL    ? why
                 : path != NULL ? path
                                : name,
                 why != NULL      ? ""
                 : plugin != NULL ? " is of another version"
                                  : " is not there");
    free(path);
    if (plugin == NULL || plugin->version != comm_plugin_version) return false;
    set_deadline(c, "begun");
    const int failed = plugin->start(&c->rank, &c->n);
    (void)alarm(0);
    if (failed != 0) {
        comm_say(c, "MPI (%s) cannot be started", name);
        return false;
    }
    if (by.name != NULL && by.n != c->n) {
        comm_say(c,
                 "started as one of %zu processes by %s, but %s sees %zu: that is another "
                 "MPI's launcher",
                 by.n, by.name, name, c->n);
        return false;
    }
    c->leads = c->rank == 0;
    const comm_plugin **kept = memory_new(1, sizeof *kept);
    *kept = plugin;
    c->state = kept;
    c->engine = &engine;
    return true;
}
