#include "learn/graph/connectivity.h"

#include "proto/option.h"
#include "proto/text_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct place {
    const char *path;
    int line;
    tr_error *error;
} place;

static tr_status refuse(const place *at, const char *what, const char *word) {
    return tr_fail(at->error, TR_INVALID_ARGUMENT, "%s:%d: %s: '%s'", at->path, at->line, what,
                   word);
}

static int find(const tr_connectivity *c, const char *skill) {
    for (int i = 0; i < c->skill_count; i++)
        if (strcmp(c->skill[i], skill) == 0)
            return i;
    return -1;
}

static tr_status add_skill(const place *at, tr_connectivity *c, const char *skill, bool turns) {
    if (find(c, skill) >= 0)
        return refuse(at, "skill named twice", skill);
    if (strlen(skill) >= TR_NAME_MAX || c->skill_count == TR_GRAPH_NODE_MAX)
        return tr_fail(at->error, TR_INVALID_ARGUMENT,
                       "%s:%d: a name of at most %d bytes and at most %d skills expected: '%s'",
                       at->path, at->line, TR_NAME_MAX - 1, TR_GRAPH_NODE_MAX, skill);
    c->turns[c->skill_count] = turns;
    memcpy(c->skill[c->skill_count++], skill, strlen(skill) + 1);
    return TR_OK;
}

static tr_status add_link(const place *at, tr_connectivity *c, const char *from, const char *to) {
    tr_graph_link link = {find(c, from), find(c, to)};
    if (link.from < 0)
        return refuse(at, "no such skill above", from);
    if (link.to < 0 || link.to == link.from)
        return refuse(at, "no other skill of this name above", to);
    if (c->link_count == TR_CONNECTIVITY_LINK_MAX)
        return refuse(at, "too many edges", to);
    for (int i = 0; i < c->link_count; i++)
        if (c->link[i].from == link.from && c->link[i].to == link.to)
            return refuse(at, "edge given twice, to", to);
    c->link[c->link_count++] = link;
    return TR_OK;
}

static tr_status add_stay(const place *at, tr_connectivity *c, const char *skill,
                          const char *count) {
    int i = find(c, skill);
    int64_t fragments = 0;
    if (i < 0)
        return refuse(at, "no such skill above", skill);
    if (!tr_option_integer(count, &fragments) || fragments < 1 || fragments > TR_BLEND_FRAGMENT_MAX)
        return refuse(at, "expected a whole number of fragments from 1 to 40", count);
    if (c->dwell[i] > 0)
        return refuse(at, "dwell time given twice for", skill);
    c->dwell[i] = (int)fragments;
    return TR_OK;
}

static tr_status read_line(const place *at, tr_connectivity *c, char *line) {
    char *rest = NULL;
    line[strcspn(line, "#\r\n")] = '\0';
    const char *verb = strtok_r(line, " \t", &rest);
    if (!verb)
        return TR_OK;
    const char *first = strtok_r(NULL, " \t", &rest), *second = strtok_r(NULL, " \t", &rest);
    const char *more = strtok_r(NULL, " \t", &rest);
    bool turns = strcmp(verb, "turn") == 0;
    if ((turns || strcmp(verb, "skill") == 0) && first && !second)
        return add_skill(at, c, first, turns);
    if (strcmp(verb, "edge") == 0 && first && second && !more)
        return add_link(at, c, first, second);
    if (strcmp(verb, "both") == 0 && first && second && !more) {
        tr_status status = add_link(at, c, first, second);
        return status ? status : add_link(at, c, second, first);
    }
    if (strcmp(verb, "stay") == 0 && first && second && !more)
        return add_stay(at, c, first, second);
    return refuse(
        at,
        "expected 'skill NAME', 'turn NAME', 'edge FROM TO', 'both ONE OTHER' or 'stay NAME "
        "FRAGMENTS'",
        verb);
}

static void connect_all(tr_connectivity *c) {
    for (int i = 0; i < c->skill_count; i++)
        for (int j = 0; j < c->skill_count; j++)
            if (i != j && c->link_count < TR_CONNECTIVITY_LINK_MAX)
                c->link[c->link_count++] = (tr_graph_link){i, j};
}

static tr_status read_lines(place *at, char *text, tr_connectivity *c) {
    tr_status status = TR_OK;
    for (char *line; !status && (line = strsep(&text, "\n"));) {
        at->line++;
        status = read_line(at, c, line);
    }
    return status;
}

tr_status tr_connectivity_parse(const char *text, size_t size, const char *name,
                                tr_connectivity *out, tr_error *error) {
    place at = {name, 0, error};
    memset(out, 0, sizeof *out);
    char *copy = malloc(size + 1);
    if (!copy)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory to read it", name);
    memcpy(copy, text, size);
    tr_status status = tr_text_clean(copy, &size, name, error);
    if (!status)
        status = read_lines(&at, copy, out);
    free(copy);
    if (!status && out->skill_count == 0)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected at least one skill", name);
    if (!status && out->link_count == 0)
        connect_all(out);
    return status;
}
