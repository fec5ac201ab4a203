#include "control/couple/couple_content.h"

#include "control/fields/reference_state.h"
#include "math/hash.h"

#include <stdlib.h>
#include <string.h>

const char *const tr_couple_name[TR_COUPLE_RULES] = {
    [TR_COUPLE_PAIR] = "pair",
    [TR_COUPLE_RELIEF] = "relief",
};

/* Scope of the second driver's sections, if they have the names of the first one's. */
static const char SCOPE[] = "second";

tr_driver tr_couple_held(const void *content, int index) {
    const tr_couple *couple = content;
    const tr_driver none = {0};
    return index == 0 ? couple->first : index == 1 ? couple->second : none;
}

static tr_bank *bank_of(tr_driver driver) {
    return driver.kind->bank(driver.content);
}

static bool is_relief(const tr_couple *couple) {
    return couple->rule == TR_COUPLE_RELIEF;
}

/* --- one bank for both --- */

/* Moves the fragments of a driver into the common bank, from `at` on. */
static void move_fragments(tr_driver driver, int bodies, int at, tr_bank *out) {
    tr_bank *bank = bank_of(driver), own = *bank;
    tr_bank_copy_fragments(own.fragment, own.fragment_count, bodies, out->fragment + at);
    bank->fragment = out->fragment + at;
    tr_bank_deinit(&own);
}

static tr_status join_banks(tr_couple *couple) {
    const tr_bank *a = bank_of(couple->first), *b = bank_of(couple->second);
    const int longest[] = {tr_fragment_longest(a->fragment, a->fragment_count),
                           tr_fragment_longest(b->fragment, b->fragment_count)};
    const int count = a->fragment_count, bodies = couple->bodies;
    tr_bank joined;
    tr_status status =
        tr_bank_init(&joined, count + b->fragment_count, longest[longest[0] < longest[1]], bodies);
    if (status)
        return status;
    /* The common bank is used as the first driver's. */
    tr_bank_copy_setting(a, &joined);
    joined.cyclic = a->cyclic;
    joined.mirrored = a->mirrored;
    move_fragments(couple->first, bodies, 0, &joined);
    move_fragments(couple->second, bodies, count, &joined);
    couple->bank = joined;
    return TR_OK;
}

/* A driver whose fragments are in the common bank no longer has any to free. */
static void destroy_driver(const tr_couple *couple, tr_driver driver) {
    if (driver.kind && couple->bank.fragment) {
        bank_of(driver)->fragment = NULL;
        bank_of(driver)->fragment_count = 0;
    }
    if (driver.kind)
        driver.kind->destroy(driver.content);
}

void tr_couple_destroy(void *content) {
    tr_couple *couple = content;
    if (!couple)
        return;
    destroy_driver(couple, couple->first);
    destroy_driver(couple, couple->second);
    tr_bank_deinit(&couple->bank);
    free(couple);
}

/* --- content --- */

/* Returns the setting that the second driver was made for. */
static tr_driver_setting second_setting(const tr_couple *couple, const tr_driver_setting *setting) {
    tr_driver_setting second = *setting;
    second.spawn = &couple->stance;
    return second;
}

static bool same_action(const tr_bank *a, const tr_bank *b) {
    return memcmp(&a->action, &b->action, sizeof a->action) == 0;
}

tr_status tr_couple_check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_couple *couple = content;
    const char *name = tr_couple_name[couple->rule];
    if (is_relief(couple) && !same_action(bank_of(couple->first), bank_of(couple->second)))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: action: expected feedback on the same joints in both drivers", name);
    if (couple->bodies != setting->model->body_count)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %d bodies; expected %d, as the model has",
                       name, couple->bodies, setting->model->body_count);
    if (!tr_reference_is_sound(setting->model, &couple->stance))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: stance: expected finite numbers and unit quaternions", name);
    const tr_driver_setting second = second_setting(couple, setting);
    tr_status status = couple->first.kind->check(couple->first.content, setting, error);
    return status ? status : couple->second.kind->check(couple->second.content, &second, error);
}

