/* SPDX-License-Identifier: MIT */
/* Options that the library describes (otherwise/param.h).  What is given is kept as text,
 * and the library says whether it is good. */
#ifndef CLI_PARAM_OPTIONS_H
#define CLI_PARAM_OPTIONS_H

#include "options/args.h"
#include "otherwise/param.h"

/* The texts given for each parameter of a table, in its order. */
enum { param_options_most = 32 };
typedef struct {
    text_list of[param_options_most];
} param_texts;

/* One option for each parameter, whose texts go to a param_texts at this offset of the
 * settings.  Returns their number. */
size_t param_options_make(const ow_param *(*get)(size_t index), size_t at,
                          option_spec specs[param_options_most]);

/* After a complaint about an option: its sentence begins with the option's name. */
void param_options_complain(void);

#endif
