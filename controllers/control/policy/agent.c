/* The driver kind "policy": how it decides, its content, and its row. */
#include "control/policy/agent.h"

#include "control/fields/reference_state.h"
#include "control/parts/above_ground.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fastest that a steering target may ask for. */
#define SPEED_MAX_MPS 20.0

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_agent_state, entry, 0, TR_DRIVER_ENTRY_MAX - 1),
    TR_STATE_INT_FIELD(tr_agent_state, step, 0, TR_AGENT_PERIOD_MAX - 1),
    TR_STATE_INT64_FIELD(tr_agent_state, done, 0, TR_STATE_STEPS),
    TR_STATE_DOUBLE_FIELD(tr_agent_state, memory, -1, 1),
};

/* The last is of policies that remember. */
static const tr_state_field *fields_of(const void *content, int *out_count) {
    const tr_agent *agent = content;
    *out_count = (int)(sizeof fields / sizeof *fields) - (agent->memory == 0);
    return fields;
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_agent *agent = content;
    double duration_s = agent->entry_count * agent->period_steps * step_s;
    *out = (tr_driver_outline){.entry_count = agent->entry_count,
                               .first_count = agent->entry_count,
                               .cyclic = true,
                               .duration_s = duration_s,
                               .cycle_s = duration_s,
                               .gain_set = agent->gain_set};
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_agent *agent = content;
    *out = (tr_driver_entry){
        .gain_set = agent->gain_set, .start = &agent->start[index], .steps = agent->period_steps};
}

static int parameters(const void *content, tr_driver_parameter *out) {
    const tr_agent *agent = content;
    out[0] = (tr_driver_parameter){.name = "action",
                                   .unit = "",
                                   .meaning = "added to what the network decides",
                                   .low = -agent->action_limit,
                                   .high = agent->action_limit,
                                   .initial = 0,
                                   .count = agent->action_size};
    return 1;
}

/* A policy that sees the target takes any heading and speed: how it goes there is its training's. */
static void reach(const void *content, tr_driver_reach *out) {
    const tr_agent *agent = content;
    if (tr_observation_has(&agent->observation, TR_SEES_TARGET))
        *out = (tr_driver_reach){.heading = true, .fastest_mps = SPEED_MAX_MPS};
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_agent *agent = content;
    const tr_agent_state *s = state;
    return s->entry < agent->entry_count && s->step < agent->period_steps;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content, (void)mirrored;
    *(tr_agent_state *)state = (tr_agent_state){.entry = entry_index};
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_agent *agent = content;
    double best = INFINITY;
    *out_entry = 0;
    *out_mirrored = false;
    for (int e = 0; e < agent->entry_count; e++) {
        double distance = 0;
        /* Distance is the sum of the angles between joints: the network holds the root by
         * itself. */
        for (int b = 1; b < model->body_count; b++)
            distance += tr_quat_angle(agent->start[e].pose.joint[b], state->pose.joint[b]);
        if (distance < best) {
            best = distance;
            *out_entry = e;
        }
    }
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_agent *agent = content;
    const tr_agent_state *s = state;
    *out = (tr_doing){.entry = s->entry,
                      .phase = (double)s->step / agent->period_steps,
                      .between = s->step == 0,
                      .entries_done = s->done,
                      .text = ""};
}

/* --- deciding --- */

/* Which bodies touch something else than the character; of a reflected policy, by their mirror images. */
static void find_contacts(const tr_agent *agent, const tr_sight *sight, bool *out_touching) {
    for (int i = 0; i < sight->contact_count; i++) {
        const tr_contact *contact = &sight->contact[i];
        for (int side = 0; side < 2; side++) {
            if (contact->entity[side] != sight->character ||
                contact->entity[1 - side] == sight->character)
                continue;
            const int body = contact->body[side];
            out_touching[agent->reflected ? sight->model->body[body].mirror : body] = true;
        }
    }
}

/* The ground ahead; of a reflected policy with right and left exchanged. */
static void find_ground(const tr_agent *agent, const tr_sight *sight, double out[TR_GROUND_AHEAD]) {
    tr_world_ground_ahead(sight->world, sight->character, out);
    for (int row = 0; agent->reflected && row < TR_GROUND_AHEAD; row += 3) {
        const double right = out[row];
        out[row] = out[row + 2];
        out[row + 2] = right;
    }
}

