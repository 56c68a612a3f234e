/* SPDX-License-Identifier: MIT */
#include "terminal/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output/output.h"
#include "terminal/environment.h"

enum { usual_width = 80, least_width = 20, most_width = 1000 };

bool terminal_obeys(FILE *file)
{
    const char *type = environment_text("TERM");
    if (file == stdout && output_is_file()) return false;
    return isatty(fileno(file)) == 1 && type != NULL && strcmp(type, "dumb") != 0;
}

static size_t wished_width(void)
{
    const char *columns = environment_text("COLUMNS");
    char *end;
    if (columns == NULL || *columns < '0' || *columns > '9') return 0;
    const unsigned long width = strtoul(columns, &end, 10);
    return *end == '\0' && width <= most_width ? (size_t)width : 0;
}

size_t terminal_width(FILE *file)
{
    size_t width = wished_width();
    struct winsize size;
    const bool is_file = file == stdout && output_is_file();
    if (width == 0 && !is_file && ioctl(fileno(file), TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width == 0) width = usual_width;
    return width < least_width ? least_width : width;
}

const char *terminal_colour(FILE *file, const char *sequence)
{
    const bool wanted = terminal_obeys(file) && environment_text("NO_COLOR") == NULL;
    return wanted ? sequence : "";
}
