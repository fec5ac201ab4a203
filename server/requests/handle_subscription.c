/* Handlers of subscribe, unsubscribe and get state. */
#include "server/requests/dispatch.h"

#include "server/world/encode.h"
#include "server/world/look.h"

#include <math.h>

static void respond_subscribed(const tr_request *request, tr_hosted *hosted, uint32_t every_ticks) {
    Troupe__SubscribeResult result = TROUPE__SUBSCRIBE_RESULT__INIT;
    result.world = tr_hosted_id(hosted);
    result.every_ticks = every_ticks;
    result.tick = tr_hosted_describe(hosted).tick;
    tr_request_respond(request, TROUPE__RESPONSE__RESULT_SUBSCRIBE, &result);
}

static uint32_t ticks_between(double rate_hz, double step_s) {
    if (rate_hz == 0)
        return 0;
    double ticks = round(1 / (rate_hz * step_s));
    return ticks < 1 ? 1 : ticks > 1e6 ? 1000000 : (uint32_t)ticks;
}

void tr_handle_subscribe(tr_request *request) {
    const Troupe__Subscribe *m = request->message->subscribe;
    tr_hosted *hosted = tr_request_world(request, m->world);
    if (!hosted)
        return;
    double highest = 1 / tr_hosted_describe(hosted).step_s;
    if (!(m->rate_hz >= 0 && m->rate_hz <= highest * 1.000001)) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT, "rate_hz: %g: expected 0 to %g", m->rate_hz,
                          highest);
        return;
    }
    if (m->fields > TR_STATE_FIELDS_ALL) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT, "fields: expected bits of StateField");
        return;
    }
    if (m->fields & (uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_SURFACES) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT,
                          "fields: surfaces come with GetState and Advance alone");
        return;
    }
    tr_error error = {0};
    uint32_t every_ticks = ticks_between(m->rate_hz, 1 / highest);
    if (tr_session_subscribe(request->session, hosted, every_ticks, m->fields, m->events, &error)) {
        tr_session_refuse(request->session, request->id, &error);
        return;
    }
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
