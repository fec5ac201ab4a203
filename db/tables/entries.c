#include "db/tables/entries.h"

#include "db/store/query.h"
#include "db/store/rows.h"
#include "db/tables/controllers.h"
#include "db/tables/matches.h"

#include <stdio.h>
#include <string.h>

/* A kind of entry. find: of a name, id and name; NULL: it is found by its own name, without its kind too;
 * dependents: of an id, kind and name; NULL: nothing can depend on it. remove: NULL: its row alone */
typedef struct kind_row {
    const char *find, *dependents;
    tr_status (*remove)(tr_catalogue *catalogue, tr_row_id id, tr_error *error);
} kind_row;

#define RUNNING_MATCHES "SELECT 4 AS kind, name FROM match WHERE state = 0 AND ?1 > 0"

_Static_assert(TR_NOUN_RUN == 2 && TR_NOUN_CONTROLLER == 3 && TR_NOUN_MATCH == 4,
               "the numbers of kinds in SQL");
static const kind_row kinds[] = {
    [TR_NOUN_CONTROLLER] = {.dependents = RUNNING_MATCHES, .remove = tr_controllers_remove},
    [TR_NOUN_RUN] = {.dependents =
                         "SELECT 3 AS kind, name FROM controller WHERE run = ?1 UNION ALL "
                         "SELECT 2, r.name FROM run_parent p JOIN run r ON r.id = p.run "
                         "WHERE p.parent = ?1"},
    [TR_NOUN_CLIP] = {.dependents = "SELECT 3 AS kind, name FROM controller WHERE clip = ?1"},
    [TR_NOUN_MODEL] = {.dependents = "SELECT 3 AS kind, name FROM controller WHERE model = ?1 "
                                     "UNION ALL " RUNNING_MATCHES},
    [TR_NOUN_MATCH] = {.remove = tr_matches_remove},
    [TR_NOUN_CERTIFICATE] = {.find = "SELECT e.id, c.name FROM certificate e "
                                     "JOIN controller c ON c.id = e.controller WHERE c.name = ? "
                                     "ORDER BY e.ended_ns DESC, e.id DESC LIMIT 1"},
    [TR_NOUN_FRAGMENT] = {.find =
                              "SELECT id, lower(hex(digest)) FROM fragment "
                              "WHERE length(?1) BETWEEN 8 AND 64 AND "
                              "substr(lower(hex(digest)), 1, length(?1)) = lower(?1) ORDER BY id",
                          .dependents =
                              "SELECT DISTINCT 3 AS kind, c.name FROM controller_fragment f "
                              "JOIN controller c ON c.id = f.controller WHERE f.fragment = ?1"},
};

/* --- by name --- */

/* How many there are, at most 2; the first is in *out. */
static tr_status find_of_kind(tr_catalogue *catalogue, tr_noun kind, const char *name,
                              tr_entry *out, int *out_count, tr_error *error) {
    char by_name[64];
    snprintf(by_name, sizeof by_name, "SELECT id, name FROM %s WHERE name = ?", tr_noun_name(kind));
    tr_query query =
        tr_query_begin(catalogue, kinds[kind].find ? kinds[kind].find : by_name, error);
    tr_query_bind_text(&query, name);
    int count = 0;
    while (count < 2 && tr_query_next(&query)) {
        tr_entry found = {.kind = kind, .id = tr_query_id(&query)};
        tr_query_text(&query, found.name, sizeof found.name);
        if (count++ == 0)
            *out = found;
    }
    *out_count = count;
    return tr_query_end(&query);
}

static tr_status refuse_kind(const char *text, tr_error *error) {
    char known[96] = "";
    size_t used = 0;
    for (int i = 0; i < TR_NOUN_NONE; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                                 tr_noun_name(i));
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "'%.100s': expected NAME or KIND:NAME, a kind being %s", text, known);
}

