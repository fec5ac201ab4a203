#include "control/driver_couple.h"

#include "control/reference_state.h"
#include "math/hash.h"

const tr_state_field tr_driver_couple_field[TR_DRIVER_COUPLE_FIELDS] = {
    TR_STATE_BOOL_FIELD(tr_driver_couple_state, second)};

tr_driver tr_driver_couple_held(const void *content, int index) {
    const tr_driver_couple *couple = content;
    const tr_driver none = {0};
    return index == 0 ? couple->first : index == 1 ? couple->second : none;
}

void *tr_driver_couple_state_of(const tr_driver_couple *couple, const void *state, int index) {
    static const tr_driver_kind layout = {.held = tr_driver_couple_held,
                                          .state_size = sizeof(tr_driver_couple_state)};
    return tr_driver_held_state((tr_driver){&layout, (void *)couple}, state, index);
}

/* --- content --- */

/* What the second driver was made for. */
static tr_driver_setting second_setting(const tr_driver_couple *couple,
                                        const tr_driver_setting *setting) {
    tr_driver_setting second = *setting;
    second.spawn = &couple->stance;
    return second;
}

tr_status tr_driver_couple_check(const tr_driver_couple *couple, const char *kind,
                                 const tr_driver_setting *setting, tr_error *error) {
    if (couple->bodies != setting->model->body_count)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %d bodies; expected %d, as the model has",
                       kind, couple->bodies, setting->model->body_count);
    if (!tr_reference_is_sound(setting->model, &couple->stance))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: stance: expected finite numbers and unit quaternions", kind);
    const tr_driver_setting second = second_setting(couple, setting);
    tr_status status = couple->first.kind->check(couple->first.content, setting, error);
    return status ? status : couple->second.kind->check(couple->second.content, &second, error);
}

uint64_t tr_driver_couple_hash(const tr_driver_couple *couple, const tr_driver_setting *setting) {
    const tr_driver_setting second = second_setting(couple, setting);
    const uint64_t of[] = {couple->first.kind->hash(couple->first.content, setting),
                           couple->second.kind->hash(couple->second.content, &second)};
    return tr_hash_add(TR_HASH_START, of, sizeof of);
}

void tr_driver_couple_destroy_held(const tr_driver_couple *couple) {
    for (int i = 0; i < 2; i++) {
        const tr_driver driver = tr_driver_couple_held(couple, i);
        if (driver.kind)
            driver.kind->destroy(driver.content);
    }
}

static tr_status mirror_driver(tr_driver driver, const tr_driver_setting *setting, tr_driver *out) {
    void *image = NULL;
    tr_status status = driver.kind->mirror(driver.content, setting, &image);
    if (!status)
        *out = (tr_driver){driver.kind, image};
    return status;
}

tr_status tr_driver_couple_mirror(const tr_driver_couple *couple, const tr_driver_setting *setting,
                                  tr_driver_couple *out) {
    const tr_driver_setting second = second_setting(couple, setting);
    out->bodies = couple->bodies;
    out->stance = tr_state_mirror(setting->model, &couple->stance);
    tr_status status = mirror_driver(couple->first, setting, &out->first);
    return status ? status : mirror_driver(couple->second, &second, &out->second);
}

tr_status tr_driver_couple_save_held(const tr_driver_couple *couple, tr_sections *out,
                                     tr_error *error) {
    tr_status status = couple->first.kind->save(couple->first.content, out, error);
    return status ? status : couple->second.kind->save(couple->second.content, out, error);
}

static tr_status load_driver(const tr_sections *in, const tr_driver_setting *setting,
                             const tr_driver_kind *kind, const tr_bank *bank, tr_driver *out,
                             tr_error *error) {
    tr_sections own = *in;
    void *content = NULL;
    own.bank = bank;
    tr_status status = kind->load(&own, setting, &content, error);
    if (!status)
        *out = (tr_driver){kind, content};
    return status;
}

