/* Replies, states and events: from protobuf messages to the plain structs of troupe/client.h.
 *
 * A box owns the decoded message, the plain structs made of it and the arrays in them; the structs
 * point into it. */
#pragma once

#include "proto/mapping.h"
#include "troupe/client.h"
#include "troupe/envelope.pb-c.h"

typedef struct tr_reply_box {
    tr_client_reply reply;
    Troupe__ServerMessage *message;  /* owned; may be NULL */
    tr_mapping_memory memory;        /* of arrays; after a failure they are incomplete */
    char text[TR_ERROR_MESSAGE_MAX]; /* text of failures made here */
} tr_reply_box;

/* Takes a decoded message, on failure too. NULL: no memory. */
tr_reply_box *tr_reply_box_create(Troupe__ServerMessage *take_message);
void tr_reply_box_destroy(tr_reply_box *box); /* NULL is allowed */

/* Fills box->reply from its message's response. TR_DATA_LOSS: there is no response, or it
 * contradicts itself. */
tr_status tr_reply_decode(tr_reply_box *box) TR_NODISCARD;

/* Fills box->reply as a failure of the client. */
void tr_reply_fail(tr_reply_box *box, uint64_t request, tr_status status, const char *message);

/* A kind of result: the member of the reply that it fills, and how. */
typedef struct tr_result_row {
    Troupe__Response__ResultCase result;
    tr_client_reply_kind kind;
    const tr_mapping *mapping; /* NULL: the end of the table */
    size_t offset;             /* of what the mapping fills; lists: the whole reply */
    /* What the rows of a mapping cannot say; may be NULL. */
    void (*finish)(tr_reply_box *box, const void *message);
} tr_result_row;

#define TR_RESULT_THEN(RESULT, KIND, member, its_mapping, then)                                    \
    {                                                                                              \
        .result = TROUPE__RESPONSE__RESULT_##RESULT, .kind = TR_CLIENT_REPLY_##KIND,               \
        .mapping = &(its_mapping), .offset = offsetof(tr_client_reply, member), .finish = (then)   \
    }
#define TR_RESULT(RESULT, KIND, member, its_mapping)                                               \
    TR_RESULT_THEN(RESULT, KIND, member, its_mapping, NULL)
/* A list by the rows of its mapping to the reply. */
#define TR_RESULT_LIST(RESULT, KIND, Message, message_name, ...)                                   \
    {                                                                                              \
        .result = TROUPE__RESPONSE__RESULT_##RESULT, .kind = TR_CLIENT_REPLY_##KIND,               \
        .mapping =                                                                                 \
            &(const tr_mapping)TR_MAPPING(tr_client_reply, Message, message_name, __VA_ARGS__)     \
    }
/* One of the pages of a list. */
#define TR_RESULT_PAGE(RESULT, KIND, Message, message_name, member, its_mapping)                   \
    TR_RESULT_LIST(RESULT, KIND, Message, message_name, TR_COPY_LIST(count, member, its_mapping),  \
                   TR_COPY(next_page_token))
#define TR_RESULTS_END                                                                             \
    { .mapping = NULL }

extern const tr_result_row tr_catalogue_results[], tr_match_results[], tr_recording_results[],
    tr_training_results[];

/* Tables of the structs of troupe/client.h, for the command line client, which shows them. */
extern const tr_mapping tr_client_world_mapping, tr_client_applied_mapping, tr_client_pong_mapping,
    tr_client_model_mapping, tr_client_model_detail_mapping, tr_client_body_mapping,
    tr_client_clip_mapping, tr_client_training_run_mapping, tr_client_run_detail_mapping,
    tr_client_metric_mapping, tr_client_training_mapping, tr_client_controller_mapping,
    tr_client_fragment_mapping, tr_client_skill_mapping, tr_client_skill_edge_mapping,
    tr_client_parameter_mapping, tr_client_rig_object_mapping, tr_client_rig_pin_mapping,
    tr_client_controller_detail_mapping, tr_client_ancestor_mapping, tr_client_figure_mapping,
    tr_client_pushes_mapping, tr_client_certificate_mapping, tr_client_match_mapping,
    tr_client_bout_mapping, tr_client_team_statistics_mapping, tr_client_match_detail_mapping,
    tr_client_match_progress_mapping, tr_client_recording_mapping, tr_client_divergence_mapping,
    tr_client_replay_info_mapping, tr_client_choice_mapping, tr_client_shown_mapping,
    tr_client_character_mapping, tr_client_object_mapping, tr_client_contact_mapping,
    tr_client_state_mapping, tr_client_event_mapping, tr_client_scenery_mapping;

/* The result is valid as long as the message. */
tr_client_match_progress tr_reply_match_progress(const Troupe__MatchProgress *from);
tr_client_event tr_reply_event(uint32_t world, const Troupe__Event *from);

/* TR_DATA_LOSS: the size of an array does not fit its shape. */
tr_status tr_reply_state(tr_reply_box *box, const Troupe__WorldState *from,
                         tr_client_state *out) TR_NODISCARD;
