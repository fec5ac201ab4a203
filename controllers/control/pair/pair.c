#include "control/pair/pair.h"

#include "control/driver_holder.h"
#include "control/reference_state.h"

#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "pair";

/* --- content: a couple, and nothing else --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    return tr_driver_couple_check(content, SECTION, setting, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    return tr_driver_couple_hash(content, setting);
}

static void destroy(void *content) {
    if (content)
        tr_driver_couple_destroy_held(content);
    free(content);
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_driver_couple *pair = content;
    tr_driver_couple *image = calloc(1, sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    image->entries = pair->entries;
    image->skills = pair->skills;
    tr_status status = tr_driver_couple_mirror(pair, setting, image);
    if (status)
        destroy(image);
    else
        *out = image;
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_driver_couple *pair = content;
    tr_section_writer writer = tr_section_begin(out, SECTION);
    tr_section_put_text(&writer, tr_driver_kind_name(pair->first));
    tr_section_put_text(&writer, tr_driver_kind_name(pair->second));
    tr_section_put_int(&writer, pair->bodies);
    tr_reference_put(&writer, &pair->stance, pair->bodies);
    tr_status status = tr_section_end(&writer, error);
    return status ? status : tr_driver_couple_save_held(pair, out, error);
}

/* One that holds fragments and another driver leaves no entries to choose from; two of a kind would
 * share their sections. Parameters are the first driver's. */
static bool can_be_paired(const tr_driver_kind *first, const tr_driver_kind *second) {
    return first && second && first != second && !first->held && !second->bank &&
           !second->parameters && second != &tr_pair_kind;
}

/* Of what is whole alone. */
static tr_status count(tr_driver_couple *pair, const tr_driver_setting *setting, tr_error *error) {
    tr_driver_sheet sheet = {0};
    tr_status status = check(pair, setting, error);
    if (!status)
        status = tr_driver_describe(pair->first, setting->step_s, &sheet);
    pair->entries = sheet.outline.entry_count;
    pair->skills = sheet.skill_count;
    tr_driver_sheet_deinit(&sheet);
    return status;
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    char name[2][TR_NAME_MAX];
    tr_driver_couple *pair = calloc(1, sizeof *pair);
    if (!pair)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "pair: no memory");
    tr_section_reader reader = tr_section_open(in, SECTION);
    for (int i = 0; i < 2; i++)
        tr_section_get_text(&reader, name[i], sizeof name[i]);
    pair->bodies = (int)tr_section_get_int(&reader, 1, TR_BODY_MAX);
    tr_reference_get(&reader, pair->bodies, &pair->stance);
    tr_status status = tr_section_close(&reader, error);
    const tr_driver_kind *const kind[] = {tr_driver_find_kind(name[0]),
                                          tr_driver_find_kind(name[1])};
    const tr_bank *const bank[] = {in->bank, in->bank};
    if (!status && !can_be_paired(kind[0], kind[1]))
        status = tr_fail(error, TR_DATA_LOSS, "pair: no driver kinds '%s' and '%s' to pair",
                         name[0], name[1]);
    if (!status)
        status = tr_driver_couple_load_held(in, setting, kind, bank, pair, error);
    if (!status)
        status = count(pair, setting, error);
    if (status)
        destroy(pair);
    else
        *out = pair;
    return status;
}

/* --- what it can do --- */

/* Edges from the first driver to the second and back, as the header says. */
static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_driver_couple *pair = content;
    const int home = sheet->outline.first_count;
    const tr_driver_edge back = {pair->entries, 0, false};
    tr_status status = tr_driver_couple_describe(pair, sheet);
    const int edges = sheet->edge_count;
    if (!status)
        status = tr_driver_sheet_add_edge(sheet, &back);
    for (int i = 0; !status && i < home; i++)
        status = tr_driver_sheet_add_edge(sheet, &(tr_driver_edge){i, pair->entries, false});
    for (int e = 0; !status && e < edges; e++)
        if (sheet->edge[e].to < home && sheet->edge[e].from >= home)
            status = tr_driver_sheet_add_edge(
                sheet, &(tr_driver_edge){sheet->edge[e].from, pair->entries, false});
    return status;
}

/* --- state --- */

static void begin_second(const tr_driver_couple *pair, void *state, int entry_index) {
    void *second = tr_driver_couple_state_of(pair, state, 1);
    memset(second, 0, tr_driver_state_size(pair->second));
    pair->second.kind->enter(pair->second.content, second, entry_index, false);
}

/* The driver that is not at work has a state too, which fits. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_driver_couple *pair = content;
    tr_driver_couple_state *s = state;
    const tr_driver *first = &pair->first, *second = &pair->second;
    const bool goes = entry_index >= pair->entries;
    if (!goes || !s->second)
        begin_second(pair, state, goes ? entry_index - pair->entries : 0);
    else
        second->kind->enter(second->content, tr_driver_couple_state_of(pair, state, 1),
                            entry_index - pair->entries, false);
    first->kind->enter(first->content, tr_driver_couple_state_of(pair, state, 0),
                       goes ? 0 : entry_index, !goes && mirrored);
    s->second = goes;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_driver_couple *pair = content;
    const bool second = ((const tr_driver_couple_state *)state)->second;
    const tr_driver at = tr_driver_couple_held(pair, second);
    tr_status status =
        at.kind->drive(at.content, tr_driver_couple_state_of(pair, state, second), sight, out);
    out->entry += second ? pair->entries : 0;
    return status;
}

const tr_driver_kind tr_pair_kind = {.name = SECTION,
                                     .check = check,
                                     .hash = hash,
                                     .mirror = mirror,
                                     .destroy = destroy,
                                     .save = save,
                                     .load = load,
                                     .outline = tr_driver_couple_outline,
                                     .entry = tr_driver_couple_entry,
                                     .parameters = tr_driver_holder_parameters,
                                     .describe = describe,
                                     .bank = tr_driver_holder_bank,
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

static tr_status check_both(const tr_controller *controller, const tr_controller *beside,
                            tr_error *error) {
    if (!can_be_paired(controller->driver.kind, beside->driver.kind))
        return tr_fail(error, TR_INVALID_ARGUMENT, "pair: '%s' and '%s' cannot be paired",
                       tr_driver_kind_name(controller->driver),
                       tr_driver_kind_name(beside->driver));
    return tr_driver_couple_check_controllers(SECTION, controller, beside, error);
}

static tr_status fill(tr_driver_couple *pair, const tr_controller *controller,
                      const tr_controller *beside, const tr_model *model, tr_error *error) {
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    pair->stance = beside->spawn;
    pair->bodies = model->body_count;
    tr_status status = tr_driver_couple_copy(SECTION, controller, model, &pair->first, error);
    if (!status)
        status = tr_driver_couple_copy(SECTION, beside, model, &pair->second, error);
    return status ? status : count(pair, &setting, error);
}

tr_status tr_pair_add(tr_controller *controller, const tr_controller *beside, const tr_model *model,
                      tr_error *error) {
    tr_status status = check_both(controller, beside, error);
    if (status)
        return status;
    tr_driver_couple *pair = calloc(1, sizeof *pair);
    if (!pair)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "pair: no memory");
    status = fill(pair, controller, beside, model, error);
    if (status) {
        destroy(pair);
        return status;
    }
    controller->driver.kind->destroy(controller->driver.content);
    controller->driver = (tr_driver){&tr_pair_kind, pair};
    return TR_OK;
}
