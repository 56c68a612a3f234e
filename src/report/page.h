/* SPDX-License-Identifier: MIT */
/* The inside of ow_page. */
#ifndef OWI_PAGE_H
#define OWI_PAGE_H

#include "otherwise/page.h"
#include "report/markup.h"

struct ow_page {
    ow_context *ctx;
    char *title, *lead;
    size_t n_sections, n_card_lists, n_maps;
    /* the cards of the list that is being made (page_answers.c) */
    struct owi_card_place *cards;
    size_t n_cards, cards_room, cards_begin;
    owi_markup contents; /* list items                                       */
    owi_markup body;     /* between begin and end: the overview              */
    owi_markup aside;    /* the overview; between begin and end: the body    */
};

/* Whether pieces can still be added: what comes after a failure is passed over. */
static inline bool owi_page_is_sound(const ow_page *page)
{
    return page->body.status == OW_OK && page->contents.status == OW_OK;
}

/* A piece could not be made: sticks. */
void owi_page_fail(ow_page *page, ow_status status);

/* A caller's struct that begins with its size, into one of this version; false if the page
 * has failed, now or before. */
bool owi_page_take(ow_page *page, const char *type, const void *given, void *own,
                   size_t own_size);
#define OWI_PAGE_TAKE(page, type, given, own)                                              \
    owi_page_take(page, #type, given, own, sizeof(type))

/* <th> or <td> with a text. */
void owi_page_cell(ow_page *page, const char *element, const char *class_name,
                   const char *text);

/* The columns of a table, folded away; nothing for images and maps. */
void owi_page_schema(ow_page *page, const ow_schema *schema);
/* The calibration of the rows held out, if there are any. */
void owi_page_calibration(ow_page *page, const ow_calibration_bin *bins);

#endif
