/* Requests of the session and of the catalogue. */
#include "client/c/exchange.h"

uint64_t tr_client_ping(tr_client *client) {
    Troupe__Ping ping = TROUPE__PING__INIT;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_PING);
    message.ping = &ping;
    return tr_request_send(client, &message);
}

/* --- lists --- */

static const tr_client_query everything = {0};

static Troupe__Page page_of(const tr_client_query *query) {
    Troupe__Page page = TROUPE__PAGE__INIT;
    page.size = query->page_size;
    page.token = tr_request_text(query->page_token);
    return page;
}

uint64_t tr_client_list_models(tr_client *client, const tr_client_query *query) {
    query = query ? query : &everything;
    Troupe__Page page = page_of(query);
    Troupe__ListModels list = TROUPE__LIST_MODELS__INIT;
    list.page = &page;
    list.prefix = tr_request_text(query->prefix);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_LIST_MODELS);
    message.list_models = &list;
    return tr_request_send(client, &message);
}

uint64_t tr_client_list_clips(tr_client *client, const tr_client_query *query) {
    query = query ? query : &everything;
    Troupe__Page page = page_of(query);
    Troupe__ListClips list = TROUPE__LIST_CLIPS__INIT;
    list.page = &page;
    list.prefix = tr_request_text(query->prefix);
    list.skeleton = tr_request_text(query->skeleton);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_LIST_CLIPS);
    message.list_clips = &list;
    return tr_request_send(client, &message);
}

uint64_t tr_client_list_runs(tr_client *client, const tr_client_query *query) {
    query = query ? query : &everything;
    Troupe__Page page = page_of(query);
    Troupe__ListRuns list = TROUPE__LIST_RUNS__INIT;
    list.page = &page;
    list.prefix = tr_request_text(query->prefix);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_LIST_RUNS);
    message.list_runs = &list;
    return tr_request_send(client, &message);
}

uint64_t tr_client_list_controllers(tr_client *client, const tr_client_query *query) {
    query = query ? query : &everything;
    Troupe__Page page = page_of(query);
    Troupe__ListControllers list = TROUPE__LIST_CONTROLLERS__INIT;
    list.page = &page;
    list.prefix = tr_request_text(query->prefix);
    list.skill = tr_request_text(query->skill);
    list.model = tr_request_text(query->model);
    Troupe__ClientMessage message =
        tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_LIST_CONTROLLERS);
    message.list_controllers = &list;
    return tr_request_send(client, &message);
}

/* --- single rows --- */

uint64_t tr_client_get_model(tr_client *client, const char *name) {
    Troupe__GetModel get = TROUPE__GET_MODEL__INIT;
    get.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_MODEL);
    message.get_model = &get;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_clip(tr_client *client, const char *name) {
    Troupe__GetClip get = TROUPE__GET_CLIP__INIT;
    get.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_CLIP);
    message.get_clip = &get;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_run(tr_client *client, const char *name) {
    Troupe__GetRun get = TROUPE__GET_RUN__INIT;
    get.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_RUN);
    message.get_run = &get;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_controller(tr_client *client, const char *name) {
    Troupe__GetController get = TROUPE__GET_CONTROLLER__INIT;
    get.name = tr_request_text(name);
    Troupe__ClientMessage message =
        tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_CONTROLLER);
    message.get_controller = &get;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_lineage(tr_client *client, tr_client_noun noun, const char *name) {
    Troupe__GetLineage get = TROUPE__GET_LINEAGE__INIT;
    get.kind = (Troupe__NounKind)noun;
    get.name = tr_request_text(name);
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_LINEAGE);
    message.get_lineage = &get;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_certificate(tr_client *client, const char *controller, uint32_t back) {
    Troupe__GetCertificate get = TROUPE__GET_CERTIFICATE__INIT;
    get.controller = tr_request_text(controller);
    get.back = back;
    Troupe__ClientMessage message =
        tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_CERTIFICATE);
    message.get_certificate = &get;
    return tr_request_send(client, &message);
}
