#include "control/driver/runner.h"

#include "math/hash.h"

#include <string.h>

static const tr_state_field fields[] = {
    TR_STATE_BOOL_FIELD(tr_runner, cue.given),
    TR_STATE_INT_FIELD(tr_runner, cue.entry, 0, TR_DRIVER_ENTRY_MAX - 1),
    TR_STATE_BOOL_FIELD(tr_runner, cue.mirrored),
    TR_STATE_DOUBLE_FIELD(tr_runner, parameter, -TR_STATE_ANY, TR_STATE_ANY),
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* --- parameters --- */

static void reset_parameter(tr_runner *runner, const tr_driver_parameter *parameter, int index) {
    double *value = runner->parameter + tr_driver_value_count(parameter, index);
    for (int i = 0; i < parameter[index].count; i++)
        value[i] = parameter[index].initial;
}

static int find_parameter(const tr_driver_parameter *parameter, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(parameter[i].name, name) == 0)
            return i;
    return -1;
}

static tr_status check_values(const tr_driver_parameter *parameter, const double *values, int count,
                              tr_error *error) {
    if (count != parameter->count)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %d values; expected %d", parameter->name,
                       count, parameter->count);
    for (int i = 0; i < count; i++)
        if (parameter->low == parameter->high && values[i] != parameter->low)
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %g; expected %g: %s", parameter->name,
                           values[i], parameter->low, parameter->meaning);
        else if (!(values[i] >= parameter->low && values[i] <= parameter->high))
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %g; expected %g to %g%s%s",
                           parameter->name, values[i], parameter->low, parameter->high,
                           parameter->unit[0] ? " " : "", parameter->unit);
    return TR_OK;
}

tr_status tr_runner_set_parameter(tr_runner *runner, const char *name, const double *values,
                                  int count, tr_error *error) {
    tr_driver_parameter parameter[TR_DRIVER_PARAMETER_MAX];
    const tr_controller *controller = runner->controller;
    if (!controller)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: the character has no controller", name);
    int known = tr_driver_parameters(controller->driver, parameter);
    int at = find_parameter(parameter, known, name);
    if (at < 0)
        return tr_fail(error, TR_NOT_FOUND, "%s: controller '%s' has no such parameter", name,
                       controller->name);
    if (count == 0) {
        reset_parameter(runner, parameter, at);
        return TR_OK;
    }
    tr_status status = check_values(&parameter[at], values, count, error);
    if (!status)
        memcpy(runner->parameter + tr_driver_value_count(parameter, at), values,
               (size_t)count * sizeof *values);
    return status;
}

/* Could the values of a restored runner have been set? */
static bool parameters_fit(const tr_runner *runner) {
    tr_driver_parameter parameter[TR_DRIVER_PARAMETER_MAX];
    int count =
        runner->controller ? tr_driver_parameters(runner->controller->driver, parameter) : 0;
    int at = 0;
    for (int i = 0; i < count; at += parameter[i++].count)
        if (check_values(&parameter[i], runner->parameter + at, parameter[i].count, NULL))
            return false;
    /* Values past the last parameter are never set. */
    for (; at < TR_DRIVER_VALUE_MAX; at++)
        if (runner->parameter[at] != 0)
            return false;
    return true;
}

/* --- running --- */

void tr_runner_start(tr_runner *out, const tr_controller *controller, int entry, bool mirrored) {
    tr_driver_parameter parameter[TR_DRIVER_PARAMETER_MAX];
    memset(out, 0, sizeof *out);
    out->controller = controller;
    if (!controller)
        return;
    int count = tr_driver_parameters(controller->driver, parameter);
    for (int i = 0; i < count; i++)
        reset_parameter(out, parameter, i);
    controller->driver.kind->enter(controller->driver.content, out->state, entry, mirrored);
}

void tr_runner_look(const tr_runner *runner, tr_doing *out) {
    const tr_controller *controller = runner->controller;
    if (!controller) {
        *out = (tr_doing){.between = true, .text = ""};
        return;
    }
    controller->driver.kind->look(controller->driver.content, runner->state, out);
    if (out->text[0] == 0)
        out->text = controller->skill[0] ? controller->skill : controller->name;
}

bool tr_runner_foresee(const tr_runner *runner, const tr_steering_target *target, tr_vec3 normal,
                       tr_driver_way *out) {
    const tr_controller *controller = runner->controller;
    if (!controller || !target->skill[0] || !controller->driver.kind->foresee)
        return false;
    const tr_driver_prospect prospect = {target, controller->step_s, normal};
    return controller->driver.kind->foresee(controller->driver.content, runner->state, &prospect,
                                            out);
}

static void take_cue(tr_runner *runner) {
    const tr_driver *driver = &runner->controller->driver;
    tr_doing doing;
    driver->kind->look(driver->content, runner->state, &doing);
    /* A cue waits until no entry is in progress. */
    if (!doing.between)
        return;
    driver->kind->enter(driver->content, runner->state, runner->cue.entry, runner->cue.mirrored);
    runner->cue = (tr_cue){0};
}

static tr_status apply_targets(const tr_drive *drive, tr_world *world, tr_entity_id character) {
    tr_status status = drive->gain_set == TR_SERVO_VALUES
                           ? tr_world_set_gains(world, character, drive->kp, drive->kd)
                           : tr_world_set_servo(world, character, drive->gain_set);
    if (!status)
        status = tr_world_set_targets(world, character, drive->target);
    if (!status && drive->feeds_forward)
        status = tr_world_set_feedforward(world, character, drive->torque, 1);
    return status;
}

