/* SPDX-License-Identifier: MIT */
/* Parameters of methods and options of training and schemas, described by tables: a program
 * can list them, show their ranges and set them by name, without knowing them.
 *
 *     for (size_t i = 0; ow_train_option_get(i) != NULL; i++)
 *         puts(ow_train_option_get(i)->name);
 *
 * Values are given as text everywhere: the command line's, JSON's and a program's are the
 * same. */
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

/* One parameter or option.  Lent by the library, never freed. */
typedef struct {
    const char *name, *summary; /* summary: one line, no full stop                     */
    const char *word;           /* what help calls a value: "COLUMN"; NULL: by the kind */
    ow_param_kind kind;
    double low, high;
    bool has_auto; /* "auto" is a value too                              */
    /* A word for the number 0 where that means something of its own and may lie outside the
     * range, such as "learned"; NULL: none. */
    const char *zero;
    const char *const *choices;    /* NULL at the end; NULL unless a choice              */
    const char *initial;           /* the default; NULL: nothing                         */
    const char *paper, *reference; /* of a method, in these presets; NULL: initial       */
} ow_param;

/* The value of OW_PARAM_SIZES. */
enum { OW_MOST_SIZES = 7 };
typedef struct {
    size_t n; /* 0: the default */
    size_t size[OW_MOST_SIZES];
} ow_sizes;

#ifdef __cplusplus
}
#endif
#endif
