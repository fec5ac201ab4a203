/* Requests of the session and of the catalogue. */
#include "client/c/exchange.h"

uint64_t tr_client_ping(tr_client *client) {
    return TR_REQUEST_EMPTY(client, Ping, ping);
}

/* --- lists --- */

TR_REQUEST_OF_QUERY(ListModels, list_models, TR_COPY(prefix))
TR_REQUEST_OF_QUERY(ListClips, list_clips, TR_COPY(prefix, skeleton))
TR_REQUEST_OF_QUERY(ListRuns, list_runs, TR_COPY(prefix))
TR_REQUEST_OF_QUERY(ListControllers, list_controllers, TR_COPY(prefix, skill, model))

TR_REQUEST_OF_DEF(AddBundle, add_bundle, upload_def, TR_COPY(offset, last),
                  TR_COPY_BYTES(size, data))

/* --- single rows --- */

TR_REQUEST_BY_NAME(GetModel, get_model)
TR_REQUEST_BY_NAME(GetClip, get_clip)
TR_REQUEST_BY_NAME(GetRun, get_run)

uint64_t tr_client_get_controller(tr_client *client, const char *name, const char *skill) {
    return TR_REQUEST(client, GetController, get_controller, .name = tr_request_text(name),
                      .skill = tr_request_text(skill));
}

uint64_t tr_client_get_lineage(tr_client *client, tr_client_noun noun, const char *name) {
    return TR_REQUEST(client, GetLineage, get_lineage, .kind = (Troupe__NounKind)noun,
                      .name = tr_request_text(name));
}

uint64_t tr_client_get_skill_certificate(tr_client *client, const char *controller,
                                         const char *skill, uint32_t back) {
    return TR_REQUEST(client, GetCertificate, get_certificate,
                      .controller = tr_request_text(controller), .skill = tr_request_text(skill),
                      .back = back);
}
