/* Football: a goal counts when the ball is wholly behind the line, between the posts and under the bar
 * of the goal that a team faced at the start, whoever played it there. The ball then returns to the
 * middle; a ball that leaves the field elsewhere returns to where it left. The field lies about the
 * origin, its length along x. score[team]: goals; equal scores at the end are a draw.
 *
 * Players that can be steered look every look_s. Of each team the one nearest to the ball plays it:
 * straight through the ball where that leads towards the goal, otherwise first to behind it. The others
 * keep the places where they began, moved by a share of the ball's way from the middle. */
#include "math/quat.h"
#include "server/match/rules/rule.h"

#include <math.h>

enum {
    LENGTH_M,
    WIDTH_M,
    GOAL_WIDTH_M,
    GOAL_HEIGHT_M,
    BALL_RADIUS_M,
    BALL_KG,
    ROLLING_M,
    SPEED_MPS,
    LOOK_S,
    FOLLOW
};

static const double POST_M = 0.06; /* half of the thickness of posts, bars and lines */

/* Players walk near the ball, where they turn on smaller circles than when they run. They play a ball that
 * is before them and before their goal; a ball inside the circle on which they turn, of radius v TURN_S,
 * they would miss. Otherwise they go to behind it, and around it to get there. */
static const double NEAR_M = 5, WALK_MPS = 1.3, TURN_S = 1.5, AHEAD_RAD = 1.2, GOALWARD_COS = 0.17;
static const double BEHIND_M = 2, AROUND_M = 1.5, PLACE_M = 0.8, MOVED_M = 0.5;

typedef struct game {
    tr_entity_id ball;
    bool dead; /* the ball is put to `spot` before the next step */
    tr_vec3 spot;
} game;

_Static_assert(sizeof(game) <= TR_RULE_STATE_MAX, "state of a rule");

/* --- the field --- */

/* Adds the lines and the goal of one half, towards x = way. Lines are patches like the ground. */
static tr_status mark_half(tr_bout *bout, double way) {
    double end_m = way * tr_bout_parameter(bout, LENGTH_M) / 2;
    double side_m = way * tr_bout_parameter(bout, WIDTH_M) / 2;
    double post_m = tr_bout_parameter(bout, GOAL_WIDTH_M) / 2 + POST_M;
    double bar_m = tr_bout_parameter(bout, GOAL_HEIGHT_M);
    const tr_vec3 part[][2] = {/* half extents, of a patch without height; place */
                               {{POST_M, fabs(side_m), 0}, {end_m, 0, 0}},
                               {{fabs(end_m), POST_M, 0}, {0, side_m, 0}},
                               {{POST_M, fabs(side_m) / 2, 0}, {0, side_m / 2, 0}},
                               {{POST_M, POST_M, bar_m / 2}, {end_m, -post_m, bar_m / 2}},
                               {{POST_M, POST_M, bar_m / 2}, {end_m, post_m, bar_m / 2}},
                               {{POST_M, post_m + POST_M, POST_M}, {end_m, 0, bar_m + POST_M}}};
    tr_status status = TR_OK;
    for (size_t i = 0; i < sizeof part / sizeof *part && !status; i++) {
        const tr_scenery_def def = {.kind = part[i][0].z > 0 ? TR_SCENERY_BOX : TR_SCENERY_PATCH,
                                    .size = part[i][0],
                                    .pos = part[i][1],
                                    .rot = tr_quat_identity(),
                                    .friction = bout->match->world.world.ground_friction};
        status = tr_world_add_scenery(tr_stage_world(bout->stage), &def, NULL);
    }
    return status;
}

static tr_status begin(tr_bout *bout, void *state) {
    double radius_m = tr_bout_parameter(bout, BALL_RADIUS_M);
    tr_object_def def = {.name = "ball", .geom_count = 1, .mass = tr_bout_parameter(bout, BALL_KG)};
    def.geom[0] = (tr_geom){.kind = TR_GEOM_SPHERE,
                            .size = {radius_m, 0, 0},
                            .rot = tr_quat_identity(),
                            .friction = 1,
                            .rolling = tr_bout_parameter(bout, ROLLING_M)};
    const tr_object_state at = {.pos = {0, 0, radius_m}, .rot = tr_quat_identity()};
    tr_status status = mark_half(bout, 1);
    if (!status)
        status = mark_half(bout, -1);
    tr_entity_id *ball = &((game *)state)->ball;
    return !status ? tr_world_add_object(tr_stage_world(bout->stage), &def, &at, ball) : status;
}

/* --- players --- */

/* Sends a player to a place, unless it is on the way to about there: a place given again begins steps
 * and turns on the spot anew. */
static void send_to(tr_bout *bout, const tr_contestant *player, const tr_intent *intent) {
    const tr_intent *now = &tr_stage_performer(bout->stage, player->entity)->intent.intent;
    const tr_steering_target *old = &now->wish, *new = &intent->wish;
    if (old->aim != new->aim || old->speed_mps != new->speed_mps ||
        fabs(old->x - new->x) + fabs(old->y - new->y) > MOVED_M)
        (void)!tr_bout_steer(bout, player,
                             intent); /* one that cannot be steered does what it can */
}

