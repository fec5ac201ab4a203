/* A character in the making: its settings, its skills, and where its work lies. Internal to the
 * command (character.c).
 *
 * All work is in the folder FOLDER/NAME.work, which is the current folder while the command runs: a
 * catalogue NAME.db, motions, connectivity files and checkpoints. */
#pragma once

#include "control/graph/control_graph.h"
#include "learn/plan/parts.h"
#include "math/parameter_table.h"

enum { TR_CHARACTER_SKILL_MAX = 24, TR_CHARACTER_PATH_MAX = 1024, TR_CHARACTER_REASON_MAX = 200 };

/* The first skills, of the base: gaits of the clips begin and end by the gait, all else by the slow one. */
enum { TR_CHARACTER_STAND, TR_CHARACTER_RISE, TR_CHARACTER_GAIT, TR_CHARACTER_SLOW };

/* The file character.task of the folder; lists have commas between their items. */
typedef struct tr_character_settings {
    char effort[TR_PARAMETER_NAME_MAX], base[TR_PARAMETER_NAME_MAX];
    char names[TR_PARAMETER_TEXT_MAX], without[TR_PARAMETER_TEXT_MAX];
    char learn[TR_PARAMETER_TEXT_MAX], graph[TR_PARAMETER_TEXT_MAX];
    char licence[TR_PARAMETER_TEXT_MAX], origin[TR_PARAMETER_TEXT_MAX];
    int steering, walks;
} tr_character_settings;

extern const tr_parameter_table tr_character_settings_table;

/* A skill, and what became of it.
 *   of           its name in the base, "": it is of a clip
 *   clip, part   the file in the folder; the part of it, "": the whole
 *   first, last  frames of a part
 *   hash         of the clip's content
 *   chain, jump  [count] by the other skill: a learned transition, or a jump, leads to it
 *   refused      why the character does not have it; "": it has */
typedef struct tr_character_skill {
    char name[TR_NAME_MAX], of[TR_NAME_MAX], clip[TR_NAME_MAX], part[TR_PLAN_PART_NAME_MAX];
    int first, last;
    uint64_t hash;
    tr_plan_kind kind;
    bool chain[TR_CHARACTER_SKILL_MAX], jump[TR_CHARACTER_SKILL_MAX];
    char refused[TR_CHARACTER_REASON_MAX];
} tr_character_skill;

/* work_min, done_min, kept_min: of all steps as estimated, of those behind, and of those that had
 *   been done before */
typedef struct tr_character_work {
    char name[TR_NAME_MAX], catalogue[TR_NAME_MAX + 4], out[TR_CHARACTER_PATH_MAX];
    const char *bundle;
    int threads;
    tr_character_settings settings;
    tr_character_skill skill[TR_CHARACTER_SKILL_MAX];
    int count;
    double work_min, done_min, kept_min, began_s;
} tr_character_work;

/* Is the skill a walk, a run or a turn? */
bool tr_character_goes(const tr_character_skill *skill);

/* Does the character have the skill, so far? */
bool tr_character_uses(const tr_character_skill *skill);

/* Notes the ways of a graph, which is the base, or of the character: jumps into a cyclic skill, or into the
 * midst of a chain to it, and chains. */
void tr_character_note_ways(tr_character_work *character, const tr_control_graph *graph, bool base);

/* Lists the learned ways into and out of skills of clips, a comma before each; those within the base are
 * trained already. With a limit, "=0.1": those into them, each with it. TR_RESOURCE_EXHAUSTED: they
 * are longer than `out`. */
tr_status tr_character_list_ways(const tr_character_work *character, const char *limit,
                                 char out[static TR_PARAMETER_TEXT_MAX],
                                 tr_error *error) TR_NODISCARD;

/* Is a way from standing to the skill, or back, to be learned, over skills that the character has? Out of what
 * is no gait it is, where only jumps lead: they begin where the skill is late, and a kick took 9 s to end. */
bool tr_character_misses_way(const tr_character_work *character, int skill, bool in);

/* Refuses what cannot be entered and left. Returns whether there was such a skill. */
bool tr_character_refuse_apart(tr_character_work *character);

/* Says in the skill's row why the character does not have it. */
void tr_character_refuse(tr_character_skill *skill, const char *format, ...) TR_PRINTF(2, 3);

/* Imports and plans every clip of the folder "..": the skills are those of the base that the character
 * stands, gets up, starts and stops by, then the parts of each clip, in the order of their names. A clip
 * that cannot be used is a refused skill. TR_NOT_FOUND: the folder has no clip that can be learned. */
tr_status tr_character_survey(tr_character_work *character, tr_error *error) TR_NODISCARD;

/* Makes the served character, by steps of which each does nothing where it is done; skills that cannot
 * be learned or joined are refused. TR_CANCELLED: by Ctrl-C. */
tr_status tr_character_make(tr_character_work *character, tr_error *error) TR_NODISCARD;

/* Refuses a learned skill that falls in more than half of a few trials of 20 s: no way into it or out
 * of it would hold. */
tr_status tr_character_check_hold(const tr_character_work *character, tr_character_skill *skill,
                                  tr_error *error) TR_NODISCARD;

/* Measures what is learned by few trials, and prints a line for each skill. */
tr_status tr_character_print(const tr_character_work *character, tr_error *error) TR_NODISCARD;
