/* Says what a steering target may ask of a driver. */
#include "control/driver/driver.h"

#include "control/driver/skill_words.h"
#include "proto/suggest.h"

#include <stdio.h>
#include <string.h>

tr_driver_reach tr_driver_reach_of(tr_driver driver) {
    tr_driver_reach reach = {0};
    if (driver.kind && driver.kind->reach)
        driver.kind->reach(driver.content, &reach);
    return reach;
}

/* --- skills --- */

static bool performs(tr_driver driver, const char *skill) {
    return skill[0] == 0 || (driver.kind->performs && driver.kind->performs(driver.content, skill));
}

/* The skills that may be asked for; their texts belong to the driver. */
typedef struct requests {
    int count;
    const char *name[TR_DRIVER_SKILL_MAX], *tags[TR_DRIVER_SKILL_MAX];
} requests;

static void list_requests(tr_driver driver, requests *out) {
    tr_driver_sheet sheet = {.kind = driver.kind->name};
    out->count = 0;
    driver.kind->outline(driver.content, 1, &sheet.outline);
    tr_status status = tr_driver_describe_skills(driver, &sheet);
    for (int i = 0; !status && i < sheet.skill_count; i++) {
        const tr_driver_skill *skill = &sheet.skill[i];
        if (!skill->name[0] || !skill->cyclic || !performs(driver, skill->name))
            continue;
        out->name[out->count] = skill->name;
        out->tags[out->count++] = skill->tags;
    }
    tr_driver_sheet_deinit(&sheet);
}

bool tr_driver_find_skill(tr_driver driver, const char *word, char *out) {
    requests all;
    const char *found = performs(driver, word) ? word : NULL;
    if (!found)
        list_requests(driver, &all);
    for (int i = 0; !found && i < all.count; i++)
        found = tr_skill_words_have(all.tags[i], word) ? all.name[i] : NULL;
    if (found && found != out)
        snprintf(out, TR_NAME_MAX, "%s", found);
    return found != NULL;
}

/* --- following --- */

static bool aims(const tr_driver_reach *reach, tr_aim aim) {
    return aim == TR_AIM_NONE || (aim == TR_AIM_HEADING ? reach->heading : reach->place);
}

static bool goes_at(const tr_driver_reach *reach, double speed_mps) {
    bool within = speed_mps >= reach->slowest_mps && speed_mps <= reach->fastest_mps;
    return speed_mps == 0 || (reach->fastest_mps > 0 && (within || !reach->strict));
}

bool tr_driver_follows(tr_driver driver, const tr_steering_target *target) {
    const tr_driver_reach reach = tr_driver_reach_of(driver);
    return performs(driver, target->skill) && aims(&reach, target->aim) &&
           goes_at(&reach, target->speed_mps);
}

/* --- refusing --- */

enum { NEAREST = 3 }; /* names for one that is unknown */

/* A text that grows to its capacity. */
typedef struct text {
    char *out;
    size_t capacity, used;
} text;

static void add(text *t, const char *first, const char *then) {
    int length = snprintf(t->out + t->used, t->capacity - t->used, "%s%s", first, then);
    size_t left = t->capacity - t->used - 1;
    t->used += length < 0 ? 0 : (size_t)length < left ? (size_t)length : left;
}

/* Adds the first `most` of the names. */
static void add_names(const char *const *name, int count, int most, text *t) {
    for (int i = 0; i < count && i < most; i++)
        add(t, i > 0 ? ", " : "", name[i]);
}

static void add_wrong(const tr_driver_reach *reach, const tr_steering_target *target, text *t) {
    char speed[64];
    snprintf(speed, sizeof speed, "does not go at %g m/s", target->speed_mps);
    if (!aims(reach, target->aim))
        add(t, "cannot be steered to ",
            target->aim == TR_AIM_HEADING ? "a heading"
            : target->aim == TR_AIM_POINT ? "a point"
                                          : "a character");
    else
        add(t, reach->fastest_mps > 0 ? speed : "has no speed to choose", "");
}

static void add_part(text *t, const char *part) {
    add(t, t->used > 0 ? ", " : "; it takes ", part);
}

/* Adds what the driver takes, as in "; it takes a heading, a speed of 0.50 to 1.20 m/s"; nothing:
 * no text. */
static void add_possible(const requests *all, const tr_driver_reach *reach, text *t) {
    char speed[64], skills[320] = "a skill: ";
    text names = {skills, sizeof skills, strlen(skills)};
    snprintf(speed, sizeof speed, "a speed of %.2f to %.2f m/s", reach->slowest_mps,
             reach->fastest_mps);
    if (reach->heading)
        add_part(t, reach->place ? "a heading, a point or a character" : "a heading");
    if (reach->fastest_mps > 0)
        add_part(t, speed);
    add_names(all->name, all->count, all->count, &names);
    if (all->count > 0)
        add_part(t, skills);
}

void tr_driver_explain_refusal(tr_driver driver, const tr_steering_target *target, char *out,
                               size_t capacity) {
    const tr_driver_reach reach = tr_driver_reach_of(driver);
    char takes[TR_ERROR_MESSAGE_MAX] = "";
    text possible = {takes, sizeof takes, 0}, t = {out, capacity, 0};
    requests all;
    out[0] = '\0';
    list_requests(driver, &all);
    add_possible(&all, &reach, &possible);
    if (possible.used == 0) {
        add(&t, "cannot be steered", "");
    } else if (!performs(driver, target->skill)) {
        add(&t, "has no skill '", target->skill);
        add(&t, "' to ask for", all.count > 1 ? "; the nearest are " : "");
        tr_suggest_order(target->skill, all.name, all.count);
        add_names(all.name, all.count > 1 ? all.count : 0, NEAREST, &t);
        add(&t, takes, "");
    } else {
        add_wrong(&reach, target, &t);
        add(&t, takes, "");
    }
}
