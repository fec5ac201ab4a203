#include "learn/latent/motion_field.h"

#include "learn/latent/examples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = TR_MOTION_FIELD_NEAR, SWEEPS_MAX = 1000 };

/* Squared distances below DISTANCE_MIN, m2, count as this. TOLERANCE is of values. */
static const double DISTANCE_MIN = 1e-9, TOLERANCE = 1e-3;

/* A frame that two others follow in its clip.
 *   frame   of the space
 *   after   step of the pose and the root that follow the next frame */
typedef struct example {
    int frame;
    tr_motion_field_state at, after;
} example;

/*   scale    [pose_size], metres by which a channel moves the body
 *   arm_m    by which a turn of the root does
 *   value    [count][cells] */
struct tr_motion_field {
    tr_motion_field_def def;
    int pose_size, count, cells;
    double scale[TR_POSE_VECTOR_MAX], arm_m;
    example *example;
    double *value;
};

typedef struct neighbours {
    int index[NEAR];
    double weight[NEAR];
} neighbours;

/* --- frames --- */

/* Returns the pose of a frame, and the step to the next one; `root` is that of the step. */
static tr_motion_field_state state_of(const tr_latent_space_def *clips, int frame,
                                      const tr_root_step *root) {
    tr_motion_field_state s = {.root = *root};
    const double *pose = clips->pose + frame * clips->pose_size;
    for (int k = 0; k < clips->pose_size; k++) {
        s.pose[k] = pose[k];
        s.step[k] = pose[clips->pose_size + k] - pose[k];
    }
    return s;
}

static void gather(tr_motion_field *field) {
    const tr_latent_space_def *clips = &field->def.space->learned;
    /* The last two frames of a clip have no step after the next one. */
    for (int c = 0; c < clips->clip_count; c++)
        for (int i = 0; i + 2 < clips->clip[c].count; i++) {
            const int frame = clips->clip[c].first + i;
            const tr_root_step *root = clips->root + frame - c;
            field->example[field->count++] = (example){frame, state_of(clips, frame, root),
                                                       state_of(clips, frame + 1, root + 1)};
        }
}

/* --- neighbours --- */

static double square(double x) {
    return x * x;
}

/* Returns the squared distance of two poses and of the steps that follow them. */
static double distance(const tr_motion_field *field, const tr_motion_field_state *a,
                       const tr_motion_field_state *b) {
    double sum = square(field->arm_m * (a->root.turn_rad - b->root.turn_rad)) +
                 square(a->root.forward - b->root.forward) + square(a->root.left - b->root.left);
    for (int k = 0; k < field->pose_size; k++)
        sum += square(field->scale[k]) *
               (square(a->pose[k] - b->pose[k]) + square(a->step[k] - b->step[k]));
    return sum;
}

static neighbours find_near(const tr_motion_field *field, const tr_motion_field_state *at) {
    neighbours near = {{0}, {0}};
    double least[NEAR] = {0}, sum = 0;
    int have = 0;
    for (int i = 0; i < field->count; i++) {
        const double far = distance(field, at, &field->example[i].at);
        if (have == NEAR && far >= least[NEAR - 1])
            continue;
        int place = have < NEAR ? have++ : NEAR - 1;
        for (; place > 0 && far < least[place - 1]; place--) {
            least[place] = least[place - 1];
            near.index[place] = near.index[place - 1];
        }
        least[place] = far;
        near.index[place] = i;
    }
    /* Neighbours weigh by their inverse squared distances. */
    for (int n = 0; n < NEAR; n++)
        sum += near.weight[n] = 1 / (least[n] + DISTANCE_MIN);
    for (int n = 0; n < NEAR; n++)
        near.weight[n] /= sum;
    return near;
}

/* --- actions --- */

