/* Roles: what kind of client a key makes, from the least to the most. A role may do whatever those
 * below it may; permission.h says what that is, message by message. */
#ifndef TROUPE_SERVER_ROLE_H
#define TROUPE_SERVER_ROLE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum tr_role {
    TR_ROLE_NONE,      /* may not even log in */
    TR_ROLE_SPECTATOR, /* looks on */
    TR_ROLE_PLAYER,    /* has characters, and moves those alone */
    TR_ROLE_DIRECTOR,  /* worlds and matches, and anything to anyone in them */
    TR_ROLE_ADMIN,     /* all there is */
    TR_ROLE_COUNT
} tr_role;

/* What all sessions of one key may have and do together. 0: as much as the daemon itself allows. */
typedef struct tr_role_limits {
    int worlds;        /* made by it and still there */
    int characters;    /* spawned by it and still there, in all worlds */
    int subscriptions; /* at once */
    int requests_per_s;
    int bytes_per_s;      /* of its requests */
    int sent_bytes_per_s; /* for it: answers, events, states */
} tr_role_limits;

const char *tr_role_name(tr_role role); /* "none", "spectator", ... */
bool tr_role_parse(const char *name, tr_role *out);

/* The limits of a role that no configuration speaks of. */
tr_role_limits tr_role_limits_default(tr_role role);

#endif
