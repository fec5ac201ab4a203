#include "server/access/permission.h"

#include <stddef.h>

#define REQUEST(name) TROUPE__CLIENT_MESSAGE__REQUEST_##name
#define COMMAND(name) TROUPE__COMMAND__COMMAND_##name

static const struct {
    Troupe__ClientMessage__RequestCase request;
    tr_role role;
} requests[] = {
    {REQUEST(HELLO), TR_ROLE_NONE},
    {REQUEST(PING), TR_ROLE_SPECTATOR},
    {REQUEST(COMMAND), TR_ROLE_PLAYER}, /* and then the table below */
    {REQUEST(LIST_MODELS), TR_ROLE_SPECTATOR},
    {REQUEST(GET_MODEL), TR_ROLE_SPECTATOR},
    {REQUEST(LIST_CLIPS), TR_ROLE_SPECTATOR},
    {REQUEST(GET_CLIP), TR_ROLE_SPECTATOR},
    {REQUEST(LIST_RUNS), TR_ROLE_SPECTATOR},
    {REQUEST(GET_RUN), TR_ROLE_SPECTATOR},
    {REQUEST(LIST_CONTROLLERS), TR_ROLE_SPECTATOR},
    {REQUEST(GET_CONTROLLER), TR_ROLE_SPECTATOR},
    {REQUEST(GET_LINEAGE), TR_ROLE_SPECTATOR},
    {REQUEST(GET_CERTIFICATE), TR_ROLE_SPECTATOR},
    {REQUEST(CREATE_WORLD), TR_ROLE_DIRECTOR},
    {REQUEST(LIST_WORLDS), TR_ROLE_SPECTATOR},
    {REQUEST(GET_WORLD), TR_ROLE_SPECTATOR},
    {REQUEST(DESTROY_WORLD), TR_ROLE_DIRECTOR},
    {REQUEST(SUBSCRIBE), TR_ROLE_SPECTATOR},
    {REQUEST(UNSUBSCRIBE), TR_ROLE_SPECTATOR},
    {REQUEST(GET_STATE), TR_ROLE_SPECTATOR},
    {REQUEST(START_MATCH), TR_ROLE_DIRECTOR},
    {REQUEST(LIST_MATCHES), TR_ROLE_SPECTATOR},
    {REQUEST(GET_MATCH), TR_ROLE_SPECTATOR},
    {REQUEST(WATCH_MATCH), TR_ROLE_SPECTATOR},
    {REQUEST(UNWATCH_MATCH), TR_ROLE_SPECTATOR},
    {REQUEST(CANCEL_MATCH), TR_ROLE_DIRECTOR},
    {REQUEST(REMOVE_MATCH), TR_ROLE_DIRECTOR},
    {REQUEST(RECORD_BOUT), TR_ROLE_DIRECTOR},
    {REQUEST(LIST_RECORDINGS), TR_ROLE_SPECTATOR},
    {REQUEST(GET_RECORDING), TR_ROLE_SPECTATOR},
    {REQUEST(DOWNLOAD_RECORDING), TR_ROLE_SPECTATOR},
    {REQUEST(UPLOAD_RECORDING), TR_ROLE_DIRECTOR},
    {REQUEST(DELETE_RECORDING), TR_ROLE_DIRECTOR},
    {REQUEST(REPLAY), TR_ROLE_DIRECTOR},
    {REQUEST(GET_REPLAY), TR_ROLE_SPECTATOR},
};

#define ANY_FROM(role)                                                                             \
    { role, role, TR_SCOPE_ALL }
#define OWN_FROM_PLAYER                                                                            \
    { TR_ROLE_DIRECTOR, TR_ROLE_PLAYER, TR_SCOPE_OWN }
#define STEPPED_FROM_PLAYER                                                                        \
    { TR_ROLE_DIRECTOR, TR_ROLE_PLAYER, TR_SCOPE_STEPPED }

static const struct {
    Troupe__Command__CommandCase command;
    tr_command_right right;
} commands[] = {
    {COMMAND(SPAWN_CHARACTER), ANY_FROM(TR_ROLE_PLAYER)},
    {COMMAND(SPAWN_OBJECT), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(DESPAWN), OWN_FROM_PLAYER},
    {COMMAND(SET_CONTROLLER), OWN_FROM_PLAYER},
    {COMMAND(SET_LIMP), OWN_FROM_PLAYER},
    {COMMAND(SET_OFFSET), OWN_FROM_PLAYER},
    {COMMAND(SET_FRAGMENT), OWN_FROM_PLAYER},
    {COMMAND(STEER), OWN_FROM_PLAYER},
    {COMMAND(PUSH), OWN_FROM_PLAYER},
    {COMMAND(THROW), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(PAUSE), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(RESUME), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(SET_RATE), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(JOIN), STEPPED_FROM_PLAYER},
    {COMMAND(LEAVE), STEPPED_FROM_PLAYER},
    {COMMAND(STEP), STEPPED_FROM_PLAYER},
    {COMMAND(ADVANCE), STEPPED_FROM_PLAYER}, /* its orders by their own rows */
    {COMMAND(MARK), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(RESET), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(SNAPSHOT), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(RESTORE), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(START_RECORDING), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(STOP_RECORDING), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(SEEK), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(SET_LOOP), ANY_FROM(TR_ROLE_DIRECTOR)},
    {COMMAND(VERIFY), ANY_FROM(TR_ROLE_DIRECTOR)},
};

enum {
    REQUEST_COUNT = sizeof requests / sizeof *requests,
    COMMAND_COUNT = sizeof commands / sizeof *commands
};

tr_role tr_request_role(Troupe__ClientMessage__RequestCase request) {
    for (int i = 0; i < REQUEST_COUNT; i++)
        if (requests[i].request == request)
            return requests[i].role;
    return TR_ROLE_ADMIN;
}

tr_command_right tr_command_rights(Troupe__Command__CommandCase command) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].command == command)
            return commands[i].right;
    return (tr_command_right)ANY_FROM(TR_ROLE_ADMIN);
}

bool tr_request_is_listed(Troupe__ClientMessage__RequestCase request) {
    for (int i = 0; i < REQUEST_COUNT; i++)
        if (requests[i].request == request)
            return true;
    return false;
}

bool tr_command_is_listed(Troupe__Command__CommandCase command) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].command == command)
            return true;
    return false;
}
