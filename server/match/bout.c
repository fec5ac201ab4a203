#include "server/match/bout.h"

#include "math/quat.h"
#include "model/name.h"
#include "server/match/rules/rule.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { START_STREAM = 0x73746172, RULE_STREAM = 0x72756c65 };

/* --- the stage and the start --- */

tr_status tr_bout_make_stage(const tr_match_def *match, tr_stage **out) {
    tr_stage *stage = NULL;
    tr_status status = tr_stage_create(&match->world.world, &stage);
    if (!status)
        status = tr_layout_build(match->world.layout, tr_stage_world(stage));
    if (!status)
        tr_stage_set_look_ahead(stage, match->world.look_ahead);
    return TR_GIVE(status, stage, tr_stage_destroy, out);
}

/* Evenly over the disc. */
static tr_vec3 scatter(tr_random *draw, tr_vec3 pos, double radius) {
    double distance = radius * sqrt(tr_random_uniform(draw));
    double angle = 2 * TR_PI * tr_random_uniform(draw);
    pos.x += distance * tr_cos(angle);
    pos.y += distance * tr_sin(angle);
    return pos;
}

/* Turns every joint a little; hinges keep the part about their axis, and slides stay. */
static tr_status disturb_pose(tr_bout *bout, tr_entity_id entity, tr_random *draw) {
    const tr_model *model = tr_world_character_model(tr_stage_world(bout->stage), entity);
    double spread = bout->match->vary.pose_rad;
    tr_state state;
    tr_status status = tr_world_get_state(tr_stage_world(bout->stage), entity, &state);
    if (status || spread == 0)
        return status;
    for (int i = 1; i < model->body_count; i++) {
        tr_vec3 turn;
        turn.x = spread * tr_random_normal(draw);
        turn.y = spread * tr_random_normal(draw);
        turn.z = spread * tr_random_normal(draw);
        if (model->body[i].joint != TR_JOINT_SLIDE)
            state.pose.joint[i] = tr_quat_mul(state.pose.joint[i], tr_quat_exp(turn));
    }
    return tr_world_set_state(tr_stage_world(bout->stage), entity, &state);
}

/* Draws every number, used or not, so that switching one variation off does not change the
 * others. */
static tr_status spawn(tr_bout *bout, int team, int member, tr_entity_id *out) {
    const tr_match_member *who = &bout->match->team[team].member[member];
    const tr_match_variation *vary = &bout->match->vary;
    tr_random draw =
        tr_random_split(bout->seed, START_STREAM, (uint64_t)team << 16 | (uint64_t)member);
    tr_spawn_def def = {.model = who->model, .controller = who->controller};
    def.pos = scatter(&draw, who->pos, vary->pos_m);
    def.heading_rad = who->heading_rad + vary->heading_rad * (2 * tr_random_uniform(&draw) - 1);
    double phase = tr_random_uniform(&draw);
    if (vary->phase && who->controller)
        def.entry = (int)(phase * tr_controller_outline(who->controller).first_count);
    tr_status status = tr_stage_spawn(bout->stage, &def, out);
    return !status ? disturb_pose(bout, *out, &draw) : status;
}

static void look(tr_bout *bout, tr_contestant *contestant) {
    tr_state state;
    if (tr_world_get_state(tr_stage_world(bout->stage), contestant->entity, &state))
        return;
    contestant->pos = state.pose.root_pos;
    contestant->heading_rad = tr_quat_heading(state.pose.root_rot);
    contestant->fallen = tr_stage_performer(bout->stage, contestant->entity)->fallen;
}

static tr_status add_contestant(tr_bout *bout, int team, int member, tr_error *error) {
    const tr_match_team *of = &bout->match->team[team];
    if (bout->contestant_count == TR_CHARACTER_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "more than %d characters", TR_CHARACTER_MAX);
    tr_contestant *contestant = &bout->contestant[bout->contestant_count];
    *contestant = (tr_contestant){.team = team, .member = member};
    tr_status status = spawn(bout, team, member, &contestant->entity);
    if (status)
        return tr_fail_if(error, status, "%s %d cannot spawn", of->name, member + 1);
    look(bout, contestant);
    contestant->start = contestant->pos;
    if (member == 0)
        bout->heading_rad[team] = contestant->heading_rad;
    bout->contestant_count++;
    return TR_OK;
}

/* --- actions on the stage, without a world loop --- */

static tr_status push_on_stage(void *context, tr_entity_id entity, tr_vec3 force_n,
                               double duration_s) {
    tr_world *world = tr_stage_world(context);
    const tr_model *model = tr_world_character_model(world, entity);
    double steps = round(duration_s / tr_world_definition(world)->step_s);
    tr_push push = {.entity = entity,
                    .body = model && model->trunk > 0 ? model->trunk : 0,
                    .force = force_n,
                    .steps = steps < 1 ? 1 : (int)steps};
    return tr_world_push(world, &push);
}

