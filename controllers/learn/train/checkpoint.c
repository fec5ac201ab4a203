#include "learn/train/checkpoint.h"

#include "control/chain/chain.h"
#include "learn/samcon/checkpoint_header.h"
#include "learn/train/learner_state.h"
#include "math/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = "trlearn";
enum { VERSION = 3 };

/* Layout: header, progress, then twice (the chain being learned, the best): tr_controller,
 * tr_chain, its fragments, their targets in order, pointers zeroed; at the end the FNV-1a hash of
 * all before it. */
typedef struct header {
    char magic[8];
    uint32_t version;
    uint32_t sizes[4]; /* of progress, controller, chain, fragment: these differ between builds */
    uint64_t model_hash;
    uint64_t steps_hash;
    uint64_t size; /* of the file */
} header;

static const tr_checkpoint_layout layout = {
    .what = "a checkpoint",
    .size = sizeof(header),
    .sizes = 4,
    .file_size = offsetof(header, size),
    .file_max = (size_t)256 << 20,
    .bonds = 2,
    .bond = {{offsetof(header, model_hash), "for another model"},
             {offsetof(header, steps_hash), "for other steps"}}};

static header expected_header(const tr_learner *learner) {
    header h = {.version = VERSION,
                .sizes = {sizeof(tr_learner_progress), sizeof(tr_controller), sizeof(tr_chain),
                          sizeof(tr_fragment)},
                .model_hash = learner->def.model->hash,
                .steps_hash = tr_steps_hash(&learner->def.steps, TR_HASH_START)};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    return h;
}

static size_t controller_size(const tr_controller *controller, int body_count) {
    const tr_bank *bank = tr_controller_bank(controller);
    size_t size = sizeof *controller + sizeof(tr_chain);
    for (int k = 0; k < bank->fragment_count; k++)
        size += sizeof(tr_fragment) +
                (size_t)bank->fragment[k].steps * (size_t)body_count * sizeof(tr_quat);
    return size;
}

/* --- writing --- */

static char *put_controller(char *at, const tr_controller *controller, int body_count) {
    tr_controller plain = *controller;
    tr_chain chain = *tr_chain_of(controller);
    const tr_bank *bank = tr_controller_bank(controller);
    plain.driver = (tr_driver){0};
    chain.bank.fragment = NULL;
    at = tr_block_put(at, &plain, sizeof plain);
    at = tr_block_put(at, &chain, sizeof chain);
    for (int k = 0; k < bank->fragment_count; k++) {
        tr_fragment fragment = bank->fragment[k];
        size_t targets = (size_t)fragment.steps * (size_t)body_count * sizeof(tr_quat);
        const tr_quat *target = fragment.target;
        fragment.target = NULL;
        at = tr_block_put(at, &fragment, sizeof fragment);
        at = tr_block_put(at, target, targets);
    }
    return at;
}

tr_status tr_checkpoint_save(const tr_learner *learner, const char *path, tr_error *error) {
    int bodies = learner->def.model->body_count;
    header h = expected_header(learner);
    size_t size = sizeof h + sizeof learner->progress +
                  controller_size(learner->controller, bodies) +
                  controller_size(learner->best, bodies) + TR_SEAL_SIZE;
    h.size = size;
    char *data = calloc(1, size), *at = data;
    if (!data)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    at = tr_block_put(at, &h, sizeof h);
    at = tr_block_put(at, &learner->progress, sizeof learner->progress);
    at = put_controller(at, learner->controller, bodies);
    at = put_controller(at, learner->best, bodies);
    return tr_checkpoint_write(data, at, path, error);
}

/* --- reading --- */

static bool take_fragments(tr_byte_reader *in, tr_bank *bank, int steps, int body_count) {
    for (int k = 0; k < bank->fragment_count; k++) {
        tr_fragment *to = &bank->fragment[k], fragment;
        if (!tr_byte_reader_get(in, &fragment, sizeof fragment) || fragment.steps != steps)
            return false;
        fragment.target = to->target;
        *to = fragment;
        size_t targets = (size_t)steps * (size_t)body_count * sizeof(tr_quat);
        if (!tr_byte_reader_get(in, to->target, targets))
            return false;
    }
    return true;
}

