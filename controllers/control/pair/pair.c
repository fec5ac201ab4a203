#include "control/pair/pair.h"

#include "control/driver_holder.h"
#include "control/reference_state.h"
#include "math/hash.h"

#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "pair";

static const tr_state_field fields[] = {TR_STATE_BOOL_FIELD(tr_pair_state, second)};

static tr_driver held(const void *content, int index) {
    const tr_pair *pair = content;
    const tr_driver none = {0};
    return index == 0 ? pair->first : index == 1 ? pair->second : none;
}

static void *state_of(const tr_pair *pair, const void *state, int index) {
    const tr_driver driver = {&tr_pair_kind, (void *)pair};
    return tr_driver_held_state(driver, state, index);
}

/* --- content --- */

/* What the second driver was made for. */
static tr_driver_setting second_setting(const tr_pair *pair, const tr_driver_setting *setting) {
    tr_driver_setting second = *setting;
    second.spawn = &pair->stance;
    return second;
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_pair *pair = content;
    if (pair->bodies != setting->model->body_count)
        return tr_fail(error, TR_INVALID_ARGUMENT, "pair: %d bodies; expected %d, as the model has",
                       pair->bodies, setting->model->body_count);
    if (!tr_reference_is_sound(setting->model, &pair->stance))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "pair: stance: expected finite numbers and unit quaternions");
    const tr_driver_setting second = second_setting(pair, setting);
    tr_status status = pair->first.kind->check(pair->first.content, setting, error);
    return status ? status : pair->second.kind->check(pair->second.content, &second, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_pair *pair = content;
    const tr_driver_setting second = second_setting(pair, setting);
    const uint64_t of[] = {pair->first.kind->hash(pair->first.content, setting),
                           pair->second.kind->hash(pair->second.content, &second)};
    return tr_hash_add(TR_HASH_START, of, sizeof of);
}

static void destroy(void *content) {
    tr_pair *pair = content;
    for (int i = 0; pair && held(pair, i).kind; i++)
        held(pair, i).kind->destroy(held(pair, i).content);
    free(pair);
}

