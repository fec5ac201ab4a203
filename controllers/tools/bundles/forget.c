/* troupe-train forget: deletes entries of a catalogue on which nothing depends. */
#include "db/store/catalogue.h"
#include "db/tables/entries.h"
#include "tools/frame/tool.h"

#include <jansson.h>
#include <stdio.h>

enum { ENTRY_MAX = 256 };

typedef struct arguments {
    const char *catalogue;
    tr_words entries;
    bool json;
} arguments;

static const tr_argument words[] = {{"CATALOGUE", TR_OPTION_TEXT, offsetof(arguments, catalogue),
                                     "a catalogue that no daemon has open"},
                                    {"ENTRY ...", TR_OPTION_TEXT, offsetof(arguments, entries),
                                     "names, or KIND:NAME", 1, ENTRY_MAX},
                                    {"--json", TR_OPTION_FLAG, offsetof(arguments, json),
                                     "print what was deleted, or why nothing was, as JSON"},
                                    {0}};

/* --- as JSON --- */

static json_t *list_of(const tr_entry *entries, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{ss ss}", "kind", tr_noun_name(entries[i].kind),
                                              "name", entries[i].name));
    return list;
}

static tr_status print(json_t *object) {
    int failed = json_dumpf(object, stdout, 0);
    json_decref(object);
    putchar('\n');
    return failed ? TR_RESOURCE_EXHAUSTED : TR_OK;
}

/* --- forgetting --- */

typedef struct result {
    tr_entry forgotten[ENTRY_MAX];
    tr_entry dependents[TR_ENTRY_DEPENDENTS_MAX]; /* of the entry that was refused */
    int forgotten_count, dependent_count;
} result;

static tr_status forget_one(tr_catalogue *catalogue, const char *text, result *out,
                            tr_error *error) {
    tr_entry *entry = &out->forgotten[out->forgotten_count];
    int count = TR_ENTRY_DEPENDENTS_MAX;
    tr_status status = tr_entries_find(catalogue, text, entry, error);
    if (!status)
        status = tr_entries_dependents(catalogue, entry, out->dependents, &count, error);
    if (status)
        return status;
    out->dependent_count = count;
    status = tr_entries_forget(catalogue, entry, error);
    out->forgotten_count += !status;
    return status;
}

/* All entries, in their order, or none. */
static tr_status forget(const arguments *a, result *out, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(a->catalogue, TR_CATALOGUE_WRITE, &catalogue, error);
    if (!status)
        status = tr_catalogue_begin(catalogue, error);
    for (int i = 0; i < a->entries.count && !status; i++)
        status = forget_one(catalogue, a->entries.word[i], out, error);
    if (catalogue)
        status = tr_catalogue_end(catalogue, status, error);
    tr_catalogue_close(catalogue);
    return status;
}

/* What was forgotten, or what failed and what depends on the entry at which it failed. */
static tr_status print_json(const result *r, tr_status status, const tr_error *error) {
    if (!status)
        return print(json_pack("{so}", "forgotten", list_of(r->forgotten, r->forgotten_count)));
    return print(json_pack("{s{ss ss so}}", "error", "status", tr_status_name(error->status),
                           "message", error->message, "dependents",
                           list_of(r->dependents, r->dependent_count)));
}

static tr_status run(const void *given, tr_error *error) {
    static result out;
    const arguments *a = given;
    const tr_status status = forget(a, &out, error);
    if (a->json && print_json(&out, status, error))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for JSON");
    if (!a->json && !status)
        for (int i = 0; i < out.forgotten_count; i++)
            printf("forgot %s '%s'\n", tr_noun_name(out.forgotten[i].kind), out.forgotten[i].name);
    return status;
}

const tr_tool_command tr_tool_forget = {
    .name = "forget",
    .options = sizeof(arguments),
    .argument = words,
    .summary = "delete entries of a catalogue on which nothing depends",
    .help =
        "ENTRY is the name of a controller (a graph is one), a run, a clip, a model or a match, or "
        "KIND:NAME where\nseveral entries have the name; certificate:CONTROLLER is the last of "
        "a controller, and fragment:DIGEST a\ncontrol fragment. Entries are deleted in their "
        "order, all or none. An entry is refused while another\ndepends on it, which the message "
        "names: controllers on their run, clip and model, runs on those that they\ncontinued, "
        "controllers and models on matches that have not ended. A controller takes with it its "
        "certificates and\nthe fragments that no other controller holds. No daemon may have the "
        "catalogue open.\n",
    .example = "  troupe-train forget mine.troupe jog\n"
               "  troupe-train forget mine.troupe jog run:jog jog-clip\n"
               "  troupe-train forget mine.troupe certificate:walk\n",
    .run = run};
