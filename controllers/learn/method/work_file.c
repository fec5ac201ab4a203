#include "learn/method/work_file.h"

#include "learn/method/whole_file.h"
#include "math/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = "trwork";
enum { SEAL_BLOCK = sizeof(uint64_t) + TR_SEAL_SIZE };
static const size_t FILE_BYTES_MAX = (size_t)1 << 31;

static uint64_t hash_given(const tr_method *method, const tr_method_given *given) {
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < method->input_count; i++) {
        const tr_method_given *g = &given[i];
        const uint64_t controller =
            g->controller ? tr_controller_hash(g->controller, g->controller_model) : 0;
        const uint64_t motion = g->motion ? tr_motion_hash(g->motion) : 0;
        hash = tr_hash_add(hash, &controller, sizeof controller);
        hash = tr_hash_add(hash, &motion, sizeof motion);
        for (int k = 0; k < g->part_count; k++) {
            const uint64_t one = tr_controller_hash(g->part[k].controller, g->part[k].model);
            hash = tr_hash_add(hash, &one, sizeof one);
        }
        for (int k = 0; k < g->motion_count; k++) {
            const uint64_t one = tr_motion_hash(g->motions[k]);
            hash = tr_hash_add(hash, &one, sizeof one);
        }
        hash = g->content ? tr_hash_add(hash, g->content, g->size) : hash;
    }
    return hash;
}

tr_status tr_work_bond_of(const tr_method *method, const tr_method_def *def, const char *run,
                          tr_work_bond *out, tr_error *error) {
    *out = (tr_work_bond){.model = def->model->hash, .given = hash_given(method, def->given)};
    snprintf(out->method, sizeof out->method, "%s", method->name);
    snprintf(out->run, sizeof out->run, "%s", run);
    tr_status status =
        tr_parameter_print(method->settings, def->settings, out->settings, sizeof out->settings);
    return !status ? TR_OK : tr_fail(error, status, "the settings exceed a checkpoint");
}

/* --- saving --- */

tr_status tr_work_file_save(const tr_work_file *c, const char *path, tr_error *error) {
    tr_blocks blocks = {0};
    char magic[sizeof MAGIC], seal[TR_SEAL_SIZE];
    tr_work_bond bond = *c->bond;
    memcpy(magic, MAGIC, sizeof magic);
    tr_block(&blocks, "magic", magic, sizeof magic);
    tr_block(&blocks, "bond", &bond, sizeof bond);
    c->method->list(c->work, &blocks);
    if (c->more)
        c->more(c->context, &blocks);
    tr_block(&blocks, "seal", seal, sizeof seal); /* room for it */
    tr_status status = blocks.failed;
    if (status)
        tr_fail(error, status, "%s: %s: %s", path, blocks.at, blocks.reason);
    else {
        (void)tr_block_seal(blocks.data, blocks.data + blocks.size - TR_SEAL_SIZE);
        status = tr_whole_file_write(path, blocks.data, blocks.size, error);
    }
    free(blocks.data);
    return status;
}

/* --- loading --- */

/* Copies the line at `at`, cut to the buffer; returns where the next begins. */
static const char *take_line(const char *at, char line[static TR_NAME_MAX]) {
    const size_t length = strcspn(at, "\n");
    snprintf(line, TR_NAME_MAX, "%.*s", (int)length, at);
    return at[length] ? at + length + 1 : at + length;
}

static tr_status fail_by_settings(const char *then, const char *now, const char *path,
                                  tr_error *error) {
    char list[240] = "";
    /* Both texts list settings in the same order; a file of before may lack some. */
    while (*now) {
        char was[TR_NAME_MAX], is[TR_NAME_MAX];
        const size_t used = strlen(list);
        now = take_line(now, is);
        if (strncmp(then, is, strcspn(is, "=")) == 0)
            then = take_line(then, was);
        else
            snprintf(was, sizeof was, "no %.*s", (int)strcspn(is, " "), is);
        if (strcmp(was, is) != 0)
            snprintf(list + used, sizeof list - used, "%s%s, now %s", used ? "; " : "", was,
                     strrchr(is, '=') ? strrchr(is, '=') + 2 : is);
    }
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "%s: of a training with other settings: %s; give the same, or start again "
                   "without --resume",
                   path, list);
}

