/* SPDX-License-Identifier: MIT */
#include "letters/letter_wording.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "terminal/text_build.h"

const char *const letter_language_names[] = {
    [LETTER_ENGLISH] = "en", [LETTER_GERMAN] = "de", NULL};

const letter_wording *letter_wording_get(letter_language language)
{
    static const letter_wording wordings[] = {
        [LETTER_ENGLISH] =
            {.code = "en",
             .subject = "Your application",
             .row = "Row",
             .decision = "Decision",
             .reasons = "The principal reasons for this decision",
             .advice = "What would have changed the decision",
             .instead_of = "instead of",
             .missing = "not given",
             .no_reason = "No single piece of information speaks against you.",
             .no_advice =
                 "We have found no change, of what can be changed, that would have "
                 "led to another decision.",
             .remark =
                 "With these values, and everything else as it is, the decision would "
                 "have been another one. This is no promise for a later "
                 "application: it is decided anew."},
        [LETTER_GERMAN] =
            {.code = "de",
             .subject = "Ihr Antrag",
             .row = "Zeile",
             .decision = "Entscheidung",
             .reasons = "Die Hauptgründe dieser Entscheidung",
             .advice = "Was zu einer anderen Entscheidung geführt hätte",
             .instead_of = "statt",
             .missing = "keine Angabe",
             .no_reason = "Keine einzelne Angabe spricht gegen Sie.",
             .no_advice = "Wir haben unter dem, was sich ändern lässt, keine Änderung "
                          "gefunden, die zu einer anderen Entscheidung geführt hätte.",
             .remark = "Mit diesen Werten, und sonst unveränderten Angaben, wäre die "
                       "Entscheidung anders ausgefallen. Das ist keine Zusage für einen "
                       "späteren Antrag: über ihn wird neu entschieden."},
    };
    return &wordings[language];
}

const char letter_plain[] = "{{date}}\n"
                            "\n"
                            "{{subject}}: {{name}}\n"
                            "\n"
                            "{{decision_title}}: {{decision}}\n"
                            "\n"
                            "{{reasons_title}}:\n"
                            "{{reasons}}\n"
                            "\n"
                            "{{advice_title}}:\n"
                            "{{advice}}\n"
                            "\n"
                            "{{remark}}\n";

const char letter_html[] =
    "<!doctype html>\n"
    "<html lang=\"{{language}}\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>{{subject}}: {{name}}</title>\n"
    "<style>\n"
    "body { font: 12pt/1.5 Georgia, \"Times New Roman\", serif; color: #1b1f24; "
    "background: #fff; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }\n"
    "h1 { font-size: 1.25rem; } h2 { font-size: 1.05rem; margin: 1.5rem 0 .25rem; }\n"
    "ul { margin: .25rem 0; } li { margin: .15rem 0; }\n"
    "@page { size: A4; margin: 25mm 20mm; }\n"
    "@media print { body { margin: 0; max-width: none; padding: 0; } "
    "h2, li { break-inside: avoid; break-after: auto; } h2 { break-after: avoid; } }\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<main>\n"
    "<p>{{date}}</p>\n"
    "<h1>{{subject}}: {{name}}</h1>\n"
    "<p>{{decision_title}}: <strong>{{decision}}</strong></p>\n"
    "<h2>{{reasons_title}}</h2>\n"
    "{{reasons}}\n"
    "<h2>{{advice_title}}</h2>\n"
    "{{advice}}\n"
    "<p>{{remark}}</p>\n"
    "</main>\n"
    "</body>\n"
    "</html>\n";

char *letter_escape(const char *text)
{
    static const struct {
        char character;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    char *escaped = text_add(NULL, "%s", "");
    for (; *text != '\0'; text++) {
        const char *entity = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            if (*text == entities[i].character) entity = entities[i].entity;
        escaped = entity != NULL ? text_add(escaped, "%s", entity)
                                 : text_add(escaped, "%c", *text);
    }
    return escaped;
}

static const char *find_place(const letter_place *places, size_t n, const char *name,
                              size_t length)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(places[i].name) == length && memcmp(places[i].name, name, length) == 0)
            return places[i].text;
    return NULL;
}

char *letter_fill(const char *template, const letter_place *places, size_t n,
                  char **unknown)
{
    char *letter = text_add(NULL, "%s", "");
    for (const char *at = template;;) {
        const char *open = strstr(at, "{{");
        const char *close = open != NULL ? strstr(open, "}}") : NULL;
        if (close == NULL) return text_add(letter, "%s", at);
        const size_t length = (size_t)(close - open) - 2;
        const char *text = find_place(places, n, open + 2, length);
        if (text == NULL) {
            *unknown = memory_copy(open + 2, length);
            free(letter);
            return NULL;
        }
        letter = text_add(letter, "%.*s%s", (int)(open - at), at, text);
        at = close + 2;
    }
}
