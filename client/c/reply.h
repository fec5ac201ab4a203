/* Replies, states and events: from protobuf messages to the plain structs of troupe/client.h.
 *
 * A box owns the decoded message, the plain structs made of it and the arrays in them; the structs
 * point into it. */
#ifndef TROUPE_CLIENT_REPLY_H
#define TROUPE_CLIENT_REPLY_H

#include "troupe/client.h"
#include "troupe/envelope.pb-c.h"

typedef struct tr_reply_block tr_reply_block;

typedef struct tr_reply_box {
    tr_client_reply reply;
    Troupe__ServerMessage *message;  /* owned; may be NULL */
    tr_reply_block *blocks;          /* arrays, freed with the box */
    bool failed;                     /* an allocation did: what was built is incomplete */
    char text[TR_ERROR_MESSAGE_MAX]; /* of replies made here */
} tr_reply_box;

/* Takes a decoded message, on failure too. NULL: no memory. */
tr_reply_box *tr_reply_box_create(Troupe__ServerMessage *take_message);
void tr_reply_box_destroy(tr_reply_box *box); /* NULL is fine */

/* Zeroed array that lives as long as the box; NULL when count is 0, or when memory is out
 * (box->failed is set). */
void *tr_reply_array(tr_reply_box *box, size_t count, size_t size);

/* Fills box->reply from its message's response. TR_DATA_LOSS: the response contradicts itself. */
tr_status tr_reply_decode(tr_reply_box *box) TR_NODISCARD;

/* Fills box->reply as a failure of this side. */
void tr_reply_fail(tr_reply_box *box, uint64_t request, tr_status status, const char *message);

/* Decoders by noun; what they make lives as long as the box. */
void tr_reply_catalogue(tr_reply_box *box, const Troupe__Response *response);
void tr_reply_match(tr_reply_box *box, const Troupe__Response *response);
tr_client_match tr_reply_match_info(const Troupe__MatchInfo *from);
tr_client_match_progress tr_reply_match_progress(const Troupe__MatchProgress *from);
tr_client_world tr_reply_world(const Troupe__WorldInfo *info);

/* TR_DATA_LOSS: an array of another size than its shape. */
tr_status tr_reply_state(tr_reply_box *box, const Troupe__WorldState *from,
                         tr_client_state *out) TR_NODISCARD;
void tr_reply_recording(tr_reply_box *box, const Troupe__Response *response);
tr_client_event tr_reply_event(uint32_t world, const Troupe__Event *from);

/* A code on the wire as a status; what is out of the list becomes TR_UNKNOWN. */
tr_status tr_reply_status(Troupe__StatusCode code);

#endif
