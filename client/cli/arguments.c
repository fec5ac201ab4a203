#include "cli/failure.h"
#include "cli/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- single values --- */

bool tr_cli_parse_integer(const char *text, int64_t *out) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < 0)
        return false;
    *out = value;
    return true;
}

bool tr_cli_parse_number(const char *text, double *out) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool tr_cli_parse_vector(const char *text, double out[3]) {
    double value[3];
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        char *end;
        value[i] = strtod(at, &end);
        if (end == at || *end != (i < 2 ? ',' : '\0') || !isfinite(value[i]))
            return false;
        at = end + 1;
    }
    memcpy(out, value, sizeof value);
    return true;
}

/* Puts `text` where the argument's value belongs. False: it is not of its kind. */
static bool store(const tr_cli_argument *argument, const char *text, void *values) {
    void *place = (char *)values + argument->offset;
    switch (argument->kind) {
    case TR_CLI_FLAG:
        *(bool *)place = true;
        return true;
    case TR_CLI_TEXT:
        *(const char **)place = text;
        return true;
    case TR_CLI_INTEGER:
        return tr_cli_parse_integer(text, place);
    case TR_CLI_NUMBER:
        return tr_cli_parse_number(text, place);
    case TR_CLI_VECTOR:
        return tr_cli_parse_vector(text, place);
    }
    return false;
}

static const char *expected(tr_cli_kind kind) {
    static const char *const texts[] = {[TR_CLI_FLAG] = "nothing",
                                        [TR_CLI_TEXT] = "text",
                                        [TR_CLI_INTEGER] = "a whole number, 0 or more",
                                        [TR_CLI_NUMBER] = "a number",
                                        [TR_CLI_VECTOR] = "three numbers like 0,0,-9.81"};
    return texts[kind];
}

/* --- the words of a command --- */

static bool is_option(const tr_cli_argument *argument) {
    return argument->usage[0] == '-';
}

/* "-5" and "-5,0,0" are values, "--rate" and "-r" options. */
static bool looks_like_option(const char *word) {
    return word[0] == '-' && word[1] != '\0' && !isdigit((unsigned char)word[1]) && word[1] != '.';
}

/* "--rate" matches "--rate HZ". */
static const tr_cli_argument *find_option(const tr_cli_command *command, const char *word,
                                          size_t length) {
    for (const tr_cli_argument *a = command->argument; a->usage; a++)
        if (is_option(a) && strncmp(a->usage, word, length) == 0 &&
            (a->usage[length] == ' ' || a->usage[length] == '\0'))
            return a;
    return NULL;
}

static const tr_cli_argument *find_place(const tr_cli_command *command, int index) {
    for (const tr_cli_argument *a = command->argument; a->usage; a++)
        if (!is_option(a) && index-- == 0)
            return a;
    return NULL;
}

/* One line; for people the usage follows. */
static bool complain(const tr_cli_command *command, const char *what, const char *word,
                     const char *more) {
    (void)tr_cli_usage_error("%s: %s '%s'%s", command->name, what, word, more);
    tr_cli_print_usage(command);
    return false;
}

static bool store_or_complain(const tr_cli_command *command, const tr_cli_argument *argument,
                              const char *text, void *values) {
    if (store(argument, text, values))
        return true;
    (void)tr_cli_usage_error("%s: %s: expected %s, got '%s'", command->name, argument->usage,
                             expected(argument->kind), text);
    tr_cli_print_usage(command);
    return false;
}

/* Words that other commands have for what this one calls otherwise. */
static const char *synonym_of(const tr_cli_command *command, const char *word) {
    static const char *const words[][2] = {{"--for", "--duration"}, {"--duration", "--for"},
                                           {"--seconds", "--for"},  {"--to", "--bvh"},
                                           {"--name", "--label"},   {"--label", "--name"},
                                           {"--speed", "--rate"},   {"--rate", "--speed"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i][0]) == 0 &&
            find_option(command, words[i][1], strlen(words[i][1])))
            return words[i][1];
    return NULL;
}

static bool complain_of_option(const tr_cli_command *command, const char *word) {
    char name[TR_CLI_ARGUMENT_MAX][32], meant[80];
    const char *names[TR_CLI_ARGUMENT_MAX] = {NULL};
    int count = 0;
    const char *nearest = synonym_of(command, word);
    for (const tr_cli_argument *a = command->argument; a->usage; a++)
        if (is_option(a)) {
            snprintf(name[count], sizeof name[count], "%.*s", (int)strcspn(a->usage, " "),
                     a->usage);
            names[count] = name[count];
            count++;
        }
    if (!nearest)
        nearest = tr_cli_nearest(word, names, count);
    return complain(command, "no such option:", word, tr_cli_did_you_mean(nearest, meant));
}

/* "--rate 5" or "--rate=5"; moves *at past the value. */
static bool take_option(const tr_cli_command *command, char **words, int count, int *at,
                        void *values) {
    const char *word = words[*at];
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const tr_cli_argument *option = find_option(command, word, length);
    if (!option)
        return complain_of_option(command, word);
    if (option->kind == TR_CLI_FLAG)
        return equals ? complain(command, "takes no value:", word, "")
                      : store(option, NULL, values);
    if (!equals && *at + 1 >= count)
        return complain(command, "needs a value:", word, "");
    return store_or_complain(command, option, equals ? equals + 1 : words[++*at], values);
}

bool tr_cli_parse(const tr_cli_command *command, int count, char **words, void *values) {
    if (command->defaults)
        memcpy(values, command->defaults, command->values_size);
    int places = 0;
    for (int i = 0; i < count; i++) {
        if (looks_like_option(words[i])) {
            if (!take_option(command, words, count, &i, values))
                return false;
            continue;
        }
        const tr_cli_argument *argument = find_place(command, places++);
        if (!argument)
            return complain(command, "one argument too many:", words[i], "");
        if (!store_or_complain(command, argument, words[i], values))
            return false;
    }
    const tr_cli_argument *missing = find_place(command, places);
    if (missing && missing->usage[0] != '[')
        return complain(command, "missing argument:", missing->usage, "");
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
    fprintf(stderr, "'troupe help %s' says more.\n", command->name);
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
