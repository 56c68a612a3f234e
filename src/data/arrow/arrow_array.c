/* SPDX-License-Identifier: MIT */
/* Buffers by type, after the Arrow columnar format:
 *
 *     null          none
 *     fixed width   validity, values
 *     utf8          validity, offsets (one more than values), bytes
 *     utf8 view     validity, views of 16 bytes, data buffers, lengths of these
 *     dictionary    those of the indices; the values are in array->dictionary
 *
 * Validity is a bitmap, 1 for a value; without the buffer there are no nulls.  Value i of
 * an array stands at place offset + i of its buffers.  Nothing is assumed of alignment. */
#include "data/arrow/arrow_array.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/quote.h"

enum { view_size = 16, most_inline = 12 };

/* ---- Types ---- */

static ow_status parse_type(const char *format, const char *what, owi_arrow_type *type)
{
    char quoted[owi_quote_size];
    if (format == NULL) return owi_fail(OW_ERR_FORMAT, "%sno format", what);
    if (owi_arrow_type_parse(format, type)) return OW_OK;
    return owi_fail(OW_ERR_UNSUPPORTED,
                    "%sthe Arrow type %s%sformat %s, is not read; make it numbers, bools, "
                    "texts, dates or a dictionary of these",
                    what, type->word != NULL ? type->word : "of",
                    type->word != NULL ? ", " : " ", owi_quote_text(format, quoted));
}

ow_status owi_arrow_column_read(const struct ArrowSchema *schema, owi_arrow_column *column)
{
    *column = (owi_arrow_column){.has_dictionary = schema->dictionary != NULL};
    OWI_TRY(parse_type(schema->format, "", &column->type));
    if (!column->has_dictionary) return OW_OK;
    if (!column->type.is_index)
        return owi_fail(OW_ERR_FORMAT, "dictionary indices are %s, expected integers",
                        column->type.word);
    if (schema->dictionary->dictionary != NULL)
        return owi_fail(OW_ERR_UNSUPPORTED, "a dictionary of dictionaries is not read");
    return parse_type(schema->dictionary->format, "dictionary: ", &column->values);
}

/* ---- Whole arrays ---- */

/* Places times the size of the largest value must fit: nobody has an array as long as
 * that. */
static const int64_t most_places = INT64_MAX / view_size;

static ow_status check_counts(const struct ArrowArray *array, int64_t n)
{
    if (array->length < n)
        return owi_fail(OW_ERR_FORMAT,
                        "the array has %" PRId64 " rows, expected at least %" PRId64,
                        array->length, n);
    if (array->offset < 0 || array->offset > most_places ||
        array->length > most_places - array->offset)
        return owi_fail(OW_ERR_FORMAT, "an array of length %" PRId64 " at offset %" PRId64,
                        array->length, array->offset);
    if (array->null_count < -1 || array->null_count > array->length)
        return owi_fail(OW_ERR_FORMAT, "%" PRId64 " nulls in an array of length %" PRId64,
                        array->null_count, array->length);
    return OW_OK;
}

static ow_status check_buffers(const struct ArrowArray *array, const owi_arrow_type *type)
{
    const int64_t wanted = owi_arrow_type_buffers(type);
    const bool is_view = type->kind == OWI_ARROW_VIEW;
    if (type->kind == OWI_ARROW_NULL) return OW_OK;
    if (is_view ? array->n_buffers < wanted : array->n_buffers != wanted)
        return owi_fail(OW_ERR_FORMAT,
                        "%s array with %" PRId64 " buffers, expected %s%" PRId64,
                        type->word, array->n_buffers, is_view ? "at least " : "", wanted);
    if (array->buffers == NULL)
        return owi_fail(OW_ERR_FORMAT, "%s array without buffers", type->word);
    if (array->null_count > 0 && array->buffers[0] == NULL)
        return owi_fail(OW_ERR_FORMAT, "%" PRId64 " nulls, but no bitmap that says where",
                        array->null_count);
    if (array->length > 0 && array->buffers[1] == NULL)
        return owi_fail(OW_ERR_FORMAT, "%s array without its values", type->word);
    if (is_view && array->n_buffers > wanted &&
        array->buffers[array->n_buffers - 1] == NULL)
        return owi_fail(OW_ERR_FORMAT,
                        "utf8 view array without the lengths of its buffers");
    return OW_OK;
}