static void observe(const tr_agent *agent, int entry_index, const tr_sight *sight, float *out) {
    tr_state seen = tr_state_above_ground(sight->state, &sight->ground);
    tr_steering_target target = *sight->target;
    bool touching[TR_BODY_MAX] = {false};
    double ground[TR_GROUND_AHEAD];
    const tr_observed from = {.state = &seen,
                              .touching = touching,
                              .target = &target,
                              .ground = ground,
                              .phase = (double)entry_index / agent->entry_count,
                              .body_count = agent->body_count};
    /* A reflected policy sees the mirror image, and its targets are mirrored back. */
    if (agent->reflected) {
        seen = tr_state_mirror(sight->model, &seen);
        target.heading_rad = -target.heading_rad;
    }
    find_contacts(agent, sight, touching);
    if (tr_observation_has(&agent->observation, TR_SEES_GROUND))
        find_ground(agent, sight, ground);
    tr_observe(&agent->observation, &from, out);
}

/* value: of each number an update, then of each a candidate. */
static void remember(const double *value, int count, double *memory) {
    for (int i = 0; i < count; i++) {
        const double update = 0.5 + 0.5 * tr_tanh(0.5 * value[i]); /* the logistic function */
        memory[i] += update * (tr_tanh(value[count + i]) - memory[i]);
    }
}

static tr_status decide(const tr_agent *agent, const tr_sight *sight, tr_agent_state *s,
                        double *out_action) {
    float observed[TR_OBSERVATION_MAX];
    double input[TR_OBSERVATION_MAX + TR_AGENT_MEMORY_MAX];
    double value[TR_AGENT_ACTION_MAX + 2 * TR_AGENT_MEMORY_MAX];
    const int seen = agent->network.width[0] - agent->memory;
    observe(agent, s->entry, sight, observed);
    /* The network reads numbers less their mean, in units of their spread, as in its training. */
    for (int i = 0; i < seen; i++)
        input[i] = tr_within(((double)observed[i] - agent->mean[i]) / agent->spread[i],
                             agent->input_limit);
    memcpy(input + seen, s->memory, (size_t)agent->memory * sizeof *input);
    tr_perceptron_forward(&agent->network, input, value);
    /* A number that is not finite is a fault of the network; actions are bounded. */
    for (int i = 0; i < agent->action_size + 2 * agent->memory; i++)
        if (!isfinite(value[i]))
            return TR_DATA_LOSS;
    for (int i = 0; i < agent->action_size; i++)
        out_action[i] = tr_within(value[i] + sight->parameter[i], agent->action_limit);
    remember(value + agent->action_size, agent->memory, s->memory);
    return TR_OK;
}

/* Turns the joints of a pose by an action. */
static void apply(const tr_agent *agent, const tr_model *model, const double *action,
                  tr_pose *pose) {
    for (int j = 0, i = 0; j < agent->joint_count; j++) {
        const tr_body *body = &model->body[agent->joint[j]];
        tr_quat *joint = &pose->joint[agent->joint[j]], turn;
        /* A joint of one axis takes one number of the action, a ball joint three. */
        if (tr_body_has_axis(body)) {
            turn = tr_quat_from_axis_angle(body->axis, agent->scale[i] * action[i]);
            i++;
        } else {
            turn = tr_quat_exp((tr_vec3){agent->scale[i] * action[i],
                                         agent->scale[i + 1] * action[i + 1],
                                         agent->scale[i + 2] * action[i + 2]});
            i += 3;
        }
        *joint = tr_quat_mul(turn, *joint);
    }
}

static tr_status set_targets(const tr_agent *agent, const tr_sight *sight, tr_agent_state *s,
                             tr_drive *out) {
    double action[TR_AGENT_ACTION_MAX] = {0};
    tr_status status = decide(agent, sight, s, action);
    if (status)
        return status;
    /* Actions turn joints out of the pose in which the entry begins. */
    tr_pose pose = agent->start[s->entry].pose;
    if (agent->reflected)
        pose = tr_pose_mirror(sight->model, &pose);
    apply(agent, sight->model, action, &pose);
    if (agent->reflected)
        pose = tr_pose_mirror(sight->model, &pose);
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set = tr_model_find_gain_set(sight->model, agent->gain_set);
    memcpy(out->target, pose.joint, sizeof out->target);
    return TR_OK;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_agent *agent = content;
    tr_agent_state *s = state;
    tr_status status = s->step == 0 ? set_targets(agent, sight, s, out) : TR_OK;
    if (status)
        return status;
    /* A period is over: the next entry of the cycle decides. */
    out->entry = s->entry;
    out->completes = ++s->step == agent->period_steps;
    if (out->completes) {
        s->step = 0;
        s->entry = (s->entry + 1) % agent->entry_count;
        s->done++;
    }
    return TR_OK;
}

