#include "server/config/role.h"

#include <string.h>

static const struct {
    const char *name;
    tr_role_limits limits;
} roles[TR_ROLE_COUNT] = {
    [TR_ROLE_NONE] = {"none", {0}},
    [TR_ROLE_SPECTATOR] = {"spectator",
                           {.subscriptions = 4,
                            .requests_per_s = 50,
                            .bytes_per_s = 64 << 10,
                            .sent_bytes_per_s = 4 << 20}},
    [TR_ROLE_PLAYER] = {"player",
                        {.characters = 4,
                         .subscriptions = 8,
                         .requests_per_s = 500,
                         .bytes_per_s = 256 << 10,
                         .sent_bytes_per_s = 8 << 20}},
    [TR_ROLE_DIRECTOR] = {"director",
                          {.worlds = 16,
                           .processor_percent = 400,
                           .requests_per_s = 5000,
                           .bytes_per_s = 32 << 20,
                           .sent_bytes_per_s = 64 << 20}},
    [TR_ROLE_ADMIN] = {"admin", {0}},
};

const char *tr_role_name(tr_role role) {
    return roles[role].name;
}

bool tr_role_parse(const char *name, tr_role *out) {
    for (int i = 0; i < TR_ROLE_COUNT; i++)
        if (strcmp(roles[i].name, name) == 0) {
            *out = (tr_role)i;
            return true;
        }
    return false;
}

tr_role_limits tr_role_limits_default(tr_role role) {
    return roles[role].limits;
}