/* The controller that follows, with the shape of `like`. */
static bool take_controller(tr_byte_reader *in, const tr_controller *like, int body_count,
                            tr_controller **out) {
    const tr_bank *bank = tr_controller_bank(like);
    tr_controller plain, *controller = NULL;
    tr_chain chain;
    int steps = bank->fragment[0].steps;
    if (!tr_byte_reader_get(in, &plain, sizeof plain) ||
        !tr_byte_reader_get(in, &chain, sizeof chain) ||
        chain.bank.fragment_count != bank->fragment_count ||
        tr_chain_create(bank->fragment_count, steps, body_count, &controller))
        return false;
    tr_chain *own = tr_chain_of(controller);
    chain.bank.fragment = own->bank.fragment;
    *own = chain;
    plain.driver = controller->driver;
    *controller = plain;
    if (!take_fragments(in, &own->bank, steps, body_count)) {
        tr_controller_destroy(controller);
        return false;
    }
    *out = controller;
    return true;
}

/* The line at `at`, cut to the buffer; returns where the next begins. */
static const char *take_line(const char *at, char line[static TR_NAME_MAX]) {
    size_t length = strcspn(at, "\n");
    snprintf(line, TR_NAME_MAX, "%.*s", (int)length, at);
    return at[length] ? at + length + 1 : at + length;
}

/* Names the clip, or the first parameters that differ. */
static tr_status fail_by_difference(const tr_training_record *now, const tr_training_record *then,
                                    const char *path, tr_error *error) {
    char list[240] = "";
    if (strncmp(now->clip, then->clip, sizeof now->clip) != 0)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "%s: of a training of '%.47s', not of '%.47s'", path, then->clip, now->clip);
    const char *a = then->parameters, *b = now->parameters;
    while (*a && *b) {
        char was[TR_NAME_MAX], is[TR_NAME_MAX];
        a = take_line(a, was);
        b = take_line(b, is);
        size_t used = strlen(list);
        if (strcmp(was, is) != 0)
            snprintf(list + used, sizeof list - used, "%s%s, now %s", used ? "; " : "", was,
                     strrchr(is, '=') ? strrchr(is, '=') + 2 : is);
    }
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "%s: of a training with other parameters: %s; give the same, or start again "
                   "without --resume",
                   path, list);
}

static tr_status check_progress(const tr_learner *learner, const tr_learner_progress *progress,
                                const char *path, tr_error *error) {
    const tr_training_record *now = &learner->progress.record, *then = &progress->record;
    if (strncmp(now->parameters, then->parameters, sizeof now->parameters) != 0 ||
        strncmp(now->clip, then->clip, sizeof now->clip) != 0)
        return fail_by_difference(now, then, path, error);
    if (strncmp(now->name, then->name, sizeof now->name) != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: of the training of '%.63s', not of '%.63s': give its name, or another "
                       "--checkpoint",
                       path, then->name, now->name);
    if (then->row_count < 0 || then->row_count > tr_learner_rows(learner))
        return tr_fail(error, TR_DATA_LOSS, "%s: %d rows", path, then->row_count);
    return TR_OK;
}

static tr_status take_learner(tr_learner *learner, tr_byte_reader *in, const char *path,
                              tr_error *error) {
    int bodies = learner->def.model->body_count;
    tr_learner_progress *progress = calloc(1, sizeof *progress);
    tr_controller *controller = NULL, *best = NULL;
    tr_status status = TR_OK;
    if (!progress)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", path);
    if (!tr_byte_reader_get(in, progress, sizeof *progress))
        status = tr_fail(error, TR_DATA_LOSS, "%s: cut short", path);
    if (!status)
        status = check_progress(learner, progress, path, error);
    if (!status && (!take_controller(in, learner->controller, bodies, &controller) ||
                    !take_controller(in, learner->controller, bodies, &best)))
        status = tr_fail(error, TR_DATA_LOSS, "%s: a controller does not fit", path);
    if (!status)
        status = tr_controller_check(best, learner->def.model, error);
    if (!status) {
        tr_controller_destroy(learner->controller);
        tr_controller_destroy(learner->best);
        learner->controller = controller;
        learner->best = best;
        progress->record.threads = learner->def.threads;
        learner->progress = *progress;
        controller = best = NULL;
    }
    tr_controller_destroy(controller);
    tr_controller_destroy(best);
    free(progress);
    return status;
}

tr_status tr_checkpoint_load(tr_learner *learner, const char *path, tr_error *error) {
    const header expected = expected_header(learner);
    header found;
    char *data = NULL;
    tr_byte_reader in;
    tr_status status = tr_checkpoint_read(&layout, &expected, path, &data, &found, &in, error);
    if (!status)
        status = take_learner(learner, &in, path, error);
    free(data);
    return status;
}