/* --- making --- */

tr_status tr_agent_create(const tr_model *model, int entry_count, tr_agent **out) {
    tr_agent *agent = calloc(1, sizeof *agent);
    tr_state *start = calloc((size_t)entry_count, sizeof *start);
    if (!agent || !start) {
        free(agent);
        free(start);
        return TR_RESOURCE_EXHAUSTED;
    }
    /* Entries begin at rest, and each joint is seen, until a file says otherwise. */
    tr_pose rest = tr_pose_rest(model);
    for (int e = 0; e < entry_count; e++)
        start[e] = tr_state_at_rest(model, &rest);
    memcpy(agent->gain_set, model->gain_set[0].name, sizeof agent->gain_set);
    agent->period_steps = 1;
    agent->body_count = model->body_count;
    for (int row = 0; row <= TR_SEES_PHASE; row++)
        agent->observation.row[agent->observation.count++] = (tr_observation_row)row;
    /* A spread of 1 and a mean of 0 leave inputs as they are. */
    for (int i = 0; i < TR_OBSERVATION_MAX; i++)
        agent->spread[i] = 1;
    agent->input_limit = agent->action_limit = TR_AGENT_LIMIT_MAX;
    agent->entry_count = entry_count;
    agent->start = start;
    *out = agent;
    return TR_OK;
}

void tr_agent_destroy(void *content) {
    tr_agent *agent = content;
    if (!agent)
        return;
    tr_perceptron_deinit(&agent->network);
    free(agent->start);
    free(agent);
}

int tr_agent_count_actions(const tr_model *model, const int *joint, int joint_count) {
    int size = 0;
    for (int j = 0; j < joint_count; j++)
        size += tr_body_has_axis(&model->body[joint[j]]) ? 1 : 3;
    return size;
}

static tr_status mirror_content(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_agent *agent = content;
    tr_agent *image = NULL;
    tr_status status = tr_agent_create(setting->model, agent->entry_count, &image);
    if (status)
        return status;
    /* The image has its own starts and network; all else is copied. */
    tr_state *start = image->start;
    *image = *agent;
    image->start = start;
    image->network = (tr_perceptron){0};
    image->reflected = !agent->reflected;
    for (int e = 0; e < agent->entry_count; e++)
        start[e] = tr_state_mirror(setting->model, &agent->start[e]);
    status = tr_perceptron_init(&image->network, &agent->network);
    if (status) {
        tr_agent_destroy(image);
        return status;
    }
    memcpy(image->network.weight, agent->network.weight,
           tr_perceptron_weight_count(&image->network) * sizeof *image->network.weight);
    *out = image;
    return TR_OK;
}

tr_status tr_agent_controller_create(const tr_model *model, double step_s, tr_agent *take_agent,
                                     tr_controller **out) {
    const tr_driver driver = {&tr_agent_kind, take_agent};
    return tr_controller_create_for(driver, model, step_s, &take_agent->start[0], out);
}

/* --- checking --- */

static tr_status check_timing(const tr_agent *agent, const tr_model *model, tr_error *error) {
    if (agent->period_steps < 1 || agent->period_steps > TR_AGENT_PERIOD_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "policy: period_steps: %d; expected 1 to %d",
                       agent->period_steps, TR_AGENT_PERIOD_MAX);
    if (tr_model_find_gain_set(model, agent->gain_set) < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "policy: gains: the model has no set '%s'",
                       agent->gain_set);
    if (agent->entry_count < 1 || agent->entry_count > TR_DRIVER_ENTRY_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "policy: %d entries; expected 1 to %d",
                       agent->entry_count, TR_DRIVER_ENTRY_MAX);
    for (int e = 0; e < agent->entry_count; e++)
        if (!tr_reference_is_sound(model, &agent->start[e]))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "policy: entry %d: expected finite numbers and unit quaternions", e);
    return TR_OK;
}

