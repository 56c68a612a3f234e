/* SPDX-License-Identifier: MIT */
/* Tables that describe the parameters of methods and the options of training and of
 * schemas. A program can list them, show their ranges and set them by name, without
 * knowing them in advance.
 *
 *     for (size_t i = 0; ow_train_option_get(i) != NULL; i++)
 *         puts(ow_train_option_get(i)->name);
 *
 * Values are always given as text, in the same form on the command line, in JSON and in
 * programs. */
#ifndef OTHERWISE_PARAM_H
#define OTHERWISE_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    OW_PARAM_NUMBER,  /* from low to high                                             */
    OW_PARAM_INTEGER, /* a whole number from low to high                              */
    OW_PARAM_CHOICE,  /* one of the choices                                           */
    OW_PARAM_FLAG,    /* "yes" or "no"                                                */
    OW_PARAM_SIZES,   /* up to OW_MOST_SIZES whole numbers from low to high: "64,64"  */
    OW_PARAM_TEXT,    /* any text, such as the name of a column                       */
    OW_PARAM_NAMES,   /* several names; the command line takes them as one text, "a,b" */
    OW_PARAM_LIST     /* several texts, each given by itself                          */
} ow_param_kind;

/* One parameter or option.  A constant of the library; later versions may append fields. */
typedef struct {
    const char *name, *summary; /* summary: one line, no full stop                     */
    const char *word;           /* a value's name in help texts, "COLUMN"; NULL: by kind */
    ow_param_kind kind;
    double low, high; /* the range of numbers, both included */
    bool has_auto;    /* the text "auto" is allowed too */
    /* A word for the number 0, such as "learned", where 0 has a special meaning and may lie
     * outside the range; NULL: none. */
    const char *zero;
    const char *const *choices; /* ends with a NULL; itself NULL unless kind is a choice */
    const char *initial;        /* the default; NULL: not set */
    const char *paper, *reference; /* a method's value in these presets; NULL: initial */
} ow_param;

/* The value of an OW_PARAM_SIZES parameter: the first n entries of size. */
enum { OW_MOST_SIZES = 7 };
typedef struct {
    size_t n; /* 0: the default */
    size_t size[OW_MOST_SIZES];
} ow_sizes;

#ifdef __cplusplus
}
#endif
#endif
