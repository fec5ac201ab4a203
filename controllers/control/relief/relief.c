#include "control/relief/relief.h"

#include "control/above_ground.h"
#include "control/driver_holder.h"
#include "control/reference_state.h"
#include "math/hash.h"

#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "relief";

static const tr_state_field fields[] = {TR_STATE_BOOL_FIELD(tr_relief_state, second)};

static tr_driver held(const void *content, int index) {
    const tr_relief *relief = content;
    const tr_driver none = {0};
    return index == 0 ? relief->first : index == 1 ? relief->second : none;
}

static void *state_of(const tr_relief *relief, const void *state, int index) {
    const tr_driver driver = {&tr_relief_kind, (void *)relief};
    return tr_driver_held_state(driver, state, index);
}

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
    const tr_bank *a = bank_of(relief->first), *b = bank_of(relief->second);
    const int longest[] = {tr_fragment_longest(a->fragment, a->fragment_count),
                           tr_fragment_longest(b->fragment, b->fragment_count)};
    const int count = a->fragment_count;
    tr_bank both;
    tr_status status = tr_bank_init(&both, count + b->fragment_count,
                                    longest[longest[0] < longest[1]], relief->bodies);
    if (status)
        return status;
    tr_bank_copy_setting(a, &both);
    both.cyclic = a->cyclic;
    both.mirrored = a->mirrored;
    move_fragments(relief->first, relief->bodies, 0, &both);
    move_fragments(relief->second, relief->bodies, count, &both);
    relief->bank = both;
    return TR_OK;
}

/* Drivers whose fragments are in the common bank no longer have any to free. */
static void part_from_bank(const tr_relief *relief) {
    for (int i = 0; i < 2; i++) {
        tr_bank *bank = bank_of(held(relief, i));
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
    for (int i = 0; i < 2; i++)
        if (held(relief, i).kind)
            held(relief, i).kind->destroy(held(relief, i).content);
    tr_bank_deinit(&relief->bank);
    free(relief);
}

/* --- content --- */

/* What the second driver was made for. */
static tr_driver_setting second_setting(const tr_relief *relief, const tr_driver_setting *setting) {
    tr_driver_setting second = *setting;
    second.spawn = &relief->stance;
    return second;
}

static bool same_action(const tr_bank *a, const tr_bank *b) {
    return memcmp(&a->action, &b->action, sizeof a->action) == 0;
}

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_relief *relief = content;
    if (relief->bodies != setting->model->body_count)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: %d bodies; expected %d, as the model has", relief->bodies,
                       setting->model->body_count);
    if (!tr_reference_is_sound(setting->model, &relief->stance))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: stance: expected finite numbers and unit quaternions");
    if (!same_action(bank_of(relief->first), bank_of(relief->second)))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: action: expected feedback on the same joints in both drivers");
    const tr_driver_setting second = second_setting(relief, setting);
    tr_status status = relief->first.kind->check(relief->first.content, setting, error);
    return status ? status : relief->second.kind->check(relief->second.content, &second, error);
}

static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_relief *relief = content;
    const tr_driver_setting second = second_setting(relief, setting);
    const uint64_t of[] = {relief->first.kind->hash(relief->first.content, setting),
                           relief->second.kind->hash(relief->second.content, &second),
                           (uint64_t)relief->home};
    return tr_hash_add(TR_HASH_START, of, sizeof of);
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
    const int count = tr_driver_parameters(relief->second, parameter);
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
        status = tr_driver_describe(relief->first, setting->step_s, &first);
    if (!status)
        status = tr_driver_describe(relief->second, setting->step_s, &second);
    if (!status)
        status = find_home(&second, home, relief, error);
    relief->entries = first.outline.entry_count;
    relief->skills = first.skill_count;
    tr_driver_sheet_deinit(&second);
    tr_driver_sheet_deinit(&first);
    if (status)
        return status;
    find_initial(relief);
    return join_banks(relief);
}