ow_status owi_arrow_array_check(const struct ArrowArray *array,
                                const owi_arrow_column *column, int64_t n)
{
    const owi_arrow_column values = {.type = column->values};
    if (array == NULL) return owi_fail(OW_ERR_FORMAT, "there is no array");
    OWI_TRY(check_counts(array, n));
    OWI_TRY(check_buffers(array, &column->type));
    if (!column->has_dictionary) return OW_OK;
    if (array->dictionary == NULL)
        return owi_fail(OW_ERR_FORMAT, "indices without their dictionary");
    return owi_arrow_array_check(array->dictionary, &values, 0);
}

bool owi_arrow_is_null(const struct ArrowArray *array, int64_t i)
{
    if (array->n_buffers == 0 || array->buffers == NULL || array->buffers[0] == NULL ||
        array->null_count == 0)
        return false;
    const int64_t place = array->offset + i;
    const unsigned char *bits = array->buffers[0];
    return (bits[place / 8] >> (place % 8) & 1) == 0;
}

/* ---- Values ---- */

/* Where value i stands in buffer 1. */
static const unsigned char *value_at(const struct ArrowArray *array,
                                     const owi_arrow_type *type, int64_t i)
{
    return (const unsigned char *)array->buffers[1] +
           (size_t)(array->offset + i) * type->size;
}

/* 4 or 8 bytes with a sign. */
static int64_t load_integer(const unsigned char *bytes, size_t size)
{
    int32_t narrow;
    int64_t wide;
    if (size == sizeof wide) {
        memcpy(&wide, bytes, sizeof wide);
        return wide;
    }
    memcpy(&narrow, bytes, sizeof narrow);
    return narrow;
}

static ow_status set_text(const char *text, size_t length, owi_cell *cell)
{
    if (memchr(text, '\0', length) != NULL)
        return owi_fail(OW_ERR_FORMAT, "a text with a NUL byte in it");
    *cell = (owi_cell){.text = text, .length = length};
    return OW_OK;
}

/* Offsets must not fall, and end where the last one of the array does. */
static ow_status read_utf8(const struct ArrowArray *array, const owi_arrow_type *type,
                           int64_t i, owi_cell *cell)
{
    const unsigned char *offsets = array->buffers[1];
    const unsigned char *at = value_at(array, type, i);
    const int64_t start = load_integer(at, type->size);
    const int64_t end = load_integer(at + type->size, type->size);
    const size_t last_place = (size_t)(array->offset + array->length);
    const int64_t last = load_integer(offsets + last_place * type->size, type->size);
    if (start < 0 || end < start || last < end)
        return owi_fail(OW_ERR_FORMAT,
                        "a text from byte %" PRId64 " to %" PRId64 " of %" PRId64, start,
                        end, last);
    if (start == end) return set_text("", 0, cell);
    if (array->buffers[2] == NULL)
        return owi_fail(OW_ERR_FORMAT, "a text in a buffer that is not there");
    return set_text((const char *)array->buffers[2] + start, (size_t)(end - start), cell);
}

/* length (4 bytes), then up to 12 bytes of text, or a prefix (4), the number of a data
 * buffer (4) and where the text begins in it (4). */
static ow_status read_view(const struct ArrowArray *array, const owi_arrow_type *type,
                           int64_t i, owi_cell *cell)
{
    const unsigned char *view = value_at(array, type, i);
    const int64_t length = load_integer(view, 4);
    if (length < 0) return owi_fail(OW_ERR_FORMAT, "a text of %" PRId64 " bytes", length);
    if (length <= most_inline)
        return set_text((const char *)view + 4, (size_t)length, cell);

    const int64_t n_data = array->n_buffers - 3;
    const int64_t number = load_integer(view + 8, 4), start = load_integer(view + 12, 4);
    if (number < 0 || number >= n_data || array->buffers[2 + number] == NULL)
        return owi_fail(OW_ERR_FORMAT, "a text in data buffer %" PRId64 " of %" PRId64,
                        number, n_data);
    const unsigned char *lengths = array->buffers[array->n_buffers - 1];
    const int64_t size = load_integer(lengths + (size_t)number * 8, 8);
    if (start < 0 || size < length || start > size - length)
        return owi_fail(OW_ERR_FORMAT,
                        "a text from byte %" PRId64 " to %" PRId64 " of %" PRId64, start,
                        start + length, size);
    return set_text((const char *)array->buffers[2 + number] + start, (size_t)length, cell);
}

