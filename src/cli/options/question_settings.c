/* SPDX-License-Identifier: MIT */
#include "options/question_settings.h"

#include "options/evidence.h"

/* In the order of ow_prefer. */
static const char *const preferences[] = {"least", "typical", "robust", "cheapest", NULL};

static const option_spec options[] = {
    {.name = "target",
     .word = "CLASS",
     .help = "the class that the model should say; other, the default, is any but the one "
             "that it says now",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(question_settings, target)},
    {.name = "answers",
     .letter = 'k',
     .word = "N",
     .help = "how many different answers to look for; 1 by default",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = 100,
     .at = offsetof(question_settings, n_answers)},
    {.name = "prefer",
     .word = "WHICH",
     .help =
         "guided, tables: least, the default, is the answer with the fewest and smallest "
         "changes; typical makes further changes where they make the row more typical "
         "and surer; robust is the surest of the fewest changes that keep their class in "
         "other models; cheapest has the smallest sum of changes times their costs, "
         "whatever their number",
     .kind = OPTION_CHOICE,
     .choices = preferences,
     .at = offsetof(question_settings, prefer)},
    {.name = "steps",
     .help =
         "tell each answer as a path, one change after the other, in the order in which "
         "every row on the way is as plausible as can be",
     .kind = OPTION_FLAG,
     .at = offsetof(question_settings, steps)},
    {.name = "time-limit",
     .word = "S",
     .help =
         "seconds for all rows together (of a method, where several are compared); rows "
         "that are not reached have no answer",
     .kind = OPTION_NUMBER,
     .low = 0.0,
     .high = 1e9,
     .at = offsetof(question_settings, time_limit)},
};

const option_group question_options = {
    .title = "What is asked for",
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

bool question_settings_make(const question_settings *settings, const ow_schema *schema,
                            ow_explain_options *wanted)
{
    wanted->n_answers = (size_t)settings->n_answers;
    wanted->prefer = (ow_prefer)settings->prefer;
    wanted->steps = settings->steps;
    return evidence_find_target(schema, settings->target, &wanted->target);
}
