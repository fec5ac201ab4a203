#include "control/hierarchy/hierarchy_content.h"

#include "control/parts/driver_holder.h"
#include "math/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SECTION[] = "hierarchy";

/* Sections of the held scheduler have this before their names: the scheduler around the hierarchy
 * has sections of the same names. */
static const char HELD[] = "held-", SCHEDULER[] = "scheduler";

const char *const tr_hierarchy_skill[TR_HIERARCHY_ENTRIES] = {
    [TR_HIERARCHY_SCHEDULED] = "scheduled", [TR_HIERARCHY_PROTECT] = "protect",
    [TR_HIERARCHY_GATHER] = "gather",       [TR_HIERARCHY_TURN_OVER] = "turn-over",
    [TR_HIERARCHY_FREE] = "free",
};

static bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* --- checking --- */

static int find_rising(const tr_scheduler *scheduler) {
    const tr_driver_sheet *sheet = &scheduler->sheet;
    int i = 0;
    while (i < sheet->outline.entry_count && !sheet->entry[i].rises)
        i++;
    return i < sheet->outline.entry_count ? i : -1;
}

static tr_status check_skills(const tr_driver_sheet *sheet, tr_error *error) {
    for (int i = 0; i < sheet->skill_count; i++)
        for (int k = 0; k < TR_HIERARCHY_ENTRIES; k++)
            if (strcmp(sheet->skill[i].name, tr_hierarchy_skill[k]) == 0)
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "hierarchy: skill '%s': the hierarchy has one of that name",
                               tr_hierarchy_skill[k]);
    if (sheet->outline.entry_count > TR_DRIVER_ENTRY_MAX - TR_HIERARCHY_ENTRIES ||
        sheet->skill_count > TR_DRIVER_SKILL_MAX - TR_HIERARCHY_ENTRIES)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "hierarchy: %d entries and %d skills; expected at most %d and %d",
                       sheet->outline.entry_count, sheet->skill_count,
                       TR_DRIVER_ENTRY_MAX - TR_HIERARCHY_ENTRIES,
                       TR_DRIVER_SKILL_MAX - TR_HIERARCHY_ENTRIES);
    /* The hierarchy adds its own edges, and one from the end of each rising skill. */
    int edges = TR_HIERARCHY_EDGES;
    for (int i = 0; i < sheet->skill_count; i++)
        edges += sheet->skill[i].rises;
    if (sheet->edge_count > TR_DRIVER_EDGE_MAX - edges)
        return tr_fail(error, TR_INVALID_ARGUMENT, "hierarchy: %d edges; expected at most %d",
                       sheet->edge_count, TR_DRIVER_EDGE_MAX - edges);
    return TR_OK;
}

/* The entries that the scheduler lists are not those of rising: whoever is around chooses these. */
static tr_status check_listed(const tr_scheduler *scheduler, tr_error *error) {
    const tr_driver_sheet *sheet = &scheduler->sheet;
    for (int i = 0; i < scheduler->entry_count; i++)
        if (sheet->skill[sheet->entry[scheduler->entry[i]].skill].rises)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "hierarchy: the scheduler lists entry %d, which is part of rising",
                           scheduler->entry[i]);
    return TR_OK;
}

static tr_status check_parts(const tr_hierarchy *hierarchy, tr_error *error) {
    const tr_scheduler *scheduler = tr_hierarchy_scheduler(hierarchy);
    if (hierarchy->rising < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "hierarchy: the scheduler's driver has no skill that rises");
    tr_status status = check_skills(&scheduler->sheet, error);
    return status ? status : check_listed(scheduler, error);
}

tr_status tr_hierarchy_check(const void *content, const tr_driver_setting *setting,
                             tr_error *error) {
    const tr_hierarchy *hierarchy = content;
    const tr_driver *inner = &hierarchy->inner;
    tr_status status = inner->kind->check(inner->content, setting, error);
    return status ? status : check_parts(hierarchy, error);
}

uint64_t tr_hierarchy_hash(const void *content, const tr_driver_setting *setting) {
    const tr_driver *inner = &((const tr_hierarchy *)content)->inner;
    const uint64_t hash = inner->kind->hash(inner->content, setting);
    return tr_hash_add(hash, SECTION, sizeof SECTION);
}

/* --- making --- */

