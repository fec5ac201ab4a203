#include "control/pair/pair.h"

#include "control/fields/reference_state.h"
#include "control/parts/driver_holder.h"
#include "math/hash.h"

#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "pair";

/* Scope of the second driver's sections, if they have the names of the first one's. */
static const char SCOPE[] = "second";

/* The state of one character; the states of both drivers follow. second: does the second driver
 * work? */
typedef struct pair_state {
    bool second;
} pair_state;

static const tr_state_field fields[] = {TR_STATE_BOOL_FIELD(pair_state, second)};

/* The driver by index 0 or 1; past them none. */
static tr_driver held(const void *content, int index) {
    const tr_pair *pair = content;
    const tr_driver none = {0};
    return index == 0 ? pair->first : index == 1 ? pair->second : none;
}

/* --- content --- */

static void destroy(void *content) {
    for (int i = 0; content && i < 2; i++)
        if (held(content, i).kind)
            held(content, i).kind->destroy(held(content, i).content);
    free(content);
}

/* Returns the setting that the second driver was made for. */
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

/* Counts the first driver's entries and skills. Only drivers that pass the check can be
 * described. */
static tr_status complete(tr_pair *pair, const tr_driver_setting *setting, tr_error *error) {
    tr_driver_sheet first = {0};
    tr_status status = check(pair, setting, error);
    if (!status)
        status = tr_driver_describe(pair->first, setting->step_s, &first);
    pair->entries = first.outline.entry_count;
    pair->skills = first.skill_count;
    tr_driver_sheet_deinit(&first);
    return status;
}

static tr_status mirror_driver(tr_driver driver, const tr_driver_setting *setting, tr_driver *out) {
    void *image = NULL;
    tr_status status = driver.kind->mirror(driver.content, setting, &image);
    if (!status)
        *out = (tr_driver){driver.kind, image};
    return status;
}

static tr_status mirror_both(const tr_pair *pair, const tr_driver_setting *setting,
                             tr_pair *image) {
    const tr_driver_setting second = second_setting(pair, setting);
    const tr_state spawn = tr_state_mirror(setting->model, setting->spawn);
    tr_driver_setting own = *setting;
    own.spawn = &spawn;
    image->bodies = pair->bodies;
    image->stance = tr_state_mirror(setting->model, &pair->stance);
    tr_status status = mirror_driver(pair->first, setting, &image->first);
    if (!status)
        status = mirror_driver(pair->second, &second, &image->second);
    return status ? status : complete(image, &own, NULL);
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_pair *image = calloc(1, sizeof *image);
    tr_status status = image ? mirror_both(content, setting, image) : TR_RESOURCE_EXHAUSTED;
    if (status)
        destroy(image);
    else
        *out = image;
    return status;
}

/* --- sections: its own, and those of both drivers --- */

/* Drivers of one kind have sections of the same names. */
static tr_status save_second(const tr_pair *pair, tr_sections *out, tr_error *error) {
    const tr_driver second = pair->second;
    tr_sections own = {0};
    if (second.kind != pair->first.kind)
        return second.kind->save(second.content, out, error);
    tr_status status = second.kind->save(second.content, &own, error);
    if (!status)
        status = tr_sections_put_scope(out, SCOPE, &own, error);
    tr_sections_deinit(&own);
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_pair *pair = content;
    tr_section_writer writer = tr_section_begin(out, SECTION);
    tr_section_put_text(&writer, tr_driver_kind_name(pair->first));
    tr_section_put_text(&writer, tr_driver_kind_name(pair->second));
    tr_section_put_int(&writer, pair->bodies);
    tr_reference_put(&writer, &pair->stance, pair->bodies);
    tr_status status = tr_section_end(&writer, error);
    if (!status)
        status = pair->first.kind->save(pair->first.content, out, error);
    return status ? status : save_second(pair, out, error);
}

/* A first driver that holds another leaves no entries to choose from. Parameters are the first
 * driver's, and the bank is. */
static bool go_together(const tr_driver_kind *first, const tr_driver_kind *second) {
    return first && second && !first->held && second != &tr_pair_kind && !second->bank &&
           !second->parameters;
}

static tr_status read_section(const tr_sections *in, tr_pair *pair, const tr_driver_kind *kind[2],
                              tr_error *error) {
    char name[2][TR_NAME_MAX];
    tr_section_reader reader = tr_section_open(in, SECTION);
    for (int i = 0; i < 2; i++) {
        tr_section_get_text(&reader, name[i], sizeof name[i]);
        kind[i] = tr_driver_find_kind(name[i]);
    }
    pair->bodies = (int)tr_section_get_int(&reader, 1, TR_BODY_MAX);
    tr_reference_get(&reader, pair->bodies, &pair->stance);
    tr_status status = tr_section_close(&reader, error);
    if (!status && !go_together(kind[0], kind[1]))
        status = tr_fail(error, TR_DATA_LOSS, "pair: no driver kinds '%s' and '%s' that fit",
                         name[0], name[1]);
    return status;
}

static tr_status load_driver(const tr_sections *in, const tr_driver_setting *setting,
                             const tr_driver_kind *kind, tr_driver *out, tr_error *error) {
    void *content = NULL;
    tr_status status = kind->load(in, setting, &content, error);
    if (!status)
        *out = (tr_driver){kind, content};
    return status;
}

