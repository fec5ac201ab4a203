#include "control/trajectory.h"

#include <stdlib.h>

struct tr_trajectory {
    int every, limit;
    int until_next; /* poses shown that are still to be passed over */
    int count, capacity;
    tr_pose *pose;
    double *time_s;
};

tr_status tr_trajectory_create(int every, int limit, tr_trajectory **out) {
    if (every < 1 || limit < 1 || limit > TR_TRAJECTORY_POSE_MAX)
        return TR_INVALID_ARGUMENT;
    tr_trajectory *trajectory = calloc(1, sizeof *trajectory);
    if (!trajectory)
        return TR_RESOURCE_EXHAUSTED;
    trajectory->every = every;
    trajectory->limit = limit;
    *out = trajectory;
    return TR_OK;
}

void tr_trajectory_destroy(tr_trajectory *trajectory) {
    if (!trajectory)
        return;
    free(trajectory->pose);
    free(trajectory->time_s);
    free(trajectory);
}

/* Room for one more pose, by doubling up to the limit. */
static tr_status make_room(tr_trajectory *trajectory) {
    if (trajectory->count < trajectory->capacity)
        return TR_OK;
    if (trajectory->count == trajectory->limit)
        return TR_RESOURCE_EXHAUSTED;
    int capacity = trajectory->capacity ? 2 * trajectory->capacity : 64;
    if (capacity > trajectory->limit)
        capacity = trajectory->limit;
    tr_pose *pose = realloc(trajectory->pose, (size_t)capacity * sizeof *pose);
    if (!pose)
        return TR_RESOURCE_EXHAUSTED;
    trajectory->pose = pose;
    double *time_s = realloc(trajectory->time_s, (size_t)capacity * sizeof *time_s);
    if (!time_s)
        return TR_RESOURCE_EXHAUSTED;
    trajectory->time_s = time_s;
    trajectory->capacity = capacity;
    return TR_OK;
}

tr_status tr_trajectory_record(tr_trajectory *trajectory, const tr_world *world,
                               tr_entity_id character) {
    tr_state state;
    tr_status status = tr_world_get_state(world, character, &state);
    if (status)
        return status;
    if (trajectory->until_next > 0) {
        trajectory->until_next--;
        return TR_OK;
    }
    status = make_room(trajectory);
    if (status)
        return status;
    trajectory->pose[trajectory->count] = state.pose;
    trajectory->time_s[trajectory->count++] = tr_world_time_s(world);
    trajectory->until_next = trajectory->every - 1;
    return TR_OK;
}

void tr_trajectory_clear(tr_trajectory *trajectory) {
    trajectory->count = trajectory->until_next = 0;
}

const tr_pose *tr_trajectory_poses(const tr_trajectory *trajectory, int *out_count) {
    *out_count = trajectory->count;
    return trajectory->pose;
}

const double *tr_trajectory_times_s(const tr_trajectory *trajectory) {
    return trajectory->time_s;
}