/* Adds `share` of what is at `from`: the steps of poses and root. */
static void add_step(int size, double share, const tr_motion_field_state *from,
                     tr_motion_field_state *to) {
    for (int k = 0; k < size; k++)
        to->step[k] += share * from->step[k];
    to->root.turn_rad += share * from->root.turn_rad;
    to->root.forward += share * from->root.forward;
    to->root.left += share * from->root.left;
}

/* Returns the state after an action; out_root: how the root moves meanwhile. */
static tr_motion_field_state act(const tr_motion_field *field, const tr_motion_field_state *at,
                                 const neighbours *near, int action, tr_root_step *out_root) {
    const double drift = field->def.drift, whole = 2 - near->weight[action];
    const example *lead = &field->example[near->index[action]];
    tr_motion_field_state now = {0}, next = {0};
    /* The action raises the weight of one neighbour to 1; then all are scaled to the sum 1. */
    for (int n = 0; n < NEAR; n++) {
        const double w = (1 - drift) * (n == action ? 1 : near->weight[n]) / whole;
        add_step(field->pose_size, w, &field->example[near->index[n]].at, &now);
        add_step(field->pose_size, w, &field->example[near->index[n]].after, &next);
    }
    /* A share of the step follows that neighbour alone, and its pose leads back to the clips. */
    add_step(field->pose_size, drift, &lead->at, &now);
    add_step(field->pose_size, drift, &lead->after, &next);
    for (int k = 0; k < field->pose_size; k++)
        next.pose[k] = at->pose[k] + now.step[k] + drift * (lead->at.pose[k] - at->pose[k]);
    *out_root = now.root;
    return next;
}

/* --- values --- */

static double mixed_value(const tr_motion_field *field, const neighbours *near,
                          const tr_goal_corners *corners) {
    double sum = 0;
    for (int n = 0; n < NEAR; n++) {
        const double *row = field->value + near->index[n] * field->cells;
        for (int c = 0; c < TR_GOAL_CORNERS; c++)
            sum += near->weight[n] * corners->weight[c] * row[corners->cell[c]];
    }
    return sum;
}

double tr_motion_field_value(const tr_motion_field *field, const tr_motion_field_state *state,
                             const tr_goal *goal) {
    const neighbours near = find_near(field, state);
    const tr_goal_corners corners = tr_goal_grid_corners(&field->def.task->grid, goal);
    return mixed_value(field, &near, &corners);
}

/* Returns the reward of a step of the root, and the value of the state that it leads to. */
static double worth(const tr_motion_field *field, const tr_root_step *root, const neighbours *next,
                    const tr_goal *goal) {
    const tr_latent_task *task = field->def.task;
    const tr_latent_outcome outcome = {.root = *root};
    const tr_goal moved = tr_latent_task_moved(task, root, goal);
    const tr_goal_corners corners = tr_goal_grid_corners(&task->grid, &moved);
    return tr_latent_task_reward(task, field->def.space->learned.dt_s, &outcome, goal) +
           field->def.discount * mixed_value(field, next, &corners);
}

/* Where each action of each frame leads: [count][NEAR]; fresh: [count][cells], change: [count]. */
typedef struct iteration {
    tr_motion_field *field;
    tr_root_step *root;
    neighbours *next;
    double *fresh, *change;
} iteration;

static void look_ahead(void *context, int i, int worker) {
    (void)worker;
    iteration *it = context;
    const tr_motion_field_state *at = &it->field->example[i].at;
    const neighbours near = find_near(it->field, at);
    for (int a = 0; a < NEAR; a++) {
        const tr_motion_field_state next = act(it->field, at, &near, a, &it->root[i * NEAR + a]);
        it->next[i * NEAR + a] = find_near(it->field, &next);
    }
}

