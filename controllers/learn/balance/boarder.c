#include "learn/balance/boarder.h"

#include "learn/balance/apparatus.h"
#include "learn/balance/board_stance.h"
#include "learn/method/making.h"
#include "learn/rehearsal/ensemble.h"

enum { LEFT, DECK = 0 };

/* Places of the feet, ahead of the middle of the board: about over its axles. */
static const double FRONT_M = 0.16, REAR_M = -0.28;

/* --- settings --- */

#define AT(field) offsetof(tr_boarder_settings, field)

/* Constants now, where they are used. */
static const char retired[] = "tilt_rad=0.3 front_m=0.16 rear_m=-0.28 deck_thickness_m=0.02 "
                              "gain_set=b step_s=0.005 knee_rad=1.4 " TR_SKATEBOARD_RETIRED;

const tr_parameter_table tr_boarder_settings_table = {
    .retired = retired,
    .inner = {{&tr_skateboard_table, AT(board)}, {&tr_boarding_number_table, AT(numbers)}}};

/* --- together --- */

/* Makes the board alone, rolling to the left. */
static tr_rig board_of(const tr_boarder_settings *s, tr_vec3 middle) {
    tr_rig rig = {0};
    tr_skateboard_put(&s->board, TR_SKATEBOARD_LEFT, middle.x, &rig);
    for (int i = 0; i < rig.object_count; i++)
        rig.object[i].state.pos.y += middle.y;
    return rig;
}

tr_status tr_boarder_create(const tr_model *model, const tr_boarder_settings *settings,
                            tr_controller **out, tr_error *error) {
    const tr_rig empty = board_of(settings, (tr_vec3){0, 0, 0});
    const double top = tr_skateboard_top(&settings->board);
    const tr_board_stance_def wanted = {.foot = {{0, FRONT_M, top}, {0, REAR_M, top}},
                                        .centroid_y = tr_ride_board_of(&empty, DECK, LEFT).rear_m +
                                                      settings->numbers.ride_m};
    tr_board_stance posed;
    tr_vec3 middle;
    tr_status status = tr_board_stance_begin(model, &posed, error);
    if (status)
        return status;
    const double off = tr_board_stance_solve(&posed, &wanted, &middle);
    if (!(off < tr_board_stance_near_m))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "ride_m %g: the feet miss their places by %.3f m", settings->numbers.ride_m,
                       off);
    tr_state stance = tr_state_at_rest(model, &posed.pose);
    stance.root_vel.y = settings->board.speed_mps;
    tr_rig rig = board_of(settings, middle);
    tr_board_stance_pin(&posed, tr_vec3_add(middle, (tr_vec3){0, REAR_M, 0}), &rig);
    const tr_torque_def def = {.support = &tr_torque_board,
                               .stance = &stance,
                               .gain_set = TR_APPARATUS_GAINS,
                               .step_s = TR_LEARN_STEP_S,
                               .side = LEFT,
                               .numbers = {&settings->numbers},
                               .rig = &rig};
    return tr_torque_controller_create(model, &def, out, error);
}

/* --- the method --- */

static tr_status begin(const tr_method_def *def, void *work, tr_error *error) {
    return tr_boarder_create(def->model, def->settings, &((tr_making *)work)->controller, error);
}

const tr_method tr_boarder_method = {
    .name = "board",
    .command = "balance board",
    .summary = "make a controller that rides a skateboard and turns it by kicks",
    .help =
        "It stands on a rolling board with both feet. To reach the heading to which it is "
        "steered,\n"
        "it lifts the nose, turns the board about its rear axle, and sets it down. Each step it\n"
        "computes the torques that keep it over the board. Nothing is learned.\n",
    .example = "--catalogue mine.troupe --name boarder",
    .settings = &tr_boarder_settings_table,
    .begin = begin,
    TR_MAKING,
};
