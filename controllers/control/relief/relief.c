#include "control/relief/relief.h"

#include "control/above_ground.h"
#include "control/driver_holder.h"
#include "control/reference_state.h"
#include "math/hash.h"

#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "relief";

static tr_bank *bank_of(tr_driver driver) {
    return driver.kind->bank(driver.content);
}

/* --- one bank for both --- */

/* Moves the fragments of a driver into the common bank, from `at` on. */
static void move_fragments(tr_driver driver, int bodies, int at, tr_bank *out) {
    tr_bank *bank = bank_of(driver), own = *bank;
    tr_bank_copy_fragments(own.fragment, own.fragment_count, bodies, out->fragment + at);
    bank->fragment = out->fragment + at;
    tr_bank_deinit(&own);
}

static tr_status join_banks(tr_relief *relief) {
    const tr_bank *a = bank_of(relief->both.first), *b = bank_of(relief->both.second);
    const int longest[] = {tr_fragment_longest(a->fragment, a->fragment_count),
                           tr_fragment_longest(b->fragment, b->fragment_count)};
    const int count = a->fragment_count, bodies = relief->both.bodies;
    tr_bank joined;
    tr_status status =
        tr_bank_init(&joined, count + b->fragment_count, longest[longest[0] < longest[1]], bodies);
    if (status)
        return status;
    tr_bank_copy_setting(a, &joined);
    joined.cyclic = a->cyclic;
    joined.mirrored = a->mirrored;
    move_fragments(relief->both.first, bodies, 0, &joined);
    move_fragments(relief->both.second, bodies, count, &joined);
    relief->bank = joined;
    return TR_OK;
}

/* Drivers whose fragments are in the common bank no longer have any to free. */
static void part_from_bank(const tr_relief *relief) {
    for (int i = 0; i < 2; i++) {
        tr_bank *bank = bank_of(tr_driver_couple_held(relief, i));
        bank->fragment = NULL;
        bank->fragment_count = 0;
    }
}

static void destroy(void *content) {
    tr_relief *relief = content;
    if (!relief)
        return;
    if (relief->bank.fragment)
        part_from_bank(relief);
    tr_driver_couple_destroy_held(&relief->both);
    tr_bank_deinit(&relief->bank);
    free(relief);
}

/* --- content --- */

static bool same_action(const tr_bank *a, const tr_bank *b) {
    return memcmp(&a->action, &b->action, sizeof a->action) == 0;
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_relief *relief = content;
    if (!same_action(bank_of(relief->both.first), bank_of(relief->both.second)))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: action: expected feedback on the same joints in both drivers");
    return tr_driver_couple_check(&relief->both, SECTION, setting, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_relief *relief = content;
    const uint64_t home = (uint64_t)relief->home;
    return tr_hash_add(tr_driver_couple_hash(&relief->both, setting), &home, sizeof home);
}

/* One that holds another leaves no entries to choose from; two of a kind would share their
 * sections. */
static bool go_together(const tr_driver_kind *first, const tr_driver_kind *second) {
    return first && second && first != second && !first->held && !second->held && first->bank &&
           second->bank;
}

/* The skill to go to, by its index or, where that is negative, by its name. */
static tr_status find_home(const tr_driver_sheet *sheet, const char *name, tr_relief *relief,
                           tr_error *error) {
    int i = relief->home < 0 ? 0 : relief->home;
    while (relief->home < 0 && i < sheet->skill_count && strcmp(sheet->skill[i].name, name) != 0)
        i++;
    if (i >= sheet->skill_count || !sheet->skill[i].cyclic || !sheet->skill[i].name[0])
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: home '%s': expected a skill of the second driver that repeats",
                       name);
    relief->home = i;
    relief->home_name = sheet->skill[i].name;
    return TR_OK;
}

static void find_initial(tr_relief *relief) {
    tr_driver_parameter parameter[TR_DRIVER_PARAMETER_MAX];
    const int count = tr_driver_parameters(relief->both.second, parameter);
    double *value = relief->initial;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < parameter[i].count; k++)
            *value++ = parameter[i].initial;
}

/* Finds what both drivers say of themselves, and joins their banks. */
static tr_status complete(tr_relief *relief, const char *home, const tr_driver_setting *setting,
                          tr_error *error) {
    tr_driver_sheet first = {0}, second = {0};
    tr_status status = check(relief, setting, error);
    if (!status)
        status = tr_driver_describe(relief->both.first, setting->step_s, &first);
    if (!status)
        status = tr_driver_describe(relief->both.second, setting->step_s, &second);
    if (!status)
        status = find_home(&second, home, relief, error);
    relief->both.entries = first.outline.entry_count;
    relief->both.skills = first.skill_count;
    tr_driver_sheet_deinit(&second);
    tr_driver_sheet_deinit(&first);
    if (status)
        return status;
    find_initial(relief);
    return join_banks(relief);
}

