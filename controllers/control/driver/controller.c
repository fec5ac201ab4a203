#include "control/driver/controller.h"

#include "control/fields/reference_state.h"

#include <stdlib.h>
#include <string.h>

tr_status tr_controller_create(tr_driver take_driver, tr_controller **out) {
    tr_controller *controller = calloc(1, sizeof *controller);
    if (!controller)
        return TR_RESOURCE_EXHAUSTED;
    controller->spawn = tr_reference_identity();
    controller->driver = take_driver;
    *out = controller;
    return TR_OK;
}

tr_status tr_controller_create_for(tr_driver take_driver, const tr_model *model, double step_s,
                                   const tr_state *spawn, tr_controller **out) {
    tr_status status = tr_controller_create(take_driver, out);
    if (status)
        return status;
    memcpy((*out)->model_name, model->name, sizeof(*out)->model_name);
    (*out)->model_hash = model->hash;
    (*out)->step_s = step_s;
    (*out)->spawn = *spawn;
    return TR_OK;
}

void tr_controller_destroy(tr_controller *controller) {
    if (!controller)
        return;
    controller->driver.kind->destroy(controller->driver.content);
    free(controller->rig);
    free(controller);
}

tr_status tr_controller_set_rig(tr_controller *controller, const tr_rig *rig) {
    /* The old rig stays if there is no memory for the new one. */
    tr_rig *copy = NULL;
    tr_status status = tr_rig_copy(rig, &copy);
    if (status)
        return status;
    free(controller->rig);
    controller->rig = copy;
    return TR_OK;
}

void tr_controller_copy_setting(const tr_controller *from, tr_controller *to) {
    memcpy(to->model_name, from->model_name, sizeof to->model_name);
    to->model_hash = from->model_hash;
    to->step_s = from->step_s;
}

/* Copies the controller with another content and another rig. */
static tr_status with_content(const tr_controller *controller, void *take_content,
                              const tr_rig *rig, tr_controller **out) {
    tr_driver driver = {controller->driver.kind, take_content};
    tr_controller *copy = NULL;
    tr_status status = tr_controller_create(driver, &copy);
    if (status) {
        driver.kind->destroy(take_content);
        return status;
    }
    /* All but driver and rig, which have one owner each. */
    *copy = *controller;
    copy->driver = driver;
    copy->rig = NULL;
    status = tr_controller_set_rig(copy, rig);
    return TR_GIVE(status, copy, tr_controller_destroy, out);
}

tr_status tr_controller_copy(const tr_controller *controller, const tr_model *model,
                             tr_controller **out) {
    tr_driver_setting setting = tr_controller_setting(controller, model);
    void *content = NULL;
    tr_status status = tr_driver_copy(controller->driver, &setting, &content);
    return status ? status : with_content(controller, content, controller->rig, out);
}

tr_status tr_controller_mirror(const tr_controller *controller, const tr_model *model,
                               tr_controller **out) {
    const tr_driver *driver = &controller->driver;
    tr_driver_setting setting = tr_controller_setting(controller, model);
    void *content = NULL;
    tr_status status = driver->kind->mirror(driver->content, &setting, &content);
    if (status)
        return status;
    tr_rig rig;
    if (controller->rig)
        /* What a character carries is mirrored with it. */
        rig = tr_rig_mirror(controller->rig, model);
    status = with_content(controller, content, controller->rig ? &rig : NULL, out);
    if (!status)
        (*out)->spawn = tr_state_mirror(model, &controller->spawn);
    return status;
}

/* --- checking --- */

static bool is_terminated(const char *name) {
    return memchr(name, 0, TR_NAME_MAX) != NULL;
}

/* Checks all but the driver. */
static tr_status check_head(const tr_controller *c, const tr_model *model, tr_error *error) {
    if (!is_terminated(c->skill) || !is_terminated(c->model_name))
        return tr_fail(error, TR_INVALID_ARGUMENT, "skill, model_name: expected terminated text");
    if (c->model_hash != model->hash)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "model_hash: expected %016llx of model '%s', found %016llx of '%s'",
                       (unsigned long long)model->hash, model->name,
                       (unsigned long long)c->model_hash, c->model_name);
    /* Bounds of what the servos were tuned for: 0.5 to 20 ms. */
    if (!(c->step_s >= 0.0005 && c->step_s <= 0.02))
        return tr_fail(error, TR_INVALID_ARGUMENT, "step_s: expected 0.0005 to 0.02 s");
    if (!tr_reference_is_sound(model, &c->spawn))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "spawn: expected finite rates and unit quaternions");
    return TR_OK;
}

