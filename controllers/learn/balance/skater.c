#include "learn/balance/skater.h"

#include "learn/balance/board_stance.h"
#include "learn/balance/number_parameters.h"

enum { RIGHT = 1 };

/* --- settings --- */

#define AT(field) offsetof(tr_skater_settings, field)

static const tr_parameter own_row[] = {
    {"gain_set", TR_NAME, AT(gain_set), 0, 0, "b",
     "gain set of toes, and of the stance after a fall"},
    {"step_s", TR_REAL, AT(step_s), 0.0005, 0.02, "0.005", "simulation step"},
    {"knee_rad", TR_REAL, AT(knee_rad), 0.2, 2.2, "1.4",
     "bend of the knees, which sets the height of the hips"},
    {"tilt_rad", TR_REAL, AT(tilt_rad), -0.5, 1, "0.3", "tilt of the trunk, forwards"},
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
    {"truck_spring", TR_REAL, AT(board.truck_spring), 0, 1000, "0",
     "bushing of each truck, N m/rad about its hinge; 0: no trucks, the board does not turn"},
    {"truck_damping", TR_REAL, AT(board.truck_damping), 0, 100, "2", "of the bushing, N m s/rad"},
    {"truck_rad", TR_REAL, AT(board.truck_rad), 0, 1.3, "0.785",
     "tilt of a truck's hinge out of the board's length"},
    {"truck_kg", TR_REAL, AT(board.truck_kg), 0.05, 10, "0.2", "mass of each truck"},
    {"truck_gap_m", TR_REAL, AT(board.truck_gap_m), 0.004, 0.1, "0.02",
     "from wheels to deck, with trucks"},
    {"friction", TR_REAL, AT(board.friction), 0.1, 2, "1", "friction of deck and wheels"},
    {"start_mps", TR_REAL, AT(board.speed_mps), 0, 5, "1", "speed of the board at spawn"},
    {"axle_share", TR_REAL, AT(board.axle_share), 0.1, 1, "0.7",
     "how far from the middle the axles are, as a share of half the deck"},
    {"foot_m", TR_REAL, AT(foot_m), -0.3, 0.3, "0",
     "where the middle of the standing foot is, ahead of the board's"},
};

_Static_assert(sizeof own_row / sizeof *own_row + TR_SKATING_NUMBERS + TR_HOP_NUMBERS ==
                   TR_SKATER_SETTINGS,
               "a row for each setting");

tr_skater_settings tr_skater_settings_default(void) {
    tr_skater_settings values = {.board = tr_skateboard_default(),
                                 .numbers = tr_skating_numbers_default(),
                                 .hop = tr_hop_numbers_default()};
    const tr_parameter_table own = {own_row, sizeof own_row / sizeof *own_row};
    tr_parameter_reset(&own, &values);
    return values;
}

tr_parameter_table tr_skater_settings_table(tr_parameter row[TR_SKATER_SETTINGS]) {
    tr_parameter *at = row;
    at += tr_number_parameters(&tr_skating_number_table, AT(numbers), at);
    memcpy(at, own_row, sizeof own_row);
    at += sizeof own_row / sizeof *own_row;
    tr_number_parameters(&tr_hop_number_table, AT(hop), at);
    return (tr_parameter_table){row, TR_SKATER_SETTINGS};
}

/* --- together --- */

static tr_rig rig_of(const tr_skater_settings *s, const tr_board_stance *stance, tr_vec3 sole) {
    tr_rig rig = {0};
    tr_skateboard_put(&s->board, TR_SKATEBOARD_AHEAD, sole.x - s->foot_m, &rig);
    for (int i = 0; i < rig.object_count; i++)
        rig.object[i].state.pos.y += sole.y;
    tr_board_stance_pin(stance, sole, &rig);
    return rig;
}

tr_status tr_skater_create(const tr_model *model, const tr_skater_settings *settings,
                           tr_controller **out, tr_error *error) {
    const tr_skating_numbers *n = &settings->numbers;
    const tr_board_stance_def wanted = {
        .foot = {{0, n->beside_m, n->lift_m}, {0, 0, tr_skateboard_top(&settings->board)}},
        .knee_rad = settings->knee_rad,
        .tilt_rad = settings->tilt_rad};
    tr_board_stance posed;
    tr_vec3 sole;
    tr_status status = tr_board_stance_begin(model, &posed, error);
    if (status)
        return status;
    const double off = tr_board_stance_solve(&posed, &wanted, &sole);
    if (!(off < tr_board_stance_near_m))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "knee_rad %g, lift_m %g, beside_m %g: the feet miss their places by %.3f m",
                       settings->knee_rad, n->lift_m, n->beside_m, off);
    tr_state stance = tr_state_at_rest(model, &posed.pose);
    stance.root_vel.x = settings->board.speed_mps;
    const tr_rig rig = rig_of(settings, &posed, sole);
    const tr_torque_def def = {.support = &tr_torque_skate,
                               .stance = &stance,
                               .gain_set = settings->gain_set,
                               .step_s = settings->step_s,
                               .side = RIGHT,
                               .numbers = {&settings->numbers, &settings->hop},
                               .rig = &rig};
    return tr_torque_controller_create(model, &def, out, error);
}