uint64_t tr_couple_hash(const void *content, const tr_driver_setting *setting) {
    const tr_couple *couple = content;
    const tr_driver_setting second = second_setting(couple, setting);
    const uint64_t of[] = {couple->first.kind->hash(couple->first.content, setting),
                           couple->second.kind->hash(couple->second.content, &second)};
    const uint64_t home = (uint64_t)couple->home;
    const uint64_t hash = tr_hash_add(TR_HASH_START, of, sizeof of);
    return is_relief(couple) ? tr_hash_add(hash, &home, sizeof home) : hash;
}

/* A first driver that holds another leaves no entries to choose from. Parameters of a pair are the
 * first driver's, and its bank is; both drivers of a relief have one. */
static bool go_together(tr_couple_rule rule, const tr_driver_kind *first,
                        const tr_driver_kind *second) {
    if (!first || !second || first->held || second == &tr_couple_kind)
        return false;
    return rule == TR_COUPLE_RELIEF ? !second->held && first->bank && second->bank
                                    : !second->bank && !second->parameters;
}

/* Finds the skill to go to, by its index or, where that is negative, by its name. */
static tr_status find_home(const tr_driver_sheet *sheet, const char *name, tr_couple *couple,
                           tr_error *error) {
    int i = couple->home < 0 ? 0 : couple->home;
    while (couple->home < 0 && i < sheet->skill_count && strcmp(sheet->skill[i].name, name) != 0)
        i++;
    if (i >= sheet->skill_count || !sheet->skill[i].cyclic || !sheet->skill[i].name[0])
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: home '%s': expected a skill of the second driver that repeats",
                       name);
    couple->home = i;
    couple->home_name = sheet->skill[i].name;
    return TR_OK;
}

static void find_initial(tr_couple *couple) {
    tr_driver_parameter parameter[TR_DRIVER_PARAMETER_MAX];
    const int count = tr_driver_parameters(couple->second, parameter);
    double *value = couple->initial;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < parameter[i].count; k++)
            *value++ = parameter[i].initial;
}

static tr_status complete_relief(tr_couple *couple, const char *home,
                                 const tr_driver_setting *setting, tr_error *error) {
    tr_driver_sheet second = {0};
    tr_status status = tr_driver_describe(couple->second, setting->step_s, &second);
    if (!status)
        status = find_home(&second, home, couple, error);
    tr_driver_sheet_deinit(&second);
    find_initial(couple);
    return status ? status : join_banks(couple);
}

/* Finds what both drivers say of themselves. Only drivers that pass the check can be described. */
static tr_status complete(tr_couple *couple, const char *home, const tr_driver_setting *setting,
                          tr_error *error) {
    tr_driver_sheet first = {0};
    tr_status status = tr_couple_check(couple, setting, error);
    if (!status)
        status = tr_driver_describe(couple->first, setting->step_s, &first);
    couple->entries = first.outline.entry_count;
    couple->skills = first.skill_count;
    tr_driver_sheet_deinit(&first);
    return status || !is_relief(couple) ? status : complete_relief(couple, home, setting, error);
}

static tr_status mirror_driver(tr_driver driver, const tr_driver_setting *setting, tr_driver *out) {
    void *image = NULL;
    tr_status status = driver.kind->mirror(driver.content, setting, &image);
    if (!status)
        *out = (tr_driver){driver.kind, image};
    return status;
}

static tr_status mirror_both(const tr_couple *couple, const tr_driver_setting *setting,
                             tr_couple *image) {
    const tr_driver_setting second = second_setting(couple, setting);
    const tr_state spawn = tr_state_mirror(setting->model, setting->spawn);
    tr_driver_setting own = *setting;
    own.spawn = &spawn;
    image->stance = tr_state_mirror(setting->model, &couple->stance);
    tr_status status = mirror_driver(couple->first, setting, &image->first);
    if (!status)
        status = mirror_driver(couple->second, &second, &image->second);
    return status ? status : complete(image, "", &own, NULL);
}

