/* SPDX-License-Identifier: MIT */
/* JSON on standard output: documents for programs, and one object a line for streams of
 * rows. */
#ifndef CLI_JSON_OUTPUT_H
#define CLI_JSON_OUTPUT_H

#include <jansson.h>

/* null for NaN and infinities, which JSON does not have. */
json_t *json_output_number(double value);
/* The same with the digits that a float has: 0.1 and not 0.100000001490116. */
json_t *json_output_float(float value);
/* Text of whatever bytes: what is not UTF-8 is given as people see it. */
json_t *json_output_text(const char *text);

/* Prints and frees it, over several lines or on one.  NULL, which is what jansson makes of
 * anything when memory is short, and a document that does not fit into memory end the
 * program as memory.h does. */
void json_output_document(json_t *document);
void json_output_line(json_t *object);
/* On one line that goes on: a piece of a document that is too long to be held as a
 * whole. */
void json_output_part(json_t *piece);
/* The same as a text, freed with free(). */
char *json_output_dump(json_t *piece);

#endif
