/* SPDX-License-Identifier: MIT */
/* Birds: feature maps of six species in three pairs, or any other maps; tables, and heat
 * maps over the photographs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/birds/heat_figure.h"
#include "reproduce/birds/photo_list.h"
#include "reproduce/study.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

static const char *const species[][2] = {{"Red_faced_Cormorant", "Crested_Auklet"},
                                         {"Myrtle_Warbler", "Olive_sided_Flycatcher"},
                                         {"Horned_Grebe", "Eared_Grebe"}};
enum { n_species_pairs = sizeof species / sizeof *species };

/* The paper says nothing about how well its circuit tells the species apart. */
static const study_paper paper = {.log_density = {-4593.85, -4505.00, -4501.99, -4501.23},
                                  .success = {1.00, 0.73, 0.90, 0.98},
                                  .seconds = {65, 468, 63, 16},
                                  .accuracy = -1.0};

static const char published_note[] =
    "The feature maps come from ResNet-50, not from VGG-16 as the paper's: figures and "
    "pictures can be compared with its own in kind only.";
static const char own_note[] =
    "The feature maps are those given with --features: figures and pictures can be "
    "compared with the paper's as far as the maps can.";

/* ---- Rows ---- */

/* The classes of the published maps as a file below work/, in the order of the maps. */
static ow_status write_labels(reproduction *r, const photo_list *photos)
{
    char *text = NULL;
    for (size_t i = 0; i < photos->n; i++)
        text = text_add(text, "%s\n", photos->photos[i].class_name);
    ow_status status = reproduce_work_folder(r);
    if (status == OW_OK)
        status = reproduce_save(r, "work/labels.txt", text != NULL ? text : "",
                                text != NULL ? strlen(text) : 0);
    free(text);
    return status;
}

static ow_status read_maps(reproduction *r, const char *maps, const char *labels,
                           study_rows *rows)
{
    const study_source source = {.path = maps,
                                 .read = {.labels = labels},
                                 .infer = {.label = "label"}};
    return study_rows_read(r, &source, rows);
}

static ow_status read_published(reproduction *r, study_rows *rows, photo_list *photos)
{
    char *folder = text_add(NULL, "%s/cub", r->data);
    char *maps = text_add(NULL, "%s/features_resnet50_7x7x100.npy", folder);
    char *labels = reproduce_path(r, "work/labels.txt");
    ow_status status = photo_list_read_published(folder, photos);
    r->complained = status != OW_OK;
    if (status == OW_OK) status = write_labels(r, photos);
    if (status == OW_OK) status = read_maps(r, maps, labels, rows);
    free(labels);
    free(maps);
    free(folder);
    return status;
}

/* Whether the maps are maps, and each has its photograph; complains otherwise. */
static ow_status check_own(reproduction *r, const study_rows *rows, photo_list *photos)
{
    const size_t n_maps = ow_table_n_rows(rows->table);
    if (ow_schema_layout(rows->schema).kind != OW_LAYOUT_MAP) {
        message(OW_LOG_ERROR,
                "%s: an array of four dimensions is expected (images, rows, columns, "
                "channels), got one of fewer",
                r->features);
        return OW_ERR_FORMAT;
    }
    if (r->images == NULL) return OW_OK;
    const ow_status status = photo_list_read(r->images, photos);
    if (status != OW_OK || photos->n == n_maps) return status;
    message(OW_LOG_ERROR, "%s lists %zu images, but %s has maps of %zu", r->images,
            photos->n, r->features, n_maps);
    return OW_ERR_FORMAT;
}

static ow_status read_own(reproduction *r, study_rows *rows, photo_list *photos)
{
    ow_status status = read_maps(r, r->features, r->labels, rows);
    if (status != OW_OK) return status;
    status = check_own(r, rows, photos);
    r->complained = status != OW_OK;
    return status;
}

/* ---- Pairs ---- */

/* The class whose name ends with that of a species, as "005.Crested_Auklet"; NULL: there is
 * none. */
static const char *class_of_species(const ow_schema *schema, const char *name)
{
    for (size_t c = 0; c < ow_schema_n_classes(schema); c++) {
        const char *class_name = ow_schema_class_name(schema, c);
        const size_t length = strlen(class_name), wanted = strlen(name);
        if (length >= wanted && strcmp(class_name + length - wanted, name) == 0)
            return class_name;
    }
    return NULL;
}

/* The paper's pairs if all its species are there, in both directions; else each class and
 * the one after it.  Freed by the caller. */
static study_pair *choose_pairs(const ow_schema *schema, size_t *n_pairs, bool *is_paper)
{
    const size_t n_classes = ow_schema_n_classes(schema);
    study_pair *pairs = memory_new(2 * (n_classes + n_species_pairs), sizeof *pairs);
    size_t n = 0;
    *is_paper = true;
    for (size_t p = 0; p < n_species_pairs; p++) {
        const char *one = class_of_species(schema, species[p][0]);
        const char *other = class_of_species(schema, species[p][1]);
        if (one == NULL || other == NULL) *is_paper = false;
        pairs[n++] = (study_pair){one, other};
        pairs[n++] = (study_pair){other, one};
    }
    if (!*is_paper) {
        n = 0;
        for (size_t c = 0; c + 1 < n_classes; c++) {
            const char *one = ow_schema_class_name(schema, c);
            const char *other = ow_schema_class_name(schema, c + 1);
            pairs[n++] = (study_pair){one, other};
            pairs[n++] = (study_pair){other, one};
        }
    }
    *n_pairs = n;
    return pairs;
}

/* ---- The whole ---- */

static ow_status run(reproduction *r)
{
    study_rows rows = {0};
    study_seed first = {0};
    photo_list photos = {0};
    study_pair *pairs = NULL;
    const bool published = r->features == NULL;
    ow_status status =
        published ? read_published(r, &rows, &photos) : read_own(r, &rows, &photos);
    if (status == OW_OK) {
        bool is_paper;
        study_plan plan = {.title =
                               published
                                   ? "Birds of six species, three pairs in both directions"
                                   : "Feature maps and classes as given",
                           .training = study_paper_training(29, 25, false),
                           .note = published ? published_note : own_note,
                           .whole = {SIZE_MAX, 500, 500, 100, 100, 100},
                           .quick = {12},
                           .ablate = true,
                           .network_seeds = SIZE_MAX};
        plan.pairs = pairs = choose_pairs(rows.schema, &plan.n_pairs, &is_paper);
        plan.paper = is_paper ? &paper : NULL;
        status = study_run(r, &plan, &rows, &first);
        if (status == OW_OK && photos.n > 0)
            status = heat_figure_show(r, &first, &plan, &photos);
    }
    study_seed_close(&first);
    study_rows_clear(&rows);
    photo_list_clear(&photos);
    free(pairs);
    return status;
}

const reproduce_spec reproduce_cub = {
    .name = "cub",
    .summary = "birds: tables, and heat maps over the photographs",
    .title = "Birds (CUB)",
    .lead =
        "The paper's experiment on feature maps of photographs, its figures beside ours.",
    .dataset = "cub",
    .tunes = true,
    .run = run,
};
