/* The request that adds a bundle. Its parts gather in a file beside the catalogue. */
#include "server/catalogue/inquiry.h"

#include "db/bundles/bundle.h"
#include "db/tables/controllers.h"
#include "proto/limits.h"

#include <stdio.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static tr_status check_part(const tr_inquiry *inquiry) {
    const Troupe__AddBundle *m = inquiry->request->add_bundle;
    if (m->data.len > TR_RECORDING_PART_MAX)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "data: expected at most %d bytes",
                       TR_RECORDING_PART_MAX);
    if (m->offset > TR_BUNDLE_SIZE_MAX - m->data.len)
        return tr_fail(inquiry->error, TR_RESOURCE_EXHAUSTED, "a bundle has at most %d bytes",
                       TR_BUNDLE_SIZE_MAX);
    return TR_OK;
}

/* Appends the part; the first one begins the file anew. */
static tr_status keep_part(const tr_inquiry *inquiry, const char *path) {
    const Troupe__AddBundle *m = inquiry->request->add_bundle;
    FILE *file = fopen(path, m->offset == 0 ? "wb" : "ab");
    if (!file)
        return tr_fail(inquiry->error, TR_UNAVAILABLE, "no file beside the catalogue can be made");
    const bool next = fseek(file, 0, SEEK_END) == 0 && (uint64_t)ftell(file) == m->offset;
    bool written = next && fwrite(m->data.data, 1, m->data.len, file) == m->data.len;
    written &= fclose(file) == 0;
    if (!next)
        return tr_fail(
            inquiry->error, TR_FAILED_PRECONDITION,
            "offset: not the next part; begin again at 0, another bundle may have begun");
    return written ? TR_OK
                   : tr_fail(inquiry->error, TR_RESOURCE_EXHAUSTED, "the disk has no room for it");
}

/* Replaces the rows of the bundle by those of the same content here. */
static tr_status find_here(const tr_inquiry *inquiry, tr_controller_row *rows, int count) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < count; i++) {
        const tr_digest digest = rows[i].digest;
        status = tr_controllers_find_content(inquiry->catalogue, &digest, &rows[i], inquiry->error);
    }
    return status;
}

static tr_status answer_names(tr_inquiry *inquiry, const char *path) {
    tr_catalogue *bundle = NULL;
    tr_inquiry_rows out = {.count = TR_PAGE_MAX, .next_page_token = ""};
    tr_controller_row *rows = tr_inquiry_take(inquiry, TR_PAGE_MAX, sizeof *rows);
    if (!rows)
        return TR_RESOURCE_EXHAUSTED;
    out.rows = rows;
    tr_status status = tr_catalogue_open(path, TR_CATALOGUE_READ, &bundle, inquiry->error);
    if (!status)
        status = tr_controllers_list(bundle, &(tr_controller_filter){0}, rows, &out.count,
                                     inquiry->error);
    tr_catalogue_close(bundle);
    if (!status)
        status = find_here(inquiry, rows, out.count);
    return !status ? tr_inquiry_answer(inquiry, TROUPE__RESPONSE__RESULT_CONTROLLER_LIST,
                                       &tr_inquiry_controllers_mapping, &out)
                   : status;
}

tr_status tr_inquiry_add_bundle(tr_inquiry *inquiry) {
    char path[PATH_BYTES];
    const int length =
        snprintf(path, sizeof path, "%s.adding", tr_catalogue_path(inquiry->catalogue));
    tr_status status = length < 0 || length >= PATH_BYTES
                           ? tr_fail(inquiry->error, TR_UNAVAILABLE, "the path is too long")
                           : check_part(inquiry);
    if (!status)
        status = keep_part(inquiry, path);
    if (!status && !inquiry->request->add_bundle->last)
        return TR_OK;
    if (!status)
        status = tr_bundle_import(inquiry->catalogue, path, TR_BUNDLE_RENAME, NULL, inquiry->error);
    if (!status)
        status = answer_names(inquiry, path);
    (void)unlink(path);
    return status;
}
