/* Handlers of subscribe, unsubscribe and get state. */
#include "server/requests/dispatch.h"

#include "proto/message.h"
#include "server/world/encode.h"
#include "server/world/every_ticks.h"
#include "server/world/look.h"

static void respond_subscribed(const tr_request *request, tr_hosted *hosted, uint32_t every_ticks) {
    Troupe__SubscribeResult result = {TR_MESSAGE_BASE(subscribe_result),
                                      .world = tr_hosted_id(hosted), .every_ticks = every_ticks,
                                      .tick = tr_hosted_describe(hosted).tick};
    tr_request_respond(request, TROUPE__RESPONSE__RESULT_SUBSCRIBE, &result);
}

void tr_handle_subscribe(tr_request *request) {
    const Troupe__Subscribe *m = request->message->subscribe;
    tr_hosted *hosted = tr_request_world(request, m->world);
    tr_error error = {0};
    uint32_t every_ticks = 0;
    if (!hosted)
        return;
    tr_status status = tr_every_ticks(m, tr_hosted_describe(hosted).step_s, &every_ticks, &error);
    if (!status)
        status = tr_session_subscribe(request->session, tr_hosted_subscriptions(hosted),
                                      every_ticks, m->fields, m->events, &error);
    if (status)
        tr_session_refuse(request->session, request->id, &error);
    else
        respond_subscribed(request, hosted, every_ticks);
}

void tr_handle_unsubscribe(tr_request *request) {
    uint32_t world = request->message->unsubscribe->world;
    tr_subscription *subscription = tr_session_subscription(request->session, world);
    if (!subscription) {
        tr_request_refuse(request, TR_NOT_FOUND, "world %u: no subscription", world);
        return;
    }
    tr_subscription_end(subscription);
    tr_request_done(request);
}

void tr_handle_get_state(tr_request *request) {
    const Troupe__GetState *m = request->message->get_state;
    tr_hosted *hosted = tr_request_world(request, m->world);
    if (!hosted)
        return;
    if (m->fields > TR_STATE_FIELDS_ALL) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT, "fields: expected bits of StateField");
        return;
    }
    tr_command *look = tr_look_create(m->fields);
    if (look) {
        look->stamp.session = tr_session_id(request->session);
        look->stamp.request = request->id;
        if (!tr_hosted_post(hosted, look))
            return;
    }
    tr_command_destroy(look);
    tr_request_refuse(request, TR_RESOURCE_EXHAUSTED, "this world's command queue is full");
}
