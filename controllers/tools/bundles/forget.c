/* troupe-train forget: deletes entries of a catalogue on which nothing depends. */
#include "db/store/catalogue.h"
#include "db/tables/entries.h"
#include "tools/frame/options.h"
#include "tools/frame/tool.h"

#include <stdio.h>

enum { ENTRY_MAX = 256 };

typedef struct arguments {
    const char *catalogue;
    char **entries;
    int entry_count;
    bool json;
} arguments;

static bool parse(int argc, char **argv, arguments *a) {
    const tr_option table[] = {{"json", TR_OPTION_FLAG, &a->json, 0, 0}};
    int first = tr_options_take("forget", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (argc - first < 2 || argc - first > ENTRY_MAX + 1) {
        fprintf(stderr, "troupe-train forget: expected CATALOGUE and 1 to %d entries\n", ENTRY_MAX);
        return false;
    }
    a->catalogue = argv[first];
    a->entries = argv + first + 1;
    a->entry_count = argc - first - 1;
    return true;
}

/* --- as JSON --- */

static void print_text(const char *text) {
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned char)*text);
        else
            putchar(*text);
    putchar('"');
}

static void print_list(const char *key, const tr_entry *entries, int count) {
    printf("\"%s\": [", key);
    for (int i = 0; i < count; i++) {
        printf("%s{\"kind\": \"%s\", \"name\": ", i > 0 ? ", " : "",
               tr_entry_kind_name(entries[i].kind));
        print_text(entries[i].name);
        putchar('}');
    }
    putchar(']');
}

/* What failed, and what depends on the entry that it failed at. */
static void print_failure(const tr_error *error, const tr_entry *dependents, int count) {
    printf("{\"error\": {\"status\": \"%s\", \"message\": ", tr_status_name(error->status));
    print_text(error->message);
    fputs(", ", stdout);
    print_list("dependents", dependents, count);
    puts("}}");
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
    for (int i = 0; i < a->entry_count && !status; i++)
        status = forget_one(catalogue, a->entries[i], out, error);
    if (catalogue)
        status = tr_catalogue_end(catalogue, status, error);
    tr_catalogue_close(catalogue);
    return status;
}

static int exec(int argc, char **argv) {
    static result out;
    arguments a = {.catalogue = NULL};
    tr_error error = {0};
    if (!parse(argc, argv, &a))
        return TR_TOOL_USAGE;
    tr_status status = forget(&a, &out, &error);
    if (a.json && status) {
        print_failure(&error, out.dependents, out.dependent_count);
        return TR_TOOL_FAILED;
    }
    if (a.json) {
        putchar('{');
        print_list("forgotten", out.forgotten, out.forgotten_count);
        puts("}");
    } else if (!status) {
        for (int i = 0; i < out.forgotten_count; i++)
            printf("forgot %s '%s'\n", tr_entry_kind_name(out.forgotten[i].kind),
                   out.forgotten[i].name);
    }
    return tr_tool_end("forget", status, &error);
}

const tr_tool_command tr_tool_forget = {
    .name = "forget",
    .arguments = "CATALOGUE ENTRY ... [--json]",
    .summary = "delete entries of a catalogue on which nothing depends",
    .help =
        "ENTRY is the name of a controller (a graph is one), a run, a clip, a model or a match, or "
        "KIND:NAME where\nseveral entries have the name; certificate:CONTROLLER is the last of "
        "a controller, and fragment:DIGEST a\ncontrol fragment. Entries are deleted in their "
        "order, all or none. An entry is refused while another\ndepends on it, which the message "
        "names: controllers on their run, clip and model, runs on those that they\ncontinued, "
        "controllers and models on matches that have not ended. With a controller go its "
        "certificates and\nthe fragments that no other controller holds. No daemon may have the "
        "catalogue open.\n"
        "\n"
        "  --json      print what was deleted, or why nothing was, as JSON\n"
        "\n"
        "  troupe-train forget mine.troupe jog\n"
        "  troupe-train forget mine.troupe jog run:jog jog-clip\n"
        "  troupe-train forget mine.troupe certificate:walk\n",
    .exec = exec};
