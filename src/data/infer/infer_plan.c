/* SPDX-License-Identifier: MIT */
#include "data/infer/infer_plan.h"

#include <string.h>

#include "base/error.h"
#include "base/text/quote.h"
#include "data/rows/reader.h"

/* The columns by name, for the length of the planning. */
typedef struct {
    const ow_reader *reader;
    const char *file;
    size_t n;
    owi_column_plan *plan;
} planner;

/* The column with this name of so many bytes; NULL: there is none. */
static owi_column_plan *look_up(const planner *p, const char *name, size_t length)
{
    for (size_t j = 0; j < p->n; j++)
        if (strlen(p->plan[j].name) == length && memcmp(p->plan[j].name, name, length) == 0)
            return &p->plan[j];
    return NULL;
}

static ow_status find(const planner *p, const char *name, owi_column_plan **column)
{
    OWI_REQUIRE(name != NULL);
    *column = look_up(p, name, strlen(name));
    if (*column != NULL) return OW_OK;
    return owi_reader_no_column(p->reader, OW_ERR_ARGUMENT, name);
}

static ow_status contradiction(const planner *p, const owi_column_plan *column,
                               const char *what)
{
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_ARGUMENT, "%s: column %s cannot be %s", p->file,
                    owi_quote_text(column->name, quoted), what);
}

/* "column" or "column=low|middle|high".  A name may have an equals sign, too: the first one
 * behind which a column's name ends is taken. */
static ow_status find_ordinal(const planner *p, const char *text, owi_column_plan **column)
{
    OWI_REQUIRE(text != NULL);
    *column = look_up(p, text, strlen(text));
    const char *equals = strchr(text, '=');
    for (; *column == NULL && equals != NULL; equals = strchr(equals + 1, '=')) {
        *column = look_up(p, text, (size_t)(equals - text));
        if (*column != NULL) (*column)->levels = equals + 1;
    }
    if (*column != NULL) return OW_OK;

    /* Not there under any reading: what stands before the first sign is what was meant. */
    char name[256];
    const size_t length = strcspn(text, "=");
    if (length >= sizeof name) return find(p, text, column);
    memcpy(name, text, length);
    name[length] = '\0';
    return find(p, name, column);
}

static ow_status plan_types(const planner *p, const ow_infer_options *options)
{
    owi_column_plan *column;
    for (size_t i = 0; i < options->n_ordinal; i++) {
        OWI_TRY(find_ordinal(p, options->ordinal[i], &column));
        column->is_ordinal = true;
    }
    for (size_t i = 0; i < options->n_categorical; i++) {
        OWI_TRY(find(p, options->categorical[i], &column));
        if (column->is_ordinal)
            return contradiction(p, column, "both ordinal and categorical");
        column->is_categorical = true;
    }
    for (size_t i = 0; i < options->n_immutable; i++) {
        OWI_TRY(find(p, options->immutable[i], &column));
        column->is_immutable = true;
    }
    for (size_t i = 0; i < options->n_keep; i++) {
        OWI_TRY(find(p, options->keep[i], &column));
        column->is_kept = column->is_unlocked = true;
    }
    return OW_OK;
}

/* "column=up" or "column=down". */
static ow_status plan_direction(const planner *p, const char *text)
{
    OWI_REQUIRE(text != NULL);
    const char *equals = strrchr(text, '=');
    owi_column_plan *column =
        equals != NULL ? look_up(p, text, (size_t)(equals - text)) : NULL;
    const bool up = equals != NULL && strcmp(equals + 1, "up") == 0;
    const bool down = equals != NULL && strcmp(equals + 1, "down") == 0;
    if (column != NULL && (up || down)) {
        column->monotone = up ? OW_MONOTONE_UP : OW_MONOTONE_DOWN;
        return OW_OK;
    }
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_ARGUMENT,
                    "%s: monotone: expected a column's name with =up or =down, got %s",
                    p->file, owi_quote_text(text, quoted));
}

static ow_status plan_changes(const planner *p, const ow_infer_options *options)
{
    for (size_t i = 0; i < options->n_monotone; i++)
        OWI_TRY(plan_direction(p, options->monotone[i]));
    for (size_t i = 0; i < options->n_unlock; i++) {
        OWI_REQUIRE(options->unlock[i] != NULL);
        owi_column_plan *column =
            look_up(p, options->unlock[i], strlen(options->unlock[i]));
        if (column == NULL && strcmp(options->unlock[i], "all") == 0) {
            for (size_t j = 0; j < p->n; j++) p->plan[j].is_unlocked = true;
            continue;
        }
        if (column == NULL)
            return owi_reader_no_column(p->reader, OW_ERR_ARGUMENT, options->unlock[i]);
        column->is_unlocked = true;
    }
    return OW_OK;
}

/* The cells of images and maps belong together: none of them is left out or a category.
 * The one column behind them holds the labels, and is left out where they are not
 * wanted. */
static ow_status check_picture(const planner *p)
{
    const ow_layout layout = ow_reader_layout(p->reader);
    const size_t n_cells = layout.height * layout.width * layout.channels;
    for (size_t j = 0; j < p->n; j++) {
        owi_column_plan *column = &p->plan[j];
        if (j >= n_cells) {
            if (column->role == OWI_ROLE_FEATURE) column->role = OWI_ROLE_DROPPED;
        } else if (column->role != OWI_ROLE_FEATURE) {
            return contradiction(p, column,
                                 column->role == OWI_ROLE_LABEL
                                     ? "the label, it is part of an image or map"
                                     : "dropped, it is part of an image or map");
        } else if (column->is_ordinal || column->is_categorical) {
            return contradiction(p, column, "a category, it is part of an image or map");
        }
    }
    return OW_OK;
}

static ow_status check_roles(const planner *p)
{
    size_t n_features = 0;
    for (size_t j = 0; j < p->n; j++) {
        const owi_column_plan *column = &p->plan[j];
        const bool has_wishes =
            column->is_ordinal || column->is_categorical || column->is_immutable;
        if (has_wishes && column->role == OWI_ROLE_LABEL)
            return contradiction(p, column,
                                 "ordinal, categorical or immutable: it is the "
                                 "label");
        if (has_wishes && column->role == OWI_ROLE_DROPPED)
            return contradiction(p, column,
                                 "ordinal, categorical or immutable: it is "
                                 "dropped");
        n_features += column->role == OWI_ROLE_FEATURE;
    }
    if (n_features > 0) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT, "%s: of %zu columns none is left but the label",
                    p->file, p->n);
}

ow_status owi_infer_plan(const ow_reader *reader, const ow_infer_options *options,
                         owi_column_plan *plan)
{
    const planner p = {reader, owi_reader_name(reader), ow_reader_n_columns(reader), plan};
    owi_column_plan *column;
    for (size_t j = 0; j < p.n; j++)
        plan[j] = (owi_column_plan){.name = ow_reader_column_name(reader, j)};
    if (options->label != NULL) {
        OWI_TRY(find(&p, options->label, &column));
        column->role = OWI_ROLE_LABEL;
    }
    for (size_t i = 0; i < options->n_drop; i++) {
        OWI_TRY(find(&p, options->drop[i], &column));
        if (column->role == OWI_ROLE_LABEL)
            return contradiction(&p, column, "dropped: it is the label");
        column->role = OWI_ROLE_DROPPED;
    }
    OWI_TRY(plan_types(&p, options));
    OWI_TRY(plan_changes(&p, options));
    if (ow_reader_layout(reader).kind != OW_LAYOUT_TABLE) OWI_TRY(check_picture(&p));
    return check_roles(&p);
}