static tr_status check_bond(const tr_work_bond *then, const tr_work_bond *now, const char *path,
                            tr_error *error) {
    /* The first difference found is reported: method and model before settings. */
    if (strcmp(then->method, now->method) != 0)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: of the method '%s', not of '%s'", path,
                       then->method, now->method);
    if (then->model != now->model)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: of another model", path);
    if (then->given != now->given)
        return tr_fail(error, TR_FAILED_PRECONDITION, "%s: of a training from other inputs", path);
    if (strcmp(then->settings, now->settings) != 0)
        return fail_by_settings(then->settings, now->settings, path, error);
    if (strcmp(then->run, now->run) != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: of the training of '%s', not of '%s': give its name, or another "
                       "--checkpoint",
                       path, then->run, now->run);
    return TR_OK;
}

static tr_status take_bond(const tr_work_file *c, tr_blocks *blocks, const char *path,
                           tr_error *error) {
    char magic[sizeof MAGIC] = "";
    tr_work_bond bond;
    tr_block(blocks, "magic", magic, sizeof magic);
    if (memcmp(magic, MAGIC, sizeof magic) != 0)
        return tr_fail(error, TR_DATA_LOSS, "%s: not a checkpoint", path);
    tr_block(blocks, "bond", &bond, sizeof bond);
    if (blocks->failed)
        return TR_OK; /* reported with the other blocks */
    /* A file may hold anything: its texts must end. */
    bond.method[TR_NAME_MAX - 1] = bond.run[TR_NAME_MAX - 1] = 0;
    bond.settings[sizeof bond.settings - 1] = 0;
    return check_bond(&bond, c->bond, path, error);
}

static tr_status report(const tr_blocks *blocks, const char *name, tr_error *error) {
    return blocks->failed ? tr_fail(error, blocks->failed, "%s: block '%s': %s", name, blocks->at,
                                    blocks->reason)
                          : TR_OK;
}

static tr_blocks open_blocks(const char *data, size_t size) {
    return (tr_blocks){.loads = true,
                       .in = {.at = (const uint8_t *)data, .left = size - SEAL_BLOCK}};
}

static tr_status take_blocks(const tr_work_file *c, tr_blocks *blocks, const char *path,
                             tr_error *error) {
    tr_status status = take_bond(c, blocks, path, error);
    if (status)
        return status;
    c->method->list(c->work, blocks);
    if (c->more && !blocks->failed)
        c->more(c->context, blocks);
    /* Bytes that no block takes do not belong to this work. */
    if (!blocks->failed && blocks->in.left > 0)
        return tr_fail(error, TR_DATA_LOSS, "%s: longer than its blocks", path);
    return report(blocks, path, error);
}

tr_status tr_work_file_load(const tr_work_file *c, const char *path, tr_error *error) {
    char *data = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(path, SEAL_BLOCK, FILE_BYTES_MAX, &data, &size, error);
    if (status)
        return status;
    tr_blocks blocks = open_blocks(data, size);
    /* The seal is compared before anything is read. */
    status = tr_block_whole(data, size)
                 ? take_blocks(c, &blocks, path, error)
                 : tr_fail(error, TR_DATA_LOSS, "%s: not a checkpoint, or damaged", path);
    free(data);
    return status;
}

/* --- in memory --- */

bool tr_work_file_is(const char *content, size_t size) {
    return size >= sizeof(uint64_t) + sizeof MAGIC + SEAL_BLOCK &&
           memcmp(content + sizeof(uint64_t), MAGIC, sizeof MAGIC) == 0;
}

tr_status tr_work_file_take(void (*list)(void *work, tr_blocks *blocks), void *work,
                            const char *content, size_t size, const char *name, tr_error *error) {
    char magic[sizeof MAGIC];
    tr_work_bond bond;
    if (!tr_work_file_is(content, size) || !tr_block_whole(content, size))
        return tr_fail(error, TR_DATA_LOSS, "%s: not a checkpoint, or damaged", name);
    tr_blocks blocks = open_blocks(content, size);
    tr_block(&blocks, "magic", magic, sizeof magic);
    tr_block(&blocks, "bond", &bond, sizeof bond);
    list(work, &blocks);
    return report(&blocks, name, error);
}