static tr_status mirror_both(const tr_relief *relief, const tr_driver_setting *setting,
                             tr_relief *image) {
    const tr_driver_setting second = second_setting(relief, setting);
    void *content = NULL;
    tr_status status = relief->first.kind->mirror(relief->first.content, setting, &content);
    if (status)
        return status;
    image->first = (tr_driver){relief->first.kind, content};
    status = relief->second.kind->mirror(relief->second.content, &second, &content);
    if (status)
        return status;
    image->second = (tr_driver){relief->second.kind, content};
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
    image->bodies = relief->bodies;
    image->stance = tr_state_mirror(setting->model, &relief->stance);
    tr_status status = mirror_both(relief, setting, image);
    if (status)
        destroy(image);
    else
        *out = image;
    return status;
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_relief *relief = content;
    const tr_bank *second = bank_of(relief->second);
    tr_section_writer writer = tr_section_begin(out, SECTION);
    for (int i = 0; i < 2; i++)
        tr_section_put_text(&writer, held(relief, i).kind->name);
    tr_section_put_int(&writer, bank_of(relief->first)->fragment_count);
    tr_section_put_text(&writer, second->gain_set);
    tr_section_put_int(&writer, second->cyclic);
    tr_section_put_int(&writer, second->mirrored);
    tr_section_put_int(&writer, relief->home);
    tr_section_put_int(&writer, relief->bodies);
    tr_reference_put(&writer, &relief->stance, relief->bodies);
    tr_status status = tr_section_end(&writer, error);
    for (int i = 0; !status && i < 2; i++)
        status = held(relief, i).kind->save(held(relief, i).content, out, error);
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
    relief->bodies = (int)tr_section_get_int(&reader, 1, TR_BODY_MAX);
    tr_reference_get(&reader, relief->bodies, &relief->stance);
    for (int i = 0; i < 2; i++)
        out->kind[i] = tr_driver_find_kind(name[i]);
    tr_status status = tr_section_close(&reader, error);
    if (!status && !go_together(out->kind[0], out->kind[1]))
        status = tr_fail(error, TR_DATA_LOSS, "relief: no driver kinds '%s' and '%s' that fit",
                         name[0], name[1]);
    return status;
}

static tr_status load_both(const tr_sections *in, const tr_driver_setting *setting,
                           const stored *from, tr_relief *out, tr_error *error) {
    const tr_driver_setting second = second_setting(out, setting);
    tr_sections part = *in;
    void *content = NULL;
    part.bank = &from->of[0];
    tr_status status = from->kind[0]->load(&part, setting, &content, error);
    if (status)
        return status;
    out->first = (tr_driver){from->kind[0], content};
    part.bank = &from->of[1];
    status = from->kind[1]->load(&part, &second, &content, error);
    if (!status)
        out->second = (tr_driver){from->kind[1], content};
    return status;
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_relief *relief = calloc(1, sizeof *relief);
    stored from;
    if (!relief)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "relief: no memory");
    tr_status status = read_section(in, relief, &from, error);
    if (!status)
        status = load_both(in, setting, &from, relief, error);
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

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_relief *relief = content;
    tr_driver_outline second;
    relief->first.kind->outline(relief->first.content, step_s, out);
    relief->second.kind->outline(relief->second.content, step_s, &second);
    out->entry_count += second.entry_count;
    out->duration_s += second.duration_s;
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_relief *relief = content;
    const bool second = index >= relief->entries;
    const tr_driver of = held(relief, second);
    of.kind->entry(of.content, index - (second ? relief->entries : 0), out);
    out->skill += second ? relief->skills : 0;
}

/* Behind those of the first driver. A driver that describes no skills takes all entries for its
 * own. */
static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_relief *relief = content;
    const int all = sheet->outline.entry_count;
    sheet->outline.entry_count = relief->entries;
    tr_status status = tr_driver_describe_skills(relief->first, sheet);
    const int skills = sheet->skill_count, edges = sheet->edge_count;
    sheet->outline.entry_count = all - relief->entries;
    if (!status)
        status = tr_driver_describe_skills(relief->second, sheet);
    sheet->outline.entry_count = all;
    for (int i = skills; i < sheet->skill_count; i++)
        sheet->skill[i].first += relief->entries;
    for (int e = edges; e < sheet->edge_count; e++) {
        sheet->edge[e].from += relief->entries;
        sheet->edge[e].to += relief->entries;
    }
    return status;
}

static bool suits(const void *content, const tr_steering_target *target) {
    const tr_driver *first = &((const tr_relief *)content)->first;
    return first->kind->suits && first->kind->suits(first->content, target);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    (void)content, (void)state;
    return true; /* the states of both drivers were asked */
}

static void begin(const tr_relief *relief, void *state, int index, int entry_index, bool mirrored) {
    const tr_driver of = held(relief, index);
    void *own = state_of(relief, state, index);
    memset(own, 0, tr_driver_state_size(of));
    of.kind->enter(of.content, own, entry_index, mirrored);
}