static tr_status mirror_both(const tr_relief *relief, const tr_driver_setting *setting,
                             tr_relief *image) {
    tr_status status = tr_driver_couple_mirror(&relief->both, setting, &image->both);
    if (status)
        return status;
    const tr_state spawn = tr_state_mirror(setting->model, setting->spawn);
    tr_driver_setting own = *setting;
    own.spawn = &spawn;
    return complete(image, "", &own, NULL);
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_relief *relief = content;
    tr_relief *image = calloc(1, sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    image->home = relief->home;
    tr_status status = mirror_both(relief, setting, image);
    if (status)
        destroy(image);
    else
        *out = image;
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_relief *relief = content;
    const tr_driver_couple *both = &relief->both;
    const tr_bank *second = bank_of(both->second);
    tr_section_writer writer = tr_section_begin(out, SECTION);
    tr_section_put_text(&writer, tr_driver_kind_name(both->first));
    tr_section_put_text(&writer, tr_driver_kind_name(both->second));
    tr_section_put_int(&writer, bank_of(both->first)->fragment_count);
    tr_section_put_text(&writer, second->gain_set);
    tr_section_put_int(&writer, second->cyclic);
    tr_section_put_int(&writer, second->mirrored);
    tr_section_put_int(&writer, relief->home);
    tr_section_put_int(&writer, both->bodies);
    tr_reference_put(&writer, &both->stance, both->bodies);
    tr_status status = tr_section_end(&writer, error);
    if (!status)
        status = tr_driver_couple_save_held(both, out, error);
    out->bank = &relief->bank;
    return status;
}

/* What the section holds.
 *   of: the banks of both, parts of the stored one */
typedef struct stored {
    const tr_driver_kind *kind[2];
    tr_bank of[2];
} stored;

static tr_status read_section(const tr_sections *in, tr_relief *relief, stored *out,
                              tr_error *error) {
    char name[2][TR_NAME_MAX];
    tr_section_reader reader = tr_section_open(in, SECTION);
    if (!in->bank)
        return tr_fail(error, TR_DATA_LOSS, "fragments: missing");
    for (int i = 0; i < 2; i++)
        tr_section_get_text(&reader, name[i], sizeof name[i]);
    out->of[0] = out->of[1] = *in->bank;
    const int count = (int)tr_section_get_int(&reader, 1, in->bank->fragment_count - 1);
    out->of[0].fragment_count = count;
    out->of[1].fragment_count -= count;
    out->of[1].fragment += count;
    tr_section_get_text(&reader, out->of[1].gain_set, sizeof out->of[1].gain_set);
    out->of[1].cyclic = tr_section_get_bool(&reader);
    out->of[1].mirrored = tr_section_get_bool(&reader);
    relief->home = (int)tr_section_get_int(&reader, 0, TR_DRIVER_SKILL_MAX - 1);
    relief->both.bodies = (int)tr_section_get_int(&reader, 1, TR_BODY_MAX);
    tr_reference_get(&reader, relief->both.bodies, &relief->both.stance);
    for (int i = 0; i < 2; i++)
        out->kind[i] = tr_driver_find_kind(name[i]);
    tr_status status = tr_section_close(&reader, error);
    if (!status && !go_together(out->kind[0], out->kind[1]))
        status = tr_fail(error, TR_DATA_LOSS, "relief: no driver kinds '%s' and '%s' that fit",
                         name[0], name[1]);
    return status;
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_relief *relief = calloc(1, sizeof *relief);
    stored from;
    if (!relief)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "relief: no memory");
    tr_status status = read_section(in, relief, &from, error);
    const tr_bank *const bank_of_each[] = {&from.of[0], &from.of[1]};
    if (!status)
        status =
            tr_driver_couple_load_held(in, setting, from.kind, bank_of_each, &relief->both, error);
    if (!status)
        status = complete(relief, "", setting, error);
    if (status)
        destroy(relief);
    else
        *out = relief;
    return status;
}

static tr_bank *bank(void *content) {
    return &((tr_relief *)content)->bank;
}

/* --- state --- */

static void begin(const tr_relief *relief, void *state, int index, int entry_index, bool mirrored) {
    const tr_driver of = tr_driver_couple_held(relief, index);
    void *own = tr_driver_couple_state_of(&relief->both, state, index);
    memset(own, 0, tr_driver_state_size(of));
    of.kind->enter(of.content, own, entry_index, mirrored);
}

