/* Keys under <custom>: what a character needs beyond MuJoCo's elements, as <text name="key"
 * data="..."/>. */
#include "model/mjcf_reader.h"

#include <math.h>
#include <string.h>

/* --- words of a data attribute --- */

static const char *skip_space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* Next word before the end or a semicolon. False: no more words, or one too long for a name. */
static bool next_word(const char **cursor, char out[TR_NAME_MAX]) {
    const char *start = skip_space(*cursor);
    size_t length = strcspn(start, " \t\r\n;");
    if (length == 0 || length >= TR_NAME_MAX)
        return false;
    memcpy(out, start, length);
    out[length] = '\0';
    *cursor = start + length;
    return true;
}

/* Steps over the semicolon between entries, or to the end. False: something else follows. */
static bool end_entry(const char **cursor) {
    const char *at = skip_space(*cursor);
    if (*at != '\0' && *at != ';')
        return false;
    *cursor = *at == ';' ? skip_space(at + 1) : at;
    return true;
}

static tr_status next_body(const tr_mjcf_reader *reader, const xmlNode *node, const char **cursor,
                           int *out) {
    char name[TR_NAME_MAX];
    if (!next_word(cursor, name))
        return tr_mjcf_fail(reader, node, "data: expected the name of a body at '%.40s'", *cursor);
    return tr_mjcf_find_body(reader, node, "data", name, out);
}

/* --- values by body: "body number ...; body number ...", "*" for every jointed body --- */

typedef struct by_body {
    int count; /* numbers per entry: 1 or 2 */
    double *value[2];
    const char *form;
} by_body;

static tr_status read_entry(const tr_mjcf_reader *reader, const xmlNode *node, const char **cursor,
                            const by_body *target) {
    int first = 1, last = reader->model->body_count - 1;
    *cursor = skip_space(*cursor);
    if (**cursor == '*') {
        (*cursor)++;
    } else {
        tr_status status = next_body(reader, node, cursor, &first);
        if (status)
            return status;
        last = first;
    }
    if (last == 0)
        return tr_mjcf_fail(reader, node, "data: expected another body than the root");
    for (int k = 0; k < target->count; k++) {
        double value;
        if (!tr_mjcf_scan_number(cursor, &value) || value < 0.0)
            return tr_mjcf_fail(reader, node, "data: expected '%s' with numbers not below zero",
                                target->form);
        for (int body = first; body <= last; body++)
            target->value[k][body] = value;
    }
    if (!end_entry(cursor))
        return tr_mjcf_fail(reader, node, "data: expected ';' or the end at '%.40s'", *cursor);
    return TR_OK;
}

static tr_status read_by_body(const tr_mjcf_reader *reader, const xmlNode *node, const char *data,
                              const by_body *target) {
    const char *cursor = skip_space(data);
    while (*cursor) {
        tr_status status = read_entry(reader, node, &cursor, target);
        if (status)
            return status;
    }
    return TR_OK;
}

static tr_status read_gains(tr_mjcf_reader *reader, const xmlNode *node, const char *name,
                            const char *data) {
    tr_model *model = reader->model;
    if (model->gain_set_count == TR_GAIN_SET_MAX)
        return tr_mjcf_fail(reader, node, "expected at most %d sets of gains", TR_GAIN_SET_MAX);
    if (*name == '\0' || strlen(name) >= TR_NAME_MAX || tr_model_find_gain_set(model, name) >= 0)
        return tr_mjcf_fail(reader, node, "name: expected a new name after 'gains '");
    tr_gain_set *set = &model->gain_set[model->gain_set_count];
    memset(set, 0, sizeof *set);
    memcpy(set->name, name, strlen(name) + 1);
    for (int i = 1; i < model->body_count; i++)
        set->kp[i] = -1.0; /* none yet */
    by_body target = {2, {set->kp, set->kd}, "body kp kd"};
    tr_status status = read_by_body(reader, node, data, &target);
    if (status)
        return status;
    for (int i = 1; i < model->body_count; i++)
        if (set->kp[i] < 0.0)
            return tr_mjcf_fail(reader, node, "data: body '%s' has no gains", model->body[i].name);
    model->gain_set_count++;
    return TR_OK;
}

static tr_status read_torque_limits(tr_mjcf_reader *reader, const xmlNode *node, const char *data) {
    tr_model *model = reader->model;
    double limit[TR_BODY_MAX];
    for (int i = 0; i < model->body_count; i++)
        limit[i] = INFINITY;
    tr_status status = read_by_body(reader, node, data, &(by_body){1, {limit, NULL}, "body limit"});
    for (int i = 0; !status && i < model->body_count; i++)
        model->body[i].torque_limit = limit[i];
    return status;
}

/* Of all geoms of a body. */
static tr_status read_softness(tr_mjcf_reader *reader, const xmlNode *node, const char *data) {
    tr_model *model = reader->model;
    double softness[TR_BODY_MAX] = {0};
    tr_status status =
        read_by_body(reader, node, data, &(by_body){1, {softness, NULL}, "body softness"});
    for (int i = 0; !status && i < model->geom_count; i++)
        model->geom[i].softness = softness[model->geom[i].body];
    return status;
}

