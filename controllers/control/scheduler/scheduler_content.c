#include "control/scheduler/scheduler_content.h"

#include "control/parts/driver_holder.h"
#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char INPUTS[] = "scheduler-inputs", SIGHT[] = "scheduler-sight";

const double tr_scheduler_object_spread[TR_SCHEDULER_OBJECT_COUNT] = {0.3, 0.3, 0.1,
                                                                      0.1, 0.1, 0.05};

int tr_scheduler_scaled_count(const tr_scheduler *scheduler) {
    return TR_FEATURE_COUNT + (scheduler->sees_object ? TR_SCHEDULER_OBJECT_COUNT : 0);
}

int tr_scheduler_number_count(const tr_scheduler *scheduler) {
    return tr_scheduler_scaled_count(scheduler) + (scheduler->steers ? TR_SCHEDULER_AIM_COUNT : 0);
}

int tr_scheduler_input_count(const tr_scheduler *scheduler) {
    return tr_scheduler_number_count(scheduler) +
           (scheduler->forgets ? 0 : scheduler->entry_count) + scheduler->request_count;
}

int tr_scheduler_action_count(const tr_scheduler *scheduler) {
    return scheduler->entry_count * (scheduler->sheet.outline.mirrored ? 2 : 1);
}

/* --- checking --- */

static tr_status check_entries(const tr_scheduler *scheduler, tr_error *error) {
    const int *entry = scheduler->entry;
    int count = scheduler->entry_count, known = scheduler->sheet.outline.entry_count;
    if (count < 1 || count > TR_SCHEDULER_ENTRY_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "scheduler: %d entries to choose from; expected 1 to %d", count,
                       TR_SCHEDULER_ENTRY_MAX);
    for (int i = 0; i < count; i++)
        if (entry[i] < 0 || entry[i] >= known || (i > 0 && entry[i] <= entry[i - 1]))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "scheduler: entry %d is %d; expected ascending numbers below %d", i,
                           entry[i], known);
    return TR_OK;
}

static tr_status check_requests(const tr_scheduler *scheduler, tr_error *error) {
    int count = scheduler->request_count;
    bool sound = count >= 0 && count <= TR_SCHEDULER_REQUEST_MAX;
    for (int i = 0; sound && i < count; i++) {
        sound = scheduler->request[i] >= 0 && scheduler->request[i] < scheduler->sheet.skill_count;
        for (int j = 0; j < i; j++)
            sound &= scheduler->request[j] != scheduler->request[i];
    }
    return sound ? TR_OK
                 : tr_fail(error, TR_INVALID_ARGUMENT,
                           "scheduler: requests: expected at most %d different skills below %d",
                           TR_SCHEDULER_REQUEST_MAX, scheduler->sheet.skill_count);
}

static tr_status check_network(const tr_scheduler *scheduler, tr_error *error) {
    const tr_network *network = &scheduler->network;
    int inputs = tr_scheduler_input_count(scheduler),
        actions = tr_scheduler_action_count(scheduler);
    if (!tr_network_shape_is_valid(network) || network->width[0] != inputs ||
        network->width[network->layers] != actions || !network->weight)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "scheduler: expected a network of %d inputs and %d outputs", inputs,
                       actions);
    const int64_t broken = tr_network_find_broken(network);
    if (broken >= 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "scheduler: weight %lld is not finite",
                       (long long)broken);
    return TR_OK;
}

tr_status tr_scheduler_check(const void *content, const tr_driver_setting *setting,
                             tr_error *error) {
    const tr_scheduler *scheduler = content;
    const tr_driver *inner = &scheduler->inner;
    tr_status status = inner->kind->check(inner->content, setting, error);
    if (!status)
        status = check_entries(scheduler, error);
    if (!status)
        status = check_requests(scheduler, error);
    if (!status && scheduler->sees_object && (!setting->rig || setting->rig->object_count < 1))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "scheduler: sees an object, but the controller has no rig");
    for (int i = 0; !status && i < tr_scheduler_scaled_count(scheduler); i++)
        if (!isfinite(scheduler->mean[i]) || !(scheduler->spread[i] > 0) ||
            !isfinite(scheduler->spread[i]))
            status =
                tr_fail(error, TR_INVALID_ARGUMENT,
                        "scheduler: feature %d: expected a finite mean and a spread above 0", i);
    return status ? status : check_network(scheduler, error);
}

