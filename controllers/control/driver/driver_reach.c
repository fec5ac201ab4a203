/* Says what a steering target may ask of a driver. */
#include "control/driver/driver.h"

#include <stdio.h>
#include <string.h>

tr_driver_reach tr_driver_reach_of(tr_driver driver) {
    tr_driver_reach reach = {0};
    if (driver.kind && driver.kind->reach)
        driver.kind->reach(driver.content, &reach);
    return reach;
}

/* --- following --- */

static bool performs(tr_driver driver, const char *skill) {
    return skill[0] == 0 || (driver.kind->performs && driver.kind->performs(driver.content, skill));
}

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

/* Adds the names of the skills that may be asked for; returns how many there are. */
static int add_skills(tr_driver driver, text *t) {
    tr_driver_sheet sheet = {.kind = driver.kind->name};
    int count = 0;
    driver.kind->outline(driver.content, 1, &sheet.outline);
    tr_status status = tr_driver_describe_skills(driver, &sheet);
    for (int i = 0; !status && i < sheet.skill_count; i++) {
        const tr_driver_skill *skill = &sheet.skill[i];
        if (skill->name[0] && skill->cyclic && performs(driver, skill->name))
            add(t, count++ > 0 ? ", " : "", skill->name);
    }
    tr_driver_sheet_deinit(&sheet);
    return count;
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
static void add_possible(tr_driver driver, const tr_driver_reach *reach, text *t) {
    char speed[64], skills[320] = "a skill: ";
    text names = {skills, sizeof skills, strlen(skills)};
    snprintf(speed, sizeof speed, "a speed of %.2f to %.2f m/s", reach->slowest_mps,
             reach->fastest_mps);
    if (reach->heading)
        add_part(t, reach->place ? "a heading, a point or a character" : "a heading");
    if (reach->fastest_mps > 0)
        add_part(t, speed);
    if (add_skills(driver, &names) > 0)
        add_part(t, skills);
}

void tr_driver_explain_refusal(tr_driver driver, const tr_steering_target *target, char *out,
                               size_t capacity) {
    const tr_driver_reach reach = tr_driver_reach_of(driver);
    char takes[TR_ERROR_MESSAGE_MAX] = "";
    text possible = {takes, sizeof takes, 0}, t = {out, capacity, 0};
    out[0] = '\0';
    add_possible(driver, &reach, &possible);
    if (possible.used == 0) {
        add(&t, "cannot be steered", "");
    } else if (!performs(driver, target->skill)) {
        add(&t, "has no skill '", target->skill);
        add(&t, "' to ask for", takes);
    } else {
        add_wrong(&reach, target, &t);
        add(&t, takes, "");
    }
}