static tr_status steer_on_stage(void *context, tr_entity_id entity, const tr_intent *intent) {
    return tr_stage_steer(context, entity, intent, NULL);
}

static tr_status place_on_stage(void *context, tr_entity_id object, tr_vec3 pos) {
    tr_object_state state;
    tr_status status = tr_world_get_object(tr_stage_world(context), object, &state);
    state.pos = pos;
    state.vel = state.omega = (tr_vec3){0, 0, 0};
    return status ? status : tr_world_set_object(tr_stage_world(context), object, &state);
}

tr_status tr_bout_begin(tr_bout *out, const tr_match_def *match, uint64_t seed, tr_stage *stage,
                        tr_error *error) {
    *out = (tr_bout){.match = match,
                     .stage = stage,
                     .actions = {.push = push_on_stage,
                                 .steer = steer_on_stage,
                                 .place = place_on_stage,
                                 .context = stage},
                     .seed = seed,
                     .tick_limit = tr_match_tick_limit(match),
                     .result = {.winner = -1}};
    for (int i = 0; i < match->team_count; i++)
        for (int k = 0; k < match->team[i].member_count; k++) {
            tr_status status = add_contestant(out, i, k, error);
            if (status)
                return status;
        }
    tr_status status = match->rule->begin ? match->rule->begin(out, out->rule_state) : TR_OK;
    return tr_fail_if(error, status, "%s", match->rule->name);
}

/* --- steps --- */

static void set_reason(tr_bout_result *result, const char *text) {
    size_t size = strnlen(text, TR_BOUT_REASON_MAX - 1);
    memcpy(result->reason, text, size);
    result->reason[size] = '\0';
}

static void end(tr_bout *bout, tr_bout_outcome outcome, int winner, const char *why) {
    if (bout->ended)
        return;
    bout->ended = true;
    tr_bout_result *result = &bout->result;
    *result = (tr_bout_result){.outcome = outcome, .winner = winner, .ticks = bout->tick};
    result->hash = tr_stage_state_hash(bout->stage); /* as bouts that are stored have it */
    memcpy(result->score, bout->score, sizeof result->score);
    set_reason(result, why);
}

static const tr_contestant *find(const tr_bout *bout, tr_entity_id entity) {
    for (int i = 0; i < bout->contestant_count; i++)
        if (bout->contestant[i].entity == entity)
            return &bout->contestant[i];
    return NULL;
}

/* A bout with a broken character or object is void: its winner cannot be known. */
static void end_void(tr_bout *bout, const tr_contestant *who) {
    char why[TR_BOUT_REASON_MAX];
    if (!who)
        snprintf(why, sizeof why, "an object became non-finite at tick %lld",
                 (long long)bout->tick);
    else
        snprintf(why, sizeof why, "%s %d became non-finite at tick %lld",
                 bout->match->team[who->team].name, who->member + 1, (long long)bout->tick);
    end(bout, TR_BOUT_VOID, -1, why);
}

static void read_events(tr_bout *bout) {
    int count = 0, dropped = 0;
    const tr_stage_event *events = tr_stage_events(bout->stage, &count, &dropped);
    bout->met = false;
    for (int i = 0; i < count && !bout->ended; i++) {
        const tr_contestant *one = find(bout, events[i].entity);
        const tr_contestant *other = find(bout, events[i].other);
        if (events[i].kind == TR_STAGE_FAULT)
            end_void(bout, one);
        else if (events[i].kind == TR_STAGE_TOUCHED && one && other)
            bout->met |= one->team != other->team;
    }
}

void tr_bout_before_step(tr_bout *bout) {
    const tr_rule *rule = bout->match->rule;
    if (!bout->ended && rule->prepare)
        rule->prepare(bout, bout->rule_state);
}

static void time_up(tr_bout *bout) {
    const tr_rule *rule = bout->match->rule;
    if (rule->time_up)
        rule->time_up(bout, bout->rule_state);
    else
        tr_bout_end_by_score(bout, "the time was up");
    assert(bout->ended);
}

void tr_bout_after_step(tr_bout *bout) {
    if (bout->ended)
        return;
    bout->tick++;
    for (int i = 0; i < bout->contestant_count; i++)
        look(bout, &bout->contestant[i]);
    read_events(bout);
    if (!bout->ended)
        bout->match->rule->judge(bout, bout->rule_state);
    if (!bout->ended && bout->tick >= bout->tick_limit)
        time_up(bout);
}