/* Makes the content around an inner driver that is whole. Destroys the driver's content on
 * failure. */
static tr_status wrap(tr_driver take_inner, void **out) {
    tr_hierarchy *hierarchy = calloc(1, sizeof *hierarchy);
    if (!hierarchy) {
        take_inner.kind->destroy(take_inner.content);
        return TR_RESOURCE_EXHAUSTED;
    }
    hierarchy->inner = take_inner;
    hierarchy->rising = find_rising(take_inner.content);
    *out = hierarchy;
    return TR_OK;
}

tr_status tr_hierarchy_mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_driver inner = ((const tr_hierarchy *)content)->inner;
    tr_status status = inner.kind->mirror(inner.content, setting, &inner.content);
    return status ? status : wrap(inner, out);
}

tr_status tr_hierarchy_add(tr_controller *controller, const tr_model *model, tr_error *error) {
    const tr_driver_kind *kind = controller->driver.kind;
    const tr_hierarchy probe = {controller->driver, kind == &tr_scheduler_kind
                                                        ? find_rising(controller->driver.content)
                                                        : -1};
    void *content = NULL;
    if (kind != &tr_scheduler_kind || tr_hierarchy_of(controller))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "hierarchy: '%s': expected a scheduler of a control graph",
                       controller->name);
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    tr_status status = tr_hierarchy_check(&probe, &setting, error);
    if (status)
        return status;
    status = tr_driver_copy(controller->driver, &setting, &content);
    if (!status)
        status = wrap((tr_driver){kind, content}, &content);
    if (status)
        return tr_fail(error, status, "hierarchy: %s", tr_status_text(status));
    kind->destroy(controller->driver.content);
    controller->driver = (tr_driver){&tr_hierarchy_kind, content};
    return TR_OK;
}

/* --- sections: "hierarchy", and those of the held scheduler --- */

static tr_status put_section(const tr_section *section, tr_sections *out, tr_error *error) {
    char name[2 * TR_NAME_MAX];
    snprintf(name, sizeof name, "%s%s", begins_with(section->name, SCHEDULER) ? HELD : "",
             section->name);
    return tr_sections_copy(section, name, out, error);
}

tr_status tr_hierarchy_save(const void *content, tr_sections *out, tr_error *error) {
    const tr_driver *inner = &((const tr_hierarchy *)content)->inner;
    tr_sections held = {0};
    tr_section_writer writer = tr_section_begin(out, SECTION);
    tr_section_put_text(&writer, inner->kind->name);
    tr_status status = tr_section_end(&writer, error);
    if (!status)
        status = inner->kind->save(inner->content, &held, error);
    for (int i = 0; !status && i < held.count; i++)
        status = put_section(&held.section[i], out, error);
    out->bank = held.bank;
    tr_sections_deinit(&held);
    return status;
}

/* Returns the sections as the held scheduler saved them; the bytes are those of `in`. */
static tr_sections sections_of_held(const tr_sections *in) {
    tr_sections held = {.bank = in->bank};
    for (int i = 0; i < in->count; i++) {
        tr_section section = in->section[i];
        if (begins_with(section.name, SCHEDULER))
            continue;
        if (begins_with(section.name, HELD))
            memmove(section.name, section.name + strlen(HELD),
                    strlen(section.name) - strlen(HELD) + 1);
        held.section[held.count++] = section;
    }
    return held;
}

tr_status tr_hierarchy_load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                            tr_error *error) {
    char name[TR_NAME_MAX];
    tr_section_reader reader = tr_section_open(in, SECTION);
    tr_section_get_text(&reader, name, sizeof name);
    tr_status status = tr_section_close(&reader, error);
    if (status)
        return status;
    tr_driver inner = {.kind = &tr_scheduler_kind};
    if (strcmp(name, inner.kind->name) != 0)
        return tr_fail(error, TR_DATA_LOSS, "hierarchy: holds a '%s'; expected a scheduler", name);
    const tr_sections held = sections_of_held(in);
    status = inner.kind->load(&held, setting, &inner.content, error);
    if (!status && tr_driver_content(inner, &tr_hierarchy_kind)) {
        inner.kind->destroy(inner.content);
        status = tr_fail(error, TR_DATA_LOSS, "hierarchy: holds another hierarchy");
    }
    return status ? status : wrap(inner, out);
}
