/* troupe-train steer: teaches a cyclic controller of the catalogue to be steered. */
#include "db/store/catalogue.h"
#include "learn/train/steering_fit.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>

typedef struct options {
    tr_subject_use of;
    double turn_rad_s, faster_mps, slower_mps;
    int generations, samples;
    uint64_t seed;
} options;

static const options defaults = {.generations = 60, .samples = 24, .seed = 1};

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("a chain, which is replaced there"),
    {"--turn RAD/S", TR_OPTION_NUMBER, offsetof(options, turn_rad_s), "teach it to turn", 0.01, 20},
    {"--faster M/S", TR_OPTION_NUMBER, offsetof(options, faster_mps), "... to gain speed", 0.01,
     20},
    {"--slower M/S", TR_OPTION_NUMBER, offsetof(options, slower_mps), "... to lose speed", 0.01,
     20},
    {"--generations N", TR_OPTION_COUNT, offsetof(options, generations),
     "generations of the search (60)", 1, 10000},
    {"--samples N", TR_OPTION_COUNT, offsetof(options, samples), "candidates a generation (24)", 8,
     200},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "seed of everything drawn (1)"},
    TR_TOOL_THREADS(options, of.threads),
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (!(o->turn_rad_s > 0 || o->faster_mps > 0 || o->slower_mps > 0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected --turn, --faster or --slower");
    return TR_OK;
}

static void print_score(const tr_steering_score *score, const char *unit) {
    printf("cost %.3f  reaches %.3f %s  held %d of %d\n", score->cost, score->rate, unit,
           score->held, score->trials);
}

static void tell(void *context, int generation, const tr_steering_score *best) {
    if (generation % 5 != 0)
        return;
    printf("  generation %3d  ", generation);
    print_score(best, context);
    (void)fflush(stdout);
}

typedef struct storing {
    const options *o;
    const tr_subject *of;
} storing;

/* The catalogue was not locked while the search ran. */
static tr_status put(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const storing *s = context;
    tr_controller_row now;
    tr_status status = tr_controllers_find(catalogue, s->o->of.name, &now, error);
    if (!status && !tr_digest_equal(&now.digest, &s->of->row.digest))
        status =
            tr_fail(error, TR_ABORTED,
                    "controller '%s': it was replaced while it learned to be steered", now.name);
    return !status ? tr_controllers_put_learned_again(catalogue, now.id, s->of->controller, error)
                   : status;
}

static tr_status learn_part(const options *o, const tr_subject *of, tr_steering_part part,
                            double rate, tr_error *error) {
    static const char *const names[] = {"turn", "faster", "slower"};
    char unit[2][8] = {"rad/s", "m/s"};
    char *told_unit = unit[part != TR_STEERING_TURN];
    tr_steering_fit_def def = {part, rate, o->generations, o->samples, o->seed};
    tr_steering_score score;
    tr_chain *chain = tr_chain_of(of->controller);
    if (rate <= 0)
        return TR_OK;
    if (!chain)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: not a chain: it cannot learn to be steered",
                       o->of.name);
    printf("%s: %s by %g %s\n", o->of.name, names[part], rate, told_unit);
    tr_status status = tr_steering_fit(of->ensemble, of->controller, &def, tell, told_unit,
                                       &chain->steering, &score);
    if (status)
        return tr_fail(error, status, "%s: %s: %s", o->of.name, names[part],
                       status == TR_FAILED_PRECONDITION ? "not cyclic, or falls without steering"
                                                        : tr_status_text(status));
    printf("%s: ", names[part]);
    print_score(&score, told_unit);
    const storing learned = {o, of};
    return tr_lead_change_catalogue(o->of.catalogue, TR_CATALOGUE_WRITE, put, &learned, error);
}

static tr_status learn(const void *given, const tr_subject *of, tr_error *error) {
    const options *o = given;
    tr_status status = learn_part(o, of, TR_STEERING_TURN, o->turn_rad_s, error);
    if (!status)
        status = learn_part(o, of, TR_STEERING_FASTER, o->faster_mps, error);
    if (!status)
        status = learn_part(o, of, TR_STEERING_SLOWER, o->slower_mps, error);
    return status;
}

const tr_tool_command tr_tool_steer = {
    .name = "steer",
    .summary = "teach a walk or run to be steered",
    .help =
        "Search constant actions that, added to the controller's actions, make it turn or change\n"
        "its speed (Liu et al. 2015, Guided Learning of Control Graphs, section 6.1), and store\n"
        "them beside the controller in the catalogue. The options give the rates to reach at\n"
        "full turn or pace; the rates reached are printed and stored. The result is the same for\n"
        "any number of threads.\n",
    .example =
        "example:\n"
        "  troupe-train steer walk --catalogue mine.troupe --turn 0.5 --faster 0.2 --slower 0.2\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .measure = learn,
};
