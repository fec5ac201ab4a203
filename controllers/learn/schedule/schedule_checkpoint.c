#include "learn/samcon/checkpoint_header.h"
#include "learn/schedule/schedule_training_state.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 2 };

/* Layout: header, progress, both decays of the rule, weights (of the network, its copy, the best,
 * and the averages m and v), transitions, the seal. */
typedef struct header {
    char magic[8];
    uint32_t version;
    uint32_t sizes[2]; /* of progress and transition: these differ between builds */
    uint64_t controller_hash, settings_hash, weights;
    int32_t replay_count, replay_at;
    uint64_t size; /* of the file */
} header;

static const tr_checkpoint_layout layout = {
    .what = "the checkpoint of a scheduler",
    .size = sizeof(header),
    .sizes = 2,
    .file_size = offsetof(header, size),
    .file_max = (size_t)1 << 31,
    .bonds = 2,
    .bond = {{offsetof(header, controller_hash), "of another controller"},
             {offsetof(header, settings_hash), "of a training with other settings"}}};

enum { WEIGHT_ARRAYS = 5 };

static void list_weights(const tr_schedule_training *t, float *out[WEIGHT_ARRAYS]) {
    out[0] = t->shows_best ? t->latest.weight : t->scheduler->network.weight;
    out[1] = t->copy.weight;
    out[2] = t->best.weight;
    out[3] = t->fit.m;
    out[4] = t->fit.v;
}

static header header_of(const tr_schedule_training *t) {
    header h = {.magic = "trsched",
                .version = VERSION,
                .sizes = {sizeof(tr_schedule_progress), sizeof(tr_transition)},
                .controller_hash = t->source_hash,
                .settings_hash = tr_parameter_hash(&tr_schedule_settings_table, &t->settings),
                .weights = tr_network_weight_count(&t->scheduler->network),
                .replay_count = t->replay.count,
                .replay_at = t->replay.at};
    return h;
}

static size_t file_size(const header *h) {
    return sizeof *h + sizeof(tr_schedule_progress) + 2 * sizeof(double) +
           WEIGHT_ARRAYS * (size_t)h->weights * sizeof(float) +
           (size_t)h->replay_count * sizeof(tr_transition) + TR_SEAL_SIZE;
}

tr_status tr_schedule_checkpoint_save(const tr_schedule_training *t, const char *path,
                                      tr_error *error) {
    header h = header_of(t);
    float *weights[WEIGHT_ARRAYS];
    h.size = file_size(&h);
    char *data = calloc(1, h.size), *at = data;
    if (!data)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    list_weights(t, weights);
    at = tr_block_put(at, &h, sizeof h);
    at = tr_block_put(at, &t->progress, sizeof t->progress);
    at = tr_block_put(at, &t->fit.decay1, sizeof t->fit.decay1);
    at = tr_block_put(at, &t->fit.decay2, sizeof t->fit.decay2);
    for (int i = 0; i < WEIGHT_ARRAYS; i++)
        at = tr_block_put(at, weights[i], h.weights * sizeof(float));
    at = tr_block_put(at, t->replay.transition, (size_t)t->replay.count * sizeof(tr_transition));
    return tr_checkpoint_write(data, at, path, error);
}

/* --- reading --- */

static bool sizes_fit(const tr_schedule_training *t, const header *h) {
    return h->weights == tr_network_weight_count(&t->scheduler->network) && h->replay_count >= 0 &&
           h->replay_count <= t->replay.capacity && h->replay_at >= 0 &&
           h->replay_at < t->replay.capacity && file_size(h) == h->size;
}

static bool transitions_fit(const tr_schedule_training *t, int count) {
    int actions = tr_scheduler_action_count(t->scheduler), entries = t->scheduler->entry_count,
        requests = t->scheduler->request_count;
    bool fit = true;
    for (int i = 0; i < count; i++) {
        const tr_transition *one = &t->replay.transition[i];
        fit &= one->action >= 0 && one->action < actions && one->before.previous < entries &&
               one->after.previous < entries && one->before.request < requests &&
               one->after.request < requests;
    }
    return fit;
}

static bool take_parts(tr_schedule_training *t, const header *h, tr_byte_reader *in) {
    float *weights[WEIGHT_ARRAYS];
    list_weights(t, weights);
    bool whole = tr_byte_reader_get(in, &t->progress, sizeof t->progress) &&
                 tr_byte_reader_get(in, &t->fit.decay1, sizeof t->fit.decay1) &&
                 tr_byte_reader_get(in, &t->fit.decay2, sizeof t->fit.decay2);
    for (int i = 0; i < WEIGHT_ARRAYS; i++)
        whole = whole && tr_byte_reader_get(in, weights[i], h->weights * sizeof(float));
    t->replay.count = h->replay_count;
    t->replay.at = h->replay_at;
    return whole &&
           tr_byte_reader_get(in, t->replay.transition,
                              (size_t)h->replay_count * sizeof(tr_transition)) &&
           t->progress.row_count >= 0 && t->progress.row_count <= TR_SCHEDULE_ROW_MAX &&
           transitions_fit(t, h->replay_count);
}

tr_status tr_schedule_checkpoint_load(tr_schedule_training *t, const char *path, tr_error *error) {
    const header expected = header_of(t);
    header found;
    char *data = NULL;
    tr_byte_reader in;
    tr_status status = tr_checkpoint_read(&layout, &expected, path, &data, &found, &in, error);
    if (!status && !(sizes_fit(t, &found) && take_parts(t, &found, &in)))
        status = tr_fail(error, TR_DATA_LOSS, "%s: its parts do not fit", path);
    free(data);
    return status;
}
