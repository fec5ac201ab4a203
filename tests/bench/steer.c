/* troupe-bench steer: how a character goes, arrives, turns and stops when it is asked to.
 *
 * Trials begin at two moments of a stand, for twelve directions, or at 24 moments of a walk or a
 * run; at sixteen distances and angles of what is in the way. A straight way takes 1 s and 1 s for each 1.25 m. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "control/stage/stage.h"
#include "math/elementary.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 24 };

static const double DISTANCE_M[] = {0.5, 1, 2, 3, 4, 6, 8, 10, 15, 20};
enum { DISTANCES = sizeof DISTANCE_M / sizeof *DISTANCE_M };

/* What does not happen in a trial takes this long. */
static const double NEVER_S = 99;

static struct { const char *bundle; } options = {TR_BENCH_BUNDLE};

typedef struct actor {
    const tr_model *model;
    const tr_controller *controller;
    tr_stage *stage;
    tr_entity_id id;
    bool fell;
} actor;

static tr_state state_of(const actor *a) {
    tr_state state = {0};
    (void)!tr_world_get_state(tr_stage_world(a->stage), a->id, &state);
    return state;
}

static double speed_of(const tr_state *state) {
    return hypot(state->root_vel.x, state->root_vel.y);
}

static double heading_of(const tr_state *state) {
    return tr_quat_heading(state->pose.root_rot);
}

static void step(actor *a) {
    int count = 0, dropped = 0;
    (void)!tr_stage_step(a->stage);
    const tr_stage_event *event = tr_stage_events(a->stage, &count, &dropped);
    for (int i = 0; i < count; i++)
        a->fell |= event[i].kind == TR_STAGE_FELL;
}

static void steer(actor *a, tr_steering_target wish) {
    (void)!tr_stage_steer(a->stage, a->id, &(tr_intent){.wish = wish}, NULL);
}

/* Opens a stage in which the character performs a skill for a while. */
static bool begin(actor *a, const char *skill, double seconds) {
    tr_world_def def = tr_world_def_default();
    tr_spawn_def spawn = {.model = a->model, .controller = a->controller};
    tr_steering_target wish = {.aim = TR_AIM_NONE};
    def.step_s = a->controller->step_s;
    if (tr_stage_create(&def, &a->stage) || tr_stage_spawn(a->stage, &spawn, &a->id))
        return false;
    snprintf(wish.skill, sizeof wish.skill, "%s", skill);
    steer(a, wish);
    for (int i = 0; i * def.step_s < seconds; i++)
        step(a);
    a->fell = false;
    return true;
}

/* --- rows --- */

/* Times of the trials of a row, s or degrees. */
typedef struct row {
    double value[TRIALS];
    int count, fell;
} row;

static void print_row(row *r, const char *what, double bar) {
    int met = 0;
    double most = 0;
    for (int i = 0; i < r->count; i++) {
        met += r->value[i] <= bar;
        most = fmax(most, r->value[i]);
    }
    printf("%s,%d,%g,%d,%.2f,%.2f,%d\n", what, r->count, bar, met,
           tr_bench_median(r->value, r->count), most, r->fell);
    fflush(stdout);
}

static void note(row *r, double value, bool fell) {
    r->value[r->count++] = value;
    r->fell += fell;
}

/* --- places --- */

/* sets_off: moved by 5 cm or turned by 5 degrees; stands: after it arrived */
typedef struct way {
    double sets_off_s, arrives_s, stands_s;
} way;

static way go(actor *a, double distance_m, double turn_rad, double limit_s) {
    const tr_state start = state_of(a);
    const double angle = heading_of(&start) + turn_rad, h = a->controller->step_s;
    const double x = start.pose.root_pos.x, y = start.pose.root_pos.y;
    const double to_x = x + distance_m * cos(angle), to_y = y + distance_m * sin(angle);
    way w = {NEVER_S, NEVER_S, NEVER_S};
    steer(a, (tr_steering_target){.aim = TR_AIM_POINT, .x = to_x, .y = to_y});
    for (int i = 1; i * h < limit_s; i++) {
        const double t = i * h;
        step(a);
        const tr_state s = state_of(a);
        const double moved = hypot(s.pose.root_pos.x - x, s.pose.root_pos.y - y);
        const double turned = fabs(tr_angle_wrap(heading_of(&s) - heading_of(&start)));
        const bool there =
            hypot(s.pose.root_pos.x - to_x, s.pose.root_pos.y - to_y) < TR_INTENT_RADIUS_M;
        if (w.sets_off_s >= NEVER_S && (moved > 0.05 || turned > 5 * TR_PI / 180))
            w.sets_off_s = t;
        if (w.arrives_s >= NEVER_S && there)
            w.arrives_s = t;
        if (w.stands_s >= NEVER_S && there && speed_of(&s) < 0.1)
            w.stands_s = t - w.arrives_s;
    }
    return w;
}

