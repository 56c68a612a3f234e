/* SPDX-License-Identifier: MIT */
#include "data/arrow/arrow_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Formats that are one word and no more. */
typedef struct {
    const char *format;
    owi_arrow_kind kind;
    ow_element_type element;
    bool is_index;
    const char *word;
} plain_format;

static const plain_format plain_formats[] = {
    {"n", OWI_ARROW_NULL, 0, false, "null"},
    {"b", OWI_ARROW_BOOL, 0, false, "bool"},
    {"c", OWI_ARROW_NUMBER, OW_ELEMENT_INT8, true, "int8"},
    {"C", OWI_ARROW_NUMBER, OW_ELEMENT_UINT8, true, "uint8"},
    {"s", OWI_ARROW_NUMBER, OW_ELEMENT_INT16, true, "int16"},
    {"S", OWI_ARROW_NUMBER, OW_ELEMENT_UINT16, true, "uint16"},
    {"i", OWI_ARROW_NUMBER, OW_ELEMENT_INT32, true, "int32"},
    {"I", OWI_ARROW_NUMBER, OW_ELEMENT_UINT32, true, "uint32"},
    {"l", OWI_ARROW_NUMBER, OW_ELEMENT_INT64, true, "int64"},
    {"L", OWI_ARROW_NUMBER, OW_ELEMENT_UINT64, true, "uint64"},
    {"e", OWI_ARROW_HALF, OW_ELEMENT_UINT16, false, "float16"},
    {"f", OWI_ARROW_NUMBER, OW_ELEMENT_FLOAT32, false, "float32"},
    {"g", OWI_ARROW_NUMBER, OW_ELEMENT_FLOAT64, false, "float64"},
    {"u", OWI_ARROW_UTF8, OW_ELEMENT_INT32, false, "utf8"},
    {"U", OWI_ARROW_UTF8, OW_ELEMENT_INT64, false, "large utf8"},
    {"vu", OWI_ARROW_VIEW, 0, false, "utf8 view"},
    {"tdD", OWI_ARROW_DATE, OW_ELEMENT_INT32, false, "date32"},
    {"tdm", OWI_ARROW_DATE, OW_ELEMENT_INT64, false, "date64"},
};

/* What is not read, by how its format begins. */
static const struct {
    const char *start, *word;
} refused_formats[] = {
    {"z", "binary"},
    {"Z", "large binary"},
    {"vz", "binary view"},
    {"w:", "fixed-width binary"},
    {"d:", "decimal of this kind"},
    {"tt", "time of day"},
    {"tD", "duration"},
    {"ti", "interval"},
    {"+s", "struct"},
    {"+l", "list"},
    {"+L", "large list"},
    {"+vl", "list view"},
    {"+vL", "large list view"},
    {"+w:", "fixed-size list"},
    {"+m", "map"},
    {"+ud:", "dense union"},
    {"+us:", "sparse union"},
    {"+r", "run-end encoded"},
};

static bool starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* d:precision,scale with 128 bits, which may be said. */
static bool parse_decimal(const char *format, owi_arrow_type *type)
{
    enum { most_digits = 38 };
    char *end;
    const long precision = strtol(format + 2, &end, 10);
    if (*end != ',' || precision < 1 || precision > most_digits) return false;
    const long scale = strtol(end + 1, &end, 10);
    if (scale < -most_digits || scale > most_digits) return false;
    if (*end != '\0' && strcmp(end, ",128") != 0) return false;
    *type = (owi_arrow_type){
        .kind = OWI_ARROW_DECIMAL, .size = 16, .scale = (int)scale, .word = "decimal128"};
    (void)owi_array_set_type(&type->element, OW_ELEMENT_UINT64); /* two of them */
    return true;
}

/* ts and the unit, then a colon and the zone, which may be empty. */
static bool parse_timestamp(const char *format, owi_arrow_type *type)
{
    static const char units[] = "smun";
    static const int64_t per_second[] = {1, 1000, 1000000, 1000000000};
    const char *unit = format[2] != '\0' ? strchr(units, format[2]) : NULL;
    if (unit == NULL || format[3] != ':') return false;
    *type = (owi_arrow_type){.kind = OWI_ARROW_TIMESTAMP,
                             .size = 8,
                             .per_second = per_second[unit - units],
                             .has_zone = format[4] != '\0',
                             .word = "timestamp"};
    (void)owi_array_set_type(&type->element, OW_ELEMENT_INT64);
    return true;
}

bool owi_arrow_type_parse(const char *format, owi_arrow_type *type)
{
    *type = (owi_arrow_type){0};
    for (size_t i = 0; i < sizeof plain_formats / sizeof *plain_formats; i++) {
        const plain_format *plain = &plain_formats[i];
        if (strcmp(format, plain->format) != 0) continue;
        *type = (owi_arrow_type){.kind = plain->kind,
                                 .is_index = plain->is_index,
                                 .word = plain->word};
        (void)owi_array_set_type(&type->element, plain->element);
        type->size =
            plain->kind == OWI_ARROW_VIEW ? 16 : owi_element_size(type->element.element);
        return true;
    }
    if (starts(format, "d:") && parse_decimal(format, type)) return true;
    if (starts(format, "ts") && parse_timestamp(format, type)) return true;
    for (size_t i = 0; i < sizeof refused_formats / sizeof *refused_formats; i++)
        if (starts(format, refused_formats[i].start)) type->word = refused_formats[i].word;
    return false;
}

int64_t owi_arrow_type_buffers(const owi_arrow_type *type)
{
    switch (type->kind) {
    case OWI_ARROW_NULL:
        return 0;
    case OWI_ARROW_UTF8:
    case OWI_ARROW_VIEW: /* validity, views, any number of data buffers, their lengths */
        return 3;
    default:
        return 2;
    }
}