static tr_status load_both(const tr_sections *in, const tr_driver_setting *setting, tr_pair *pair,
                           tr_error *error) {
    const tr_driver_kind *kind[2];
    tr_status status = read_section(in, pair, kind, error);
    if (status)
        return status;
    const tr_driver_setting second = second_setting(pair, setting);
    const tr_sections scope = kind[0] == kind[1] ? tr_sections_scope(in, SCOPE) : *in;
    status = load_driver(in, setting, kind[0], &pair->first, error);
    if (!status)
        status = load_driver(&scope, &second, kind[1], &pair->second, error);
    return status ? status : complete(pair, setting, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_pair *pair = calloc(1, sizeof *pair);
    if (!pair)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "pair: no memory");
    tr_status status = load_both(in, setting, pair, error);
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
    const bool second = index >= pair->entries;
    const tr_driver of = held(pair, second);
    of.kind->entry(of.content, index - (second ? pair->entries : 0), out);
    out->skill += second ? pair->skills : 0;
}

/* A driver that describes no skills takes all entries for its own. */
static tr_status describe_both(const tr_pair *pair, tr_driver_sheet *sheet) {
    const int all = sheet->outline.entry_count;
    sheet->outline.entry_count = pair->entries;
    tr_status status = tr_driver_describe_skills(pair->first, sheet);
    const int skills = sheet->skill_count, edges = sheet->edge_count;
    sheet->outline.entry_count = all - pair->entries;
    if (!status)
        status = tr_driver_describe_skills(pair->second, sheet);
    sheet->outline.entry_count = all;
    /* Entries of the second driver come after those of the first. */
    for (int i = skills; i < sheet->skill_count; i++)
        sheet->skill[i].first += pair->entries;
    for (int e = edges; e < sheet->edge_count; e++) {
        sheet->edge[e].from += pair->entries;
        sheet->edge[e].to += pair->entries;
    }
    return status;
}

/* Adds the edges from the first driver to the second and back, as the header says. */
static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_pair *pair = content;
    tr_status status = describe_both(pair, sheet);
    if (status)
        return status;
    const int home = sheet->outline.first_count, edges = sheet->edge_count;
    const tr_driver_edge back = {pair->entries, 0, false};
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

static void *state_of(const tr_pair *pair, const void *state, int index) {
    return tr_driver_held_state((tr_driver){&tr_pair_kind, (void *)pair}, state, index);
}

static bool fits(const void *content, const void *state) {
    (void)content, (void)state;
    return true; /* the states of both drivers were asked */
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_driver *first = content;
    first->kind->nearest(first->content, model, state, out_entry, out_mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_pair *pair = content;
    const bool second = ((const pair_state *)state)->second;
    const tr_driver at = held(pair, second);
    at.kind->look(at.content, state_of(pair, state, second), out);
    out->entry += second ? pair->entries : 0;
    out->skill += second ? pair->skills : 0;
}

/* The driver that is not at work has a state too, which fits. The second begins anew, except when it
 * is at work already. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_pair *pair = content;
    pair_state *s = state;
    const bool goes = entry_index >= pair->entries;
    void *of_second = state_of(pair, state, 1);
    pair->first.kind->enter(pair->first.content, state_of(pair, state, 0), goes ? 0 : entry_index,
                            !goes && mirrored);
    if (!goes || !s->second)
        memset(of_second, 0, tr_driver_state_size(pair->second));
    pair->second.kind->enter(pair->second.content, of_second,
                             goes ? entry_index - pair->entries : 0, false);
    s->second = goes;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_pair *pair = content;
    const bool second = ((const pair_state *)state)->second;
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
                                     .state_size = sizeof(pair_state),
                                     .field = fields,
                                     .field_count = sizeof fields / sizeof *fields,
                                     .fits = fits,
                                     .enter = enter,
                                     .nearest = nearest,
                                     .look = look,
                                     .reach = tr_driver_holder_reach,
                                     .performs = tr_driver_holder_performs,
                                     .drive = drive};

/* --- making --- */

static tr_status check_both(const tr_controller *controller, const tr_controller *beside,
                            tr_error *error) {
    if (!go_together(controller->driver.kind, beside->driver.kind))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "pair: '%s' and '%s': expected a first kind that holds no other driver, and "
                       "a second one without fragments and parameters",
                       tr_driver_kind_name(controller->driver),
                       tr_driver_kind_name(beside->driver));
    if (controller->rig || beside->rig || controller->model_hash != beside->model_hash ||
        controller->step_s != beside->step_s)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "pair: '%s' and '%s': expected the same model and step, and no rig",
                       controller->name, beside->name);
    return TR_OK;
}

static tr_status copy_driver(const tr_controller *from, const tr_model *model, tr_driver *out,
                             tr_error *error) {
    const tr_driver_setting setting = tr_controller_setting(from, model);
    void *content = NULL;
    tr_status status = tr_driver_copy(from->driver, &setting, &content);
    if (status)
        return tr_fail(error, status, "pair: '%s': %s", from->name, tr_status_text(status));
    *out = (tr_driver){from->driver.kind, content};
    return TR_OK;
}

tr_status tr_pair_add(tr_controller *controller, const tr_controller *beside, const tr_model *model,
                      tr_error *error) {
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    tr_status status = check_both(controller, beside, error);
    if (status)
        return status;
    tr_pair *pair = calloc(1, sizeof *pair);
    if (!pair)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "pair: no memory");
    pair->stance = beside->spawn;
    pair->bodies = model->body_count;
    status = copy_driver(controller, model, &pair->first, error);
    if (!status)
        status = copy_driver(beside, model, &pair->second, error);
    if (!status)
        status = complete(pair, &setting, error);
    if (status) {
        destroy(pair);
        return status;
    }
    /* The pair holds copies, so that a failure above leaves the controller as it was. */
    controller->driver.kind->destroy(controller->driver.content);
    controller->driver = (tr_driver){&tr_pair_kind, pair};
    return TR_OK;
}
