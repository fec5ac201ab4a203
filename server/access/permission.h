/* Who may send which command.
 *
 * Every command of Command has a row (a test goes through the schema); what has none is for nobody but the admin. Pure functions. */
#ifndef TROUPE_SERVER_PERMISSION_H
#define TROUPE_SERVER_PERMISSION_H

#include "server/config/role.h"

#include <troupe/envelope.pb-c.h>

/* On what a command of a lower role may act. */
typedef enum tr_scope {
    TR_SCOPE_ALL,    /* anything */
    TR_SCOPE_OWN,    /* a character that a session of the same key spawned */
    TR_SCOPE_STEPPED /* the world's time, if it is a stepped world */
} tr_scope;

typedef struct tr_command_right {
    tr_role role;     /* from this one on, on anything */
    tr_role own_role; /* from this one on, within `own_scope` */
    tr_scope own_scope;
} tr_command_right;

tr_command_right tr_command_rights(Troupe__Command__CommandCase command);

/* Is there a row? */
bool tr_command_is_listed(Troupe__Command__CommandCase command);

#endif