/* The driver that is not at work has a state too, which fits. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_relief *relief = content;
    const tr_driver first = relief->both.first;
    void *own = tr_driver_couple_state_of(&relief->both, state, 0);
    tr_driver_couple_state *s = state;
    const int entries = relief->both.entries;
    const bool second = entry_index >= entries;
    if (second)
        begin(relief, state, 0, 0, false);
    else if (s->second)
        memset(own, 0, tr_driver_state_size(first));
    if (!second)
        first.kind->enter(first.content, own, entry_index, mirrored);
    begin(relief, state, 1, second ? entry_index - entries : 0, second && mirrored);
    s->second = second;
}

/* --- driving --- */

/* Has the second driver done an entry of its home? */
static bool is_home(const tr_relief *relief, const void *state) {
    const tr_driver second = relief->both.second;
    tr_doing doing;
    second.kind->look(second.content, tr_driver_couple_state_of(&relief->both, state, 1), &doing);
    return doing.between && doing.skill == relief->home && doing.entries_done > 0;
}

static void take_over(const tr_relief *relief, const tr_sight *sight, void *state) {
    const tr_state here = tr_state_above_ground(sight->state, &sight->ground);
    int at;
    bool mirrored;
    tr_driver_couple_nearest(relief, sight->model, &here, &at, &mirrored);
    enter(relief, state, at, mirrored);
}

static tr_status go_home(const tr_relief *relief, void *state, const tr_sight *sight,
                         tr_drive *out) {
    tr_steering_target target = {.aim = TR_AIM_NONE};
    tr_sight own = *sight;
    memcpy(target.skill, relief->home_name, strlen(relief->home_name));
    own.target = &target;
    own.parameter = relief->initial;
    const tr_driver second = relief->both.second;
    tr_status status = second.kind->drive(
        second.content, tr_driver_couple_state_of(&relief->both, state, 1), &own, out);
    out->entry += relief->both.entries;
    return status;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_relief *relief = content;
    const tr_driver_couple_state *s = state;
    const tr_driver first = relief->both.first;
    if (s->second && is_home(relief, state))
        take_over(relief, sight, state);
    if (s->second)
        return go_home(relief, state, sight, out);
    return first.kind->drive(first.content, tr_driver_couple_state_of(&relief->both, state, 0),
                             sight, out);
}

const tr_driver_kind tr_relief_kind = {.name = SECTION,
                                       .check = check,
                                       .hash = hash,
                                       .mirror = mirror,
                                       .destroy = destroy,
                                       .save = save,
                                       .load = load,
                                       .outline = tr_driver_couple_outline,
                                       .entry = tr_driver_couple_entry,
                                       .parameters = tr_driver_holder_parameters,
                                       .describe = tr_driver_couple_describe,
                                       .bank = bank,
                                       .held = tr_driver_couple_held,
                                       .state_size = sizeof(tr_driver_couple_state),
                                       .field = tr_driver_couple_field,
                                       .field_count = TR_DRIVER_COUPLE_FIELDS,
                                       .fits = tr_driver_couple_fits,
                                       .enter = enter,
                                       .nearest = tr_driver_couple_nearest,
                                       .look = tr_driver_couple_look,
                                       .reach = tr_driver_holder_reach,
                                       .performs = tr_driver_holder_performs,
                                       .drive = drive};

/* --- making --- */

static tr_status fill(tr_relief *relief, const tr_controller *controller,
                      const tr_controller *beside, const tr_model *model, tr_error *error) {
    tr_driver_couple *both = &relief->both;
    relief->home = -1;
    both->stance = beside->spawn;
    both->bodies = model->body_count;
    tr_status status = tr_driver_couple_copy(SECTION, controller, model, &both->first, error);
    return status ? status : tr_driver_couple_copy(SECTION, beside, model, &both->second, error);
}

static tr_status check_both(const tr_controller *controller, const tr_controller *beside,
                            tr_error *error) {
    if (!go_together(controller->driver.kind, beside->driver.kind))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: '%s' and '%s': expected two kinds with fragments, neither of which "
                       "holds another driver",
                       tr_driver_kind_name(controller->driver),
                       tr_driver_kind_name(beside->driver));
    return tr_driver_couple_check_controllers(SECTION, controller, beside, error);
}

tr_status tr_relief_add(tr_controller *controller, const tr_controller *beside, const char *home,
                        const tr_model *model, tr_error *error) {
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    tr_status status = check_both(controller, beside, error);
    if (status)
        return status;
    tr_relief *relief = calloc(1, sizeof *relief);
    if (!relief)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "relief: no memory");
    status = fill(relief, controller, beside, model, error);
    if (!status)
        status = complete(relief, home, &setting, error);
    if (status) {
        destroy(relief);
        return status;
    }
    controller->driver.kind->destroy(controller->driver.content);
    controller->driver = (tr_driver){&tr_relief_kind, relief};
    return TR_OK;
}
