/* BVH: a tree of joints with offsets and channels, then one line of channel values per frame.
 *
 * The matrix of a joint is the product of its rotation channels in their order, on column vectors.
 * Position channels replace the joint's offset (the root's are absolute). A joint without rotations is
 * fixed to its parent; a root without positions stays at its offset. */
#include "math/hash.h"
#include "motion/clips/loader.h"
#include "motion/scan/scan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHANNEL_MAX = 6 };

/* A channel: its axis, and whether it turns or shifts. */
typedef struct channel {
    char axis; /* 'X', 'Y', 'Z' */
    bool turns;
} channel;

typedef struct bvh {
    tr_scan scan;
    tr_clip *clip;
    int channel_count; /* of all joints: values per frame */
    unsigned seen[TR_CLIP_JOINT_MAX];
    int count[TR_CLIP_JOINT_MAX];
    channel channels[TR_CLIP_JOINT_MAX][CHANNEL_MAX];
} bvh;

/* Reads e.g. "Zrotation" into a channel; false when it is not one. */
static bool parse_channel(const char *token, channel *out) {
    char axis = (char)toupper((unsigned char)token[0]);
    if (axis < 'X' || axis > 'Z')
        return false;
    bool turns = strcasecmp(token + 1, "rotation") == 0;
    if (!turns && strcasecmp(token + 1, "position") != 0)
        return false;
    *out = (channel){axis, turns};
    return true;
}

static tr_status read_channels(bvh *b, int joint) {
    int64_t count;
    tr_status status =
        tr_scan_integer(&b->scan, "CHANNELS", (const int64_t[]){0, CHANNEL_MAX}, &count);
    if (status)
        return status;
    char *order = b->clip->joints[joint].order;
    for (int i = 0; i < (int)count; i++) {
        channel *c = &b->channels[joint][i];
        tr_scan_next(&b->scan);
        if (!parse_channel(b->scan.token, c))
            return tr_scan_fail(
                &b->scan, "channel %d of joint '%s': expected one like Xrotation, found '%.40s'",
                i + 1, b->clip->joints[joint].name, b->scan.token);
        for (int k = 0; k < i; k++)
            if (b->channels[joint][k].axis == c->axis && b->channels[joint][k].turns == c->turns)
                return tr_scan_fail(&b->scan, "channel %.40s twice", b->scan.token);
        if (c->turns)
            order[strlen(order)] = c->axis;
    }
    b->count[joint] = (int)count;
    b->channel_count += (int)count;
    return TR_OK;
}

/* The name of the joint that begins at the last token, to the end of the line, as names may have
 * blanks ("Bip01 L Thigh"); for an End Site its parent's with "_end". */
static tr_status read_name(bvh *b, int parent, bool is_end, char out[TR_CLIP_NAME_MAX]) {
    if (is_end)
        tr_scan_next(&b->scan);
    if (is_end && !tr_scan_is(&b->scan, "Site"))
        return tr_scan_fail(&b->scan, "expected 'Site' after 'End'");
    if (is_end && parent < 0)
        return tr_scan_fail(&b->scan, "End Site outside a joint");
    if (is_end) {
        const char *name = b->clip->joints[parent].name;
        snprintf(out, TR_CLIP_NAME_MAX, "%.*s_end", TR_CLIP_NAME_MAX - 5, name);
        return TR_OK;
    }
    if (!tr_scan_rest(&b->scan, '{') || strlen(b->scan.token) >= TR_CLIP_NAME_MAX)
        return tr_scan_fail(&b->scan, "expected a joint name of at most %d characters",
                            TR_CLIP_NAME_MAX - 1);
    snprintf(out, TR_CLIP_NAME_MAX, "%.*s", TR_CLIP_NAME_MAX - 1, b->scan.token);
    return TR_OK;
}

/* Opens a joint: its name and brace. The parent is the joint that is open. */
static tr_status open_joint(bvh *b, int parent, int *out_joint) {
    char name[TR_CLIP_NAME_MAX];
    bool is_end = tr_scan_is(&b->scan, "End");
    tr_status status = read_name(b, parent, is_end, name);
    if (status)
        return status;
    int joint = tr_clip_add_joint(b->clip, name, parent);
    if (joint < 0)
        return tr_scan_fail(&b->scan, "more than %d joints", TR_CLIP_JOINT_MAX);
    b->clip->joints[joint].is_end = is_end;
    *out_joint = joint;
    return tr_scan_expect(&b->scan, "{");
}