static bool is_limit(double x) {
    return x > 0 && x <= TR_AGENT_LIMIT_MAX;
}

static tr_status check_actions(const tr_agent *agent, const tr_model *model, tr_error *error) {
    if (agent->joint_count < 1 || agent->joint_count >= model->body_count)
        return tr_fail(error, TR_INVALID_ARGUMENT, "policy: %d joints; expected 1 to %d",
                       agent->joint_count, model->body_count - 1);
    for (int j = 0; j < agent->joint_count; j++)
        if (agent->joint[j] <= (j ? agent->joint[j - 1] : 0) ||
            agent->joint[j] >= model->body_count)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "policy: joint %d: expected bodies of the model in its order", j);
    /* The network must give one number for each axis of the joints. */
    int size = tr_agent_count_actions(model, agent->joint, agent->joint_count);
    if (size > TR_AGENT_ACTION_MAX || size != agent->action_size)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "policy: actions of %d numbers; its joints have %d, and %d is the most",
                       agent->action_size, size, TR_AGENT_ACTION_MAX);
    for (int i = 0; i < size; i++)
        if (!(fabs(agent->scale[i]) <= TR_AGENT_LIMIT_MAX))
            return tr_fail(error, TR_INVALID_ARGUMENT, "policy: scale %d: expected rad", i);
    if (!is_limit(agent->input_limit) || !is_limit(agent->action_limit))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "policy: input_limit, action_limit: expected more than 0, at most %g",
                       TR_AGENT_LIMIT_MAX);
    return TR_OK;
}

static tr_status check_network(const tr_agent *agent, const tr_model *model, tr_error *error) {
    const tr_perceptron *network = &agent->network;
    int inputs = tr_observation_size(&agent->observation, model->body_count);
    if (agent->body_count != model->body_count || !tr_perceptron_shape_is_valid(network) ||
        agent->memory < 0 || agent->memory > TR_AGENT_MEMORY_MAX ||
        network->width[0] != inputs + agent->memory ||
        network->width[network->layers] != agent->action_size + 2 * agent->memory ||
        !network->weight)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "policy: expected a network of %d inputs and %d outputs, or of n and 2 n more with "
            "a memory of n numbers, at most %d",
            inputs, agent->action_size, TR_AGENT_MEMORY_MAX);
    /* Weights come from files of strangers. */
    size_t count = tr_perceptron_weight_count(network);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(network->weight[i]))
            return tr_fail(error, TR_INVALID_ARGUMENT, "policy: weight %zu is not finite", i);
    for (int i = 0; i < inputs; i++)
        if (!isfinite(agent->mean[i]) || !(agent->spread[i] > 0) || !isfinite(agent->spread[i]))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "policy: input %d: expected a finite mean and a spread above 0", i);
    return TR_OK;
}

static tr_status check_observation(const tr_agent *agent, tr_error *error) {
    const tr_observation *seen = &agent->observation;
    if (seen->count < 1 || seen->count > TR_OBSERVATION_ROWS)
        return tr_fail(error, TR_INVALID_ARGUMENT, "policy: it sees %d rows; expected 1 to %d",
                       seen->count, TR_OBSERVATION_ROWS);
    for (int i = 0; i < seen->count; i++)
        for (int j = 0; j < i; j++)
            if (seen->row[i] == seen->row[j])
                return tr_fail(error, TR_INVALID_ARGUMENT, "policy: it sees '%s' twice",
                               tr_observation_name(seen->row[i]));
    return TR_OK;
}

static tr_status check_content(const void *content, const tr_driver_setting *setting,
                               tr_error *error) {
    const tr_agent *agent = content;
    tr_status status = check_timing(agent, setting->model, error);
    if (!status)
        status = check_actions(agent, setting->model, error);
    if (!status)
        status = check_observation(agent, error);
    return status ? status : check_network(agent, setting->model, error);
}

