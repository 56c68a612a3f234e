/* SPDX-License-Identifier: MIT */
/* Values are numbered by first appearance.  So two columns without missing values determine
 * each other exactly if they have the same number in every row, and all columns can be kept
 * in groups that a row splits where numbers differ: no pairs need to be looked at.
 *
 * A column leaves its group at its first missing value.  What it had in common with each
 * member becomes a pair of its own, with tables in both directions that start as the
 * identity and are filled and checked by the rows where both have a value.  Most groups are
 * long split up by then, and most pairs die within a few rows. */
#include "data/infer/linked_columns.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

/* More pairs are not begun: thousands of columns that hardly ever vary would make them by
 * the million. */
enum { max_pairs = 16384 };

/* Which number of the other column goes with each of this one, plus 1; 0: none yet. */
typedef struct {
    uint32_t *partners;
    size_t capacity;
} half;

typedef struct {
    size_t column[2];
    half side[2];
    size_t n_rows, n_values; /* where both have a value */
} pair;

typedef struct {
    size_t leader; /* the group's first column; SIZE_MAX: in no group any more */
    size_t n_ids;  /* numbers so far                                           */
} member;

struct owi_links {
    ow_context *ctx;
    size_t n_columns;
    size_t n_rows;
    member *members;
    size_t n_followers; /* members that are not leaders: 0, and no group is left to split */
    size_t *leaders;    /* scratch: those that this row made                              */
    size_t *origins;    /* scratch: and the leader of the group they came from            */
    pair *pairs;
    size_t n_pairs, capacity;
};

ow_status owi_links_new(ow_context *ctx, size_t n_columns, owi_links **out)
{
    *out = NULL;
    owi_links *links = owi_alloc_zeroed(ctx, sizeof *links);
    if (links == NULL) return OW_ERR_MEMORY;
    links->ctx = ctx;
    links->n_columns = n_columns;
    links->n_followers = n_columns > 0 ? n_columns - 1 : 0;
    links->members = owi_alloc_array(ctx, n_columns, sizeof *links->members);
    links->leaders = owi_alloc_array(ctx, n_columns, sizeof *links->leaders);
    links->origins = owi_alloc_array(ctx, n_columns, sizeof *links->origins);
    if (links->members == NULL || links->leaders == NULL || links->origins == NULL) {
        owi_links_free(links);
        return OW_ERR_MEMORY;
    }
    *out = links; /* zeroed: one group, led by column 0 */
    return OW_OK;
}

static void clear_pair(owi_links *links, pair *p)
{
    owi_free(links->ctx, p->side[0].partners);
    owi_free(links->ctx, p->side[1].partners);
}

void owi_links_free(owi_links *links)
{
    if (links == NULL) return;
    for (size_t i = 0; i < links->n_pairs; i++) clear_pair(links, &links->pairs[i]);
    owi_free(links->ctx, links->pairs);
    owi_free(links->ctx, links->members);
    owi_free(links->ctx, links->leaders);
    owi_free(links->ctx, links->origins);
    owi_free(links->ctx, links);
}

/* ---- Pairs ---- */

static ow_status make_room(owi_links *links, half *side, size_t n)
{
    const size_t before = side->capacity;
    OWI_TRY(
        owi_grow(links->ctx, &side->partners, &side->capacity, n, sizeof *side->partners));
    if (side->capacity > before)
        memset(side->partners + before, 0,
               (side->capacity - before) * sizeof *side->partners);
    return OW_OK;
}

/* The pair of two members of one group: every row so far had the same number in both. */
static ow_status begin_pair(owi_links *links, size_t a, size_t b)
{
    if (links->n_pairs == max_pairs) return OW_OK;
    OWI_TRY(owi_grow(links->ctx, &links->pairs, &links->capacity, links->n_pairs + 1,
                     sizeof *links->pairs));
    pair *p = &links->pairs[links->n_pairs++];
    *p = (pair){.column = {a, b}, .n_rows = links->n_rows};
    p->n_values = links->members[a].n_ids;
    for (size_t k = 0; k < 2; k++) {
        OWI_TRY(make_room(links, &p->side[k], p->n_values));
        for (size_t id = 0; id < p->n_values; id++)
            p->side[k].partners[id] = (uint32_t)id + 1;
    }
    return OW_OK;
}

