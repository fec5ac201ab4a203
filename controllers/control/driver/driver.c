#include "control/driver/driver.h"

#include "control/driver/skill_words.h"

#include "control/fields/reference_state.h"
#include "math/hash.h"

#include <stdlib.h>
#include <string.h>

static bool has_name(const tr_driver_kind *kind, const char *name) {
    const char *variant;
    for (int i = 0; kind->name_at && (variant = kind->name_at(i)); i++)
        if (strcmp(variant, name) == 0)
            return true;
    /* A kind with variants cannot be found by its own name. */
    return !kind->name_at && strcmp(kind->name, name) == 0;
}

const tr_driver_kind *tr_driver_find_kind(const char *name) {
    for (const tr_driver_kind *const *kind = tr_driver_kinds; *kind; kind++)
        if (has_name(*kind, name))
            return *kind;
    return NULL;
}

const char *tr_driver_kind_name(tr_driver driver) {
    return driver.kind->name_of ? driver.kind->name_of(driver.content) : driver.kind->name;
}

uint64_t tr_driver_setting_hash(const tr_driver_setting *setting) {
    uint64_t hash = tr_hash_add(TR_HASH_START, &setting->model->hash, sizeof(uint64_t));
    hash = tr_hash_add(hash, &setting->step_s, sizeof setting->step_s);
    return tr_reference_hash(hash, setting->spawn, setting->model->body_count);
}

/* --- drivers that hold drivers --- */

tr_driver tr_driver_held(tr_driver driver, int index) {
    const tr_driver none = {0};
    return driver.kind->held ? driver.kind->held(driver.content, index) : none;
}

void *tr_driver_content(tr_driver driver, const tr_driver_kind *kind) {
    if (!driver.kind || driver.kind == kind)
        return driver.content;
    return tr_driver_content(tr_driver_held(driver, 0), kind);
}

/* Whatever a kind keeps in its state may lie at such an address. */
static size_t aligned(size_t size) {
    const size_t alignment = _Alignof(max_align_t);
    return (size + alignment - 1) / alignment * alignment;
}

size_t tr_driver_state_size(tr_driver driver) {
    size_t size = aligned(driver.kind->state_size);
    for (int i = 0; tr_driver_held(driver, i).kind; i++)
        size += tr_driver_state_size(tr_driver_held(driver, i));
    return size;
}

size_t tr_driver_held_offset(tr_driver driver, int index) {
    size_t offset = aligned(driver.kind->state_size);
    for (int i = 0; i < index; i++)
        offset += tr_driver_state_size(tr_driver_held(driver, i));
    return offset;
}

void *tr_driver_held_state(tr_driver driver, const void *state, int index) {
    return (char *)state + tr_driver_held_offset(driver, index);
}

static bool is_deeper_than(tr_driver driver, int depth) {
    bool deeper = depth == 0;
    for (int i = 0; !deeper && tr_driver_held(driver, i).kind; i++)
        deeper = is_deeper_than(tr_driver_held(driver, i), depth - 1);
    return deeper;
}

tr_status tr_driver_check(tr_driver driver, const tr_driver_setting *setting, tr_error *error) {
    if (!driver.kind || !driver.content)
        return tr_fail(error, TR_INVALID_ARGUMENT, "driver: expected a kind and its content");
    if (is_deeper_than(driver, TR_DRIVER_DEPTH_MAX))
        return tr_fail(error, TR_INVALID_ARGUMENT, "driver: holds drivers more than %d deep",
                       TR_DRIVER_DEPTH_MAX);
    if (tr_driver_state_size(driver) > TR_DRIVER_STATE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "driver: its state takes %zu bytes, expected at most %d",
                       tr_driver_state_size(driver), TR_DRIVER_STATE_MAX);
    return driver.kind->check(driver.content, setting, error);
}

tr_status tr_driver_copy(tr_driver driver, const tr_driver_setting *setting, void **out_content) {
    /* A copy is what is saved and loaded again, so kinds need no copying of their own. */
    tr_sections sections = {0};
    tr_status status = driver.kind->save(driver.content, &sections, NULL);
    if (!status)
        status = driver.kind->load(&sections, setting, out_content, NULL);
    tr_sections_deinit(&sections);
    return status;
}

/* --- states in bytes --- */

static const tr_state_field *fields_of(tr_driver driver, int *out_count) {
    *out_count = driver.kind->field_count;
    return driver.kind->fields_of ? driver.kind->fields_of(driver.content, out_count)
                                  : driver.kind->field;
}

