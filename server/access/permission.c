#include "server/access/permission.h"

#include <stddef.h>

#define COMMAND(name) TROUPE__COMMAND__COMMAND_##name

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

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

tr_command_right tr_command_rights(Troupe__Command__CommandCase command) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].command == command)
            return commands[i].right;
    return (tr_command_right)ANY_FROM(TR_ROLE_ADMIN);
}

bool tr_command_is_listed(Troupe__Command__CommandCase command) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].command == command)
            return true;
    return false;
}
