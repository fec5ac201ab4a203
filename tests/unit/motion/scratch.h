/* Files and motions that the tests of motion make for themselves. */
#pragma once

#include "motion/poses/motion.h"

#include <stddef.h>

#define SAMPLE(name) TR_SOURCE_DIR "/tests/data/motion/" name

/* The whole of a sample; ends the test when it cannot be read. To be freed. */
char *scratch_read(const char *path, size_t *out_size);

/* Path of a file with this ending (".bvh") in the test's folder, which is removed at its end. */
const char *scratch_path(const char *ending);

/* Writes such a file and returns its path. */
const char *scratch_write(const char *ending, const char *text, size_t size);

/* `text` with the first `from` replaced by `to`; fails the test without a `from`. To be freed. */
char *scratch_replace(const char *text, const char *from, const char *to);

/* Fails the test unless the message says `expected` and begins with the file and a place in it, as "clip.bvh:3:". */
void scratch_told(const tr_error *error, const char *path, const char *expected);

/* Fails the test unless the two differ by at most `tolerance`. */
void scratch_near(double value, double expected, double tolerance);

/* The shipped model. */
tr_model *scratch_model(const char *file);

/* A march: knees lifted in turn, arms swinging, at speed_mps along x, one period long. With `n`
 * frames of dt_s and a last frame that is the first of the next cycle (n + 1 in all). Exactly
 * symmetric. */
tr_motion *scratch_march(const tr_model *model, int n, double dt_s, double speed_mps);

/* Splits a line of CSV at its commas, but not within quotes; cuts `line` up. Returns how many columns it
 * has; those that it lacks are empty. */
enum { SCRATCH_COLUMN_COUNT = 16 };
int scratch_columns(char *line, char *columns[SCRATCH_COLUMN_COUNT]);
