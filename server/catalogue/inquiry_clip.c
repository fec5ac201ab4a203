/* Queries of clips. */
#include "server/catalogue/inquiry.h"

#include "db/tables/clips.h"

static Troupe__Clip *clip(tr_inquiry *inquiry, const tr_clip_row *row) {
    Troupe__Clip *out = tr_inquiry_take(inquiry, sizeof *out);
    if (out == NULL)
        return NULL;
    troupe__clip__init(out);
    out->name = tr_inquiry_text(inquiry, row->name);
    out->source = tr_inquiry_text(inquiry, row->source);
    out->licence = tr_inquiry_text(inquiry, row->licence);
    out->file_digest = tr_inquiry_digest(inquiry, &row->file_digest);
    out->skeleton = tr_inquiry_text(inquiry, row->skeleton);
    out->frame_count = (uint32_t)row->frame_count;
    out->frames_per_s = row->frames_per_s;
    out->first_frame = (uint32_t)row->first_frame;
    out->last_frame = (uint32_t)row->last_frame;
    out->cyclic = row->cyclic;
    return out;
}

static tr_status fill_list(tr_inquiry *inquiry, const tr_inquiry_page *page,
                           const tr_clip_row *rows, int count) {
    int shown = tr_inquiry_shown(page, count);
    Troupe__ClipList *list = tr_inquiry_take(inquiry, sizeof *list);
    Troupe__Clip **clips = tr_inquiry_take(inquiry, (size_t)shown * sizeof(void *) + 1);
    if (list == NULL || clips == NULL)
        return TR_RESOURCE_EXHAUSTED;
    troupe__clip_list__init(list);
    list->clips = clips;
    for (int i = 0; i < shown; i++)
        if ((clips[list->n_clips] = clip(inquiry, &rows[i])) != NULL)
            list->n_clips++;
    list->next_page_token =
        tr_inquiry_token(inquiry, page, count, shown > 0 ? rows[shown - 1].name : "");
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_CLIP_LIST;
    inquiry->response->clip_list = list;
    return TR_OK;
}

tr_status tr_inquiry_list_clips(tr_inquiry *inquiry) {
    const Troupe__ListClips *m = inquiry->request->list_clips;
    tr_inquiry_page page;
    tr_status status = tr_inquiry_read_page(inquiry, m->page, &page);
    if (status != TR_OK)
        return status;
    tr_clip_filter filter = {.after = page.after,
                             .prefix = tr_inquiry_filter(m->prefix),
                             .skeleton = tr_inquiry_filter(m->skeleton)};
    tr_clip_row *rows = tr_inquiry_take(inquiry, (size_t)page.fetch * sizeof *rows);
    int count = page.fetch;
    if (rows == NULL)
        return TR_RESOURCE_EXHAUSTED;
    status = tr_clips_list(inquiry->catalogue, &filter, rows, &count, inquiry->error);
    return status == TR_OK ? fill_list(inquiry, &page, rows, count) : status;
}

tr_status tr_inquiry_get_clip(tr_inquiry *inquiry) {
    tr_clip_row row;
    tr_status status =
        tr_clips_find(inquiry->catalogue, inquiry->request->get_clip->name, &row, inquiry->error);
    if (status != TR_OK)
        return status;
    inquiry->response->clip = clip(inquiry, &row);
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_CLIP;
    return TR_OK;
}
