/* A step of the making: words for a command of this program, and a controller as its result.
 *
 * A step is done if the catalogue has the result, its record has the same command, and no checkpoint
 * of it is left. The name of the checkpoint holds a key, the hash of the command and of what it reads,
 * so that the command of the record tells both. A result of other words or inputs is forgotten first,
 * with all that was made of it. */
#ifndef TROUPE_TOOLS_CHARACTER_STEP_H
#define TROUPE_TOOLS_CHARACTER_STEP_H

#include "db/tables/controllers.h"
#include "tools/character/character_state.h"
#include "tools/frame/tool.h"

enum { TR_STEP_WORD_MAX = 128, TR_STEP_TEXT_MAX = 8192 };

/* result: the controller; key: of the inputs so far; minutes: as estimated */
typedef struct tr_work_step {
    char result[TR_NAME_MAX];
    double minutes;
    uint64_t key;
    int count;
    char *word[TR_STEP_WORD_MAX];
    size_t used;
    char text[TR_STEP_TEXT_MAX];
} tr_work_step;

void tr_work_step_begin(tr_work_step *step, double minutes, const char *result, const char *format,
                        ...) TR_PRINTF(4, 5);

/* Adds words, with blanks between; tr_work_step_add: one word, which may hold blanks. */
void tr_work_step_words(tr_work_step *step, const char *format, ...) TR_PRINTF(2, 3);
void tr_work_step_add(tr_work_step *step, const char *word);

/* Adds "--set NAME=VALUE" for each pair of a list. */
void tr_work_step_set(tr_work_step *step, const char *list);

/* A controller of the catalogue. TR_NOT_FOUND: it is not there yet. */
tr_status tr_character_find(const tr_character_work *character, const char *name,
                            tr_controller_row *out, tr_error *error) TR_NODISCARD;

/* Adds to the key. A controller: by its digest in the catalogue. */
void tr_work_step_reads(tr_work_step *step, const void *data, size_t size);
tr_status tr_work_step_reads_controller(const tr_character_work *character, tr_work_step *step,
                                        const char *name, tr_error *error) TR_NODISCARD;

/* Does the command of a method, unless it is done. TR_CANCELLED: by Ctrl-C. TR_ABORTED: it failed,
 * which it has printed. */
tr_status tr_work_step_learn(tr_character_work *character, tr_work_step *step,
                             tr_error *error) TR_NODISCARD;

/* Does another command, unless `done`. */
tr_status tr_work_step_do(tr_character_work *character, const tr_tool_command *command,
                          tr_work_step *step, bool done, tr_error *error) TR_NODISCARD;

#endif