/* Has the network other inputs than features and the entry just done? */
static bool has_other_inputs(const tr_scheduler *scheduler) {
    return scheduler->forgets || scheduler->request_count > 0;
}

static bool sees_more(const tr_scheduler *scheduler) {
    return scheduler->sees_object || scheduler->steers;
}

static uint64_t hash_sight(const tr_scheduler *scheduler, uint64_t hash) {
    unsigned char sees[] = {scheduler->sees_object, scheduler->steers};
    size_t size = sizeof scheduler->mean - TR_FEATURE_COUNT * sizeof *scheduler->mean;
    hash = tr_hash_add(hash, sees, sizeof sees);
    hash = tr_hash_add(hash, scheduler->mean + TR_FEATURE_COUNT, size);
    return tr_hash_add(hash, scheduler->spread + TR_FEATURE_COUNT, size);
}

static uint64_t hash_inputs(const tr_scheduler *scheduler, uint64_t hash) {
    unsigned char forgets = scheduler->forgets;
    hash = tr_hash_add(hash, &forgets, sizeof forgets);
    return tr_hash_add(hash, scheduler->request, (size_t)scheduler->request_count * sizeof(int));
}

uint64_t tr_scheduler_hash(const void *content, const tr_driver_setting *setting) {
    const tr_scheduler *scheduler = content;
    unsigned char reflected = scheduler->reflected;
    uint64_t hash = scheduler->inner.kind->hash(scheduler->inner.content, setting);
    hash = tr_hash_add(hash, scheduler->entry, (size_t)scheduler->entry_count * sizeof(int));
    hash = tr_hash_add(hash, &reflected, sizeof reflected);
    if (has_other_inputs(scheduler)) /* others keep their hash */
        hash = hash_inputs(scheduler, hash);
    if (sees_more(scheduler))
        hash = hash_sight(scheduler, hash);
    hash = tr_hash_add(hash, scheduler->mean, TR_FEATURE_COUNT * sizeof *scheduler->mean);
    hash = tr_hash_add(hash, scheduler->spread, TR_FEATURE_COUNT * sizeof *scheduler->spread);
    return tr_network_hash(&scheduler->network, hash);
}

/* --- making --- */

/* A driver whose entries are all another driver's leaves the choice of entries to that driver. */
static bool can_be_scheduled(const tr_driver_kind *kind) {
    return !kind->held || kind->entry != tr_driver_holder_entry;
}

void tr_scheduler_destroy(void *content) {
    tr_scheduler *scheduler = content;
    if (!scheduler)
        return;
    if (scheduler->inner.kind)
        scheduler->inner.kind->destroy(scheduler->inner.content);
    tr_driver_sheet_deinit(&scheduler->sheet);
    tr_network_deinit(&scheduler->network);
    free(scheduler);
}

tr_status tr_scheduler_mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_scheduler *scheduler = content;
    const tr_driver *inner = &scheduler->inner;
    tr_scheduler *image = malloc(sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    *image = *scheduler;
    image->inner = (tr_driver){0};
    image->sheet = (tr_driver_sheet){0};
    image->network = (tr_network){0};
    /* The weights stay as they were learned; what the network sees is mirrored instead. */
    image->reflected = !scheduler->reflected;
    tr_status status = tr_network_copy(&image->network, &scheduler->network);
    if (!status) {
        void *mirrored = NULL;
        status = inner->kind->mirror(inner->content, setting, &mirrored);
        if (!status)
            image->inner = (tr_driver){inner->kind, mirrored};
    }
    if (!status)
        status = tr_driver_describe(image->inner, setting->step_s, &image->sheet);
    if (status)
        tr_scheduler_destroy(image);
    else
        *out = image;
    return status;
}

