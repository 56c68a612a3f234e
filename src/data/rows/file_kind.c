/* SPDX-License-Identifier: MIT */
/* Files that hold tables, but in forms that are not read here: each is known by its first
 * bytes and answered with a command that converts it. */
#include <string.h>

#include "base/error.h"
#include "data/rows/reader_private.h"

typedef struct {
    const char *bytes;
    size_t n;
    const char *what, *command;
} kind;

#define BYTES(text) text, sizeof(text) - 1
static const char from_office[] = "libreoffice --headless --convert-to csv FILE",
                  from_parquet[] =
                      "python3 -c \"import pandas; "
                      "pandas.read_parquet('FILE').to_csv('rows.csv', index=False)\"",
                  from_feather[] =
                      "python3 -c \"import pandas; "
                      "pandas.read_feather('FILE').to_csv('rows.csv', index=False)\"",
                  from_json[] =
                      "python3 -c \"import pandas; "
                      "pandas.read_json('FILE').to_csv('rows.csv', index=False)\"",
                  from_sqlite[] = "sqlite3 -header -csv FILE 'select * from TABLE'";

static const kind kinds[] = {
    {BYTES("PK\3\4"), "an Excel or OpenDocument workbook, or another zip file",
     from_office},
    {BYTES("\xd0\xcf\x11\xe0"), "an old Excel workbook", from_office},
    {BYTES("PAR1"), "a Parquet file", from_parquet},
    {BYTES("ARROW1"), "an Arrow file (Feather)", from_feather},
    {BYTES("SQLite format 3"), "an SQLite data base", from_sqlite},
};

/* {"name": ... or [{ ... */
static bool is_json(const unsigned char *first, size_t n)
{
    static const char blanks[] = " \t\r\n";
    size_t i = 0;
    while (i < n && first[i] != '\0' && strchr(blanks, first[i]) != NULL) i++;
    if (i == n || (first[i] != '{' && first[i] != '[')) return false;
    const char *follows = first[i] == '{' ? "\"" : "{[";
    for (i++; i < n && first[i] != '\0' && strchr(blanks, first[i]) != NULL;) i++;
    return i < n && first[i] != '\0' && strchr(follows, first[i]) != NULL;
}

ow_status owi_check_file_kind(const char *name, const unsigned char *first, size_t n)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (n >= kinds[i].n && memcmp(first, kinds[i].bytes, kinds[i].n) == 0)
            return owi_fail(OW_ERR_FORMAT,
                            "%s: is %s, and CSV is expected; to convert it: %s", name,
                            kinds[i].what, kinds[i].command);
    if (is_json(first, n))
        return owi_fail(OW_ERR_FORMAT,
                        "%s: is JSON, and CSV is expected; to convert it: %s", name,
                        from_json);
    return OW_OK;
}
