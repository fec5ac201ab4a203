#include "learn/balance/boarder.h"

#include "learn/balance/board_stance.h"
#include "learn/balance/number_parameters.h"

enum { LEFT, DECK = 0 };

/* --- settings --- */

#define AT(field) offsetof(tr_boarder_settings, field)

static const tr_parameter own_row[] = {
    {"gain_set", TR_NAME, AT(gain_set), 0, 0, "b",
     "gain set of toes, and of the stance after a fall"},
    {"step_s", TR_REAL, AT(step_s), 0.0005, 0.02, "0.005", "simulation step"},
    {"knee_rad", TR_REAL, AT(knee_rad), 0.2, 2.2, "1.4",
     "bend of the knees, which sets the height of the hips"},
    {"tilt_rad", TR_REAL, AT(tilt_rad), -0.5, 1, "0.3", "tilt of the trunk, forwards"},
    {"front_m", TR_REAL, AT(front_m), -1, 1, "0.16", "place of the left foot, ahead of the middle"},
    {"rear_m", TR_REAL, AT(rear_m), -1, 1, "-0.28", "place of the right foot, ahead of the middle"},
    {"wheel_radius_m", TR_REAL, AT(board.wheel_radius_m), 0.01, 0.2, "0.028",
     "radius of the wheels"},
    {"wheel_kg", TR_REAL, AT(board.wheel_kg), 0.01, 10, "0.1", "mass of each wheel"},
    {"wheel_damping", TR_REAL, AT(board.wheel_damping), 0, 1, "0.001",
     "damping of each wheel, N m s/rad"},
    {"deck_length_m", TR_REAL, AT(board.deck_length_m), 0.3, 3, "0.8", "length of the board"},
    {"deck_width_m", TR_REAL, AT(board.deck_width_m), 0.1, 0.5, "0.2", "width of the board"},
    {"deck_thickness_m", TR_REAL, AT(board.deck_thickness_m), 0.002, 0.1, "0.02",
     "thickness of the deck"},
    {"deck_kg", TR_REAL, AT(board.deck_kg), 0.1, 50, "2.4", "mass of the deck"},
    {"friction", TR_REAL, AT(board.friction), 0.1, 2, "1", "friction of deck and wheels"},
    {"start_mps", TR_REAL, AT(board.speed_mps), 0, 5, "1", "speed of the board at spawn"},
};

_Static_assert(sizeof own_row / sizeof *own_row + TR_BOARDING_NUMBERS == TR_BOARDER_SETTINGS,
               "a row for each setting");

tr_boarder_settings tr_boarder_settings_default(void) {
    tr_boarder_settings values = {.board = tr_skateboard_default(),
                                  .numbers = tr_boarding_numbers_default()};
    const tr_parameter_table own = {own_row, sizeof own_row / sizeof *own_row};
    tr_parameter_reset(&own, &values);
    return values;
}

tr_parameter_table tr_boarder_settings_table(tr_parameter row[TR_BOARDER_SETTINGS]) {
    tr_number_parameters(&tr_boarding_number_table, AT(numbers), row);
    for (size_t i = 0; i < sizeof own_row / sizeof *own_row; i++)
        row[TR_BOARDING_NUMBERS + i] = own_row[i];
    return (tr_parameter_table){row, TR_BOARDER_SETTINGS};
}

/* --- together --- */

/* The board alone, rolling to the left. */
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
    const tr_board_stance_def wanted = {
        .foot = {{0, settings->front_m, top}, {0, settings->rear_m, top}},
        .centroid_y = tr_ride_board_of(&empty, DECK, LEFT).rear_m + settings->numbers.ride_m,
        .knee_rad = settings->knee_rad,
        .tilt_rad = settings->tilt_rad};
    tr_board_stance posed;
    tr_vec3 middle;
    tr_status status = tr_board_stance_begin(model, &posed, error);
    if (status)
        return status;
    const double off = tr_board_stance_solve(&posed, &wanted, &middle);
    if (!(off < tr_board_stance_near_m))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "knee_rad %g, front_m %g, rear_m %g: the feet miss their places by %.3f m",
                       settings->knee_rad, settings->front_m, settings->rear_m, off);
    tr_state stance = tr_state_at_rest(model, &posed.pose);
    stance.root_vel.y = settings->board.speed_mps;
    tr_rig rig = board_of(settings, middle);
    tr_board_stance_pin(&posed, tr_vec3_add(middle, (tr_vec3){0, settings->rear_m, 0}), &rig);
    const tr_torque_def def = {.support = &tr_torque_board,
                               .stance = &stance,
                               .gain_set = settings->gain_set,
                               .step_s = settings->step_s,
                               .side = LEFT,
                               .numbers = {&settings->numbers},
                               .rig = &rig};
    return tr_torque_controller_create(model, &def, out, error);
}
