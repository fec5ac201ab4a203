#include "cli/match_file.h"
#include "cli/terrain_file.h"
#include "proto/text_file.h"

#include <libconfig.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEAM_MAX = 8,
    MEMBER_MAX = 16,
    PARAMETER_MAX = 32,
    SCENERY_MAX = 256,
    TERRAIN_MAX = 16,
    PLATFORM_MAX = 64,
    TEXT_MAX = 1024 * 1024
};

/* A height field or mesh that the match file names by its path. */
typedef struct terrain {
    const char *name;
    tr_terrain_scale scale;
    tr_client_scenery place;
    tr_terrain_file file;
} terrain;

struct tr_match_file {
    config_t config; /* texts of `def` live in it */
    const char *path;
    tr_error *error;
    tr_client_match_def def;
    tr_client_team team[TEAM_MAX];
    tr_client_member member[TEAM_MAX][MEMBER_MAX];
    tr_client_rule_parameter parameter[PARAMETER_MAX];
    tr_client_variation vary;
    tr_client_world_def world;
    tr_client_scenery scenery[SCENERY_MAX + TERRAIN_MAX];
    int terrain_count;
    terrain terrain[TERRAIN_MAX];
    tr_client_object_def platform[PLATFORM_MAX];
    tr_client_geom platform_box[PLATFORM_MAX];
};

/* --- settings by tables --- */

typedef tr_status read_function(tr_match_file *file, config_setting_t *setting, void *out);

/* One setting of a group: how it is read, and its place in the group's struct. */
typedef struct field {
    const char *name;
    read_function *read;
    size_t offset;
    bool needed;
} field;

static tr_status fail(tr_match_file *file, config_setting_t *setting, const char *expected) {
    const char *name = config_setting_name(setting);
    return tr_fail(file->error, TR_INVALID_ARGUMENT, "%s:%u: %s: expected %s", file->path,
                   config_setting_source_line(setting), name ? name : "an element", expected);
}

static const field *find_field(const field *fields, const char *name) {
    for (; fields->name; fields++)
        if (name && strcmp(fields->name, name) == 0)
            return fields;
    return NULL;
}

/* Reads a group: every setting must have a field, and every required field a setting. `what` names
 * the group. */
static tr_status read_group(tr_match_file *file, config_setting_t *group, const field *fields,
                            const char *what, void *out) {
    if (!config_setting_is_group(group))
        return fail(file, group, "a group, { ... }");
    for (int i = 0; i < config_setting_length(group); i++) {
        config_setting_t *setting = config_setting_get_elem(group, (unsigned)i);
        const field *known = find_field(fields, config_setting_name(setting));
        if (!known)
            return tr_fail(file->error, TR_INVALID_ARGUMENT, "%s:%u: %s: not a setting of %s",
                           file->path, config_setting_source_line(setting),
                           config_setting_name(setting), what);
        tr_status status = known->read(file, setting, (char *)out + known->offset);
        if (status)
            return status;
    }
    for (; fields->name; fields++)
        if (fields->needed && !config_setting_get_member(group, fields->name))
            return tr_fail(file->error, TR_INVALID_ARGUMENT, "%s:%u: %s: %s needs it", file->path,
                           config_setting_is_root(group) ? 1 : config_setting_source_line(group),
                           fields->name, what);
    return TR_OK;
}

/* --- single values --- */

static bool get_number(config_setting_t *setting, double *out) {
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        *out = (double)config_setting_get_int64(setting);
        return true;
    case CONFIG_TYPE_FLOAT:
        *out = config_setting_get_float(setting);
        return isfinite(*out);
    default:
        return false;
    }
}

static tr_status read_number(tr_match_file *file, config_setting_t *setting, void *out) {
    return get_number(setting, out) ? TR_OK : fail(file, setting, "a number");
}

static tr_status read_degrees(tr_match_file *file, config_setting_t *setting, void *out) {
    double degrees;
    if (!get_number(setting, &degrees))
        return fail(file, setting, "a number of degrees");
    *(double *)out = degrees * 3.14159265358979323846 / 180;
    return TR_OK;
}

static bool get_count(config_setting_t *setting, int64_t *out) {
    int type = config_setting_type(setting);
    *out = config_setting_get_int64(setting);
    return (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) && *out >= 0;
}

static tr_status read_seed(tr_match_file *file, config_setting_t *setting, void *out) {
    int64_t value;
    if (!get_count(setting, &value))
        return fail(file, setting, "a whole number from 0 (with L after it when it is large)");
    *(uint64_t *)out = (uint64_t)value;
    return TR_OK;
}

