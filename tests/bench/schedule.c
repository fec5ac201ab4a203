/* troupe-bench schedule: decisions of a scheduler's network and updates of its training a second on one
 * core, without simulation (learn/schedule/network_fit.h). */
#include "bench/bench.h"
#include "learn/schedule/network_fit.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9, BATCH = 50, FORWARDS = 2000, UPDATES = 40 };

/* inputs, hidden units, actions: the published network on its smallest and largest set of
 * actions, and the default one on a graph of 69 mirrored fragments. */
static const int sizes[][3] = {{24, 300, 11}, {18, 300, 117}, {87, 128, 138}};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct cell {
    tr_network network;
    tr_network_fit fit;
    float *input, *error, *value;
    double forward_us[ROUNDS], update_ms[ROUNDS];
} cell;

static bool open_cell(cell *c, const int size[3]) {
    const tr_network shape = {.layers = 3, .width = {size[0], size[1], size[1], size[2]}};
    tr_random random = tr_random_seed(1);
    c->input = calloc((size_t)BATCH * (size_t)size[0], sizeof *c->input);
    c->error = calloc((size_t)BATCH * (size_t)size[2], sizeof *c->error);
    c->value = calloc((size_t)size[2], sizeof *c->value);
    if (!c->input || !c->error || !c->value || tr_network_init(&c->network, &shape) ||
        tr_network_fit_init(&c->fit, &c->network, BATCH))
        return false;
    tr_network_draw(&c->network, &random, 60);
    for (int i = 0; i < BATCH * size[0]; i++)
        c->input[i] = (float)tr_random_normal(&random);
    for (int r = 0; r < BATCH; r++)
        c->error[r * size[2] + r % size[2]] = 0.1f;
    return true;
}

static void close_cell(cell *c) {
    tr_network_fit_deinit(&c->fit);
    tr_network_deinit(&c->network);
    free(c->input);
    free(c->error);
    free(c->value);
}

/* An update values the batch's ends twice, then goes forth and back. */
static void run_cell(cell *c, int round) {
    double begin = tr_bench_now();
    for (int i = 0; i < FORWARDS; i++)
        tr_network_forward(&c->network, c->input, c->value);
    double middle = tr_bench_now();
    for (int i = 0; i < UPDATES; i++) {
        for (int pass = 0; pass < 3; pass++)
            (void)tr_network_fit_forward(&c->fit, c->input);
        tr_network_fit_backward(&c->fit, c->error);
        tr_network_fit_step(&c->fit, &(tr_fit_step){TR_FIT_ADAM, 1e-5, 0});
    }
    if (round < 0)
        return;
    c->forward_us[round] = 1e6 * (middle - begin) / FORWARDS;
    c->update_ms[round] = 1e3 * (tr_bench_now() - middle) / UPDATES;
}

static int exec(int count, char **words) {
    static cell cells[SIZES];
    bool ok = true;
    (void)count;
    (void)words;
    for (int i = 0; ok && i < SIZES; i++)
        ok = open_cell(&cells[i], sizes[i]);
    for (int round = -1; ok && round < ROUNDS; round++)
        for (int i = 0; i < SIZES; i++)
            run_cell(&cells[i], round);
    if (ok)
        printf("inputs,hidden,actions,decision_us,update_ms\n");
    for (int i = 0; ok && i < SIZES; i++)
        printf("%d,%d,%d,%.1f,%.3f\n", sizes[i][0], sizes[i][1], sizes[i][2],
               tr_bench_median(cells[i].forward_us, ROUNDS),
               tr_bench_median(cells[i].update_ms, ROUNDS));
    for (int i = 0; i < SIZES; i++)
        close_cell(&cells[i]);
    return ok ? 0 : 1;
}

const tr_bench_command tr_bench_schedule = {
    .name = "schedule",
    .summary = "a scheduler's decision, and an update of its training, on one core",
    .output = "A row for each size of the network: microseconds of a decision, milliseconds of an "
              "update.",
    .exec = exec};