/* Plays the ball along `shot`, a level unit vector. */
static void play(tr_bout *bout, const tr_contestant *player, tr_vec3 ball, tr_vec3 shot) {
    tr_vec3 way = {ball.x - player->pos.x, ball.y - player->pos.y, 0};
    double far_m = tr_vec3_length(way), way_rad = tr_atan2(way.y, way.x);
    double along_m = tr_vec3_dot(way, shot), left_m = shot.x * way.y - shot.y * way.x;
    double off_rad = fabs(tr_angle_wrap(way_rad - player->heading_rad));
    tr_vec3 v = tr_world_state(tr_stage_world(bout->stage), player->entity)->root_vel;
    double circle_m = 2 * TURN_S * sqrt(v.x * v.x + v.y * v.y);
    if (along_m > GOALWARD_COS * far_m && off_rad < AHEAD_RAD &&
        far_m > circle_m * tr_sin(off_rad)) {
        tr_bout_steer_along(bout, player, way_rad, 0, 1);
        return;
    }
    double aside_m = along_m > 0 ? 0 : left_m > 0 ? -AROUND_M : AROUND_M;
    const tr_intent behind = {
        .wish = {.aim = TR_AIM_POINT,
                 .x = ball.x - shot.x * BEHIND_M - shot.y * aside_m,
                 .y = ball.y - shot.y * BEHIND_M + shot.x * aside_m,
                 .speed_mps = far_m < NEAR_M ? WALK_MPS : tr_bout_parameter(bout, SPEED_MPS)},
        .radius_m = PLACE_M,
        .facing_rad = tr_atan2(shot.y, shot.x),
        .faces = true};
    send_to(bout, player, &behind);
}

static void lead(tr_bout *bout, int team, tr_vec3 ball) {
    double goal_m =
        copysign(tr_bout_parameter(bout, LENGTH_M) / 2, tr_cos(bout->heading_rad[team]));
    tr_vec3 shot = tr_vec3_normalize_or((tr_vec3){goal_m - ball.x, -ball.y, 0}, (tr_vec3){1, 0, 0});
    const tr_contestant *nearest = NULL;
    for (int i = 0; i < bout->contestant_count; i++) {
        const tr_contestant *player = &bout->contestant[i];
        if (player->team == team && !player->fallen &&
            (!nearest ||
             tr_vec3_distance(player->pos, ball) < tr_vec3_distance(nearest->pos, ball)))
            nearest = player;
    }
    for (int i = 0; i < bout->contestant_count; i++) {
        const tr_contestant *player = &bout->contestant[i];
        tr_vec3 place = tr_vec3_add_scaled(player->start, tr_bout_parameter(bout, FOLLOW), ball);
        const tr_intent keep = {.wish = {.aim = TR_AIM_POINT, .x = place.x, .y = place.y},
                                .radius_m = 1};
        if (player == nearest)
            play(bout, player, ball, shot);
        else if (player->team == team)
            send_to(bout, player, &keep);
    }
}

static void prepare(tr_bout *bout, void *state) {
    game *g = state;
    tr_object_state ball;
    double every = tr_bout_parameter(bout, LOOK_S) / bout->match->world.world.step_s;
    if (g->dead)
        tr_bout_place(bout, g->ball, g->spot);
    if (bout->tick % (int64_t)fmax(1, every) != 0 ||
        tr_world_get_object(tr_stage_world(bout->stage), g->ball, &ball))
        return;
    for (int i = 0; i < bout->match->team_count; i++)
        if (!bout->match->team[i].external)
            lead(bout, i, ball.pos);
}

/* --- goals and out --- */

static void judge(tr_bout *bout, void *state) {
    game *g = state;
    tr_object_state ball;
    if (tr_world_get_object(tr_stage_world(bout->stage), g->ball, &ball))
        return;
    double radius_m = tr_bout_parameter(bout, BALL_RADIUS_M);
    double end_m = tr_bout_parameter(bout, LENGTH_M) / 2, x = ball.pos.x;
    double side_m = tr_bout_parameter(bout, WIDTH_M) / 2, y = ball.pos.y;
    bool behind = fabs(x) > end_m + radius_m;
    g->dead = behind || fabs(y) > side_m + radius_m;
    g->spot = (tr_vec3){fmax(-end_m, fmin(x, end_m)), fmax(-side_m, fmin(y, side_m)), radius_m};
    if (behind && fabs(y) < tr_bout_parameter(bout, GOAL_WIDTH_M) / 2 &&
        ball.pos.z < tr_bout_parameter(bout, GOAL_HEIGHT_M)) {
        for (int i = 0; i < bout->match->team_count; i++)
            bout->score[i] += tr_cos(bout->heading_rad[i]) * x > 0;
        g->spot = (tr_vec3){0, 0, radius_m};
    }
}

const tr_rule tr_rule_football = {
    .name = "football",
    .parameter = {{"length_m", 2, 1000, 105},
                  {"width_m", 2, 1000, 68},
                  {"goal_width_m", 0.5, 100, 7.32},
                  {"goal_height_m", 0.5, 100, 2.44},
                  {"ball_radius_m", 0.05, 1, 0.11},
                  {"ball_kg", 0.05, 100, 0.43},
                  {"rolling_m", 0, 1, 0.01},
                  {"speed_mps", 0, 20, 2.5},
                  {"look_s", 0.01, 60, 0.25},
                  {"follow", 0, 1, 0.4}},
    .counts = true,
    .begin = begin,
    .prepare = prepare,
    .judge = judge,
};
