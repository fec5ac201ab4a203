#include "server/catalogue/inquiry.h"

#include "proto/limits.h"
#include "server/net/frame_out.h"

#include <string.h>

void *tr_inquiry_take(tr_inquiry *inquiry, size_t count, size_t size) {
    void *memory = tr_mapping_take(&inquiry->memory, count > 0 ? count : 1, size);
    if (!memory)
        (void)tr_fail(inquiry->error, TR_RESOURCE_EXHAUSTED, "out of memory");
    return memory;
}

static tr_status encode(tr_inquiry *inquiry, Troupe__Response__ResultCase result, void *message) {
    Troupe__Response response = tr_response_of(inquiry->request_id, result, message);
    if (inquiry->memory.failed)
        return tr_fail(inquiry->error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = tr_encode_response(&response, &inquiry->answer);
    return status ? tr_fail(inquiry->error, status, "the answer is too large: request fewer rows")
                  : TR_OK;
}

tr_status tr_inquiry_answer(tr_inquiry *inquiry, Troupe__Response__ResultCase result,
                            const tr_mapping *mapping, const void *from) {
    return encode(inquiry, result, tr_mapping_write(mapping, from, &inquiry->memory));
}

const char *tr_inquiry_filter(const char *text) {
    return text[0] ? text : NULL;
}

tr_status tr_inquiry_run(tr_inquiry *inquiry, tr_inquiry_function query) {
    tr_status status = query(inquiry);
    if (!status && !inquiry->answer)
        status = encode(inquiry, TROUPE__RESPONSE__RESULT__NOT_SET, NULL);
    tr_mapping_free(&inquiry->memory);
    return status;
}

/* --- pages --- */

tr_status tr_inquiry_read_page(tr_inquiry *inquiry, const Troupe__Page *page,
                               tr_inquiry_page *out) {
    *out = (tr_inquiry_page){.size = TR_PAGE_SIZE_DEFAULT, .fetch = TR_PAGE_SIZE_DEFAULT + 1};
    if (!page)
        return TR_OK;
    if (page->size > TR_PAGE_MAX)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "page.size: %u: expected at most %d",
                       page->size, TR_PAGE_MAX);
    if (strlen(page->token) > TR_PAGE_TOKEN_MAX)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT,
                       "page.token: not a token of this daemon");
    if (page->size > 0)
        out->size = (int)page->size;
    out->fetch = out->size + 1;
    out->after = tr_inquiry_filter(page->token);
    return TR_OK;
}

int tr_inquiry_shown(const tr_inquiry_page *page, int count) {
    return count < page->size ? count : page->size;
}

tr_status tr_inquiry_answer_list(tr_inquiry *inquiry, const Troupe__Page *page,
                                 const tr_inquiry_list *list) {
    tr_inquiry_page wanted;
    tr_status status = tr_inquiry_read_page(inquiry, page, &wanted);
    if (status)
        return status;
    int count = wanted.fetch;
    char *rows = tr_inquiry_take(inquiry, (size_t)count, list->row_size);
    if (!rows)
        return TR_RESOURCE_EXHAUSTED;
    status = list->fetch(inquiry, wanted.after, rows, &count);
    if (status)
        return status;
    int shown = tr_inquiry_shown(&wanted, count);
    const char *last = rows + (size_t)(shown > 0 ? shown - 1 : 0) * list->row_size;
    tr_inquiry_rows out = {shown, rows, count > shown ? last + list->name_offset : ""};
    return tr_inquiry_answer(inquiry, list->result, list->mapping, &out);
}
