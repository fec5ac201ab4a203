#include "server/catalogue/inquiry.h"

#include "proto/limits.h"
#include "proto/message.h"

#include <stdlib.h>
#include <string.h>

struct tr_inquiry_block {
    tr_inquiry_block *next;
    _Alignas(16) unsigned char bytes[];
};

struct tr_inquiry_kept {
    tr_inquiry_kept *next;
    ProtobufCMessage *message;
};

void *tr_inquiry_take(tr_inquiry *inquiry, size_t size) {
    tr_inquiry_block *block = calloc(1, sizeof *block + size);
    if (block == NULL) {
        (void)tr_fail(inquiry->error, TR_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    block->next = inquiry->blocks;
    inquiry->blocks = block;
    return block->bytes;
}

void tr_inquiry_deinit(tr_inquiry *inquiry) {
    for (tr_inquiry_block *next; inquiry->blocks != NULL; inquiry->blocks = next) {
        next = inquiry->blocks->next;
        free(inquiry->blocks);
    }
    for (tr_inquiry_kept *next; inquiry->kept != NULL; inquiry->kept = next) {
        next = inquiry->kept->next;
        tr_message_destroy(inquiry->kept->message);
        free(inquiry->kept);
    }
}

bool tr_inquiry_keep(tr_inquiry *inquiry, ProtobufCMessage *take_message) {
    tr_inquiry_kept *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        tr_message_destroy(take_message);
        (void)tr_fail(inquiry->error, TR_RESOURCE_EXHAUSTED, "out of memory");
        return false;
    }
    *kept = (tr_inquiry_kept){inquiry->kept, take_message};
    inquiry->kept = kept;
    return true;
}

char *tr_inquiry_text(tr_inquiry *inquiry, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = tr_inquiry_take(inquiry, size);
    if (copy == NULL)
        return (char *)protobuf_c_empty_string;
    memcpy(copy, text, size);
    return copy;
}

char *tr_inquiry_digest(tr_inquiry *inquiry, const tr_digest *digest) {
    char text[TR_DIGEST_TEXT_MAX];
    tr_digest_format(digest, text);
    return tr_inquiry_text(inquiry, text);
}

tr_status tr_inquiry_read_page(tr_inquiry *inquiry, const Troupe__Page *page,
                               tr_inquiry_page *out) {
    *out = (tr_inquiry_page){.size = TR_PAGE_SIZE_DEFAULT, .fetch = TR_PAGE_SIZE_DEFAULT + 1};
    if (page == NULL)
        return TR_OK;
    if (page->size > TR_PAGE_MAX)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "page.size: %u: expected at most %d",
                       page->size, TR_PAGE_MAX);
    if (strlen(page->token) > TR_PAGE_TOKEN_MAX)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "page.token: not one of this daemon");
    if (page->size > 0)
        out->size = (int)page->size;
    out->fetch = out->size + 1;
    out->after = tr_inquiry_filter(page->token);
    return TR_OK;
}

int tr_inquiry_shown(const tr_inquiry_page *page, int count) {
    return count < page->size ? count : page->size;
}

char *tr_inquiry_token(tr_inquiry *inquiry, const tr_inquiry_page *page, int count,
                       const char *last_name) {
    return tr_inquiry_text(inquiry, count > page->size ? last_name : "");
}

const char *tr_inquiry_filter(const char *text) {
    return text[0] != '\0' ? text : NULL;
}

tr_status tr_inquiry_run(tr_inquiry *inquiry, tr_inquiry_function answer) {
    tr_status status = answer(inquiry);
    /* Where memory ran out on the way the error says so, and the response lacks what it was for. */
    return status ? status : inquiry->error->status;
}