/* Looks at a row where both have a value: whether they still agree. */
static ow_status check_pair(owi_links *links, pair *p, size_t a, size_t b, bool *agree)
{
    OWI_TRY(make_room(links, &p->side[0], a + 1));
    OWI_TRY(make_room(links, &p->side[1], b + 1));
    uint32_t *to_b = &p->side[0].partners[a], *to_a = &p->side[1].partners[b];
    if (*to_b == 0 && *to_a == 0) {
        *to_b = (uint32_t)b + 1;
        *to_a = (uint32_t)a + 1;
        p->n_values++;
    }
    *agree =
        *to_b == b + 1; /* and then *to_a == a + 1: each table is the other's inverse */
    p->n_rows++;
    return OW_OK;
}

static ow_status check_pairs(owi_links *links, const int32_t *ids)
{
    for (size_t i = 0; i < links->n_pairs;) {
        pair *p = &links->pairs[i];
        const int32_t a = ids[p->column[0]], b = ids[p->column[1]];
        bool agree = a != owi_id_lost && b != owi_id_lost;
        if (a >= 0 && b >= 0) OWI_TRY(check_pair(links, p, (size_t)a, (size_t)b, &agree));
        if (agree) {
            i++;
        } else {
            clear_pair(links, p);
            *p = links->pairs[--links->n_pairs];
        }
    }
    return OW_OK;
}

/* ---- Groups ---- */

/* Takes a column out of its group, which its next member leads if it did. */
static void leave_group(owi_links *links, size_t column)
{
    member *members = links->members;
    const size_t leader = members[column].leader;
    members[column].leader = SIZE_MAX;
    size_t next = SIZE_MAX;
    for (size_t j = column + 1; leader == column && j < links->n_columns; j++)
        if (members[j].leader == leader) {
            if (next == SIZE_MAX) next = j;
            members[j].leader = next;
        }
    if (leader != column || next != SIZE_MAX) links->n_followers--;
}

/* A first missing value: from now on the column is compared with each of its group
 * alone. */
static ow_status begin_pairs(owi_links *links, size_t column)
{
    for (size_t j = 0; j < links->n_columns; j++)
        if (j != column && links->members[j].leader == links->members[column].leader)
            OWI_TRY(begin_pair(links, column, j));
    leave_group(links, column);
    return OW_OK;
}

/* The column differs from its leader: it joins those that this row has already moved from
 * there to the same number, or leads them. */
static void split_off(owi_links *links, size_t column, const int32_t *ids, size_t *n_made)
{
    const size_t leader = links->members[column].leader;
    for (size_t i = 0; i < *n_made; i++)
        if (links->origins[i] == leader && ids[links->leaders[i]] == ids[column]) {
            links->members[column].leader = links->leaders[i];
            return;
        }
    links->origins[*n_made] = leader;
    links->leaders[(*n_made)++] = column;
    links->members[column].leader = column;
    links->n_followers--;
}

static ow_status split_groups(owi_links *links, const int32_t *ids)
{
    size_t n_made = 0;
    for (size_t j = 0; j < links->n_columns; j++) {
        if (links->members[j].leader == SIZE_MAX) continue;
        if (ids[j] == owi_id_missing) OWI_TRY(begin_pairs(links, j));
        if (ids[j] == owi_id_lost) leave_group(links, j);
    }
    for (size_t j = 0; j < links->n_columns; j++) {
        member *m = &links->members[j];
        if (m->leader == SIZE_MAX) continue;
        if (ids[j] != ids[m->leader]) split_off(links, j, ids, &n_made);
        if ((size_t)ids[j] >= m->n_ids) m->n_ids = (size_t)ids[j] + 1;
    }
    return OW_OK;
}

ow_status owi_links_add_row(owi_links *links, const int32_t *ids)
{
    if (links->n_followers > 0) OWI_TRY(split_groups(links, ids));
    OWI_TRY(check_pairs(links, ids));
    links->n_rows++;
    return OW_OK;
}

/* ---- Rows that others have looked at ---- */

size_t owi_links_n_pairs(const owi_links *links)
{
    return links->n_pairs;
}

/* A column that is alone has nothing to lose: what is left are those that follow another.
 * */
static bool follows_agree(const owi_links *links, const int32_t *ids)
{
    for (size_t j = 0; links->n_followers > 0 && j < links->n_columns; j++) {
        const member *m = &links->members[j];
        if (m->leader == SIZE_MAX || m->leader == j) continue;
        if (ids[j] < 0 || (size_t)ids[j] >= m->n_ids || ids[j] != ids[m->leader])
            return false;
    }
    return true;
}

