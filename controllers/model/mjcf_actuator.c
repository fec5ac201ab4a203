/* Motors under <actuator>: what torque, or force, a joint may have about each axis in each direction. MuJoCo reads the
 * same elements as its actuators; here they are the limits of the servos. */
#include "model/mjcf_reader.h"

#include <math.h>
#include <string.h>

/* The body whose joint has the name that a motor gives; -1: none. No motor moves the root. */
static int find_joint(const tr_mjcf_reader *reader, const char *name) {
    for (int b = 1; name && b < reader->model->body_count; b++)
        if (reader->joint_name[b] && strcmp(reader->joint_name[b], name) == 0)
            return b;
    return -1;
}

/* The axis that the gear names: "1 0 0", "0 1 0" or "0 0 1" of a ball, "1" of one axis. -1: none. */
static int axis_of(const tr_body *body, const double *gear, int count) {
    if (tr_body_has_axis(body))
        return count == 0 || (count == 1 && gear[0] == 1) ? 0 : -1;
    int axis = -1;
    for (int k = 0; k < count; k++) {
        if (gear[k] == 1 && k < 3 && axis < 0)
            axis = k;
        else if (gear[k] != 0)
            return -1;
    }
    return axis;
}

static void set_range(tr_body *body, int axis, const double range[2]) {
    double most = fmax(-range[0], range[1]);
    for (int k = 0; k < 3 && !body->torque_by_axis; k++) {
        body->torque_range[k][0] = -body->torque_limit;
        body->torque_range[k][1] = body->torque_limit;
    }
    body->torque_limit = body->torque_by_axis ? fmax(body->torque_limit, most) : most;
    body->torque_by_axis = true;
    body->torque_range[axis][0] = range[0];
    body->torque_range[axis][1] = range[1];
}

static tr_status read_motor(tr_mjcf_reader *reader, const xmlNode *node) {
    const int body = find_joint(reader, tr_mjcf_attribute(node, "joint"));
    double gear[TR_MJCF_NUMBERS_MAX], range[2] = {0, 0};
    int gears = 0, count = 0;
    if (body < 0)
        return tr_mjcf_fail(reader, node, "joint: expected the name of a ball, a hinge or a slide");
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"gear", 1, 6}, gear, &gears);
    if (!status)
        status = tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"forcerange", 2, 2}, range,
                                      &count);
    if (status)
        return status;
    int axis = axis_of(&reader->model->body[body], gear, gears);
    if (axis < 0)
        return tr_mjcf_fail(reader, node,
                            "gear: expected one 1 among three numbers for a ball, 1 "
                            "for a hinge or a slide");
    if (count != 2 || !(range[0] < 0 && range[1] > 0))
        return tr_mjcf_fail(reader, node, "forcerange: expected a number below and one above 0");
    set_range(&reader->model->body[body], axis, range);
    return TR_OK;
}

tr_status tr_mjcf_read_actuators(tr_mjcf_reader *reader, const xmlNode *actuator) {
    static const tr_mjcf_element children[] = {
        {"motor", "name class joint gear forcerange", read_motor}, {0}};
    return tr_mjcf_read_children(reader, actuator, children);
}