static tr_status fill(tr_scheduler *scheduler, const tr_driver *inner, const tr_scheduler_def *def,
                      tr_error *error) {
    tr_status status = tr_driver_describe(*inner, def->step_s, &scheduler->sheet);
    if (status)
        return tr_fail(error, status, "scheduler: %s", tr_status_text(status));
    scheduler->entry_count = def->entry_count;
    for (int i = 0; i < def->entry_count && i < TR_SCHEDULER_ENTRY_MAX; i++)
        scheduler->entry[i] = def->entry[i];
    scheduler->forgets = def->forgets;
    scheduler->request_count = def->request_count;
    for (int i = 0; i < def->request_count && i < TR_SCHEDULER_REQUEST_MAX; i++)
        scheduler->request[i] = def->request[i];
    scheduler->sees_object = def->sees_object;
    scheduler->steers = def->steers;
    memcpy(scheduler->spread, tr_feature_spread, sizeof tr_feature_spread);
    memcpy(scheduler->spread + TR_FEATURE_COUNT, tr_scheduler_object_spread,
           sizeof tr_scheduler_object_spread);
    /* Counts must be sound before they give the network its shape. */
    status = check_entries(scheduler, error);
    if (!status)
        status = check_requests(scheduler, error);
    if (status)
        return status;
    tr_network shape = {.layers = def->hidden_count + 1};
    if (def->hidden_count < 0 || shape.layers > TR_NETWORK_LAYER_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "scheduler: %d hidden layers; expected 0 to %d",
                       def->hidden_count, TR_NETWORK_LAYER_MAX - 1);
    shape.width[0] = tr_scheduler_input_count(scheduler);
    for (int l = 0; l < def->hidden_count; l++)
        shape.width[l + 1] = def->hidden[l];
    shape.width[shape.layers] = tr_scheduler_action_count(scheduler);
    status = tr_network_init(&scheduler->network, &shape);
    return status ? tr_fail(error, status, "scheduler: widths of hidden layers: %s",
                            tr_status_text(status))
                  : TR_OK;
}

tr_status tr_scheduler_add(tr_controller *controller, const tr_scheduler_def *def,
                           tr_scheduler **out, tr_error *error) {
    if (!can_be_scheduled(controller->driver.kind))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "scheduler: '%s' cannot be scheduled: it holds another driver",
                       tr_driver_kind_name(controller->driver));
    tr_scheduler *scheduler = calloc(1, sizeof *scheduler);
    tr_status status = scheduler ? fill(scheduler, &controller->driver, def, error)
                                 : tr_fail(error, TR_RESOURCE_EXHAUSTED, "scheduler: no memory");
    if (status) {
        tr_scheduler_destroy(scheduler);
        return status;
    }
    scheduler->inner = controller->driver;
    controller->driver = (tr_driver){&tr_scheduler_kind, scheduler};
    *out = scheduler;
    return TR_OK;
}

tr_scheduler *tr_scheduler_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_scheduler_kind);
}

tr_scheduler_state *tr_scheduler_state_of(tr_runner *runner) {
    const tr_controller *controller = runner->controller;
    bool schedules = controller && controller->driver.kind == &tr_scheduler_kind;
    return schedules ? (tr_scheduler_state *)runner->state : NULL;
}

/* --- sections: "scheduler", "scheduler-inputs" where there are other inputs, "scheduler-sight"
 * where it sees more, and those of the inner driver --- */

static tr_status put_sight(const tr_scheduler *scheduler, tr_sections *out, tr_error *error) {
    if (!sees_more(scheduler))
        return TR_OK;
    tr_section_writer writer = tr_section_begin(out, SIGHT);
    tr_section_put_int(&writer, scheduler->sees_object);
    tr_section_put_int(&writer, scheduler->steers);
    tr_section_put_doubles(&writer, scheduler->mean + TR_FEATURE_COUNT, TR_SCHEDULER_OBJECT_COUNT);
    tr_section_put_doubles(&writer, scheduler->spread + TR_FEATURE_COUNT,
                           TR_SCHEDULER_OBJECT_COUNT);
    return tr_section_end(&writer, error);
}

static tr_status get_sight(const tr_sections *in, tr_scheduler *out, tr_error *error) {
    if (!tr_sections_find(in, SIGHT))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, SIGHT);
    out->sees_object = tr_section_get_bool(&reader);
    out->steers = tr_section_get_bool(&reader);
    tr_section_get_doubles(&reader, out->mean + TR_FEATURE_COUNT, TR_SCHEDULER_OBJECT_COUNT);
    tr_section_get_doubles(&reader, out->spread + TR_FEATURE_COUNT, TR_SCHEDULER_OBJECT_COUNT);
    return tr_section_close(&reader, error);
}

