#include "tools/balance/maker.h"

#include <string.h>

_Static_assert((int)TR_MAKER_ROWS >= (int)TR_SKATER_SETTINGS &&
                   (int)TR_MAKER_ROWS >= (int)TR_BOARDER_SETTINGS &&
                   (int)TR_MAKER_ROWS >= (int)TR_BALL_WALKER_SETTINGS,
               "room for the rows of each");

static void reset_skater(tr_maker_settings *settings) {
    settings->skater = tr_skater_settings_default();
}

static tr_status create_skater(const tr_model *model, const tr_maker_settings *settings,
                               tr_controller **out, tr_error *error) {
    return tr_skater_create(model, &settings->skater, out, error);
}

static void reset_boarder(tr_maker_settings *settings) {
    settings->boarder = tr_boarder_settings_default();
}

static tr_status create_boarder(const tr_model *model, const tr_maker_settings *settings,
                                tr_controller **out, tr_error *error) {
    return tr_boarder_create(model, &settings->boarder, out, error);
}

static void reset_ball_walker(tr_maker_settings *settings) {
    settings->ball_walker = tr_ball_walker_settings_default();
}

static tr_status create_ball_walker(const tr_model *model, const tr_maker_settings *settings,
                                    tr_controller **out, tr_error *error) {
    return tr_ball_walker_create(model, &settings->ball_walker, out, error);
}

static const tr_maker makers[] = {
    {"skate", "balance skate", tr_skater_settings_table, reset_skater, create_skater},
    {"board", "balance board", tr_boarder_settings_table, reset_boarder, create_boarder},
    {"ball-walk", "balance walk", tr_ball_walker_settings_table, reset_ball_walker,
     create_ball_walker},
};

const tr_maker *tr_maker_find(const char *name) {
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (strcmp(name, makers[i].command) == 0 || strcmp(name, makers[i].method) == 0)
            return &makers[i];
    return NULL;
}
