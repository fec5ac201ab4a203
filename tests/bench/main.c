#include "bench/bench.h"

#include "physics/world.h"

#include <stdio.h>
#include <string.h>

static const tr_bench_command *const commands[] = {
    &tr_bench_match,   &tr_bench_density,  &tr_bench_fanout,   &tr_bench_physics,
    &tr_bench_truth,   &tr_bench_snapshot, &tr_bench_learn,    &tr_bench_states,
    &tr_bench_readers, &tr_bench_schedule, &tr_bench_strength, &tr_bench_terrain};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int usage(void) {
    fprintf(stderr, "usage: troupe-bench COMMAND [OPTIONS]\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stderr, "  %-10s %s\n             %s\n", commands[i]->name, commands[i]->summary,
                commands[i]->arguments);
    return 2;
}

int main(int argc, char **argv) {
    tr_physics_init();
    for (int i = 0; argc > 1 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return commands[i]->exec(argc - 1, argv + 1);
    return usage();
}