static void back_up(void *context, int i, int worker) {
    (void)worker;
    iteration *it = context;
    const int cells = it->field->cells;
    it->change[i] = 0;
    for (int cell = 0; cell < cells; cell++) {
        const tr_goal goal = tr_goal_grid_goal(&it->field->def.task->grid, cell);
        double best = -(double)INFINITY;
        for (int a = 0; a < NEAR; a++)
            best = fmax(best,
                        worth(it->field, &it->root[i * NEAR + a], &it->next[i * NEAR + a], &goal));
        it->fresh[i * cells + cell] = best;
        it->change[i] = fmax(it->change[i], fabs(best - it->field->value[i * cells + cell]));
    }
}

static void iterate(iteration *it) {
    tr_motion_field *field = it->field;
    const size_t size = (size_t)field->count * (size_t)field->cells * sizeof *field->value;
    double largest = TOLERANCE + 1;
    /* Where actions lead does not depend on the values. */
    tr_pool_run(field->def.pool, look_ahead, it, field->count);
    for (int sweep = 0; sweep < SWEEPS_MAX && largest > TOLERANCE; sweep++) {
        tr_pool_run(field->def.pool, back_up, it, field->count);
        memcpy(field->value, it->fresh, size);
        largest = 0;
        for (int i = 0; i < field->count; i++)
            largest = fmax(largest, it->change[i]);
    }
}

static tr_status learn(tr_motion_field *field) {
    const size_t frames = (size_t)field->count, cells = (size_t)field->cells;
    iteration it = {field, calloc(frames * NEAR, sizeof *it.root),
                    calloc(frames * NEAR, sizeof *it.next),
                    calloc(frames * cells, sizeof *it.fresh), calloc(frames, sizeof *it.change)};
    const bool have = it.root && it.next && it.fresh && it.change;
    if (have)
        iterate(&it);
    free(it.root);
    free(it.next);
    free(it.fresh);
    free(it.change);
    return have ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

/* --- making and using --- */

tr_status tr_motion_field_create(const tr_motion_field_def *def, tr_motion_field **out) {
    const tr_latent_space_def *clips = &def->space->learned;
    const int count = clips->frame_count - 2 * clips->clip_count;
    if (count < NEAR || def->task->kind != TR_LATENT_HEADING)
        return TR_INVALID_ARGUMENT;
    tr_motion_field *field = calloc(1, sizeof *field);
    if (!field)
        return TR_RESOURCE_EXHAUSTED;
    *field = (tr_motion_field){
        .def = *def, .pose_size = clips->pose_size, .cells = tr_goal_grid_cells(&def->task->grid)};
    field->example = calloc((size_t)count, sizeof *field->example);
    field->value = calloc((size_t)count * (size_t)field->cells, sizeof *field->value);
    tr_status status = field->example && field->value ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        tr_examples_scales(def->model, clips, field->scale);
        field->arm_m = field->scale[1];
        gather(field);
        status = learn(field);
    }
    if (status)
        tr_motion_field_destroy(field);
    else
        *out = field;
    return status;
}

void tr_motion_field_destroy(tr_motion_field *field) {
    if (!field)
        return;
    free(field->example);
    free(field->value);
    free(field);
}

tr_motion_field_state tr_motion_field_begin(const tr_motion_field *field, int frame) {
    int nearest = 0;
    for (int i = 0; i < field->count; i++)
        if (abs(field->example[i].frame - frame) < abs(field->example[nearest].frame - frame))
            nearest = i;
    return field->example[nearest].at;
}

tr_root_step tr_motion_field_advance(const tr_motion_field *field, const tr_goal *goal,
                                     tr_motion_field_state *state) {
    const neighbours near = find_near(field, state);
    tr_motion_field_state best = *state;
    tr_root_step best_root = {0};
    double most = -(double)INFINITY;
    for (int a = 0; a < NEAR; a++) {
        tr_root_step root;
        const tr_motion_field_state next = act(field, state, &near, a, &root);
        const neighbours there = find_near(field, &next);
        const double total = worth(field, &root, &there, goal);
        if (total > most) {
            most = total;
            best = next;
            best_root = root;
        }
    }
    *state = best;
    return best_root;
}
