/* SPDX-License-Identifier: MIT */
#include "models/team_settings.h"

#include <inttypes.h>

#include "output/output.h"
#include "terminal/message.h"

static const double usual_wait = 120.0;

static const option_spec options[] = {
    {.name = "mpi",
     .word = "NAME",
     .help = "openmpi or mpich: the plugin to use, where the launcher does not tell",
     .kind = OPTION_TEXT,
     .at = offsetof(team_settings, mpi)},
    {.name = "wait",
     .word = "SECONDS",
     .help = "give up when another process has said nothing for so long; 120 by default",
     .kind = OPTION_NUMBER,
     .low = 0.1,
     .high = 1e6,
     .at = offsetof(team_settings, wait)},
    {.name = "count-bytes",
     .help = "say at the end how often, and how many bytes, this process has sent",
     .kind = OPTION_FLAG,
     .at = offsetof(team_settings, counts)},
};

const option_group team_options = {.title = "Under mpirun",
                                   .options = options,
                                   .n_options = sizeof options / sizeof *options};

bool team_settings_begin(const team_settings *settings, comm **together)
{
    char sentence[comm_sentence_size];
    if (comm_begin(settings->mpi, settings->wait > 0.0 ? settings->wait : usual_wait,
                   together, sentence))
        return true;
    message(OW_LOG_ERROR, "%s", sentence);
    return false;
}

bool team_settings_spare_input(const comm *together, const char *path)
{
    if (together == NULL || !output_is_dash(path)) return true;
    message(OW_LOG_ERROR, "several processes cannot share standard input; give a file");
    return false;
}

int team_settings_end(const team_settings *settings, comm *together, int code)
{
    if (together == NULL) return code;
    if (settings->counts && code == 0)
        message(OW_LOG_INFO,
                "process %zu of %zu (%s): %" PRIu64 " exchanges, %" PRIu64 " bytes sent",
                together->rank, together->n, together->name, together->n_gathers,
                together->bytes_sent);
    return comm_end(together, code, message_last_error());
}