void tr_driver_state_write(tr_driver driver, const void *state, tr_byte_writer *writer) {
    int count;
    const tr_state_field *field = fields_of(driver, &count);
    tr_state_fields_write(field, count, state, writer);
    for (int i = 0; tr_driver_held(driver, i).kind; i++)
        tr_driver_state_write(tr_driver_held(driver, i), tr_driver_held_state(driver, state, i),
                              writer);
}

/* Checks that the state fits the content after all of it is read, held states included. */
bool tr_driver_state_read(tr_driver driver, tr_byte_reader *source, void *out_state) {
    int count;
    const tr_state_field *field = fields_of(driver, &count);
    bool sound = tr_state_fields_read(field, count, source, out_state, NULL);
    tr_driver held = tr_driver_held(driver, 0);
    for (int i = 0; sound && held.kind; held = tr_driver_held(driver, ++i))
        sound = tr_driver_state_read(held, source, tr_driver_held_state(driver, out_state, i));
    return sound && (!driver.kind->fits || driver.kind->fits(driver.content, out_state));
}

uint64_t tr_driver_state_hash(tr_driver driver, const void *state, uint64_t hash) {
    int count;
    const tr_state_field *field = fields_of(driver, &count);
    hash = tr_state_fields_hash(field, count, state, hash);
    for (int i = 0; tr_driver_held(driver, i).kind; i++)
        hash = tr_driver_state_hash(tr_driver_held(driver, i),
                                    tr_driver_held_state(driver, state, i), hash);
    return hash;
}

/* --- what it can do --- */

int tr_driver_parameters(tr_driver driver, tr_driver_parameter out[TR_DRIVER_PARAMETER_MAX]) {
    return driver.kind->parameters ? driver.kind->parameters(driver.content, out) : 0;
}

static tr_status describe_entries(tr_driver driver, tr_driver_sheet *sheet) {
    size_t count = (size_t)sheet->outline.entry_count;
    sheet->entry = calloc(count, sizeof *sheet->entry);
    sheet->has_references = true;
    for (size_t i = 0; sheet->entry && i < count; i++) {
        driver.kind->entry(driver.content, (int)i, &sheet->entry[i]);
        sheet->has_references &= sheet->entry[i].end != NULL;
    }
    return sheet->entry ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

/* A driver that describes no skills has one, its controller's. */
tr_status tr_driver_describe_skills(tr_driver driver, tr_driver_sheet *sheet) {
    tr_driver_skill alone = {.name = "",
                             .count = sheet->outline.entry_count,
                             .cyclic = sheet->outline.cyclic,
                             .mirrored = sheet->outline.mirrored};
    tr_status status = driver.kind->describe ? driver.kind->describe(driver.content, sheet)
                                             : tr_driver_sheet_add_skill(sheet, &alone);
    for (int i = 0; !status && i < sheet->skill_count; i++) {
        const tr_skill_words *words = tr_skill_words_of(sheet->skill[i].name);
        sheet->skill[i].tags = words->tags;
        sheet->skill[i].summary = words->summary;
    }
    return status;
}

/* Can the driver be asked for the skill by its name? */
static bool performs(tr_driver driver, const char *skill) {
    return skill[0] && driver.kind->performs && driver.kind->performs(driver.content, skill);
}

tr_status tr_driver_describe(tr_driver driver, double step_s, tr_driver_sheet *out) {
    tr_driver_sheet sheet = {.kind = tr_driver_kind_name(driver)};
    driver.kind->outline(driver.content, step_s, &sheet.outline);
    sheet.parameter_count = tr_driver_parameters(driver, sheet.parameter);
    sheet.reach = tr_driver_reach_of(driver);
    tr_status status = describe_entries(driver, &sheet);
    if (!status)
        status = tr_driver_describe_skills(driver, &sheet);
    for (int i = 0; !status && i < sheet.skill_count; i++)
        sheet.skill[i].on_request = performs(driver, sheet.skill[i].name);
    if (status)
        tr_driver_sheet_deinit(&sheet);
    else
        *out = sheet;
    return status;
}

/* --- what it is doing --- */

const tr_driver_shown *tr_doing_find(const tr_doing *doing, const char *name) {
    for (int i = 0; i < doing->shown_count; i++)
        if (strcmp(doing->shown[i].name, name) == 0)
            return &doing->shown[i];
    return NULL;
}
