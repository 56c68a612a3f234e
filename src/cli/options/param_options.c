/* SPDX-License-Identifier: MIT */
#include "options/param_options.h"

#include <assert.h>

#include "otherwise/status.h"
#include "terminal/message.h"

static option_kind kind_of(const ow_param *param)
{
    switch (param->kind) {
    case OW_PARAM_FLAG:
        return OPTION_YES;
    case OW_PARAM_NAMES:
        return OPTION_LIST;
    case OW_PARAM_LIST:
        return OPTION_REPEATED;
    default:
        return OPTION_LAST;
    }
}

size_t param_options_make(const ow_param *(*get)(size_t index), size_t at,
                          option_spec specs[param_options_most])
{
    size_t n = 0;
    for (const ow_param *param; (param = get(n)) != NULL; n++) {
        assert(n < param_options_most);
        const char *word = param->kind == OW_PARAM_INTEGER ? "N" : "VALUE";
        specs[n] = (option_spec){.name = param->name,
                                 .word = param->word != NULL ? param->word : word,
                                 .help = param->summary,
                                 .kind = kind_of(param),
                                 .choices = param->choices,
                                 .at = at + n * sizeof(text_list)};
    }
    return n;
}

void param_options_complain(void)
{
    message(OW_LOG_ERROR, "--%s", ow_error_message());
}