static bool bench_places(actor *a) {
    for (int d = 0; d < DISTANCES; d++) {
        const double straight_s = 1 + DISTANCE_M[d] / 1.25;
        row off = {.count = 0}, arrives = {.count = 0}, stands = {.count = 0};
        char what[64];
        for (int i = 0; i < TRIALS; i++) {
            if (!begin(a, "stand", i % 2 ? 8.37 : 7))
                return false;
            const int twelfth = i / 2;
            const way w = go(a, DISTANCE_M[d], twelfth * TR_PI / 6, 1.5 * straight_s + 10);
            tr_stage_destroy(a->stage);
            note(&off, w.sets_off_s, a->fell);
            note(&arrives, w.arrives_s, a->fell);
            note(&stands, w.stands_s, a->fell);
        }
        snprintf(what, sizeof what, "%g m: sets off", DISTANCE_M[d]);
        print_row(&off, what, 0.5);
        snprintf(what, sizeof what, "%g m: arrives", DISTANCE_M[d]);
        print_row(&arrives, what, 1.5 * straight_s);
        snprintf(what, sizeof what, "%g m: stands after", DISTANCE_M[d]);
        print_row(&stands, what, 1);
    }
    return true;
}

/* --- turns and stops --- */

/* Time until it goes at 0.3 m/s or more within 15 degrees of the opposite heading. */
static bool bench_half_turn(actor *a) {
    row r = {.count = 0};
    for (int i = 0; i < TRIALS; i++) {
        if (!begin(a, "walk", 10 + i * 0.137))
            return false;
        const tr_state start = state_of(a);
        const double back = heading_of(&start) + TR_PI, h = a->controller->step_s;
        double turned_s = NEVER_S;
        steer(a, (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = back});
        for (int k = 1; k * h < 20 && turned_s >= NEVER_S; k++) {
            const double t = k * h;
            step(a);
            const tr_state s = state_of(a);
            const double off = tr_angle_wrap(tr_atan2(s.root_vel.y, s.root_vel.x) - back);
            if (speed_of(&s) > 0.3 && fabs(off) < 15 * TR_PI / 180)
                turned_s = t;
        }
        note(&r, turned_s, a->fell);
        tr_stage_destroy(a->stage);
    }
    print_row(&r, "half turn while walking", 2.5);
    return true;
}

/* Time until it stands, and the angle by which it has turned 3 s later. */
static bool bench_stop(actor *a, const char *skill, double bar_s) {
    row stops = {.count = 0}, turns = {.count = 0};
    char what[64];
    for (int i = 0; i < TRIALS; i++) {
        if (!begin(a, skill, 14 + i * 0.137))
            return false;
        const tr_state start = state_of(a);
        const double h = a->controller->step_s;
        double stood_s = NEVER_S;
        steer(a, (tr_steering_target){.aim = TR_AIM_NONE});
        for (int k = 1; k * h < fmin(20, stood_s + 3); k++) {
            const double t = k * h;
            step(a);
            const tr_state s = state_of(a);
            if (stood_s >= NEVER_S && speed_of(&s) < 0.1)
                stood_s = t;
        }
        const tr_state end = state_of(a);
        note(&stops, stood_s, a->fell);
        note(&turns, fabs(tr_angle_wrap(heading_of(&end) - heading_of(&start))) * 180 / TR_PI,
             a->fell);
        tr_stage_destroy(a->stage);
    }
    snprintf(what, sizeof what, "released in %s: stands", skill);
    print_row(&stops, what, bar_s);
    snprintf(what, sizeof what, "released in %s: degrees turned", skill);
    print_row(&turns, what, 20);
    return true;
}

/* --- what lies ahead --- */

enum { OBSTACLES = 16 };

/* Opens a stage that looks ahead, with scenery that turns away from the way of a character at the origin:
 * a wall, or the end of a platform of 1 m. */
static bool begin_before(actor *a, bool wall, double far_m, double turn_rad) {
    tr_world_def def = tr_world_def_default();
    tr_spawn_def spawn = {.model = a->model, .controller = a->controller};
    const double middle_m = wall ? 0.1 : -40, half_m = wall ? 1.5 : 0.5;
    const tr_scenery_def box = {
        .kind = TR_SCENERY_BOX,
        .size = {fabs(middle_m), 60, half_m},
        .pos = {far_m + middle_m * cos(turn_rad), middle_m * sin(turn_rad), half_m},
        .rot = tr_quat_from_heading(turn_rad),
        .friction = 1};
    def.step_s = a->controller->step_s;
    spawn.pos.z = wall ? 0 : 1;
    a->fell = false;
    if (tr_stage_create(&def, &a->stage) ||
        tr_world_add_scenery(tr_stage_world(a->stage), &box, NULL) ||
        tr_stage_spawn(a->stage, &spawn, &a->id))
        return false;
    tr_stage_set_look_ahead(a->stage, true);
    return true;
}

