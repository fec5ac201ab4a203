#include "server/recording/divergence.h"

#include "model/name.h"
#include "server/recording/trace.h"
#include "server/world/world_loop.h"

#include <math.h>
#include <stdio.h>

void tr_divergence_note(tr_divergence *d, const tr_world_loop *loop, tr_divergence_place at,
                        tr_entity_id entity, const char *what) {
    if (d->found)
        return;
    *d = (tr_divergence){.found = true,
                         .position = at.position,
                         .tick = tr_world_loop_tick(loop),
                         .same_at = at.same_at,
                         .entity = entity,
                         .body = -1};
    tr_name_set(d->label, tr_world_loop_label(loop, entity));
    snprintf(d->what, sizeof d->what, "%s", what);
}

static void name_body(tr_divergence *d, const tr_world_loop *loop, int64_t position, int body) {
    const tr_model *model = tr_world_character_model(tr_stage_world(loop->stage), d->entity);
    d->body = body;
    d->body_at = position;
    tr_name_set(d->body_name, model ? model->body[body].name : "");
}

void tr_divergence_compare_step(tr_divergence *d, const tr_world_loop *loop, tr_divergence_place at,
                                const uint8_t *trace, uint32_t width) {
    uint8_t here[TR_TRACE_WIDTH_MAX];
    uint32_t here_width = (uint32_t)tr_trace_step(loop->stage, here);
    if (here_width != width)
        tr_divergence_note(d, loop, at, 0, "the characters or objects differ");
    for (uint32_t i = 0; i < here_width && !d->found; i++)
        if (here[i] != trace[i])
            tr_divergence_note(d, loop, at, tr_trace_find_mover(loop->stage, (int)i),
                               "its state differs");
}

/* Finds the first body that differs; if a differing entity is known, only among its bodies. */
static void compare_bodies(tr_divergence *d, const tr_world_loop *loop, tr_divergence_place at,
                           const uint8_t *recorded, uint32_t count) {
    uint8_t here[TR_TRACE_BODIES_MAX];
    uint32_t here_count = (uint32_t)tr_trace_bodies(loop->stage, here);
    for (uint32_t i = 0; i < here_count && i < count; i++) {
        tr_entity_id entity = 0;
        int body = 0;
        if (here[i] == recorded[i])
            continue;
        tr_trace_find_body(loop->stage, (int)i, &entity, &body);
        tr_divergence_note(d, loop, at, entity, "its state differs");
        if (entity == d->entity) {
            name_body(d, loop, at.position, body);
            return;
        }
    }
}

bool tr_divergence_compare_check(tr_divergence *d, const tr_world_loop *loop,
                                 tr_divergence_place at, const tr_record *check, uint64_t hash) {
    if (!d->found && hash == check->hash)
        return true;
    compare_bodies(d, loop, at, check->data, check->size);
    tr_divergence_note(d, loop, at, 0, "a state outside all bodies differs");
    return false;
}

static double apart(tr_vec3 a, tr_vec3 b) {
    return fmax(fabs(a.x - b.x), fmax(fabs(a.y - b.y), fabs(a.z - b.z)));
}

static double turned(tr_quat a, tr_quat b) {
    double imaginary = apart((tr_vec3){a.x, a.y, a.z}, (tr_vec3){b.x, b.y, b.z});
    return 2 * fmax(fabs(a.w - b.w), imaginary);
}

static double body_apart(const tr_state *a, const tr_state *b, int body) {
    if (body > 0)
        return fmax(turned(a->pose.joint[body], b->pose.joint[body]),
                    apart(a->joint_rate[body], b->joint_rate[body]));
    double place =
        fmax(apart(a->pose.root_pos, b->pose.root_pos), turned(a->pose.root_rot, b->pose.root_rot));
    return fmax(place, fmax(apart(a->root_vel, b->root_vel), apart(a->root_omega, b->root_omega)));
}

void tr_divergence_compare_states(tr_divergence *d, const tr_world_loop *loop,
                                  tr_divergence_place at, const tr_state *recorded,
                                  const tr_state *simulated) {
    const tr_model *model = tr_world_character_model(tr_stage_world(loop->stage), d->entity);
    double most = 0;
    for (int i = 0; model && i < model->body_count; i++) {
        double distance = body_apart(recorded, simulated, i);
        if (distance <= most)
            continue;
        most = distance;
        name_body(d, loop, at.position, i);
    }
}

void tr_divergence_tell(const tr_divergence *d, tr_world_loop *loop) {
    tr_event event = {.kind = TR_EVENT_DIVERGED,
                      .tick = d->tick,
                      .epoch = loop->epoch,
                      .entity = d->entity,
                      .body = d->body};
    tr_name_set(event.text, d->what);
    tr_event_list_add(&loop->events, &event);
}

/* ", body shin" if compared at the step itself; ", body shin at step 40" if compared later. */
static void print_body(const tr_divergence *d, char *out, size_t size) {
    out[0] = '\0';
    if (d->body < 0)
        return;
    int length = snprintf(out, size, ", body %s", d->body_name);
    if (d->body_at != d->position && length > 0 && (size_t)length < size)
        snprintf(out + length, size - (size_t)length, " at step %lld", (long long)d->body_at);
}

void tr_divergence_print(const tr_divergence *d, tr_error *error) {
    char who[4 * TR_NAME_MAX] = "", body[2 * TR_NAME_MAX];
    bool labelled = d->label[0] != '\0';
    print_body(d, body, sizeof body);
    if (d->entity != 0)
        snprintf(who, sizeof who, "entity %u%s%s%s%s: ", d->entity, labelled ? " '" : "", d->label,
                 labelled ? "'" : "", body);
    (void)tr_fail(error, TR_DATA_LOSS,
                  "the recording differs at step %lld, tick %lld: %s%s (the whole state was last "
                  "equal at step "
                  "%lld)",
                  (long long)d->position, (long long)d->tick, who, d->what, (long long)d->same_at);
}