static uint64_t hash_content(const void *content, const tr_driver_setting *setting) {
    const tr_agent *agent = content;
    const tr_perceptron *network = &agent->network;
    size_t layers = (size_t)network->layers, inputs = (size_t)(network->width[0] - agent->memory);
    unsigned char reflected = agent->reflected;
    uint64_t hash = tr_driver_setting_hash(setting);
    hash = tr_hash_add(hash, agent->gain_set, strlen(agent->gain_set) + 1);
    hash = tr_hash_add(hash, &agent->period_steps, sizeof agent->period_steps);
    hash = tr_hash_add(hash, &reflected, sizeof reflected);
    const int counts[] = {agent->observation.count, agent->joint_count, agent->entry_count};
    hash = tr_hash_add(hash, counts, sizeof counts);
    hash = tr_hash_add(hash, agent->observation.row,
                       (size_t)agent->observation.count * sizeof *agent->observation.row);
    hash = tr_hash_add(hash, agent->joint, (size_t)agent->joint_count * sizeof *agent->joint);
    hash = tr_hash_add(hash, agent->scale, (size_t)agent->action_size * sizeof *agent->scale);
    hash = tr_hash_add(hash, &agent->input_limit, sizeof agent->input_limit);
    hash = tr_hash_add(hash, &agent->action_limit, sizeof agent->action_limit);
    hash = tr_hash_add(hash, agent->mean, inputs * sizeof *agent->mean);
    hash = tr_hash_add(hash, agent->spread, inputs * sizeof *agent->spread);
    hash = tr_hash_add(hash, network->width, (layers + 1) * sizeof *network->width);
    hash = tr_hash_add(hash, network->activation, layers * sizeof *network->activation);
    hash = tr_hash_add(hash, network->weight,
                       tr_perceptron_weight_count(network) * sizeof *network->weight);
    for (int e = 0; e < agent->entry_count; e++)
        hash = tr_reference_hash(hash, &agent->start[e], agent->body_count);
    return hash;
}

/* --- sections: "policy" and "policy network" --- */

static tr_status save_network(const tr_perceptron *network, tr_sections *out, tr_error *error) {
    tr_section_writer writer = tr_section_begin(out, "policy network");
    tr_section_put_int(&writer, network->layers);
    for (int l = 0; l <= network->layers; l++)
        tr_section_put_int(&writer, network->width[l]);
    for (int l = 0; l < network->layers; l++)
        tr_section_put_int(&writer, (int64_t)network->activation[l]);
    tr_section_put_doubles(&writer, network->weight, tr_perceptron_weight_count(network));
    return tr_section_end(&writer, error);
}

static tr_status save_content(const void *content, tr_sections *out, tr_error *error) {
    const tr_agent *agent = content;
    size_t inputs = (size_t)(agent->network.width[0] - agent->memory);
    tr_section_writer writer = tr_section_begin(out, "policy");
    tr_section_put_text(&writer, agent->gain_set);
    tr_section_put_int(&writer, agent->period_steps);
    tr_section_put_int(&writer, agent->reflected);
    tr_section_put_int(&writer, agent->observation.count);
    for (int i = 0; i < agent->observation.count; i++)
        tr_section_put_int(&writer, (int64_t)agent->observation.row[i]);
    tr_section_put_int(&writer, agent->joint_count);
    for (int j = 0; j < agent->joint_count; j++)
        tr_section_put_int(&writer, agent->joint[j]);
    tr_section_put_int(&writer, agent->action_size);
    tr_section_put_doubles(&writer, agent->scale, (size_t)agent->action_size);
    tr_section_put_doubles(&writer, &agent->input_limit, 1);
    tr_section_put_doubles(&writer, &agent->action_limit, 1);
    tr_section_put_doubles(&writer, agent->mean, inputs);
    tr_section_put_doubles(&writer, agent->spread, inputs);
    tr_section_put_int(&writer, agent->entry_count);
    for (int e = 0; e < agent->entry_count; e++)
        tr_reference_put(&writer, &agent->start[e], agent->body_count);
    tr_status status = tr_section_end(&writer, error);
    return status ? status : save_network(&agent->network, out, error);
}

/* Memory is taken only for weights that exist. */
static tr_status load_network(const tr_sections *in, tr_perceptron *out, tr_error *error) {
    tr_section_reader reader = tr_section_open(in, "policy network");
    tr_perceptron shape = {.layers = (int)tr_section_get_int(&reader, 1, TR_PERCEPTRON_LAYER_MAX)};
    for (int l = 0; l <= shape.layers; l++)
        shape.width[l] = (int)tr_section_get_int(&reader, 1, TR_PERCEPTRON_WIDTH_MAX);
    for (int l = 0; l < shape.layers; l++)
        shape.activation[l] =
            (tr_activation)tr_section_get_int(&reader, 0, TR_ACTIVATION_COUNT - 1);
    size_t count = tr_perceptron_weight_count(&shape);
    const tr_section *section = tr_sections_find(in, "policy network");
    if (section && tr_perceptron_shape_is_valid(&shape) &&
        count <= section->size / sizeof(double)) {
        tr_status status = tr_perceptron_init(out, &shape);
        if (status)
            return tr_fail(error, status, "policy: no memory for its network");
        tr_section_get_doubles(&reader, out->weight, count);
    }
    return tr_section_close(&reader, error);
}

