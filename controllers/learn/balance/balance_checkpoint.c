#include "learn/balance/balance_learning_state.h"
#include "math/byte_reader.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };
static const size_t FILE_MAX = (size_t)1 << 26;

/* Layout: header, progress, policies (at work, the best), the distribution of the search, the
 * seal. */
typedef struct header {
    char magic[8];
    uint32_t version, progress_size; /* another build differs here */
    uint64_t model_hash, settings_hash;
    int32_t parameters;
    uint64_t size; /* of the file */
} header;

enum { POLICIES = 2, NUMBERS = TR_BALANCE_ACTIONS * (TR_BALANCE_FEATURES + 1) };

static size_t file_size(int parameters) {
    return sizeof(header) + sizeof(tr_balance_progress) + POLICIES * NUMBERS * sizeof(double) +
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

static char *put_policy(char *at, const tr_controller *controller) {
    const tr_balance *balance = tr_balance_of(controller);
    at = tr_block_put(at, balance->offset, sizeof balance->offset);
    return tr_block_put(at, balance->gain, sizeof balance->gain);
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
    tr_block_seal(data, at);
    tr_status status = tr_whole_file_write(path, data, h.size, error);
    free(data);
    return status;
}

/* --- reading --- */

static tr_status check_header(const tr_balance_learning *l, const header *found, size_t size,
                              const char *path, tr_error *error) {
    header expected = header_of(l, found->parameters);
    if (memcmp(found->magic, expected.magic, sizeof found->magic) != 0 || found->size != size)
        return tr_fail(error, TR_DATA_LOSS, "%s: not the checkpoint of a balance, or cut short",
                       path);
    if (found->version != expected.version || found->progress_size != expected.progress_size)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: written by another build", path);
    if (found->model_hash != expected.model_hash)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: of another model", path);
    if (found->settings_hash != expected.settings_hash)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: of a training with other settings",
                       path);
    bool fits = found->parameters >= 1 && found->parameters <= TR_CMA_SIZE_MAX &&
                found->size == expected.size;
    return fits ? TR_OK : tr_fail(error, TR_DATA_LOSS, "%s: its parts do not fit", path);
}

static bool take_policy(tr_byte_reader *in, tr_controller *controller) {
    tr_balance *balance = tr_balance_of(controller);
    return tr_byte_reader_get(in, balance->offset, sizeof balance->offset) &&
           tr_byte_reader_get(in, balance->gain, sizeof balance->gain);
}

static bool is_sound(const tr_balance_progress *at, int parameters) {
    bool sound = at->parameters == parameters && at->rows >= 0 && at->rows <= TR_BALANCE_ROW_MAX &&
                 at->phase >= TR_BALANCE_SEARCH && at->phase <= TR_BALANCE_DONE;
    for (int i = 0; sound && i < parameters; i++) {
        const tr_balance_parameter *p = &at->parameter[i];
        sound = p->action >= 0 && p->action < TR_BALANCE_ACTIONS && p->feature >= -1 &&
                p->feature < TR_BALANCE_FEATURES;
    }
    return sound;
}

static tr_status take_parts(tr_balance_learning *l, int parameters, tr_byte_reader *in,
                            const char *path, tr_error *error) {
    bool whole = tr_byte_reader_get(in, &l->at, sizeof l->at) && is_sound(&l->at, parameters) &&
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
    char *data = NULL;
    size_t size = 0;
    header h;
    tr_status status =
        tr_whole_file_read(path, sizeof h + TR_SEAL_SIZE, FILE_MAX, &data, &size, error);
    if (status)
        return status;
    memcpy(&h, data, sizeof h);
    status = check_header(learning, &h, size, path, error);
    if (!status && !tr_block_whole(data, size))
        status = tr_fail(error, TR_DATA_LOSS, "%s: damaged: its checksum is wrong", path);
    tr_byte_reader in = {.at = (const uint8_t *)data + sizeof h,
                         .left = size - sizeof h - TR_SEAL_SIZE};
    if (!status)
        status = take_parts(learning, h.parameters, &in, path, error);
    free(data);
    return status;
}