static tr_status put_inputs(const tr_scheduler *scheduler, tr_sections *out, tr_error *error) {
    if (!has_other_inputs(scheduler))
        return TR_OK;
    tr_section_writer writer = tr_section_begin(out, INPUTS);
    tr_section_put_int(&writer, scheduler->forgets);
    tr_section_put_int(&writer, scheduler->request_count);
    for (int i = 0; i < scheduler->request_count; i++)
        tr_section_put_int(&writer, scheduler->request[i]);
    return tr_section_end(&writer, error);
}

tr_status tr_scheduler_save(const void *content, tr_sections *out, tr_error *error) {
    const tr_scheduler *scheduler = content;
    const tr_driver *inner = &scheduler->inner;
    tr_section_writer writer = tr_section_begin(out, "scheduler");
    tr_section_put_text(&writer, tr_driver_kind_name(*inner));
    tr_section_put_int(&writer, scheduler->reflected);
    tr_section_put_int(&writer, scheduler->entry_count);
    for (int i = 0; i < scheduler->entry_count; i++)
        tr_section_put_int(&writer, scheduler->entry[i]);
    tr_section_put_doubles(&writer, scheduler->mean, TR_FEATURE_COUNT);
    tr_section_put_doubles(&writer, scheduler->spread, TR_FEATURE_COUNT);
    tr_network_put(&scheduler->network, &writer);
    tr_status status = tr_section_end(&writer, error);
    if (!status)
        status = put_inputs(scheduler, out, error);
    if (!status)
        status = put_sight(scheduler, out, error);
    return status ? status : inner->kind->save(inner->content, out, error);
}

static tr_status get_scheduler(tr_section_reader *reader, tr_scheduler *out, char *inner) {
    tr_section_get_text(reader, inner, TR_NAME_MAX);
    out->reflected = tr_section_get_bool(reader);
    out->entry_count = (int)tr_section_get_int(reader, 1, TR_SCHEDULER_ENTRY_MAX);
    for (int i = 0; i < out->entry_count; i++)
        out->entry[i] = (int)tr_section_get_int(reader, 0, TR_DRIVER_ENTRY_MAX - 1);
    tr_section_get_doubles(reader, out->mean, TR_FEATURE_COUNT);
    tr_section_get_doubles(reader, out->spread, TR_FEATURE_COUNT);
    return tr_network_get(reader, &out->network);
}

static tr_status get_inputs(const tr_sections *in, tr_scheduler *out, tr_error *error) {
    if (!tr_sections_find(in, INPUTS))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, INPUTS);
    out->forgets = tr_section_get_bool(&reader);
    out->request_count = (int)tr_section_get_int(&reader, 0, TR_SCHEDULER_REQUEST_MAX);
    for (int i = 0; i < out->request_count; i++)
        out->request[i] = (int)tr_section_get_int(&reader, 0, TR_DRIVER_SKILL_MAX - 1);
    return tr_section_close(&reader, error);
}

static tr_status load_inner(const tr_sections *in, const tr_driver_setting *setting,
                            const char *name, tr_scheduler *out, tr_error *error) {
    const tr_driver_kind *kind = tr_driver_find_kind(name);
    void *content = NULL;
    if (!kind || !can_be_scheduled(kind))
        return tr_fail(error, TR_DATA_LOSS, "scheduler: no driver kind '%s' to schedule", name);
    tr_status status = kind->load(in, setting, &content, error);
    if (status)
        return status;
    out->inner = (tr_driver){kind, content};
    status = kind->check(content, setting, error); /* only what is whole can be described */
    return status ? status : tr_driver_describe(out->inner, setting->step_s, &out->sheet);
}

tr_status tr_scheduler_load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                            tr_error *error) {
    char inner[TR_NAME_MAX];
    tr_scheduler *scheduler = calloc(1, sizeof *scheduler);
    if (!scheduler)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "scheduler: no memory");
    tr_section_reader reader = tr_section_open(in, "scheduler");
    tr_status status = get_scheduler(&reader, scheduler, inner);
    if (!status)
        status = tr_section_close(&reader, error);
    if (!status)
        status = get_inputs(in, scheduler, error);
    if (!status)
        status = get_sight(in, scheduler, error);
    if (!status)
        status = load_inner(in, setting, inner, scheduler, error);
    if (status)
        tr_scheduler_destroy(scheduler);
    else
        *out = scheduler;
    return status;
}
