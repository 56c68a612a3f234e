/* SPDX-License-Identifier: MIT */
/* A page as a whole: its head with style and script inside, sections, paragraphs, tables
 * and pictures. */
#include "report/page.h"

#include <stdio.h>
#include <string.h>

#include "otherwise/file.h"
#include "report/support.h"

/* page/page.css and page/page.js, compiled in (cmake/embed.cmake). */
extern const unsigned char owi_embedded_page_css[], owi_embedded_page_js[];
extern const size_t owi_embedded_page_css_size, owi_embedded_page_js_size;

ow_status ow_page_new(ow_context *ctx, const char *title, const char *lead, ow_page **out)
{
    OWI_REQUIRE(ctx != NULL && title != NULL && out != NULL);
    *out = NULL;
    ow_page *page = owi_report_alloc(ctx, 1, sizeof *page);
    if (page == NULL) return OW_ERR_MEMORY;
    page->ctx = ctx;
    owi_markup_begin(&page->contents, ctx);
    owi_markup_begin(&page->body, ctx);
    owi_markup_begin(&page->aside, ctx);
    page->title = owi_report_text(ctx, "%s", title);
    page->lead = owi_report_text(ctx, "%s", lead != NULL ? lead : "");
    if (page->title == NULL || page->lead == NULL) {
        ow_page_free(page);
        return OW_ERR_MEMORY;
    }
    *out = page;
    return OW_OK;
}

void ow_page_free(ow_page *page)
{
    if (page == NULL) return;
    ow_bytes_free(page->contents.text);
    ow_bytes_free(page->body.text);
    ow_bytes_free(page->aside.text);
    ow_bytes_free(page->cards);
    ow_bytes_free(page->title);
    ow_bytes_free(page->lead);
    ow_bytes_free(page);
}

void ow_page_add_lead(ow_page *page, const char *sentence)
{
    char *lead = owi_report_text(page->ctx, "%s%s%s", page->lead,
                                 page->lead[0] != '\0' ? " " : "", sentence);
    if (lead == NULL) {
        owi_page_fail(page, OW_ERR_MEMORY);
        return;
    }
    ow_bytes_free(page->lead);
    page->lead = lead;
}

void owi_page_fail(ow_page *page, ow_status status)
{
    if (page->body.status == OW_OK) page->body.status = status;
}

bool owi_page_take(ow_page *page, const char *type, const void *given, void *own,
                   size_t own_size)
{
    if (!owi_page_is_sound(page)) return false;
    const ow_status status = owi_report_take(type, given, own, own_size);
    if (status != OW_OK) owi_page_fail(page, status);
    return status == OW_OK;
}

/* A failure of one of the two must stay with the body, where everybody looks for it. */
static void exchange(ow_page *page)
{
    const owi_markup body = page->body;
    page->body = page->aside;
    page->aside = body;
    owi_page_fail(page, page->aside.status);
}

void ow_page_begin_overview(ow_page *page)
{
    exchange(page);
}

void ow_page_end_overview(ow_page *page)
{
    exchange(page);
}

/* ---- Words ---- */

void ow_page_section(ow_page *page, const char *heading)
{
    const size_t n = ++page->n_sections;
    owi_markup_add(&page->contents, "<li><a href=\"#section-%zu\">", n);
    owi_markup_text(&page->contents, heading, 0);
    owi_markup_add(&page->contents, "</a></li>\n");
    owi_markup_add(&page->body, "<h2 id=\"section-%zu\">", n);
    owi_markup_text(&page->body, heading, 0);
    owi_markup_add(&page->body, "</h2>\n");
}

static void paragraph(ow_page *page, const char *class_name, const char *text)
{
    owi_markup_add(&page->body, "<p%s>", class_name);
    owi_markup_text(&page->body, text, 0);
    owi_markup_add(&page->body, "</p>\n");
}

void ow_page_text(ow_page *page, const char *text)
{
    paragraph(page, "", text);
}

void ow_page_note(ow_page *page, const char *text)
{
    paragraph(page, " class=\"note\"", text);
}

void ow_page_tiles(ow_page *page, const ow_page_tile *tiles, size_t n_tiles)
{
    owi_markup_add(&page->body, "<ul class=\"tiles\">\n");
    for (size_t i = 0; i < n_tiles; i++) {
        owi_markup_add(&page->body, "<li><b>");
        owi_markup_text(&page->body, tiles[i].figure, 0);
        owi_markup_add(&page->body, "</b> ");
        owi_markup_text(&page->body, tiles[i].words, 0);
        owi_markup_add(&page->body, "</li>\n");
    }
    owi_markup_add(&page->body, "</ul>\n");
}

