#include "learn/balance/balance_learning_state.h"
#include "learn/samcon/checkpoint_header.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 3 };

/* Layout: header, progress, policies (at work, the best), the distribution of the search, the
 * seal. */
typedef struct header {
    char magic[8];
    uint32_t version, progress_size; /* another build differs here */
    uint64_t model_hash, settings_hash;
    int32_t parameters;
    uint64_t size; /* of the file */
} header;

static const tr_checkpoint_layout layout = {
    .what = "the checkpoint of a balance",
    .size = sizeof(header),
    .sizes = 1,
    .file_size = offsetof(header, size),
    .file_max = (size_t)1 << 26,
    .bonds = 2,
    .bond = {{offsetof(header, model_hash), "of another model"},
             {offsetof(header, settings_hash), "of a training with other settings"}}};

enum { POLICIES = 2, NUMBERS = TR_BALANCE_ACTIONS * (TR_BALANCE_FEATURES + 1) };
enum { POLICY_SIZE = (NUMBERS + TR_TREAD_TERMS) * sizeof(double) };

static size_t file_size(int parameters) {
    return sizeof(header) + sizeof(tr_balance_progress) + POLICIES * POLICY_SIZE +
           tr_cma_bytes(parameters) + TR_SEAL_SIZE;
}

static header header_of(const tr_balance_learning *l, int parameters) {
    return (header){.magic = "trbalnc",
                    .version = VERSION,
                    .progress_size = sizeof(tr_balance_progress),
                    .model_hash = l->model->hash,
                    .settings_hash = tr_parameter_hash(&tr_balance_settings_table, &l->settings),
                    .parameters = parameters,
                    .size = file_size(parameters)};
}

/* The terms of the steps are 0 where it does not tread. */
static char *put_policy(char *at, const tr_controller *controller) {
    const tr_balance *balance = tr_balance_of(controller);
    tr_treading *treading = tr_treading_of(controller);
    double term[TR_TREAD_TERMS] = {0};
    for (int i = 0; treading && i < TR_TREAD_TERMS; i++)
        term[i] = *tr_tread_term(&treading->steps, i);
    at = tr_block_put(at, balance->offset, sizeof balance->offset);
    at = tr_block_put(at, balance->gain, sizeof balance->gain);
    return tr_block_put(at, term, sizeof term);
}

tr_status tr_balance_checkpoint_save(const tr_balance_learning *learning, const char *path,
                                     tr_error *error) {
    if (!learning->cma.mean)
        return TR_OK;
    header h = header_of(learning, learning->at.parameters);
    char *data = calloc(1, h.size), *at = data;
    if (!data)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    at = tr_block_put(at, &h, sizeof h);
    at = tr_block_put(at, &learning->at, sizeof learning->at);
    at = put_policy(at, learning->work);
    at = put_policy(at, learning->best);
    at = tr_cma_put(&learning->cma, at);
    return tr_checkpoint_write(data, at, path, error);
}

/* --- reading --- */

static bool take_policy(tr_byte_reader *in, tr_controller *controller) {
    tr_balance *balance = tr_balance_of(controller);
    tr_treading *treading = tr_treading_of(controller);
    double term[TR_TREAD_TERMS];
    if (!tr_byte_reader_get(in, balance->offset, sizeof balance->offset) ||
        !tr_byte_reader_get(in, balance->gain, sizeof balance->gain) ||
        !tr_byte_reader_get(in, term, sizeof term))
        return false;
    for (int i = 0; treading && i < TR_TREAD_TERMS; i++)
        *tr_tread_term(&treading->steps, i) = term[i];
    return true;
}

static bool is_sound(const tr_balance_progress *at, bool treads, int parameters) {
    const int actions = TR_BALANCE_ACTIONS + (treads ? TR_TREAD_TERMS : 0);
    bool sound = at->parameters == parameters && at->rows >= 0 && at->rows <= TR_BALANCE_ROW_MAX &&
                 at->phase >= TR_BALANCE_SEARCH && at->phase <= TR_BALANCE_DONE;
    for (int i = 0; sound && i < parameters; i++) {
        const tr_balance_parameter *p = &at->parameter[i];
        sound = p->action >= 0 && p->action < actions && p->feature >= -1 &&
                p->feature < TR_BALANCE_FEATURES;
    }
    return sound;
}

static tr_status take_parts(tr_balance_learning *l, const header *h, tr_byte_reader *in,
                            const char *path, tr_error *error) {
    const int parameters = h->parameters;
    bool whole = parameters >= 1 && parameters <= TR_CMA_SIZE_MAX &&
                 h->size == file_size(parameters) && tr_byte_reader_get(in, &l->at, sizeof l->at) &&
                 is_sound(&l->at, tr_treading_of(l->work) != NULL, parameters) &&
                 take_policy(in, l->work) && take_policy(in, l->best);
    tr_status status = whole ? tr_cma_init(&l->cma, parameters, l->settings.sigma, NULL) : TR_OK;
    if (status)
        return tr_fail(error, status, "%s: %s", path, tr_status_text(status));
    l->cma.separable = l->settings.separable;
    whole = whole && tr_cma_take(&l->cma, in);
    return whole ? TR_OK : tr_fail(error, TR_DATA_LOSS, "%s: its parts do not fit", path);
}

tr_status tr_balance_checkpoint_load(tr_balance_learning *learning, const char *path,
                                     tr_error *error) {
    const header expected = header_of(learning, 0);
    header found;
    char *data = NULL;
    tr_byte_reader in;
    tr_status status = tr_checkpoint_read(&layout, &expected, path, &data, &found, &in, error);
    if (!status)
        status = take_parts(learning, &found, &in, path, error);
    free(data);
    return status;
}
