/* SPDX-License-Identifier: MIT */
/* Somebody else's program that also makes a page and a picture. */
#include <stdio.h>
#include <string.h>

#include <otherwise/page.h>
#include <otherwise/report.h>

int main(void)
{
    unsigned char pixel = 127;
    const ow_pixels picture = {1, 1, 1, &pixel};
    ow_context *ctx = NULL;
    ow_page *page = NULL;
    char *png = NULL, *html = NULL;
    size_t n_png = 0, n_html = 0;

    ow_status status = ow_context_new(NULL, &ctx);
    if (status == OW_OK) status = ow_page_new(ctx, "A page", NULL, &page);
    if (status == OW_OK) {
        ow_page_text(page, "One paragraph.");
        status = ow_page_format(page, &html, &n_html);
    }
    if (status == OW_OK) status = ow_png_format(ctx, &picture, &png, &n_png);
    /* A failure of the second library is told by the core's ow_error_message. */
    if (status == OW_OK && ow_png_save(ctx, NULL, "x.png") == OW_OK)
        status = OW_ERR_ARGUMENT;
    if (status == OW_OK && strstr(ow_error_message(), "picture != NULL") != NULL)
        printf("otherwise %s: a page and a picture\n", ow_version());
    else
        fprintf(stderr, "%s\n", ow_error_message());

    ow_page_free(page);
    ow_context_free(ctx);
    ow_bytes_free(html);
    ow_bytes_free(png);
    return status == OW_OK && n_html > 100 && n_png > 50 ? 0 : 1;
}