tr_status tr_driver_couple_load_held(const tr_sections *in, const tr_driver_setting *setting,
                                     const tr_driver_kind *const kind[2],
                                     const tr_bank *const bank[2], tr_driver_couple *couple,
                                     tr_error *error) {
    const tr_driver_setting second = second_setting(couple, setting);
    tr_status status = load_driver(in, setting, kind[0], bank[0], &couple->first, error);
    return status ? status : load_driver(in, &second, kind[1], bank[1], &couple->second, error);
}

tr_status tr_driver_couple_check_controllers(const char *kind, const tr_controller *first,
                                             const tr_controller *second, tr_error *error) {
    if (first->rig || second->rig || first->model_hash != second->model_hash ||
        first->step_s != second->step_s)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: '%s' and '%s': expected the same model and step, and no rig", kind,
                       first->name, second->name);
    return TR_OK;
}

tr_status tr_driver_couple_copy(const char *kind, const tr_controller *from, const tr_model *model,
                                tr_driver *out, tr_error *error) {
    const tr_driver_setting setting = tr_controller_setting(from, model);
    void *content = NULL;
    tr_status status = tr_driver_copy(from->driver, &setting, &content);
    if (status)
        return tr_fail(error, status, "%s: '%s': %s", kind, from->name, tr_status_text(status));
    *out = (tr_driver){from->driver.kind, content};
    return TR_OK;
}

/* --- what it can do --- */

void tr_driver_couple_outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_driver_couple *couple = content;
    tr_driver_outline second;
    couple->first.kind->outline(couple->first.content, step_s, out);
    couple->second.kind->outline(couple->second.content, step_s, &second);
    out->entry_count += second.entry_count;
    out->duration_s += second.duration_s;
}

void tr_driver_couple_entry(const void *content, int index, tr_driver_entry *out) {
    const tr_driver_couple *couple = content;
    const bool second = index >= couple->entries;
    const tr_driver of = tr_driver_couple_held(couple, second);
    of.kind->entry(of.content, index - (second ? couple->entries : 0), out);
    out->skill += second ? couple->skills : 0;
}

/* A driver that describes no skills takes all entries for its own. */
tr_status tr_driver_couple_describe(const void *content, tr_driver_sheet *sheet) {
    const tr_driver_couple *couple = content;
    const int all = sheet->outline.entry_count;
    sheet->outline.entry_count = couple->entries;
    tr_status status = tr_driver_describe_skills(couple->first, sheet);
    const int skills = sheet->skill_count, edges = sheet->edge_count;
    sheet->outline.entry_count = all - couple->entries;
    if (!status)
        status = tr_driver_describe_skills(couple->second, sheet);
    sheet->outline.entry_count = all;
    for (int i = skills; i < sheet->skill_count; i++)
        sheet->skill[i].first += couple->entries;
    for (int e = edges; e < sheet->edge_count; e++) {
        sheet->edge[e].from += couple->entries;
        sheet->edge[e].to += couple->entries;
    }
    return status;
}

/* --- state --- */

bool tr_driver_couple_fits(const void *content, const void *state) {
    (void)content, (void)state;
    return true; /* the states of both drivers were asked */
}

void tr_driver_couple_nearest(const void *content, const tr_model *model, const tr_state *state,
                              int *out_entry, bool *out_mirrored) {
    const tr_driver *first = content;
    first->kind->nearest(first->content, model, state, out_entry, out_mirrored);
}

void tr_driver_couple_look(const void *content, const void *state, tr_doing *out) {
    const tr_driver_couple *couple = content;
    const bool second = ((const tr_driver_couple_state *)state)->second;
    const tr_driver at = tr_driver_couple_held(couple, second);
    at.kind->look(at.content, tr_driver_couple_state_of(couple, state, second), out);
    out->entry += second ? couple->entries : 0;
    out->skill += second ? couple->skills : 0;
}
