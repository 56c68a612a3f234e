/* SPDX-License-Identifier: MIT */
/* JSON of the program's own on standard output; results of the library come from it as text
 * (otherwise/json.h). */
#ifndef CLI_JSON_OUTPUT_H
#define CLI_JSON_OUTPUT_H

#include <jansson.h>

/* Text of whatever bytes: what is not UTF-8 is given as people see it. */
json_t *json_output_text(const char *text);

/* Prints and frees it.  NULL, which is what jansson makes of anything when memory is short,
 * and a document that does not fit into memory end the program as memory.h does. */
void json_output_document(json_t *document);

#endif