tr_bout_result tr_bout_void(const char *reason) {
    tr_bout_result result = {.outcome = TR_BOUT_VOID, .winner = -1};
    set_reason(&result, reason);
    return result;
}

void tr_bout_run(const tr_match_def *match, uint64_t seed, tr_bout_result *out) {
    tr_bout bout;
    tr_stage *stage = NULL;
    tr_error error = {0};
    tr_status status = tr_bout_make_stage(match, &stage);
    if (!status)
        status = tr_bout_begin(&bout, match, seed, stage, &error);
    if (status) {
        *out = tr_bout_void(error.message[0] != '\0' ? error.message : tr_status_text(status));
        tr_stage_destroy(stage);
        return;
    }
    while (!bout.ended) {
        tr_bout_before_step(&bout);
        (void)!tr_stage_step(stage); /* a fault is reported as an event */
        tr_bout_after_step(&bout);
    }
    *out = bout.result;
    tr_stage_destroy(stage);
}

/* --- for rules --- */

double tr_bout_time_s(const tr_bout *bout) {
    return (double)bout->tick * bout->match->world.world.step_s;
}

double tr_bout_parameter(const tr_bout *bout, int index) {
    return bout->match->parameter[index];
}

tr_random tr_bout_stream(const tr_bout *bout, uint64_t purpose, uint64_t index) {
    return tr_random_split(bout->seed ^ RULE_STREAM, purpose, index);
}

void tr_bout_out(tr_bout *bout, tr_contestant *contestant) {
    if (contestant->out)
        return;
    contestant->out = true;
    contestant->out_tick = bout->tick;
}

void tr_bout_push(tr_bout *bout, tr_entity_id entity, tr_vec3 force_n, double duration_s) {
    (void)!bout->actions.push(bout->actions.context, entity, force_n,
                              duration_s); /* past TR_PUSH_MAX at the same time: not this one */
}

void tr_bout_place(tr_bout *bout, tr_entity_id object, tr_vec3 pos) {
    (void)!bout->actions.place(bout->actions.context, object, pos);
}

tr_status tr_bout_steer(tr_bout *bout, const tr_contestant *contestant, const tr_intent *intent) {
    return bout->actions.steer(bout->actions.context, contestant->entity, intent);
}

void tr_bout_steer_along(tr_bout *bout, const tr_contestant *contestant, double heading_rad,
                         double off_m, double look_m) {
    double toward_rad = tr_angle_wrap(heading_rad - tr_atan2(off_m, look_m));
    const tr_intent intent = {.wish = {.aim = TR_AIM_HEADING, .heading_rad = toward_rad}};
    (void)!tr_bout_steer(bout, contestant, &intent);
}

void tr_bout_haul(tr_bout *bout, tr_vec3 pos, double line_m) {
    bool over = false, left = false;
    for (int i = 0; i < bout->match->team_count; i++) {
        bout->score[i] = tr_vec3_to_heading(pos, bout->heading_rad[i]).x;
        over = over || bout->score[i] >= line_m;
    }
    for (int i = 0; i < bout->contestant_count; i++) {
        if (bout->contestant[i].fallen)
            tr_bout_out(bout, &bout->contestant[i]);
        left = left || !bout->contestant[i].out;
    }
    if (over)
        tr_bout_end_by_score(bout, "over the line");
    else if (!left)
        tr_bout_end_by_score(bout, "all fell; the longer way wins");
}

int tr_bout_members_in(const tr_bout *bout, int team) {
    int count = 0;
    for (int i = 0; i < bout->contestant_count; i++)
        count += bout->contestant[i].team == team && !bout->contestant[i].out;
    return count;
}

void tr_bout_win(tr_bout *bout, int team, const char *why) {
    end(bout, TR_BOUT_WON, team, why);
}

void tr_bout_draw(tr_bout *bout, const char *why) {
    end(bout, TR_BOUT_DRAWN, -1, why);
}

void tr_bout_end_by_last(tr_bout *bout) {
    int left = 0, last = -1;
    for (int i = 0; i < bout->match->team_count; i++)
        if (tr_bout_members_in(bout, i) > 0) {
            left++;
            last = i;
        }
    if (left == 1)
        tr_bout_win(bout, last, "last team in");
    else if (left == 0)
        tr_bout_draw(bout, "the last teams went out in the same step");
}

void tr_bout_end_by_score(tr_bout *bout, const char *why) {
    int best = 0, equals = 1;
    for (int i = 1; i < bout->match->team_count; i++) {
        if (bout->score[i] > bout->score[best]) {
            best = i;
            equals = 1;
        } else if (bout->score[i] == bout->score[best]) {
            equals++;
        }
    }
    if (equals == 1)
        tr_bout_win(bout, best, why);
    else
        tr_bout_draw(bout, why);
}
