/* Controllers that are made from settings alone, without learning: one row for each command of
 * 'troupe-train balance' that makes one. */
#ifndef TROUPE_TOOLS_MAKER_H
#define TROUPE_TOOLS_MAKER_H

#include "control/controller.h"
#include "learn/balance/ball_walker.h"
#include "learn/balance/boarder.h"
#include "learn/balance/skater.h"

typedef union tr_maker_settings {
    tr_skater_settings skater;
    tr_boarder_settings boarder;
    tr_ball_walker_settings ball_walker;
} tr_maker_settings;

enum { TR_MAKER_ROWS = 80 };

/* method: the run's; command: in full, such as "balance skate"
 * table:   describes the settings; its rows are written to row[TR_MAKER_ROWS]
 * create:  the messages of its errors name the setting */
typedef struct tr_maker {
    const char *method, *command;
    tr_parameter_table (*table)(tr_parameter *row);
    void (*reset)(tr_maker_settings *settings);
    tr_status (*create)(const tr_model *model, const tr_maker_settings *settings,
                        tr_controller **out, tr_error *error);
} tr_maker;

/* The one of that command or method; NULL: none. */
const tr_maker *tr_maker_find(const char *name);

#endif
