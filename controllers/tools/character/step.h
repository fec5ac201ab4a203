/* A step of the making: words for a command of this program.
 *
 * Its key is the hash of the words and of what they read: controllers of the catalogue, a clip, a
 * connectivity file. A step that is done leaves the file SUBJECT.COMMAND.KEY.done, and one in progress
 * its checkpoint, likewise named. A step with another key forgets the earlier result, with all that was
 * made of it. */
#pragma once

#include "db/tables/controllers.h"
#include "tools/character/character.h"
#include "tools/frame/tool.h"

enum { TR_STEP_WORD_MAX = 128, TR_STEP_TEXT_MAX = 8192 };

/* subject: the controller that the step makes, or only changes; minutes: as estimated */
typedef struct tr_work_step {
    char subject[TR_NAME_MAX];
    bool makes;
    double minutes;
    uint64_t key;
    int count;
    char *word[TR_STEP_WORD_MAX];
    size_t used;
    bool too_long; /* some words had no room */
    char text[TR_STEP_TEXT_MAX];
} tr_work_step;

/* A step without words. makes: it makes the controller of that name, and otherwise changes or
 * measures it. */
void tr_work_step_begin(tr_work_step *step, double minutes, const char *subject, bool makes);

/* Adds words, with blanks between; tr_work_step_add: one word, which may hold blanks;
 * tr_work_step_set: "--set NAME=VALUE" for each pair of a list. */
void tr_work_step_words(tr_work_step *step, const char *format, ...) TR_PRINTF(2, 3);
void tr_work_step_add(tr_work_step *step, const char *word);
void tr_work_step_set(tr_work_step *step, const char *list);

/* Adds to the key what no word tells. */
void tr_work_step_reads(tr_work_step *step, const void *data, size_t size);

/* A controller of the catalogue. TR_NOT_FOUND: it is not there yet. */
tr_status tr_character_find(const tr_character_work *character, const char *name,
                            tr_controller_row *out, tr_error *error) TR_NODISCARD;

/* Does the command, or where it is NULL that of the method which the words name, unless it is done.
 * TR_CANCELLED: by Ctrl-C. TR_ABORTED: it failed, which it has printed. */
tr_status tr_work_step_do(tr_character_work *character, const tr_tool_command *command,
                          tr_work_step *step, tr_error *error) TR_NODISCARD;