static tr_status read_hierarchy(bvh *b) {
    static const char *const single[] = {"OFFSET", "CHANNELS", NULL};
    tr_status status = tr_scan_expect(&b->scan, "HIERARCHY");
    if (!status)
        status = tr_scan_expect(&b->scan, "ROOT");
    int open = -1;
    if (!status)
        status = open_joint(b, -1, &open);
    while (!status && open >= 0) {
        if (!tr_scan_next(&b->scan))
            return tr_scan_fail(&b->scan, "the file ends inside the hierarchy");
        status = tr_scan_once(&b->scan, single, &b->seen[open]);
        if (status)
            break;
        if (tr_scan_is(&b->scan, "OFFSET"))
            status = tr_scan_vec3(&b->scan, "OFFSET", &b->clip->joints[open].offset);
        else if (tr_scan_is(&b->scan, "CHANNELS"))
            status = read_channels(b, open);
        else if (tr_scan_is(&b->scan, "JOINT") || tr_scan_is(&b->scan, "End"))
            status = b->clip->joints[open].is_end
                         ? tr_scan_fail(&b->scan, "a joint inside an End Site")
                         : open_joint(b, open, &open);
        else if (tr_scan_is(&b->scan, "}")) {
            open = b->clip->joints[open].parent;
        } else
            status = tr_scan_fail(&b->scan,
                                  "expected OFFSET, CHANNELS, JOINT, End Site or }, found '%.40s'",
                                  b->scan.token);
    }
    return status;
}

/* Exporters that count from zero announce one frame more or less than they write; the values that are
 * there count, and the difference is reported. */
static tr_status count_frames(bvh *b, int64_t announced) {
    tr_scan ahead = b->scan;
    int64_t values = 0;
    for (; tr_scan_next(&ahead); values++) {
        char *end;
        (void)strtod(ahead.token, &end);
        if (end == ahead.token && isalpha((unsigned char)*end)) /* a word, as of a comment */
            return tr_scan_fail(&ahead, "expected a number or the end of the file, found '%.40s'",
                                ahead.token);
    }
    int64_t frames = values / b->channel_count, rest = values % b->channel_count;
    if (rest != 0)
        return tr_scan_fail(&ahead,
                            "%lld whole frames of %d values, then %lld values: expected whole "
                            "frames; is the file cut off?",
                            (long long)frames, b->channel_count, (long long)rest);
    if (frames < announced - 1 || frames > announced + 1 || frames < 1)
        return tr_scan_fail(&ahead,
                            "%lld frames, but 'Frames: %lld' announces %lld: correct that line, if "
                            "the file is whole",
                            (long long)frames, (long long)announced, (long long)announced);
    b->clip->found.announced_frames = (int)announced;
    return tr_clip_reserve_frames(b->clip, frames, b->scan.name, b->scan.error);
}

static tr_status read_motion_header(bvh *b) {
    int64_t frames;
    tr_status status = tr_scan_expect(&b->scan, "MOTION");
    if (!status)
        status = tr_scan_expect(&b->scan, "Frames:");
    if (!status)
        status =
            tr_scan_integer(&b->scan, "Frames", (const int64_t[]){1, TR_CLIP_FRAME_MAX}, &frames);
    if (!status)
        status = tr_scan_expect(&b->scan, "Frame");
    if (!status)
        status = tr_scan_expect(&b->scan, "Time:");
    if (!status)
        status = tr_scan_number(&b->scan, "Frame Time", &b->clip->dt_s);
    if (status)
        return status;
    if (!(b->clip->dt_s >= 1e-4 && b->clip->dt_s <= 1.0))
        return tr_scan_fail(&b->scan, "Frame Time: expected 0.0001 to 1 s, found '%.40s'",
                            b->scan.token);
    if (!b->channel_count)
        return tr_scan_fail(&b->scan, "no joint has CHANNELS: expected a motion");
    return count_frames(b, frames);
}

static tr_status read_joint_frame(bvh *b, int frame, int joint) {
    tr_vec3 pos = b->clip->joints[joint].offset;
    tr_quat rot = tr_quat_identity();
    for (int i = 0; i < b->count[joint]; i++) {
        channel c = b->channels[joint][i];
        double value;
        tr_status status = tr_scan_number(&b->scan, b->clip->joints[joint].name, &value);
        if (status)
            return status;
        if (c.turns)
            rot = tr_quat_mul(rot, tr_clip_axis_turn(c.axis, value * TR_PI / 180));
        else
            *(c.axis == 'X' ? &pos.x : c.axis == 'Y' ? &pos.y : &pos.z) = value;
    }
    tr_clip_place_joint(b->clip, frame, joint, pos, rot);
    return TR_OK;
}

static tr_status read_frames(bvh *b) {
    for (int frame = 0; frame < b->clip->frame_count; frame++)
        for (int joint = 0; joint < b->clip->joint_count; joint++) {
            tr_status status = read_joint_frame(b, frame, joint);
            if (status)
                return status;
        }
    return TR_OK;
}

tr_status tr_bvh_read(const char *path, const tr_clip_options *options, tr_clip *clip,
                      tr_error *error) {
    (void)options;
    bvh *b = calloc(1, sizeof *b);
    if (!b)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: out of memory", path);
    b->clip = clip;
    tr_status status = tr_scan_open(&b->scan, path, TR_CLIP_FILE_MAX, error);
    if (!status)
        status = read_hierarchy(b);
    if (!status)
        status = read_motion_header(b);
    if (!status)
        status = read_frames(b);
    clip->hash = tr_hash_add(TR_HASH_START, b->scan.text, b->scan.size);
    tr_scan_close(&b->scan);
    free(b);
    return status;
}
