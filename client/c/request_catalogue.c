/* Requests of the session and of the catalogue. */
#include "client/c/exchange.h"

static char *text(const char *given) {
    return tr_request_text(given);
}

uint64_t tr_client_ping(tr_client *client) {
    return TR_REQUEST(client, PING, ping, &(Troupe__Ping){TR_MESSAGE(ping)});
}

/* --- lists --- */

uint64_t tr_client_list_models(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST(client, LIST_MODELS, list_models,
                      &(Troupe__ListModels){TR_MESSAGE(list_models), .page = TR_PAGE(q),
                                            .prefix = text(q->prefix)});
}

uint64_t tr_client_list_clips(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST(client, LIST_CLIPS, list_clips,
                      &(Troupe__ListClips){TR_MESSAGE(list_clips), .page = TR_PAGE(q),
                                           .prefix = text(q->prefix),
                                           .skeleton = text(q->skeleton)});
}

uint64_t tr_client_list_runs(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST(
        client, LIST_RUNS, list_runs,
        &(Troupe__ListRuns){TR_MESSAGE(list_runs), .page = TR_PAGE(q), .prefix = text(q->prefix)});
}

uint64_t tr_client_list_controllers(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST(client, LIST_CONTROLLERS, list_controllers,
                      &(Troupe__ListControllers){TR_MESSAGE(list_controllers), .page = TR_PAGE(q),
                                                 .prefix = text(q->prefix), .skill = text(q->skill),
                                                 .model = text(q->model)});
}

/* --- single rows --- */

uint64_t tr_client_get_model(tr_client *client, const char *name) {
    return TR_REQUEST(client, GET_MODEL, get_model,
                      &(Troupe__GetModel){TR_MESSAGE(get_model), .name = text(name)});
}

uint64_t tr_client_get_clip(tr_client *client, const char *name) {
    return TR_REQUEST(client, GET_CLIP, get_clip,
                      &(Troupe__GetClip){TR_MESSAGE(get_clip), .name = text(name)});
}

uint64_t tr_client_get_run(tr_client *client, const char *name) {
    return TR_REQUEST(client, GET_RUN, get_run,
                      &(Troupe__GetRun){TR_MESSAGE(get_run), .name = text(name)});
}

uint64_t tr_client_get_controller(tr_client *client, const char *name) {
    return TR_REQUEST(client, GET_CONTROLLER, get_controller,
                      &(Troupe__GetController){TR_MESSAGE(get_controller), .name = text(name)});
}

uint64_t tr_client_get_lineage(tr_client *client, tr_client_noun noun, const char *name) {
    return TR_REQUEST(client, GET_LINEAGE, get_lineage,
                      &(Troupe__GetLineage){TR_MESSAGE(get_lineage), .kind = (Troupe__NounKind)noun,
                                            .name = text(name)});
}

uint64_t tr_client_get_certificate(tr_client *client, const char *controller, uint32_t back) {
    return TR_REQUEST(client, GET_CERTIFICATE, get_certificate,
                      &(Troupe__GetCertificate){TR_MESSAGE(get_certificate),
                                                .controller = text(controller), .back = back});
}