/* The driver that is not at work has a state too, which fits. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_relief *relief = content;
    tr_relief_state *s = state;
    const bool second = entry_index >= relief->entries;
    if (second)
        begin(relief, state, 0, 0, false);
    else if (s->second)
        memset(state_of(relief, state, 0), 0, tr_driver_state_size(relief->first));
    if (!second)
        relief->first.kind->enter(relief->first.content, state_of(relief, state, 0), entry_index,
                                  mirrored);
    begin(relief, state, 1, second ? entry_index - relief->entries : 0, second && mirrored);
    s->second = second;
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_driver *first = &((const tr_relief *)content)->first;
    first->kind->nearest(first->content, model, state, out_entry, out_mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_relief *relief = content;
    const bool second = ((const tr_relief_state *)state)->second;
    const tr_driver at = held(relief, second);
    at.kind->look(at.content, state_of(relief, state, second), out);
    if (!second)
        return;
    out->entry += relief->entries;
    out->skill += relief->skills;
}

/* --- driving --- */

/* Has the second driver done an entry of its home? */
static bool is_home(const tr_relief *relief, const void *state) {
    tr_doing doing;
    relief->second.kind->look(relief->second.content, state_of(relief, state, 1), &doing);
    return doing.between && doing.skill == relief->home && doing.entries_done > 0;
}

static void take_over(const tr_relief *relief, const tr_sight *sight, void *state) {
    const tr_state here = tr_state_above_ground(sight->state, &sight->ground);
    int at;
    bool mirrored;
    nearest(relief, sight->model, &here, &at, &mirrored);
    enter(relief, state, at, mirrored);
}

static tr_status go_home(const tr_relief *relief, void *state, const tr_sight *sight,
                         tr_drive *out) {
    tr_steering_target target = {.aim = TR_AIM_NONE};
    tr_sight own = *sight;
    memcpy(target.skill, relief->home_name, strlen(relief->home_name));
    own.target = &target;
    own.parameter = relief->initial;
    tr_status status =
        relief->second.kind->drive(relief->second.content, state_of(relief, state, 1), &own, out);
    out->entry += relief->entries;
    return status;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_relief *relief = content;
    const tr_relief_state *s = state;
    if (s->second && is_home(relief, state))
        take_over(relief, sight, state);
    if (s->second)
        return go_home(relief, state, sight, out);
    return relief->first.kind->drive(relief->first.content, state_of(relief, state, 0), sight, out);
}

const tr_driver_kind tr_relief_kind = {.name = "relief",
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
                                       .bank = bank,
                                       .held = held,
                                       .state_size = sizeof(tr_relief_state),
                                       .field = fields,
                                       .field_count = sizeof fields / sizeof *fields,
                                       .fits = fits,
                                       .enter = enter,
                                       .nearest = nearest,
                                       .look = look,
                                       .suits = suits,
                                       .drive = drive};

/* --- making --- */

static tr_status fill(tr_relief *relief, const tr_controller *controller,
                      const tr_controller *beside, const tr_model *model, tr_error *error) {
    const tr_driver_setting first = tr_controller_setting(controller, model),
                            second = tr_controller_setting(beside, model);
    void *content = NULL;
    relief->home = -1;
    relief->stance = beside->spawn;
    relief->bodies = model->body_count;
    tr_status status = tr_driver_copy(controller->driver, &first, &content);
    if (status)
        return tr_fail(error, status, "relief: '%s': %s", controller->name, tr_status_text(status));
    relief->first = (tr_driver){controller->driver.kind, content};
    status = tr_driver_copy(beside->driver, &second, &content);
    if (status)
        return tr_fail(error, status, "relief: '%s': %s", beside->name, tr_status_text(status));
    relief->second = (tr_driver){beside->driver.kind, content};
    return TR_OK;
}

static tr_status check_both(const tr_controller *controller, const tr_controller *beside,
                            tr_error *error) {
    if (controller->rig || beside->rig || controller->model_hash != beside->model_hash ||
        controller->step_s != beside->step_s)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: '%s' and '%s': expected the same model and step, and no rig",
                       controller->name, beside->name);
    if (!go_together(controller->driver.kind, beside->driver.kind))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "relief: '%s' and '%s': expected two kinds with fragments, neither of which "
                       "holds another driver",
                       controller->driver.kind->name, beside->driver.kind->name);
    return TR_OK;
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