tr_status tr_controller_check(const tr_controller *controller, const tr_model *model,
                              tr_error *error) {
    if (!is_terminated(controller->name) || controller->name[0] == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "controller '%.*s': name: expected terminated text that is not empty",
                       TR_NAME_MAX, controller->name);
    /* Messages of the parts get the name of the controller before them. */
    tr_error inner = {0};
    tr_driver_setting setting = tr_controller_setting(controller, model);
    tr_status status = check_head(controller, model, &inner);
    if (!status && controller->rig)
        status = tr_rig_check(controller->rig, model, &inner);
    if (!status)
        status = tr_driver_check(controller->driver, &setting, &inner);
    return status ? tr_fail(error, status, "controller '%s': %s", controller->name, inner.message)
                  : TR_OK;
}

/* --- passed on from its driver --- */

tr_driver_setting tr_controller_setting(const tr_controller *controller, const tr_model *model) {
    return (tr_driver_setting){model, controller->step_s, &controller->spawn, controller->rig};
}

tr_driver_outline tr_controller_outline(const tr_controller *controller) {
    tr_driver_outline outline;
    const tr_driver *driver = &controller->driver;
    driver->kind->outline(driver->content, controller->step_s, &outline);
    /* A view that begins in another skill has the gains and the cycle of that skill. */
    if (controller->first.count > 0) {
        tr_driver_entry entry;
        driver->kind->entry(driver->content, controller->first.entry, &entry);
        outline.gain_set = entry.gain_set;
        outline.first_count = controller->first.count;
        outline.cycle_s = controller->first.cycle_s;
    }
    return outline;
}

/* Returns the duration of a cycle of the skill; 0: that of an entry varies. */
static double cycle_s_of(const tr_driver_sheet *sheet, const tr_driver_skill *skill,
                         double step_s) {
    int64_t steps = 0;
    for (int k = skill->first; k < skill->first + skill->count; k++) {
        /* The duration of such an entry depends on what the driver decides. */
        if (sheet->entry[k].steps == 0)
            return 0;
        steps += sheet->entry[k].steps;
    }
    return (double)steps * step_s * (skill->mirrored ? 2 : 1);
}

static tr_status begin_in(const tr_driver_sheet *sheet, const char *name, tr_controller *out,
                          tr_error *error) {
    const int i = tr_driver_sheet_find_skill(sheet, name);
    if (i < 0)
        return tr_fail(error, TR_NOT_FOUND, "controller '%s': no skill '%s'", out->name, name);
    const tr_driver_skill *skill = &sheet->skill[i];
    /* Only a skill that repeats can be held from the beginning. */
    if (!skill->cyclic || !sheet->entry[skill->first].start)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "controller '%s': skill '%s' ends; expected one that repeats", out->name,
                       name);
    out->spawn = *sheet->entry[skill->first].start;
    out->first = (tr_controller_beginning){skill->first, skill->count,
                                           cycle_s_of(sheet, skill, out->step_s)};
    return TR_OK;
}

tr_status tr_controller_in_skill(const tr_controller *controller, const char *skill,
                                 tr_controller *out, tr_error *error) {
    tr_driver_sheet sheet;
    tr_controller begun = *controller;
    tr_status status = tr_driver_describe(controller->driver, controller->step_s, &sheet);
    if (status)
        return tr_fail_if(error, status, "controller '%s'", controller->name);
    status = begin_in(&sheet, skill, &begun, error);
    tr_driver_sheet_deinit(&sheet);
    if (!status)
        *out = begun;
    return status;
}

double tr_controller_duration_s(const tr_controller *controller) {
    return tr_controller_outline(controller).duration_s;
}

tr_bank *tr_controller_bank(const tr_controller *controller) {
    const tr_driver *driver = &controller->driver;
    return driver->kind->bank ? driver->kind->bank(driver->content) : NULL;
}

uint64_t tr_controller_hash(const tr_controller *controller, const tr_model *model) {
    tr_driver_setting setting = tr_controller_setting(controller, model);
    uint64_t hash = controller->driver.kind->hash(controller->driver.content, &setting);
    return tr_rig_hash(controller->rig, hash);
}

void tr_controller_nearest(const tr_controller *controller, const tr_model *model,
                           const tr_state *state, int *out_entry, bool *out_mirrored) {
    controller->driver.kind->nearest(controller->driver.content, model, state, out_entry,
                                     out_mirrored);
}