/* The caller destroys what has been mirrored so far. */
static tr_status mirror_both(const tr_pair *pair, const tr_driver_setting *setting, tr_pair *out) {
    const tr_driver_setting second = second_setting(pair, setting);
    void *image = NULL;
    tr_status status = pair->first.kind->mirror(pair->first.content, setting, &image);
    if (status)
        return status;
    out->first = (tr_driver){pair->first.kind, image};
    status = pair->second.kind->mirror(pair->second.content, &second, &image);
    if (!status)
        out->second = (tr_driver){pair->second.kind, image};
    return status;
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_pair *pair = content;
    tr_pair *image = malloc(sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    *image = *pair;
    image->first = image->second = (tr_driver){0};
    image->stance = tr_state_mirror(setting->model, &pair->stance);
    tr_status status = mirror_both(pair, setting, image);
    if (status)
        destroy(image);
    else
        *out = image;
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_pair *pair = content;
    tr_section_writer writer = tr_section_begin(out, SECTION);
    tr_section_put_text(&writer, pair->first.kind->name);
    tr_section_put_text(&writer, pair->second.kind->name);
    tr_section_put_int(&writer, pair->bodies);
    tr_reference_put(&writer, &pair->stance, pair->bodies);
    tr_status status = tr_section_end(&writer, error);
    for (int i = 0; !status && i < 2; i++)
        status = held(pair, i).kind->save(held(pair, i).content, out, error);
    return status;
}

/* One that holds fragments and another driver leaves no entries to choose from; two of a kind would
 * share their sections. Parameters are the first driver's. */
static bool can_be_paired(const tr_driver_kind *first, const tr_driver_kind *second) {
    return first && second && first != second && !first->held && !second->bank &&
           !second->parameters && second != &tr_pair_kind;
}

static tr_status load_both(const tr_sections *in, const tr_driver_setting *setting,
                           const tr_driver_kind *const kind[2], tr_pair *out, tr_error *error) {
    const tr_driver_setting second = second_setting(out, setting);
    void *content = NULL;
    tr_status status = kind[0]->load(in, setting, &content, error);
    if (status)
        return status;
    out->first = (tr_driver){kind[0], content};
    status = kind[1]->load(in, &second, &content, error);
    if (!status)
        out->second = (tr_driver){kind[1], content};
    return status;
}

/* Of what is whole alone. */
static tr_status count(tr_pair *pair, const tr_driver_setting *setting, tr_error *error) {
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
    tr_pair *pair = calloc(1, sizeof *pair);
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
    if (!status && !can_be_paired(kind[0], kind[1]))
        status = tr_fail(error, TR_DATA_LOSS, "pair: no driver kinds '%s' and '%s' to pair",
                         name[0], name[1]);
    if (!status)
        status = load_both(in, setting, kind, pair, error);
    if (!status)
        status = count(pair, setting, error);
    if (status)
        destroy(pair);
    else
        *out = pair;
    return status;
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_pair *pair = content;
    tr_driver_outline second;
    pair->first.kind->outline(pair->first.content, step_s, out);
    pair->second.kind->outline(pair->second.content, step_s, &second);
    out->entry_count += second.entry_count;
    out->duration_s += second.duration_s;
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_pair *pair = content;
    if (index < pair->entries) {
        pair->first.kind->entry(pair->first.content, index, out);
        return;
    }
    pair->second.kind->entry(pair->second.content, index - pair->entries, out);
    out->skill += pair->skills;
}

/* Behind those of the first driver. */
static tr_status describe_second(const tr_pair *pair, tr_driver_sheet *sheet) {
    const int skills = sheet->skill_count, edges = sheet->edge_count;
    tr_status status = tr_driver_describe_skills(pair->second, sheet);
    for (int i = skills; i < sheet->skill_count; i++)
        sheet->skill[i].first += pair->entries;
    for (int e = edges; e < sheet->edge_count; e++) {
        sheet->edge[e].from += pair->entries;
        sheet->edge[e].to += pair->entries;
    }
    return status;
}

/* From the first driver to the second and back, as the header says. */
static tr_status join(const tr_pair *pair, int edges, tr_driver_sheet *sheet) {
    const int home = sheet->outline.first_count;
    const tr_driver_edge back = {pair->entries, 0, false};
    tr_status status = tr_driver_sheet_add_edge(sheet, &back);
    for (int i = 0; !status && i < home; i++)
        status = tr_driver_sheet_add_edge(sheet, &(tr_driver_edge){i, pair->entries, false});
    for (int e = 0; !status && e < edges; e++)
        if (sheet->edge[e].to < home && sheet->edge[e].from >= home)
            status = tr_driver_sheet_add_edge(
                sheet, &(tr_driver_edge){sheet->edge[e].from, pair->entries, false});
    return status;
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_pair *pair = content;
    tr_status status = tr_driver_describe_skills(pair->first, sheet);
    const int edges = sheet->edge_count;
    if (!status)
        status = describe_second(pair, sheet);
    return status ? status : join(pair, edges, sheet);
}

static bool suits(const void *content, const tr_steering_target *target) {
    const tr_driver *first = &((const tr_pair *)content)->first;
    return first->kind->suits && first->kind->suits(first->content, target);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    (void)content, (void)state;
    return true; /* the states of both drivers were asked */
}

static void begin_second(const tr_pair *pair, void *state, int entry_index) {
    void *second = state_of(pair, state, 1);
    memset(second, 0, tr_driver_state_size(pair->second));
    pair->second.kind->enter(pair->second.content, second, entry_index, false);
}

/* The driver that is not at work has a state too, which fits. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_pair *pair = content;
    tr_pair_state *s = state;
    const tr_driver *first = &pair->first, *second = &pair->second;
    const bool goes = entry_index >= pair->entries;
    if (!goes || !s->second)
        begin_second(pair, state, goes ? entry_index - pair->entries : 0);
    else
        second->kind->enter(second->content, state_of(pair, state, 1), entry_index - pair->entries,
                            false);
    first->kind->enter(first->content, state_of(pair, state, 0), goes ? 0 : entry_index,
                       !goes && mirrored);
    s->second = goes;
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_driver *first = &((const tr_pair *)content)->first;
    first->kind->nearest(first->content, model, state, out_entry, out_mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_pair *pair = content;
    const bool second = ((const tr_pair_state *)state)->second;
    const tr_driver at = held(pair, second);
    at.kind->look(at.content, state_of(pair, state, second), out);
    out->entry += second ? pair->entries : 0;
    out->skill += second ? pair->skills : 0;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_pair *pair = content;
    const bool second = ((const tr_pair_state *)state)->second;
    const tr_driver at = held(pair, second);
    tr_status status = at.kind->drive(at.content, state_of(pair, state, second), sight, out);
    out->entry += second ? pair->entries : 0;
    return status;
}

const tr_driver_kind tr_pair_kind = {.name = "pair",
                                     .check = check,
                                     .hash = hash,
                                     .mirror = mirror,
                                     .destroy = destroy,
                                     .save = save,
                                     .load = load,
                                     .outline = outline,
                                     .entry = entry,
                                     .parameters = tr_driver_holder_parameters,
                                     .describe = describe,
                                     .bank = tr_driver_holder_bank,
                                     .held = held,
                                     .state_size = sizeof(tr_pair_state),
                                     .field = fields,
                                     .field_count = sizeof fields / sizeof *fields,
                                     .fits = fits,
                                     .enter = enter,
                                     .nearest = nearest,
                                     .look = look,
                                     .suits = suits,
                                     .drive = drive};

/* --- making --- */

static tr_status fill(tr_pair *pair, const tr_controller *beside, const tr_model *model,
                      tr_error *error) {
    const tr_driver_setting setting = tr_controller_setting(beside, model);
    void *content = NULL;
    pair->stance = beside->spawn;
    pair->bodies = model->body_count;
    tr_status status = tr_driver_copy(beside->driver, &setting, &content);
    if (status)
        return tr_fail(error, status, "pair: '%s': %s", beside->name, tr_status_text(status));
    pair->second = (tr_driver){beside->driver.kind, content};
    return TR_OK;
}

tr_status tr_pair_add(tr_controller *controller, const tr_controller *beside, const tr_model *model,
                      tr_error *error) {
    if (controller->rig || beside->rig || controller->model_hash != beside->model_hash ||
        controller->step_s != beside->step_s)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "pair: '%s' and '%s': expected the same model and step, and no rig",
                       controller->name, beside->name);
    if (!can_be_paired(controller->driver.kind, beside->driver.kind))
        return tr_fail(error, TR_INVALID_ARGUMENT, "pair: '%s' and '%s' cannot be paired",
                       controller->driver.kind->name, beside->driver.kind->name);
    tr_pair *pair = calloc(1, sizeof *pair);
    tr_status status = pair ? fill(pair, beside, model, error)
                            : tr_fail(error, TR_RESOURCE_EXHAUSTED, "pair: no memory");
    if (status) {
        free(pair);
        return status;
    }
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    pair->first = controller->driver;
    status = count(pair, &setting, error);
    if (status) {
        pair->first = (tr_driver){0};
        pair->second.kind->destroy(pair->second.content);
        free(pair);
        return status;
    }
    controller->driver = (tr_driver){&tr_pair_kind, pair};
    return TR_OK;
}