/* "KIND:NAME"; *out_name: "NAME". TR_NOUN_NONE: the text names no kind. */
static tr_status read_kind(const char *text, tr_noun *out_kind, const char **out_name,
                           tr_error *error) {
    const char *colon = strchr(text, ':');
    *out_kind = TR_NOUN_NONE;
    *out_name = text;
    if (!colon)
        return TR_OK;
    for (int i = 0; i < TR_NOUN_NONE; i++)
        if (strlen(tr_noun_name(i)) == (size_t)(colon - text) &&
            strncmp(tr_noun_name(i), text, (size_t)(colon - text)) == 0) {
            *out_kind = (tr_noun)i;
            *out_name = colon + 1;
            return TR_OK;
        }
    return refuse_kind(text, error);
}

tr_status tr_entries_find(tr_catalogue *catalogue, const char *text, tr_entry *out,
                          tr_error *error) {
    tr_entry found[2];
    tr_noun asked;
    const char *name = NULL;
    int total = 0;
    tr_status status = read_kind(text, &asked, &name, error);
    /* Controllers before what they are made of. */
    for (int i = TR_NOUN_NONE - 1; i >= 0 && !status && total < 2; i--) {
        int count = 0;
        if (asked != TR_NOUN_NONE ? asked == (tr_noun)i : !kinds[i].find)
            status = find_of_kind(catalogue, (tr_noun)i, name, &found[total], &count, error);
        total += count;
    }
    if (status)
        return status;
    if (total == 0)
        return tr_fail(error, TR_NOT_FOUND, "'%.100s': not in the catalogue", text);
    if (total > 1 && asked != TR_NOUN_NONE)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "'%.100s': several begin so: expected more of it", text);
    if (total > 1)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%.100s': expected %s:%s or %s:%s", text,
                       tr_noun_name(found[0].kind), name, tr_noun_name(found[1].kind), name);
    *out = found[0];
    return TR_OK;
}

/* --- what depends on them --- */

tr_status tr_entries_dependents(tr_catalogue *catalogue, const tr_entry *entry, tr_entry *out,
                                int *count, tr_error *error) {
    char sql[512];
    int room = *count, read = 0;
    *count = 0;
    if (!kinds[entry->kind].dependents)
        return TR_OK;
    snprintf(sql, sizeof sql, "SELECT kind, name FROM (%s) ORDER BY kind <> 3, kind, name",
             kinds[entry->kind].dependents);
    tr_query query = tr_query_begin(catalogue, sql, error);
    tr_query_bind_int(&query, entry->id);
    while (read < room && tr_query_next(&query)) {
        tr_entry *to = &out[read++];
        *to = (tr_entry){.kind = (tr_noun)tr_query_int(&query, 0, TR_NOUN_NONE - 1)};
        tr_query_text(&query, to->name, sizeof to->name);
    }
    *count = read;
    return tr_query_end(&query);
}

static tr_status refuse(const tr_entry *entry, const tr_entry *dependents, int count,
                        tr_error *error) {
    enum { NAMED_MAX = 4 };
    char names[4 * (TR_ENTRY_NAME_MAX + 24)] = "";
    size_t used = 0;
    for (int i = 0; i < count && i < NAMED_MAX; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s '%s'", i > 0 ? ", " : "",
                                 tr_noun_name(dependents[i].kind), dependents[i].name);
    return tr_fail(error, TR_FAILED_PRECONDITION, "%s '%.64s': %s%s %s on it",
                   tr_noun_name(entry->kind), entry->name, names,
                   count > NAMED_MAX ? " and others" : "", count > 1 ? "depend" : "depends");
}

tr_status tr_entries_forget(tr_catalogue *catalogue, const tr_entry *entry, tr_error *error) {
    tr_entry dependents[TR_ENTRY_DEPENDENTS_MAX];
    int count = TR_ENTRY_DEPENDENTS_MAX;
    tr_status status = tr_entries_dependents(catalogue, entry, dependents, &count, error);
    if (status)
        return status;
    if (count > 0)
        return refuse(entry, dependents, count, error);
    if (entry->kind == TR_NOUN_FRAGMENT)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "%s '%.64s': it goes with the last that holds it", tr_noun_name(entry->kind),
                       entry->name);
    return kinds[entry->kind].remove ? kinds[entry->kind].remove(catalogue, entry->id, error)
                                     : tr_rows_remove(catalogue, entry->kind, entry->id, error);
}
