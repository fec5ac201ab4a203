#include "bench/bench.h"

#include "physics/world/world.h"
#include "proto/sink.h"

#include <stdio.h>
#include <string.h>

static const tr_bench_command *const commands[] = {
    &tr_bench_match, &tr_bench_density, &tr_bench_fanout,  &tr_bench_physics, &tr_bench_truth,
    &tr_bench_learn, &tr_bench_states,  &tr_bench_readers, &tr_bench_rollback};

enum { COMMANDS = sizeof commands / sizeof commands[0], LINE_MAX_COLUMNS = 96 };

/* --- help --- */

/* The words and options of a command, on lines that begin after `indent` columns. */
static void print_arguments(FILE *to, const tr_bench_command *c, int indent) {
    int column = indent + fprintf(to, "%s", c->words ? c->words : "");
    for (int i = 0; i < c->option_count; i++) {
        const tr_bench_option *o = &c->option[i];
        char text[80];
        int size = snprintf(text, sizeof text, "[--%s%s%s]", o->option.name, o->value ? " " : "",
                            o->value ? o->value : "");
        bool wraps = column + size >= LINE_MAX_COLUMNS;
        if (wraps)
            column = indent;
        fprintf(to, "%s%*s%s",
                wraps             ? "\n"
                : column > indent ? " "
                                  : "",
                wraps ? indent : 0, "", text);
        column += size + 1;
    }
    fputc('\n', to);
}

static void list(FILE *to) {
    fprintf(to, "usage: troupe-bench COMMAND [OPTIONS]\n"
                "       troupe-bench COMMAND --help   explain a command\n");
    for (int i = 0; i < COMMANDS; i++) {
        const tr_bench_command *c = commands[i];
        fprintf(to, "  %-10s %s\n", c->name, c->summary);
        if (!c->words && !c->option_count)
            continue;
        fprintf(to, "%13s", "");
        print_arguments(to, c, 13);
    }
}

static void explain(const tr_bench_command *c) {
    int indent = printf("usage: troupe-bench %s", c->name);
    if (c->words || c->option_count)
        indent += printf(" ");
    print_arguments(stdout, c, indent);
    printf("\n%s\n", c->summary);
    for (int i = 0; i < c->option_count; i++) {
        const tr_bench_option *o = &c->option[i];
        char expected[96], name[48];
        bool bounds = o->option.kind == TR_OPTION_NUMBER || o->option.kind == TR_OPTION_COUNT;
        snprintf(name, sizeof name, "--%s%s%s", o->option.name, o->value ? " " : "",
                 o->value ? o->value : "");
        printf("%s  %-24s %s%s%s\n", i == 0 ? "\n" : "", name, o->help, bounds ? "; " : "",
               bounds ? tr_option_expected(&o->option, expected) : "");
    }
    printf("\n%s\n", c->output);
}

/* --- running --- */

static int refuse(const tr_bench_command *c, const char *reason) {
    fprintf(stderr, "troupe-bench %s: %s; 'troupe-bench %s --help' explains it\n", c->name, reason,
            c->name);
    return 2;
}

static bool asks_help(int count, char **words) {
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return true;
    return false;
}

static int run(const tr_bench_command *c, int count, char **words) {
    tr_option option[TR_BENCH_OPTION_MAX];
    tr_error error;
    int first = 0;
    if (asks_help(count, words)) {
        explain(c);
        return 0;
    }
    for (int i = 0; i < c->option_count; i++)
        option[i] = c->option[i].option;
    tr_option_table table = {.option = option, .count = (size_t)c->option_count};
    if (tr_option_take(&table, count, words, &first, &error))
        return refuse(c, error.message);
    if (count - first < c->word_low)
        return refuse(c, "expected the name of a controller");
    if (count - first > c->word_high) {
        char reason[160];
        snprintf(reason, sizeof reason, "%s: expected %s", words[first + c->word_high],
                 c->word_high ? "fewer names" : "options only");
        return refuse(c, reason);
    }
    return c->exec(count - first, words + first);
}

static int run_line(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "";
    bool help = strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    const char *name = help && argc > 2 ? argv[2] : word;
    tr_physics_init();
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i]->name) != 0)
            continue;
        if (!help)
            return run(commands[i], argc - 2, argv + 2);
        explain(commands[i]);
        return 0;
    }
    if (help && argc == 2) {
        list(stdout);
        return 0;
    }
    if (argc > 1)
        fprintf(stderr, "troupe-bench %s: no such command\n", name);
    list(stderr);
    return 2;
}

int main(int argc, char **argv) {
    return tr_standard_output_end("troupe-bench", run_line(argc, argv));
}