/* Time until it stops before a wall or an edge, which it meets at up to 60 degrees, for good. */
static bool bench_obstacle(actor *a, const char *skill, bool wall) {
    row r = {.count = 0};
    char what[64];
    for (int i = 0; i < OBSTACLES; i++) {
        const double far_m = (strcmp(skill, "run") == 0 ? 24 : 9) + 0.3 * i;
        tr_steering_target wish = {.aim = TR_AIM_HEADING};
        double blocked_s = NEVER_S;
        if (!begin_before(a, wall, far_m, (i - 8) * TR_PI / (skill[0] ? 32 : 24)))
            return false;
        snprintf(wish.skill, sizeof wish.skill, "%s", skill);
        const double h = a->controller->step_s;
        for (int k = 0; k * h < 25; k++) {
            if (k == 200 + 10 * i)
                steer(a, wish);
            step(a);
            int count = 0, dropped = 0;
            const tr_stage_event *event = tr_stage_events(a->stage, &count, &dropped);
            for (int e = 0; e < count; e++)
                if (event[e].kind == TR_STAGE_BLOCKED)
                    blocked_s = fmin(blocked_s, k * h);
        }
        const tr_state end = state_of(a);
        note(&r, a->fell || speed_of(&end) > 0.1 ? NEVER_S : blocked_s, a->fell);
        tr_stage_destroy(a->stage);
    }
    snprintf(what, sizeof what, "stops at %s: %s", wall ? "a wall" : "an edge",
             skill[0] ? skill : "as asked");
    print_row(&r, what, 25);
    return true;
}

/* Time until two characters that walk at each other, on ways up to 0.5 m apart, are 2 m past. */
static bool bench_meeting(actor *a) {
    row r = {.count = 0};
    for (int i = 0; i < OBSTACLES; i++) {
        tr_spawn_def spawn = {.model = a->model,
                              .controller = a->controller,
                              .pos = {10 + 0.1 * i, (i - 8) / 16.0, 0},
                              .heading_rad = TR_PI};
        const double h = a->controller->step_s;
        tr_entity_id other = 0;
        double past_s = NEVER_S;
        if (!begin_before(a, true, 100, 0) || tr_stage_spawn(a->stage, &spawn, &other))
            return false;
        for (int k = 0; k * h < 25 && past_s >= NEVER_S; k++) {
            tr_state there = {0};
            if (k == 200) {
                const tr_intent back = {.wish = {.aim = TR_AIM_HEADING, .heading_rad = TR_PI}};
                steer(a, (tr_steering_target){.aim = TR_AIM_HEADING});
                (void)!tr_stage_steer(a->stage, other, &back, NULL);
            }
            step(a);
            (void)!tr_world_get_state(tr_stage_world(a->stage), other, &there);
            if (state_of(a).pose.root_pos.x > there.pose.root_pos.x + 2)
                past_s = k * h;
        }
        note(&r, a->fell ? NEVER_S : past_s, a->fell);
        tr_stage_destroy(a->stage);
    }
    print_row(&r, "two pass each other", 25);
    return true;
}

static bool bench_ahead(actor *a) {
    return bench_obstacle(a, "walk", true) && bench_obstacle(a, "walk-fast", true) &&
           bench_obstacle(a, "run", true) && bench_obstacle(a, "", true) &&
           bench_obstacle(a, "walk", false) && bench_obstacle(a, "", false) && bench_meeting(a);
}

static int bench_steer(int count, char **words) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    if (!tr_bench_load_controller(options.bundle, count > 0 ? words[0] : "hero", &model,
                                  &controller))
        return 1;
    actor a = {.model = model, .controller = controller};
    printf("what,trials,bar,met,median,most,falls\n");
    bool done = bench_ahead(&a) && bench_half_turn(&a) && bench_stop(&a, "walk", 1.5) &&
                bench_stop(&a, "run", 2.5) && bench_places(&a);
    if (!done)
        fprintf(stderr, "troupe-bench steer: the character cannot be spawned\n");
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return done ? 0 : 1;
}

static const tr_bench_option option[] = {TR_BENCH_BUNDLE_OPTION(&options.bundle)};

const tr_bench_command tr_bench_steer = {
    .name = "steer",
    .summary = "goes to places, turns and stops as asked: how soon, and how often in time",
    .words = "[CONTROLLER]",
    .word_low = 0,
    .word_high = 1,
    .option = option,
    .option_count = sizeof option / sizeof *option,
    .output =
        "A row for each thing asked: trials, the bar in s (degrees for turns), the trials that\n"
        "meet it, the median and the most (99: never), and the trials with a fall. The\n"
        "controller is a graph with the skills stand, walk, walk-fast and run; hero if not "
        "given.",
    .exec = bench_steer,
};