static void get_joints(tr_section_reader *reader, int body_count, tr_agent *out) {
    out->observation.count = (int)tr_section_get_int(reader, 1, TR_OBSERVATION_ROWS);
    for (int i = 0; i < out->observation.count; i++)
        out->observation.row[i] =
            (tr_observation_row)tr_section_get_int(reader, 0, TR_OBSERVATION_ROWS - 1);
    out->joint_count = (int)tr_section_get_int(reader, 1, body_count - 1);
    for (int j = 0; j < out->joint_count; j++)
        out->joint[j] = (int)tr_section_get_int(reader, 1, body_count - 1);
    out->action_size = (int)tr_section_get_int(reader, 1, TR_AGENT_ACTION_MAX);
    tr_section_get_doubles(reader, out->scale, (size_t)out->action_size);
}

/* The states fill the rest of the section. */
static tr_status get_starts(tr_section_reader *reader, tr_agent *out) {
    int count = (int)tr_section_get_int(reader, 1, TR_DRIVER_ENTRY_MAX);
    if (count == 0)
        return TR_OK; /* closing the section says what is wrong */
    out->start = calloc((size_t)count, sizeof *out->start);
    if (!out->start)
        return TR_RESOURCE_EXHAUSTED;
    out->entry_count = count;
    for (int e = 0; e < count; e++)
        tr_reference_get(reader, out->body_count, &out->start[e]);
    return TR_OK;
}

static tr_status load_content(const tr_sections *in, const tr_driver_setting *setting, void **out,
                              tr_error *error) {
    tr_agent *agent = calloc(1, sizeof *agent);
    if (!agent)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "policy: no memory");
    agent->body_count = setting->model->body_count;
    tr_section_reader reader = tr_section_open(in, "policy");
    tr_section_get_text(&reader, agent->gain_set, sizeof agent->gain_set);
    agent->period_steps = (int)tr_section_get_int(&reader, 1, TR_AGENT_PERIOD_MAX);
    agent->reflected = tr_section_get_bool(&reader);
    /* Counts are bounded before the arrays that they size are read. */
    get_joints(&reader, agent->body_count, agent);
    agent->input_limit = tr_section_get_double(&reader);
    agent->action_limit = tr_section_get_double(&reader);
    size_t inputs = (size_t)tr_observation_size(&agent->observation, agent->body_count);
    if (inputs > TR_OBSERVATION_MAX) { /* a row stands there twice */
        tr_agent_destroy(agent);
        return tr_fail(error, TR_DATA_LOSS, "policy: it sees %zu numbers", inputs);
    }
    tr_section_get_doubles(&reader, agent->mean, inputs);
    tr_section_get_doubles(&reader, agent->spread, inputs);
    tr_status status = get_starts(&reader, agent);
    if (!status)
        status = tr_section_close(&reader, error);
    if (!status)
        status = load_network(in, &agent->network, error);
    agent->memory = agent->network.width[0] - (int)inputs;
    return TR_GIVE(status, agent, tr_agent_destroy, out);
}

/* --- the row --- */

const tr_driver_kind tr_agent_kind = {.name = "policy",
                                      .check = check_content,
                                      .hash = hash_content,
                                      .mirror = mirror_content,
                                      .destroy = tr_agent_destroy,
                                      .save = save_content,
                                      .load = load_content,
                                      .outline = outline,
                                      .entry = entry,
                                      .parameters = parameters,
                                      .state_size = sizeof(tr_agent_state),
                                      .field = fields,
                                      .field_count = sizeof fields / sizeof *fields,
                                      .fields_of = fields_of,
                                      .fits = fits,
                                      .enter = enter,
                                      .nearest = nearest,
                                      .look = look,
                                      .reach = reach,
                                      .drive = drive};