static tr_status apply(const tr_drive *drive, tr_world *world, tr_entity_id character) {
    if (drive->mode == TR_DRIVE_HOLD)
        return TR_OK;
    bool kinematic = drive->mode == TR_DRIVE_POSE;
    tr_status status = TR_OK;
    if (tr_world_is_kinematic(world, character) != kinematic)
        status = tr_world_set_kinematic(world, character, kinematic);
    if (status)
        return status;
    if (kinematic)
        return tr_world_move_character(world, character, &drive->pose);
    return drive->mode == TR_DRIVE_LIMP ? tr_world_set_servo(world, character, TR_SERVO_RAGDOLL)
                                        : apply_targets(drive, world, character);
}

/* Returns what the driver sees. */
static tr_sight look_around(const tr_runner *runner, const tr_world *world,
                            tr_entity_id character) {
    tr_sight sight = {.world = world,
                      .character = character,
                      .model = tr_world_character_model(world, character),
                      .state = tr_world_state(world, character),
                      .ground = tr_world_local_ground(world, character),
                      .target = &runner->target,
                      .parameter = runner->parameter,
                      .tick = tr_world_tick(world),
                      .step_s = tr_world_definition(world)->step_s};
    sight.contact = tr_world_contacts(world, &sight.contact_count);
    return sight;
}

/* Keeps of the driver's state what its fields list, as a restore does. A state that a restore would
 * refuse stays as it is: trials play mirrored what has no mirrored half, worlds do not. */
static void keep_fields(tr_runner *runner) {
#ifdef TR_POISON
    const tr_driver driver = runner->controller->driver;
    const size_t size = tr_driver_state_size(driver);
    unsigned char bytes[TR_DRIVER_STATE_MAX], whole[TR_DRIVER_STATE_MAX];
    tr_byte_writer writer = {bytes, 0};
    tr_driver_state_write(driver, runner->state, &writer);
    tr_byte_reader reader = {bytes, writer.size, false};
    memcpy(whole, runner->state, size);
    memset(runner->state, 0, size);
    if (!tr_driver_state_read(driver, &reader, runner->state))
        memcpy(runner->state, whole, size);
#else
    (void)runner;
#endif
}

tr_status tr_runner_advance(tr_runner *runner, tr_world *world, tr_entity_id character,
                            tr_drive *out_drive) {
    if (!runner->controller)
        return TR_OK;
    const tr_driver *driver = &runner->controller->driver;
    unsigned char before[TR_DRIVER_STATE_MAX];
    size_t size = tr_driver_state_size(*driver);
    tr_cue cue = runner->cue;
    tr_object_state object[TR_RIG_OBJECT_MAX];
    tr_drive own, *drive = out_drive ? out_drive : &own;
    if (!tr_world_state(world, character))
        return TR_NOT_FOUND;
    tr_status status = tr_rig_look(&runner->rig, world, object);
    if (status)
        return status;
    /* A step that fails leaves the runner as it was. */
    memcpy(before, runner->state, size);
    if (cue.given)
        take_cue(runner);
    tr_sight sight = look_around(runner, world, character);
    sight.object = object;
    sight.object_id = runner->rig.object;
    sight.object_count = runner->rig.count;
    /* Only what is read in any case is reset: targets, gains and torques are read where the driver
     * sets them. */
    drive->mode = TR_DRIVE_HOLD;
    drive->entry = drive->gain_set = 0;
    drive->mirrored = drive->completes = drive->feeds_forward = false;
    status = driver->kind->drive(driver->content, runner->state, &sight, drive);
    if (!status)
        status = apply(drive, world, character);
    if (status) {
        memcpy(runner->state, before, size);
        runner->cue = cue;
    } else {
        keep_fields(runner);
    }
    return status;
}

/* --- in bytes --- */

void tr_runner_write(const tr_runner *runner, tr_byte_writer *writer) {
    tr_state_fields_write(tr_steering_target_field, tr_steering_target_field_count, &runner->target,
                          writer);
    tr_state_fields_write(fields, FIELD_COUNT, runner, writer);
    if (runner->controller)
        tr_driver_state_write(runner->controller->driver, runner->state, writer);
}

static bool cue_fits(const tr_runner *runner) {
    if (!runner->cue.given)
        return runner->cue.entry == 0 && !runner->cue.mirrored;
    if (!runner->controller)
        return false;
    tr_driver_outline outline = tr_controller_outline(runner->controller);
    return runner->cue.entry < outline.entry_count && (outline.mirrored || !runner->cue.mirrored);
}

bool tr_runner_read(tr_byte_reader *source, tr_runner *runner) {
    return tr_state_fields_read(tr_steering_target_field, tr_steering_target_field_count, source,
                                &runner->target, NULL) &&
           tr_state_fields_read(fields, FIELD_COUNT, source, runner, NULL) && cue_fits(runner) &&
           parameters_fit(runner) &&
           (!runner->controller ||
            tr_driver_state_read(runner->controller->driver, source, runner->state));
}

uint64_t tr_runner_hash(const tr_runner *runner, uint64_t hash) {
    hash = tr_state_fields_hash(tr_steering_target_field, tr_steering_target_field_count,
                                &runner->target, hash);
    hash = tr_state_fields_hash(fields, FIELD_COUNT, runner, hash);
    return runner->controller
               ? tr_driver_state_hash(runner->controller->driver, runner->state, hash)
               : hash;
}
