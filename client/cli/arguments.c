#include "cli/failure.h"

#include <stdio.h>
#include <string.h>

static bool is_option(const tr_cli_argument *argument) {
    return argument->usage[0] == '-';
}

static const tr_cli_argument *find_place(const tr_cli_command *command, int index) {
    for (const tr_cli_argument *a = command->argument; a->usage; a++)
        if (!is_option(a) && index-- == 0)
            return a;
    return NULL;
}

/* Prints one line; without --json the usage follows. */
static bool complain(const tr_cli_command *command, const char *what, const char *word) {
    (void)tr_cli_usage_error("%s: %s%s", command->name, what, word);
    tr_cli_print_usage(command);
    return false;
}

/* --- options --- */

/* The options of a command: names[i] is that of table[i], "--rate" of "--rate HZ". */
typedef struct option_list {
    char name[TR_CLI_ARGUMENT_MAX][32];
    tr_option table[TR_CLI_ARGUMENT_MAX];
    size_t count;
} option_list;

static void list_options(const tr_cli_command *command, void *values, option_list *out) {
    out->count = 0;
    for (const tr_cli_argument *a = command->argument; a->usage; a++) {
        char *name = out->name[out->count];
        if (!is_option(a))
            continue;
        snprintf(name, sizeof out->name[0], "%.*s", (int)strcspn(a->usage + 2, " "), a->usage + 2);
        out->table[out->count++] =
            (tr_option){name, a->kind, (char *)values + a->offset, a->low, a->high};
    }
}

/* The command's word for something that other commands call differently. */
static const char *synonym_of(const option_list *options, const char *word) {
    static const char *const words[][2] = {
        {"--for", "duration"}, {"--duration", "for"}, {"--seconds", "for"}, {"--to", "bvh"},
        {"--name", "label"},   {"--label", "name"},   {"--speed", "rate"},  {"--rate", "speed"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i][0]) == 0 &&
            tr_option_find(options->table, options->count, words[i][1]))
            return words[i][1];
    return NULL;
}

/* Returns the index of the first word that is not an option, or -1 after printing the error. */
static int take_options(const tr_cli_command *command, int count, char **words, void *values) {
    option_list options;
    list_options(command, values, &options);
    const tr_option_table table = {options.table, options.count, false};
    tr_error error = {0};
    int first = 0;
    tr_status status = tr_option_take(&table, count, words, &first, &error);
    if (!status)
        return first;
    const char *synonym = status == TR_NOT_FOUND ? synonym_of(&options, words[first]) : NULL;
    if (synonym)
        (void)tr_fail(&error, status, "%s: no such option; did you mean '--%s'?", words[first],
                      synonym);
    (void)complain(command, error.message, "");
    return -1;
}

/* --- arguments by place --- */

static bool takes_the_rest(const tr_cli_argument *argument) {
    size_t length = strlen(argument->usage);
    return length > 4 && strcmp(argument->usage + length - 4, " ...") == 0;
}

static bool store(const tr_cli_command *command, const tr_cli_argument *argument, const char *text,
                  void *values) {
    const tr_option place = {argument->usage, argument->kind, (char *)values + argument->offset,
                             argument->low, argument->high};
    char expected[96];
    if (!tr_option_store(&place, text, NULL))
        return true;
    (void)tr_cli_usage_error("%s: %s: expected %s, got '%s'", command->name, argument->usage,
                             tr_option_expected(&place, expected), text);
    tr_cli_print_usage(command);
    return false;
}

bool tr_cli_parse(const tr_cli_command *command, int count, char **words, void *values) {
    if (command->defaults)
        memcpy(values, command->defaults, command->values_size);
    int first = take_options(command, count, words, values);
    if (first < 0)
        return false;
    for (int i = first; i < count; i++) {
        const tr_cli_argument *argument = find_place(command, i - first);
        if (!argument)
            return complain(command, "one argument too many: ", words[i]);
        if (takes_the_rest(argument)) {
            tr_cli_words *rest = (tr_cli_words *)(void *)((char *)values + argument->offset);
            *rest = (tr_cli_words){count - i, words + i};
            return true;
        }
        if (!store(command, argument, words[i], values))
            return false;
    }
    const tr_cli_argument *missing = find_place(command, count - first);
    if (missing && missing->usage[0] != '[')
        return complain(command, "missing argument: ", missing->usage);
    return true;
}

/* --- usage and help --- */

static void print_usage_line(FILE *file, const tr_cli_command *command) {
    fprintf(file, "usage: troupe %s", command->name);
    for (const tr_cli_argument *a = command->argument; a->usage; a++)
        if (!is_option(a))
            fprintf(file, " %s", a->usage);
    for (const tr_cli_argument *a = command->argument; a->usage; a++)
        if (is_option(a))
            fprintf(file, " [%s]", a->usage);
    fputc('\n', file);
}

void tr_cli_print_usage(const tr_cli_command *command) {
    if (tr_cli_fails_in_json())
        return;
    print_usage_line(stderr, command);
    fprintf(stderr, "'troupe help %s' explains the command.\n", command->name);
}

void tr_cli_print_help(const tr_cli_command *command) {
    printf("troupe %s: %s\n\n", command->name, command->summary);
    print_usage_line(stdout, command);
    if (command->argument[0].usage)
        fputc('\n', stdout);
    for (const tr_cli_argument *a = command->argument; a->usage; a++)
        printf("  %-18s %s\n", a->usage, a->help);
    printf("\n%s\n", command->help);
}