bool owi_links_agree(const owi_links *links, const int32_t *ids, uint64_t *n_rows)
{
    if (!follows_agree(links, ids)) return false;
    for (size_t i = 0; i < links->n_pairs; i++) {
        const pair *p = &links->pairs[i];
        const int32_t a = ids[p->column[0]], b = ids[p->column[1]];
        if (a == owi_id_lost || b == owi_id_lost) return false;
        if (a < 0 || b < 0) continue;
        const half *to_b = &p->side[0];
        if ((size_t)a >= to_b->capacity || to_b->partners[a] != (uint32_t)b + 1)
            return false;
        n_rows[i]++;
    }
    return true;
}

void owi_links_add_counts(owi_links *links, size_t n_all, const uint64_t *n_rows)
{
    links->n_rows += n_all;
    for (size_t i = 0; i < links->n_pairs; i++) links->pairs[i].n_rows += n_rows[i];
}

/* ---- The outcome ---- */

/* Stirling's series, exact to 1e-3 at n = 1 and much better above. */
double owi_log_factorial(size_t n)
{
    const double x = (double)n, pi = 3.14159265358979323846;
    if (n < 2) return 0.0;
    return x * log(x) - x + 0.5 * log(2.0 * pi * x) + 1.0 / (12.0 * x);
}

/* n_rows rows with n_values values in which two columns agreed, out of those where the one
 * has a value: the share of its arrangements that they stand for. */
static bool is_no_chance(const owi_link_evidence *evidence, size_t n_rows, size_t n_values)
{
    const double one_in_a_million = 13.8; /* log(10^6) */
    if (n_values < 2 || n_rows / 4 < n_values) return false;
    const double share = (double)n_rows / (double)evidence->n_present;
    return evidence->log_arrangements * share > one_in_a_million;
}

/* link[] holds, for now, another column of the same link, or the column itself. */
static size_t find_root(const size_t *link, size_t column)
{
    while (link[column] != column) column = link[column];
    return column;
}

/* The root is the first column of all. */
static void join(size_t *link, size_t a, size_t b)
{
    const size_t root_a = find_root(link, a), root_b = find_root(link, b);
    if (root_a < root_b) link[root_b] = root_a;
    if (root_b < root_a) link[root_a] = root_b;
}

/* From roots to 1, 2, ..., and 0 for a root that nothing points to. */
static void number_links(owi_links *links, size_t *link)
{
    const size_t n = links->n_columns;
    size_t *sizes = links->leaders, *numbers = links->origins, n_links = 0;
    memset(sizes, 0, n * sizeof *sizes);
    memset(numbers, 0, n * sizeof *numbers);
    for (size_t j = 0; j < n; j++) {
        link[j] = find_root(link, j);
        sizes[link[j]]++;
    }
    for (size_t j = 0; j < n; j++) {
        const size_t root = link[j];
        if (sizes[root] > 1 && numbers[root] == 0) numbers[root] = ++n_links;
        link[j] = numbers[root];
    }
}

void owi_links_finish(owi_links *links, const owi_link_evidence *evidence, size_t *link)
{
    const size_t n = links->n_columns;
    for (size_t j = 0; j < n; j++) link[j] = j;
    for (size_t j = 0; j < n; j++) {
        const member *m = &links->members[j];
        if (m->leader != SIZE_MAX && m->leader != j &&
            is_no_chance(&evidence[j], links->n_rows, m->n_ids))
            join(link, j, m->leader);
    }
    for (size_t i = 0; i < links->n_pairs; i++) {
        const pair *p = &links->pairs[i];
        if (is_no_chance(&evidence[p->column[0]], p->n_rows, p->n_values) &&
            is_no_chance(&evidence[p->column[1]], p->n_rows, p->n_values))
            join(link, p->column[0], p->column[1]);
    }
    number_links(links, link);
}

/* ---- Values that go together ---- */

int32_t owi_links_partner(const owi_links *links, size_t a, size_t b, int32_t id)
{
    const member *members = links->members;
    if (a == b || (members[a].leader != SIZE_MAX && members[a].leader == members[b].leader))
        return id;
    for (size_t i = 0; i < links->n_pairs; i++) {
        const pair *p = &links->pairs[i];
        for (size_t k = 0; k < 2; k++) {
            if (p->column[k] != a || p->column[1 - k] != b) continue;
            const half *side = &p->side[k];
            if ((size_t)id >= side->capacity || side->partners[id] == 0)
                return owi_id_missing;
            return (int32_t)side->partners[id] - 1;
        }
    }
    return owi_id_missing;
}