static ow_status set_number(double number, owi_cell *cell)
{
    *cell = (owi_cell){.number = number};
    if (!isinf(number)) return OW_OK;
    return owi_fail(OW_ERR_FORMAT, "expected a finite number, got %s",
                    number > 0 ? "inf" : "-inf");
}

static ow_status read_number(const struct ArrowArray *array, const owi_arrow_type *type,
                             int64_t i, owi_cell *cell)
{
    const int64_t place = array->offset + i;
    const unsigned char *bits = array->buffers[1];
    double number = 0.0;
    uint16_t half;
    switch (type->kind) {
    case OWI_ARROW_BOOL:
        number = bits[place / 8] >> (place % 8) & 1;
        break;
    case OWI_ARROW_HALF:
        memcpy(&half, value_at(array, type, i), sizeof half);
        number = owi_arrow_half(half);
        break;
    default:
        owi_array_decode(&type->element, value_at(array, type, i), 1, &number);
    }
    return set_number(number, cell);
}

/* Dates, time stamps and decimals, printed. */
static ow_status read_printed(const struct ArrowArray *array, const owi_arrow_type *type,
                              int64_t i, char *text, owi_cell *cell)
{
    enum { day_milliseconds = 86400000 };
    const unsigned char *at = value_at(array, type, i);
    *cell = (owi_cell){.text = text};
    if (type->kind == OWI_ARROW_DECIMAL) {
        uint64_t halves[2];
        memcpy(halves, at, sizeof halves);
        const size_t high = type->element.big_endian ? 0 : 1;
        cell->length =
            owi_arrow_print_decimal(halves[high], halves[1 - high], type->scale, text);
        return OW_OK;
    }
    const int64_t value = load_integer(at, type->size);
    if (type->kind == OWI_ARROW_TIMESTAMP) {
        cell->length = owi_arrow_print_time(value, type->per_second, type->has_zone, text);
        return OW_OK;
    }
    const bool days = type->size == 4;
    const int64_t day =
        days ? value : value / day_milliseconds - (value % day_milliseconds < 0);
    cell->length = owi_arrow_print_date(day, text);
    return OW_OK;
}

static ow_status read_value(const struct ArrowArray *array, const owi_arrow_type *type,
                            int64_t i, char *text, owi_cell *cell)
{
    *cell = (owi_cell){.number = NAN};
    if (type->kind == OWI_ARROW_NULL || owi_arrow_is_null(array, i)) return OW_OK;
    switch (type->kind) {
    case OWI_ARROW_UTF8:
        return read_utf8(array, type, i, cell);
    case OWI_ARROW_VIEW:
        return read_view(array, type, i, cell);
    case OWI_ARROW_DECIMAL:
    case OWI_ARROW_DATE:
    case OWI_ARROW_TIMESTAMP:
        return read_printed(array, type, i, text, cell);
    default:
        return read_number(array, type, i, cell);
    }
}

ow_status owi_arrow_array_cell(const struct ArrowArray *array,
                               const owi_arrow_column *column, int64_t i, owi_cell *cell)
{
    if (!column->has_dictionary)
        return read_value(array, &column->type, i, column->text, cell);
    OWI_TRY(read_value(array, &column->type, i, NULL, cell));
    if (isnan(cell->number)) return OW_OK; /* an index that is null */
    const struct ArrowArray *dictionary = array->dictionary;
    /* An index beyond 2^53 is rounded, and far outside all the same. */
    if (!(cell->number >= 0.0 && cell->number < (double)dictionary->length))
        return owi_fail(OW_ERR_FORMAT, "index %.0f in a dictionary of %" PRId64 " values",
                        cell->number, dictionary->length);
    return read_value(dictionary, &column->values, (int64_t)cell->number, column->text,
                      cell);
}
