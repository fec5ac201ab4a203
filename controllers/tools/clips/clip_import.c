#include "tools/clips/clip_import.h"

#include "db/tables/clips.h"

#include <assert.h>

tr_status tr_clip_import(const char *path, const tr_model *model, const tr_import *import,
                         tr_motion **out, tr_import_account *out_account, tr_error *error) {
    static_assert(sizeof(*out)->source.digest == TR_DIGEST_TEXT_MAX, "a digest as text");
    tr_digest digest;
    tr_status status = tr_clips_digest_file(path, &digest, error);
    if (!status)
        status = tr_import_run(path, model, import, out, out_account, error);
    if (!status)
        tr_digest_format(&digest, (*out)->source.digest);
    return status;
}