void ow_page_begin_details(ow_page *page, const char *summary)
{
    owi_markup_add(&page->body, "<details><summary>");
    owi_markup_text(&page->body, summary, 0);
    owi_markup_add(&page->body, "</summary>\n");
}

void ow_page_end_details(ow_page *page)
{
    owi_markup_add(&page->body, "</details>\n");
}

/* ---- Tables ---- */

void owi_page_cell(ow_page *page, const char *element, const char *class_name,
                   const char *text)
{
    owi_markup_add(&page->body, "<%s%s>", element, class_name);
    if (text != NULL) owi_markup_text(&page->body, text, 0);
    owi_markup_add(&page->body, "</%c%c>", element[0], element[1]);
}

/* " class=\"number best good\"", or nothing. */
static const char *cell_class(const ow_page_table_content *table, size_t row, size_t column,
                              char room[48])
{
    static const char *const grounds[] = {"", " good", " bad"};
    const size_t cell = row * table->n_columns + column;
    const bool bold = table->bold != NULL && table->bold[cell];
    const ow_page_tone tone = table->tones != NULL ? table->tones[cell] : OW_TONE_NONE;
    const bool is_number = table->columns[column].is_number;
    if (!is_number && !bold && tone == OW_TONE_NONE) return "";
    char names[32];
    snprintf(names, sizeof names, "%s%s%s", is_number ? " number" : "", bold ? " best" : "",
             grounds[tone]);
    snprintf(room, 48, " class=\"%s\"", names + 1);
    return room;
}

/* Columns without titles have no line for them. */
static void add_titles(ow_page *page, const ow_page_table_content *table)
{
    bool has_some = false;
    for (size_t j = 0; j < table->n_columns; j++)
        has_some |= table->columns[j].title != NULL && table->columns[j].title[0] != '\0';
    if (!has_some) return;
    owi_markup_add(&page->body, "<thead><tr>");
    for (size_t j = 0; j < table->n_columns; j++)
        owi_page_cell(page,
                      table->columns[j].is_number ? "th scope=\"col\" class=\"number\""
                                                  : "th scope=\"col\"",
                      "", table->columns[j].title);
    owi_markup_add(&page->body, "</tr></thead>\n");
}

void ow_page_table(ow_page *page, const ow_page_table_content *given)
{
    ow_page_table_content own = {.size = sizeof(ow_page_table_content)};
    if (!OWI_PAGE_TAKE(page, ow_page_table_content, given, &own)) return;
    const ow_page_table_content *table = &own;
    owi_markup *body = &page->body;
    char room[48];
    owi_markup_add(body, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                         "aria-label=\"table\"><table>\n");
    if (table->caption != NULL) {
        owi_markup_add(body, "<caption class=\"caption\">");
        owi_markup_text(body, table->caption, 0);
        owi_markup_add(body, "</caption>\n");
    }
    add_titles(page, table);
    owi_markup_add(body, "<tbody>\n");
    for (size_t i = 0; i < table->n_rows; i++) {
        owi_markup_add(body, "<tr>");
        for (size_t j = 0; j < table->n_columns; j++)
            owi_page_cell(page, j == 0 ? "th scope=\"row\"" : "td",
                          cell_class(table, i, j, room),
                          table->cells[i * table->n_columns + j]);
        owi_markup_add(body, "</tr>\n");
    }
    owi_markup_add(body, "</tbody></table></div>\n");
}

/* ---- Pictures ---- */

static void end_figure(ow_page *page, const char *caption)
{
    if (caption != NULL) {
        owi_markup_add(&page->body, "<figcaption class=\"caption\">");
        owi_markup_text(&page->body, caption, 0);
        owi_markup_add(&page->body, "</figcaption>");
    }
    owi_markup_add(&page->body, "</figure>\n");
}

void ow_page_svg(ow_page *page, const char *caption, const char *svg)
{
    owi_markup_add(&page->body, "<figure>");
    owi_markup_bytes(&page->body, svg, strlen(svg));
    end_figure(page, caption);
}

void ow_page_png(ow_page *page, const char *caption, const char *words, const void *bytes,
                 size_t size, bool pixels)
{
    owi_markup_add(&page->body, "<figure><img%s alt=\"", pixels ? " class=\"pixels\"" : "");
    owi_markup_text(&page->body, words, 0);
    owi_markup_add(&page->body, "\" src=\"data:image/png;base64,");
    owi_markup_base64(&page->body, bytes, size);
    owi_markup_add(&page->body, "\">");
    end_figure(page, caption);
}

