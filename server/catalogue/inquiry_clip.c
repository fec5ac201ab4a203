/* Queries of clips. */
#include "server/catalogue/inquiry.h"

#include "db/tables/clips.h"

static const tr_mapping clip_mapping =
    TR_MAPPING(tr_clip_row, Clip, clip,
               TR_COPY(name, source, licence, skeleton, frame_count, frames_per_s, first_frame,
                       last_frame, cyclic),
               TR_COPY_HEX(file_digest));

static const tr_mapping clips_mapping = TR_INQUIRY_ROWS(ClipList, clip_list, clips, clip_mapping);

static tr_status fetch(tr_inquiry *inquiry, const char *after, void *rows, int *count) {
    const Troupe__ListClips *m = inquiry->request->list_clips;
    tr_clip_filter filter = {.after = after,
                             .prefix = tr_inquiry_filter(m->prefix),
                             .skeleton = tr_inquiry_filter(m->skeleton)};
    return tr_clips_list(inquiry->catalogue, &filter, rows, count, inquiry->error);
}

tr_status tr_inquiry_list_clips(tr_inquiry *inquiry) {
    const tr_inquiry_list list = {TROUPE__RESPONSE__RESULT_CLIP_LIST, &clips_mapping,
                                  sizeof(tr_clip_row), offsetof(tr_clip_row, name), fetch};
    return tr_inquiry_answer_list(inquiry, inquiry->request->list_clips->page, &list);
}

tr_status tr_inquiry_get_clip(tr_inquiry *inquiry) {
    tr_clip_row row;
    tr_status status =
        tr_clips_find(inquiry->catalogue, inquiry->request->get_clip->name, &row, inquiry->error);
    return status ? status
                  : tr_inquiry_answer(inquiry, TROUPE__RESPONSE__RESULT_CLIP, &clip_mapping, &row);
}
