/* Learned controllers under measurement, out of a bundle. */
#pragma once

#include "control/driver/controller.h"

/* The shipped controllers of single skills, which most tables have a row for each of. */
enum { TR_BENCH_SKILLS = 15 };
extern char *const tr_bench_skill[TR_BENCH_SKILLS];

/* Reads a controller and its model from a bundle; both are the caller's. False: not there, the
 * reason is on stderr. */
bool tr_bench_load_controller(const char *bundle, const char *name, tr_model **out_model,
                              tr_controller **out_controller);

/* The text of its model, for the caller to free. NULL: not there, the reason is on stderr. */
char *tr_bench_load_mjcf(const char *bundle, const char *name);