tr_status tr_couple_mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_couple *couple = content;
    tr_couple *image = calloc(1, sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    image->rule = couple->rule;
    image->bodies = couple->bodies;
    image->home = couple->home;
    tr_status status = mirror_both(couple, setting, image);
    if (status)
        tr_couple_destroy(image);
    else
        *out = image;
    return status;
}

/* --- sections: that of the rule, and those of both drivers --- */

/* Stores how the common bank is parted. */
static void put_bank(const tr_couple *couple, tr_section_writer *writer) {
    const tr_bank *second = bank_of(couple->second);
    tr_section_put_int(writer, bank_of(couple->first)->fragment_count);
    tr_section_put_text(writer, second->gain_set);
    tr_section_put_int(writer, second->cyclic);
    tr_section_put_int(writer, second->mirrored);
    tr_section_put_int(writer, couple->home);
}

/* Drivers of one kind have sections of the same names. */
static tr_status save_second(const tr_couple *couple, tr_sections *out, tr_error *error) {
    const tr_driver second = couple->second;
    tr_sections own = {0};
    if (second.kind != couple->first.kind)
        return second.kind->save(second.content, out, error);
    tr_status status = second.kind->save(second.content, &own, error);
    if (!status)
        status = tr_sections_put_scope(out, SCOPE, &own, error);
    tr_sections_deinit(&own);
    return status;
}

tr_status tr_couple_save(const void *content, tr_sections *out, tr_error *error) {
    const tr_couple *couple = content;
    const tr_driver first = couple->first;
    tr_section_writer writer = tr_section_begin(out, tr_couple_name[couple->rule]);
    tr_section_put_text(&writer, tr_driver_kind_name(first));
    tr_section_put_text(&writer, tr_driver_kind_name(couple->second));
    if (is_relief(couple))
        put_bank(couple, &writer);
    tr_section_put_int(&writer, couple->bodies);
    tr_reference_put(&writer, &couple->stance, couple->bodies);
    tr_status status = tr_section_end(&writer, error);
    if (!status)
        status = first.kind->save(first.content, out, error);
    if (!status)
        status = save_second(couple, out, error);
    if (is_relief(couple))
        out->bank = &couple->bank;
    return status;
}

/* The content of the section for both drivers. bank: parts of the stored one */
typedef struct stored {
    const tr_driver_kind *kind[2];
    tr_bank bank[2];
} stored;

static void get_bank(tr_section_reader *reader, tr_couple *couple, tr_bank bank[2]) {
    const int count = (int)tr_section_get_int(reader, 1, bank[0].fragment_count - 1);
    bank[0].fragment_count = count;
    bank[1].fragment_count -= count;
    bank[1].fragment += count;
    tr_section_get_text(reader, bank[1].gain_set, sizeof bank[1].gain_set);
    bank[1].cyclic = tr_section_get_bool(reader);
    bank[1].mirrored = tr_section_get_bool(reader);
    couple->home = (int)tr_section_get_int(reader, 0, TR_DRIVER_SKILL_MAX - 1);
}

static tr_status read_section(const tr_sections *in, tr_couple *couple, stored *out,
                              tr_error *error) {
    const char *own = tr_couple_name[couple->rule];
    char name[2][TR_NAME_MAX];
    if (is_relief(couple) && !in->bank)
        return tr_fail(error, TR_DATA_LOSS, "fragments: missing");
    tr_section_reader reader = tr_section_open(in, own);
    for (int i = 0; i < 2; i++) {
        tr_section_get_text(&reader, name[i], sizeof name[i]);
        out->kind[i] = tr_driver_find_kind(name[i]);
        out->bank[i] = in->bank ? *in->bank : (tr_bank){0};
    }
    if (is_relief(couple))
        get_bank(&reader, couple, out->bank);
    couple->bodies = (int)tr_section_get_int(&reader, 1, TR_BODY_MAX);
    tr_reference_get(&reader, couple->bodies, &couple->stance);
    tr_status status = tr_section_close(&reader, error);
    if (!status && !go_together(couple->rule, out->kind[0], out->kind[1]))
        status = tr_fail(error, TR_DATA_LOSS, "%s: no driver kinds '%s' and '%s' that fit", own,
                         name[0], name[1]);
    return status;
}