static tr_status read_bouts(tr_match_file *file, config_setting_t *setting, void *out) {
    int64_t value;
    if (!get_count(setting, &value) || value < 1 || value > UINT32_MAX)
        return fail(file, setting, "a whole number from 1");
    *(uint32_t *)out = (uint32_t)value;
    return TR_OK;
}

static tr_status read_flag(tr_match_file *file, config_setting_t *setting, void *out) {
    if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
        return fail(file, setting, "true or false");
    *(bool *)out = config_setting_get_bool(setting) != 0;
    return TR_OK;
}

static tr_status read_text(tr_match_file *file, config_setting_t *setting, void *out) {
    if (config_setting_type(setting) != CONFIG_TYPE_STRING)
        return fail(file, setting, "a text between quotes");
    *(const char **)out = config_setting_get_string(setting);
    return TR_OK;
}

/* (x, y) or (x, y, z). */
static tr_status read_vector(tr_match_file *file, config_setting_t *setting, void *out) {
    double *vector = out;
    int count = config_setting_length(setting);
    bool good = (config_setting_is_array(setting) || config_setting_is_list(setting)) &&
                (count == 2 || count == 3);
    for (int i = 0; good && i < count; i++)
        good = get_number(config_setting_get_elem(setting, (unsigned)i), &vector[i]);
    return good ? TR_OK : fail(file, setting, "two or three numbers, (x, y, z)");
}

static tr_status read_mode(tr_match_file *file, config_setting_t *setting, void *out) {
    static const char *const names[] = {"headless", "real-time", "stepped"};
    const char *text = config_setting_type(setting) == CONFIG_TYPE_STRING
                           ? config_setting_get_string(setting)
                           : "";
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *(tr_client_match_mode *)out = (tr_client_match_mode)(TR_CLIENT_MATCH_HEADLESS + i);
            return TR_OK;
        }
    return fail(file, setting, "\"headless\", \"real-time\" or \"stepped\"");
}

/* --- groups and lists --- */

/* Reads one group of a list into the struct of that index. */
typedef tr_status read_element(tr_match_file *file, config_setting_t *element, void *list, int i);

/* Reads a list of at most `most` groups. *count: those that have been read. */
static tr_status read_list(tr_match_file *file, config_setting_t *setting, int most,
                           read_element *read, void *list, int *count) {
    const int length = config_setting_length(setting);
    char expected[64];
    snprintf(expected, sizeof expected, "a list of at most %d groups, ( {...}, )", most);
    if (!config_setting_is_list(setting) || length > most)
        return fail(file, setting, expected);
    for (*count = 0; *count < length; ++*count) {
        config_setting_t *element = config_setting_get_elem(setting, (unsigned)*count);
        tr_status status = read(file, element, list, *count);
        if (status)
            return status;
    }
    return TR_OK;
}

static tr_status read_member(tr_match_file *file, config_setting_t *element, void *list, int i) {
    static const field fields[] = {
        {"controller", read_text, offsetof(tr_client_member, controller), false},
        {"model", read_text, offsetof(tr_client_member, model), false},
        {"pos", read_vector, offsetof(tr_client_member, pos), true},
        {"heading_deg", read_degrees, offsetof(tr_client_member, heading_rad), false},
        {0}};
    return read_group(file, element, fields, "a member", (tr_client_member *)list + i);
}

static tr_status read_members(tr_match_file *file, config_setting_t *setting, void *out) {
    tr_client_team *team = out;
    tr_client_member *member = file->member[team - file->team];
    team->members = member;
    return read_list(file, setting, MEMBER_MAX, read_member, member, &team->member_count);
}

static tr_status read_team(tr_match_file *file, config_setting_t *element, void *list, int i) {
    static const field fields[] = {
        {"name", read_text, offsetof(tr_client_team, name), true},
        {"external", read_flag, offsetof(tr_client_team, external), false},
        {"members", read_members, 0, true},
        {0}};
    return read_group(file, element, fields, "a team", (tr_client_team *)list + i);
}

static tr_status read_teams(tr_match_file *file, config_setting_t *setting, void *out) {
    tr_client_match_def *def = out;
    def->teams = file->team;
    return read_list(file, setting, TEAM_MAX, read_team, file->team, &def->team_count);
}

