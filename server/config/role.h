/* Roles of clients, from the lowest to the highest. A role may do everything that lower roles may;
 * permission.h has the rights of each message. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum tr_role {
    TR_ROLE_NONE,      /* may not even log in */
    TR_ROLE_SPECTATOR, /* may only see */
    TR_ROLE_PLAYER,    /* has characters, and commands only those */
    TR_ROLE_DIRECTOR,  /* makes worlds and matches, and commands everything in them */
    TR_ROLE_ADMIN,     /* may do everything */
    TR_ROLE_COUNT
} tr_role;

/* Limits of all sessions of one key together. 0: the daemon's limit. */
typedef struct tr_role_limits {
    int worlds;        /* worlds made by it that exist */
    int characters;    /* characters spawned by it that exist, in all worlds */
    int subscriptions; /* subscriptions */
    int requests_per_s;
    int bytes_per_s;       /* of its requests */
    int sent_bytes_per_s;  /* for it: answers, events, states */
    int processor_percent; /* of one processor, for the real-time worlds made by it */
} tr_role_limits;

const char *tr_role_name(tr_role role); /* "none", "spectator", ... */
bool tr_role_parse(const char *name, tr_role *out);

/* The default limits of a role. */
tr_role_limits tr_role_limits_default(tr_role role);