static tr_status load_driver(const tr_sections *in, const tr_driver_setting *setting,
                             const tr_driver_kind *kind, const tr_bank *bank, tr_driver *out,
                             tr_error *error) {
    tr_sections own = *in;
    void *content = NULL;
    own.bank = in->bank ? bank : NULL;
    tr_status status = kind->load(&own, setting, &content, error);
    if (!status)
        *out = (tr_driver){kind, content};
    return status;
}

static tr_status load_both(const tr_sections *in, const tr_driver_setting *setting,
                           tr_couple *couple, tr_error *error) {
    stored from;
    tr_status status = read_section(in, couple, &from, error);
    if (status)
        return status;
    const tr_driver_setting second = second_setting(couple, setting);
    tr_sections scope = *in;
    if (from.kind[0] == from.kind[1])
        scope = tr_sections_scope(in, SCOPE);
    status = load_driver(in, setting, from.kind[0], &from.bank[0], &couple->first, error);
    if (!status)
        status = load_driver(&scope, &second, from.kind[1], &from.bank[1], &couple->second, error);
    return status ? status : complete(couple, "", setting, error);
}

tr_status tr_couple_load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                         tr_error *error) {
    tr_couple *couple = calloc(1, sizeof *couple);
    if (!couple)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "couple: no memory");
    /* The rule whose section exists; the last one, whose section is then missed, if none does. */
    while (couple->rule + 1 < TR_COUPLE_RULES &&
           !tr_sections_find(in, tr_couple_name[couple->rule]))
        couple->rule++;
    tr_status status = load_both(in, setting, couple, error);
    if (status)
        tr_couple_destroy(couple);
    else
        *out = couple;
    return status;
}

/* --- making --- */

static tr_status check_both(const tr_controller *controller, const tr_controller *beside,
                            tr_couple_rule rule, tr_error *error) {
    if (!go_together(rule, controller->driver.kind, beside->driver.kind))
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "%s: '%s' and '%s': expected a first kind that holds no other driver, and %s",
            tr_couple_name[rule], tr_driver_kind_name(controller->driver),
            tr_driver_kind_name(beside->driver),
            rule == TR_COUPLE_RELIEF ? "fragments in both"
                                     : "a second one without fragments and parameters");
    if (controller->rig || beside->rig || controller->model_hash != beside->model_hash ||
        controller->step_s != beside->step_s)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: '%s' and '%s': expected the same model and step, and no rig",
                       tr_couple_name[rule], controller->name, beside->name);
    return TR_OK;
}

static tr_status copy_driver(const tr_couple *couple, const tr_controller *from,
                             const tr_model *model, tr_driver *out, tr_error *error) {
    const tr_driver_setting setting = tr_controller_setting(from, model);
    void *content = NULL;
    tr_status status = tr_driver_copy(from->driver, &setting, &content);
    if (status)
        return tr_fail(error, status, "%s: '%s': %s", tr_couple_name[couple->rule], from->name,
                       tr_status_text(status));
    *out = (tr_driver){from->driver.kind, content};
    return TR_OK;
}

tr_status tr_couple_add(tr_controller *controller, const tr_controller *beside, tr_couple_rule rule,
                        const char *home, const tr_model *model, tr_error *error) {
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    tr_status status = check_both(controller, beside, rule, error);
    if (status)
        return status;
    tr_couple *couple = calloc(1, sizeof *couple);
    if (!couple)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "couple: no memory");
    couple->rule = rule;
    couple->home = -1;
    couple->stance = beside->spawn;
    couple->bodies = model->body_count;
    status = copy_driver(couple, controller, model, &couple->first, error);
    if (!status)
        status = copy_driver(couple, beside, model, &couple->second, error);
    if (!status)
        status = complete(couple, home, &setting, error);
    if (status) {
        tr_couple_destroy(couple);
        return status;
    }
    /* The couple holds copies, so that a failure above leaves the controller as it was. */
    controller->driver.kind->destroy(controller->driver.content);
    controller->driver = (tr_driver){&tr_couple_kind, couple};
    return TR_OK;
}