/* --- marks --- */

static tr_status read_bodies(const tr_mjcf_reader *reader, const xmlNode *node, const char *data,
                             int count, int *out) {
    const char *cursor = data;
    for (int i = 0; i < count; i++) {
        tr_status status = next_body(reader, node, &cursor, &out[i]);
        if (status)
            return status;
    }
    if (*skip_space(cursor) != '\0')
        return tr_mjcf_fail(reader, node, "data: expected %d bod%s", count,
                            count == 1 ? "y" : "ies");
    return TR_OK;
}

/* As many bodies as there are, at most `most`. */
static tr_status read_list(const tr_mjcf_reader *reader, const xmlNode *node, const char *data,
                           int most, int *out, int *out_count) {
    const char *cursor = skip_space(data);
    int count = 0;
    for (; *cursor; cursor = skip_space(cursor)) {
        if (count == most)
            return tr_mjcf_fail(reader, node, "data: expected at most %d bodies", most);
        tr_status status = next_body(reader, node, &cursor, &out[count]);
        if (status)
            return status;
        count++;
    }
    *out_count = count;
    return TR_OK;
}

static tr_status read_action(tr_mjcf_reader *reader, const xmlNode *node, const char *data) {
    tr_model *model = reader->model;
    tr_status status =
        read_list(reader, node, data, TR_ACTION_JOINT_MAX, model->action, &model->action_count);
    for (int i = 0; !status && i < model->action_count; i++)
        for (int j = 0; j <= i; j++)
            if (model->action[i] == 0 || (j < i && model->action[i] == model->action[j]))
                return tr_mjcf_fail(reader, node,
                                    "data: expected each body once, and not the root");
    return status;
}

static tr_status read_mirror(tr_mjcf_reader *reader, const xmlNode *node, const char *data) {
    tr_body *body = reader->model->body;
    const char *cursor = skip_space(data);
    while (*cursor) {
        int left = -1, right = -1;
        tr_status status = next_body(reader, node, &cursor, &left);
        if (!status)
            status = next_body(reader, node, &cursor, &right);
        if (status)
            return status;
        if (left == right || body[left].mirror != left || body[right].mirror != right)
            return tr_mjcf_fail(reader, node, "data: expected each body once, in pairs");
        body[left].mirror = right;
        body[right].mirror = left;
        if (!end_entry(&cursor))
            return tr_mjcf_fail(reader, node, "data: expected ';' or the end at '%.40s'", cursor);
    }
    return TR_OK;
}

static tr_status read_marks(tr_mjcf_reader *reader, const xmlNode *node, const char *key,
                            const char *data) {
    tr_model *model = reader->model;
    const struct {
        const char *key;
        int count;
        int *out;
    } marks[] = {{"foot", 2, model->foot},
                 {"toe", 2, model->toe},
                 {"hand", 2, model->hand},
                 {"head", 1, &model->head},
                 {"trunk", 1, &model->trunk}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strcmp(key, marks[i].key) == 0)
            return read_bodies(reader, node, data, marks[i].count, marks[i].out);
    return tr_mjcf_fail(reader, node,
                        "name: expected 'gains NAME', torque limit, softness, mirror, foot, "
                        "toe, hand, head, trunk, end effector or action");
}

static tr_status read_text(tr_mjcf_reader *reader, const xmlNode *node) {
    static const char gains[] = "gains ";
    const char *key = tr_mjcf_attribute(node, "name");
    const char *data = tr_mjcf_attribute(node, "data");
    if (!key || !data)
        return tr_mjcf_fail(reader, node, "expected name and data");
    if (strncmp(key, gains, sizeof gains - 1) == 0)
        return read_gains(reader, node, key + sizeof gains - 1, data);
    if (strcmp(key, "torque limit") == 0)
        return read_torque_limits(reader, node, data);
    if (strcmp(key, "softness") == 0)
        return read_softness(reader, node, data);
    if (strcmp(key, "mirror") == 0)
        return read_mirror(reader, node, data);
    if (strcmp(key, "end effector") == 0)
        return read_list(reader, node, data, TR_END_EFFECTOR_MAX, reader->model->end_effector,
                         &reader->model->end_effector_count);
    if (strcmp(key, "action") == 0)
        return read_action(reader, node, data);
    return read_marks(reader, node, key, data);
}

tr_status tr_mjcf_read_custom(tr_mjcf_reader *reader, const xmlNode *custom) {
    static const tr_mjcf_element children[] = {{"text", "name data", read_text}, {0}};
    tr_status status = tr_mjcf_read_children(reader, custom, children);
    /* A mirrored pose must be a pose: partners hang on partners by joints of one kind. */
    if (status)
        return status;
    const tr_body *body = reader->model->body;
    for (int i = 0; i < reader->model->body_count; i++) {
        int partner = body[i].mirror;
        int parent = body[i].parent < 0 ? -1 : body[body[i].parent].mirror;
        if (body[partner].parent != parent || body[partner].joint != body[i].joint)
            return tr_mjcf_fail(reader, custom, "mirror: '%s' and '%s' do not mirror each other",
                                body[i].name, body[partner].name);
    }
    return TR_OK;
}
