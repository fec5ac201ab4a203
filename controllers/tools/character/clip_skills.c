#include "learn/rehearsal/names.h"
#include "model/mjcf.h"
#include "tools/character/character.h"
#include "tools/learn/lesson.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLIP_MAX = 256, NAME_BYTES_MAX = 24 };

bool tr_character_goes(const tr_character_skill *skill) {
    return skill->kind <= TR_PLAN_TURN;
}

void tr_character_refuse(tr_character_skill *skill, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(skill->refused, sizeof skill->refused, format, values);
    va_end(values);
}

/* --- names --- */

/* The name that a list FROM=TO,... gives; otherwise its own. */
static void rename_by(const char *list, char name[static TR_NAME_MAX]) {
    char pair[TR_NAME_MAX];
    const size_t length = strlen(name);
    while (tr_names_next(&list, pair))
        if (strncmp(pair, name, length) == 0 && pair[length] == '=') {
            snprintf(name, TR_NAME_MAX, "%.*s", TR_NAME_MAX - 1, pair + length + 1);
            return;
        }
}

/* Of the file without its extension, and the part; blanks and signs of lists become hyphens. */
static void name_skill(const tr_character_work *c, tr_character_skill *skill) {
    char name[TR_NAME_MAX];
    const size_t length = strcspn(skill->clip, ".");
    snprintf(name, sizeof name, "%.*s%s%s", (int)(length < 30 ? length : 30), skill->clip,
             skill->part[0] ? "-" : "", skill->part);
    for (char *at = name; *at; at++)
        if (strchr(" ,=\t#[]*?", *at))
            *at = '-';
    rename_by(c->settings.names, name);
    memcpy(skill->name, name, sizeof name);
}

static void check_name(const tr_character_work *c, tr_character_skill *skill) {
    if (tr_names_have(c->settings.without, skill->name))
        tr_character_refuse(skill, "left out by the file character.task");
    if (strlen(skill->name) > NAME_BYTES_MAX)
        tr_character_refuse(skill, "names have at most %d bytes: give it one by 'names'",
                            NAME_BYTES_MAX);
    for (const tr_character_skill *other = c->skill; other < skill; other++)
        if (strcmp(other->name, skill->name) == 0)
            tr_character_refuse(skill, "another skill has its name: give it one by 'names'");
}

/* --- clips --- */

static int is_clip(const struct dirent *entry) {
    static const char *const other[] = {".asf", ".task", ".troupe", ".md", ".csv", ".work", NULL};
    const char *dot = strrchr(entry->d_name, '.');
    bool is = entry->d_type != DT_DIR && dot && dot != entry->d_name;
    for (int i = 0; is && other[i]; i++)
        is = strcmp(dot, other[i]) != 0;
    return is;
}

static tr_character_skill *add(tr_character_work *c, const char *clip) {
    if (c->count == TR_CHARACTER_SKILL_MAX)
        return NULL;
    tr_character_skill *skill = &c->skill[c->count++];
    *skill = (tr_character_skill){0};
    snprintf(skill->clip, sizeof skill->clip, "%.*s", TR_NAME_MAX - 1, clip);
    return skill;
}

static void take_plan(const tr_plan *plan, tr_character_skill *skill) {
    skill->kind = plan->kind;
    if (plan->kind == TR_PLAN_CHAIN)
        tr_character_refuse(skill, plan->begins_lying
                                       ? "a get-up: the character gets up as the base does"
                                       : "it ends standing and is not repeated: not joined");
}

static tr_status add_clip(tr_character_work *c, const char *file, const tr_model *model,
                          tr_error *error) {
    tr_lesson_options options = {.import = tr_import_default(), .effort = c->settings.effort};
    char path[TR_NAME_MAX + 3];
    snprintf(path, sizeof path, "../%.*s", TR_NAME_MAX - 1, file);
    const tr_lesson_def def = {.options = &options, .source = path, .name = file, .model = model};
    tr_plan_part *part = calloc(TR_PLAN_PART_MAX, sizeof *part);
    uint64_t hash = 0;
    int count = 0;
    tr_error why = {0};
    if (!part)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", file);
    tr_status status = tr_lesson_survey(&def, part, &count, &hash, &why);
    for (int i = 0; i < (status ? 1 : count); i++) {
        tr_character_skill *skill = add(c, file);
        if (!skill) {
            fprintf(stderr, "%s: left out: a character has at most %d skills\n", file,
                    TR_CHARACTER_SKILL_MAX);
            break;
        }
        skill->hash = hash;
        skill->first = part[i].first;
        skill->last = part[i].last;
        memcpy(skill->part, part[i].name, sizeof skill->part);
        name_skill(c, skill);
        take_plan(&part[i].plan, skill);
        if (status)
            tr_character_refuse(skill, "%.*s", TR_CHARACTER_REASON_MAX - 1, why.message);
        check_name(c, skill);
    }
    free(part);
    return TR_OK;
}

static tr_status add_clips(tr_character_work *c, const tr_model *model, tr_error *error) {
    struct dirent **file = NULL;
    int count = scandir("..", &file, is_clip, alphasort);
    tr_status status =
        count < 0 ? tr_fail(error, TR_NOT_FOUND, "the folder cannot be read") : TR_OK;
    for (int i = 0; i < count; i++) {
        if (!status && strlen(file[i]->d_name) >= TR_NAME_MAX)
            fprintf(stderr, "%s: left out: names of files have at most %d bytes\n", file[i]->d_name,
                    TR_NAME_MAX - 1);
        else if (!status)
            status = add_clip(c, file[i]->d_name, model, error);
        free(file[i]);
    }
    free(file);
    return status;
}

/* --- all --- */

/* Gaits of the base leave their own names to those of the clips. */
static void add_base(tr_character_work *c) {
    static const tr_character_skill base[] = {
        [TR_CHARACTER_STAND] = {.name = "stand", .of = "stand", .kind = TR_PLAN_LOOP},
        [TR_CHARACTER_RISE] = {.name = "rise-prone", .of = "rise-prone", .kind = TR_PLAN_CHAIN},
        [TR_CHARACTER_GAIT] = {.name = "base-walk", .of = "walk"},
        [TR_CHARACTER_SLOW] = {.name = "base-walk-slow", .of = "walk-slow"},
        {.name = "base-run", .of = "run"}};
    c->count = sizeof base / sizeof *base;
    memcpy(c->skill, base, sizeof base);
}

tr_status tr_character_survey(tr_character_work *c, tr_error *error) {
    tr_model *model = NULL;
    tr_status status = tr_mjcf_load(TR_MODEL_DIR "/athlete.xml", &model, error);
    if (status)
        return status;
    add_base(c);
    status = add_clips(c, model, error);
    tr_model_destroy(model);
    bool any = false;
    for (int i = 0; i < c->count; i++)
        any |= c->skill[i].clip[0] && !c->skill[i].refused[0];
    if (!status && !any)
        status = tr_fail(error, TR_NOT_FOUND, "no clip of the folder can be learned");
    return status;
}