/* Reads parameters of the rule; the daemon checks their names. */
static tr_status read_parameters(tr_match_file *file, config_setting_t *setting, void *out) {
    tr_client_match_def *def = out;
    int count = config_setting_length(setting);
    if (!config_setting_is_group(setting) || count > PARAMETER_MAX)
        return fail(file, setting, "a group of at most 32 numbers, { ... }");
    def->parameters = file->parameter;
    for (def->parameter_count = 0; def->parameter_count < count; def->parameter_count++) {
        config_setting_t *element =
            config_setting_get_elem(setting, (unsigned)def->parameter_count);
        tr_client_rule_parameter *parameter = &file->parameter[def->parameter_count];
        double flag = config_setting_get_bool(element);
        parameter->name = config_setting_name(element);
        if (config_setting_type(element) == CONFIG_TYPE_BOOL)
            parameter->value = flag;
        else if (!get_number(element, &parameter->value))
            return fail(file, element, "a number, true or false");
    }
    return TR_OK;
}

static tr_status read_variation(tr_match_file *file, config_setting_t *setting, void *out) {
    static const field fields[] = {
        {"pos_m", read_number, offsetof(tr_client_variation, pos_m), false},
        {"heading_deg", read_degrees, offsetof(tr_client_variation, heading_rad), false},
        {"pose_deg", read_degrees, offsetof(tr_client_variation, pose_rad), false},
        {"phase", read_flag, offsetof(tr_client_variation, phase), false},
        {0}};
    tr_client_match_def *def = out;
    def->vary = &file->vary;
    return read_group(file, setting, fields, "vary", &file->vary);
}

/* A heading as a rotation about z. */
static tr_status read_heading(tr_match_file *file, config_setting_t *setting, void *out) {
    double heading = 0, *rot = out;
    tr_status status = read_degrees(file, setting, &heading);
    rot[0] = cos(heading / 2);
    rot[3] = sin(heading / 2);
    return status;
}

static tr_status read_piece(tr_match_file *file, config_setting_t *element, void *list, int i) {
    static const field fields[] = {
        {"patch", read_flag, offsetof(tr_client_scenery, patch), false},
        {"size", read_vector, offsetof(tr_client_scenery, size), true},
        {"pos", read_vector, offsetof(tr_client_scenery, pos), true},
        {"heading_deg", read_heading, offsetof(tr_client_scenery, rot), false},
        {"friction", read_number, offsetof(tr_client_scenery, friction), true},
        {0}};
    return read_group(file, element, fields, "a piece of scenery", (tr_client_scenery *)list + i);
}

static tr_status read_scenery(tr_match_file *file, config_setting_t *setting, void *out) {
    tr_client_world_def *world = out;
    return read_list(file, setting, SCENERY_MAX, read_piece, file->scenery, &world->scenery_count);
}

static tr_status read_one_terrain(tr_match_file *file, config_setting_t *element, void *list,
                                  int i) {
    static const field fields[] = {
        {"file", read_text, offsetof(terrain, name), true},
        {"pos", read_vector, offsetof(terrain, place.pos), true},
        {"heading_deg", read_heading, offsetof(terrain, place.rot), false},
        {"friction", read_number, offsetof(terrain, place.friction), true},
        {"cell_m", read_number, offsetof(terrain, scale.cell_m), false},
        {"height_m", read_number, offsetof(terrain, scale.height_m), false},
        {"y_up", read_flag, offsetof(terrain, scale.y_up), false},
        {0}};
    terrain *out = (terrain *)list + i;
    out->scale = (tr_terrain_scale){.cell_m = 0.1, .height_m = 1};
    tr_status status = read_group(file, element, fields, "terrain", out);
    return status ? status : tr_terrain_file_load(out->name, &out->scale, &out->file, file->error);
}

static tr_status read_terrain(tr_match_file *file, config_setting_t *setting, void *out) {
    (void)out;
    return read_list(file, setting, TERRAIN_MAX, read_one_terrain, file->terrain,
                     &file->terrain_count);
}

static tr_status read_platform(tr_match_file *file, config_setting_t *element, void *list, int i) {
    typedef struct platform {
        tr_client_object_def object;
        tr_client_geom box;
    } platform;
    static const field fields[] = {
        {"name", read_text, offsetof(platform, object.name), false},
        {"size", read_vector, offsetof(platform, box.size), true},
        {"pos", read_vector, offsetof(platform, object.pos), true},
        {"heading_deg", read_heading, offsetof(platform, object.rot), false},
        {"friction", read_number, offsetof(platform, box.friction), true},
        {"to", read_vector, offsetof(platform, object.travel.pos), false},
        {"duration_s", read_number, offsetof(platform, object.travel.duration_s), false},
        {"shuttle", read_flag, offsetof(platform, object.travel.shuttle), false},
        {0}};
    platform p = {.object = {.geom_count = 1, .kinematic = true}, .box.kind = TR_CLIENT_BOX};
    tr_client_object_def *out = (tr_client_object_def *)list + i;
    tr_status status = read_group(file, element, fields, "a platform", &p);
    file->platform_box[i] = p.box;
    *out = p.object;
    out->geoms = &file->platform_box[i];
    return status;
}