static void add_grid_names(owi_markup *body, const ow_page_grid_content *g, size_t left,
                           size_t top)
{
    for (size_t i = 0; g->lines != NULL && i < g->n_lines; i++) {
        owi_markup_add(body, "<text text-anchor=\"end\" x=\"%zu\" y=\"%zu\">", left - 8,
                       top + (2 * i + 1) * g->height / (2 * g->n_lines) + 4);
        owi_markup_text(body, g->lines[i], 18);
        owi_markup_add(body, "</text>");
    }
    for (size_t i = 0; g->columns != NULL && i < g->n_columns; i++) {
        owi_markup_add(body, "<text text-anchor=\"middle\" x=\"%zu\" y=\"%zu\">",
                       left + (2 * i + 1) * g->width / (2 * g->n_columns), top - 8);
        owi_markup_text(body, g->columns[i], 18);
        owi_markup_add(body, "</text>");
    }
}

void ow_page_grid(ow_page *page, const ow_page_grid_content *given)
{
    ow_page_grid_content g = {.size = sizeof g};
    if (!OWI_PAGE_TAKE(page, ow_page_grid_content, given, &g)) return;
    owi_markup *body = &page->body;
    const size_t left = g.lines != NULL ? 120 : 0, top = g.columns != NULL ? 26 : 0;
    owi_markup_add(body,
                   "<figure><svg class=\"wide\" viewBox=\"0 0 %zu %zu\" width=\"%zu\" "
                   "role=\"img\" aria-label=\"",
                   left + g.width, top + g.height, left + g.width);
    owi_markup_text(body, g.words, 0);
    owi_markup_add(body,
                   "\"><image class=\"pixels\" x=\"%zu\" y=\"%zu\" width=\"%zu\" "
                   "height=\"%zu\" href=\"data:image/png;base64,",
                   left, top, g.width, g.height);
    owi_markup_base64(body, g.bytes, g.n_bytes);
    owi_markup_add(body, "\"/>");
    add_grid_names(body, &g, left, top);
    owi_markup_add(body, "</svg>");
    end_figure(page, g.caption);
}

/* ---- The whole ---- */

static void add_head(owi_markup *html, const ow_page *page)
{
    owi_markup_add(html,
                   "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, "
                   "initial-scale=1\">\n<title>");
    owi_markup_text(html, page->title, 0);
    owi_markup_add(html, "</title>\n<style>\n");
    owi_markup_bytes(html, (const char *)owi_embedded_page_css, owi_embedded_page_css_size);
    owi_markup_add(html, "</style>\n</head>\n<body>\n<header class=\"masthead\">\n<h1>");
    owi_markup_text(html, page->title, 0);
    owi_markup_add(html, "</h1>\n");
    if (page->lead[0] != '\0') {
        owi_markup_add(html, "<p>");
        owi_markup_text(html, page->lead, 0);
        owi_markup_add(html, "</p>\n");
    }
    if (page->n_sections > 1) {
        owi_markup_add(html, "<nav aria-label=\"Contents\"><ul>\n");
        owi_markup_bytes(html, page->contents.text, page->contents.size);
        owi_markup_add(html, "</ul></nav>\n");
    }
    owi_markup_add(html, "</header>\n<main>\n");
}

ow_status ow_page_format(ow_page *page, char **text, size_t *size)
{
    OWI_REQUIRE(page != NULL && text != NULL);
    *text = NULL;
    if (page->contents.status != OW_OK) return page->contents.status;
    if (page->body.status != OW_OK) return page->body.status;
    owi_markup html;
    owi_markup_begin(&html, page->ctx);
    add_head(&html, page);
    if (page->aside.size > 0) {
        owi_markup_add(&html, "<section class=\"overview\" aria-label=\"Overview\">\n");
        owi_markup_bytes(&html, page->aside.text, page->aside.size);
        owi_markup_add(&html, "</section>\n");
    }
    owi_markup_bytes(&html, page->body.text != NULL ? page->body.text : "",
                     page->body.size);
    owi_markup_add(&html, "</main>\n<footer>Made by otherwise %s.</footer>\n<script>\n",
                   ow_version());
    owi_markup_bytes(&html, (const char *)owi_embedded_page_js, owi_embedded_page_js_size);
    owi_markup_add(&html, "</script>\n</body>\n</html>\n");
    return owi_markup_end(&html, text, size);
}

ow_status ow_page_save(ow_page *page, const char *path)
{
    OWI_REQUIRE(page != NULL && path != NULL);
    char *text = NULL;
    size_t size = 0;
    ow_status status = ow_page_format(page, &text, &size);
    if (status == OW_OK) status = ow_file_write(page->ctx, path, text, size);
    ow_bytes_free(text);
    return status;
}
