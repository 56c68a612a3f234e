/* SPDX-License-Identifier: MIT */
#include "serve/page_files.h"

extern const unsigned char owi_embedded_serve_html[], owi_embedded_serve_css[],
    owi_embedded_serve_parts_js[], owi_embedded_serve_plans_js[], owi_embedded_serve_js[];
extern const size_t owi_embedded_serve_html_size, owi_embedded_serve_css_size,
    owi_embedded_serve_parts_js_size, owi_embedded_serve_plans_js_size,
    owi_embedded_serve_js_size;

const page_file *page_file_find(http_text path)
{
    static const page_file files[] = {
        {"/", "text/html", owi_embedded_serve_html, &owi_embedded_serve_html_size},
        {"/serve.css", "text/css", owi_embedded_serve_css, &owi_embedded_serve_css_size},
        {"/serve_parts.js", "text/javascript", owi_embedded_serve_parts_js,
         &owi_embedded_serve_parts_js_size},
        {"/serve_plans.js", "text/javascript", owi_embedded_serve_plans_js,
         &owi_embedded_serve_plans_js_size},
        {"/serve.js", "text/javascript", owi_embedded_serve_js,
         &owi_embedded_serve_js_size}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (http_text_equals(path, files[i].path)) return &files[i];
    return NULL;
}