static tr_status read_platforms(tr_match_file *file, config_setting_t *setting, void *out) {
    tr_client_world_def *world = out;
    return read_list(file, setting, PLATFORM_MAX, read_platform, file->platform,
                     &world->object_count);
}

static tr_status read_scene(tr_match_file *file, config_setting_t *setting, void *out) {
    static const field fields[] = {
        {"gravity", read_vector, offsetof(tr_client_world_def, gravity), false},
        {"friction", read_number, offsetof(tr_client_world_def, ground_friction), false},
        {"no_ground", read_flag, offsetof(tr_client_world_def, no_ground), false},
        {"no_self_collision", read_flag, offsetof(tr_client_world_def, no_self_collision), false},
        {"scenery", read_scenery, 0, false},
        {"terrain", read_terrain, 0, false},
        {"platforms", read_platforms, 0, false},
        {0}};
    (void)out;
    tr_client_world_def *world = &file->world;
    tr_status status = read_group(file, setting, fields, "the scene", world);
    for (int i = 0; i < file->terrain_count; i++) {
        tr_client_scenery *scenery = &file->scenery[world->scenery_count++];
        *scenery = file->terrain[i].place;
        tr_terrain_file_place(&file->terrain[i].file, scenery);
    }
    world->scenery = file->scenery;
    world->objects = file->platform;
    return status;
}

/* 0 is the default on the wire; in a file a setting that is absent is. */
static tr_status read_step(tr_match_file *file, config_setting_t *setting, void *out) {
    double ms;
    (void)out;
    if (!get_number(setting, &ms) || !(ms >= 0.5 && ms <= 20))
        return fail(file, setting, "a number of milliseconds from 0.5 to 20");
    file->world.step_s = ms / 1000;
    return TR_OK;
}

static tr_status read_rate(tr_match_file *file, config_setting_t *setting, void *out) {
    (void)out;
    if (!get_number(setting, &file->world.rate) ||
        !(file->world.rate >= 0.01 && file->world.rate <= 100))
        return fail(file, setting, "a number from 0.01 to 100");
    return TR_OK;
}

static tr_status read_match(tr_match_file *file) {
    static const field fields[] = {
        {"name", read_text, offsetof(tr_client_match_def, name), true},
        {"rule", read_text, offsetof(tr_client_match_def, rule), true},
        {"parameters", read_parameters, 0, false},
        {"teams", read_teams, 0, true},
        {"time_limit_s", read_number, offsetof(tr_client_match_def, time_limit_s), true},
        {"seed", read_seed, offsetof(tr_client_match_def, seed), false},
        {"bouts", read_bouts, offsetof(tr_client_match_def, bouts), false},
        {"mode", read_mode, offsetof(tr_client_match_def, mode), false},
        {"vary", read_variation, 0, false},
        {"scene", read_scene, 0, false},
        {"step_ms", read_step, 0, false},
        {"rate", read_rate, 0, false},
        {0}};
    config_setting_t *root = config_root_setting(&file->config);
    return read_group(file, root, fields, "a match", &file->def);
}

/* --- files --- */

tr_status tr_match_file_load(const char *path, tr_match_file **out, tr_error *error) {
    tr_match_file *file = calloc(1, sizeof *file);
    if (!file)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a match");
    config_init(&file->config);
    file->path = path;
    file->error = error;
    file->world = tr_client_world_def_default();
    file->def.mode = TR_CLIENT_MATCH_HEADLESS;
    file->def.world = &file->world;
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_text_file_read(path, TEXT_MAX, &text, &size, error);
    if (!status && config_read_string(&file->config, text) == CONFIG_TRUE)
        status = read_match(file);
    else if (!status)
        status = tr_text_refuse_settings(path, text, config_error_line(&file->config),
                                         config_error_text(&file->config), error);
    free(text);
    if (status) {
        tr_match_file_destroy(file);
        return status;
    }
    file->error = NULL;
    *out = file;
    return TR_OK;
}

void tr_match_file_destroy(tr_match_file *file) {
    if (!file)
        return;
    for (int i = 0; i < file->terrain_count; i++)
        tr_terrain_file_deinit(&file->terrain[i].file);
    config_destroy(&file->config);
    free(file);
}

tr_client_match_def *tr_match_file_def(tr_match_file *file) {
    return &file->def;
}
