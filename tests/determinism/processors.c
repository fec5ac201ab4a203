/* Prints hashes of lives of shipped controllers: the same lines on every processor. deploy/cross/build.sh
 * compares them.
 *
 *     test_determinism_processors BUNDLE CONTROLLER... */
#include "troupe/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICKS = 600, EVERY = 100 };

static int fail(const char *name, const tr_error *error) {
    fprintf(stderr, "%s: %s\n", name, error->message);
    return EXIT_FAILURE;
}

/* One character turns, is pushed, and falls over at the end. */
static int live(const char *bundle, const char *name) {
    tr_simulation *world = NULL;
    tr_error error = {0};
    uint32_t id = 0;
    const tr_simulation_spawn_def def = {.controller = name};
    const tr_simulation_intent left = {.aim = TR_SIMULATION_HEADING, .heading_rad = 1.2};
    if (tr_simulation_open(bundle, 0.005, &world, &error))
        return fail(name, &error);
    if (tr_simulation_spawn(world, &def, &id, &error)) {
        tr_simulation_close(world);
        return fail(name, &error);
    }
    if (tr_simulation_steer(world, id, &left, &error)) /* not every controller turns */
        printf("%s: %s\n", name, error.message);
    for (int tick = 0; tick < TICKS; tick += EVERY) {
        const double force[3] = {40.0 + tick, 60, 0};
        if (tr_simulation_push(world, id, -1, force, 0.1) || tr_simulation_step(world, EVERY))
            printf("%s: refused\n", name);
        printf("%s %d %016" PRIx64 "\n", name, tick + EVERY, tr_simulation_hash(world));
    }
    tr_simulation_close(world);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    int status = argc < 3 ? EXIT_FAILURE : EXIT_SUCCESS;
    for (int i = 2; i < argc && status == EXIT_SUCCESS; i++)
        status = live(argv[1], argv[i]);
    return status;
}
