/* The configuration of trouped: all settings, from one file.
 *
 * The whole file is read and checked before any of it is used: unknown settings, values of the
 * wrong type or out of range, and settings that contradict each other are errors with file and
 * line, and the caller's configuration stays unchanged. deploy/trouped.conf shows every setting
 * with its default.
 *
 * Plain data: copied by assignment; a running daemon has one struct, which is replaced as a whole.
 * One thread. */
#pragma once

#include "proto/status.h"
#include "server/config/account.h"
#include "server/config/log.h"
#include "server/config/role.h"
#include "server/config/web_origins.h"

#include <stdbool.h>

enum {
    TR_CONFIG_TEXT_MAX = 1024, /* bytes with the terminator */
    TR_DEFAULT_WEB_PORT = 7401,
    TR_DEFAULT_CONNECTIONS_PER_ADDRESS = 256,
    TR_DEFAULT_STEP_MS = 5000,
    TR_DEFAULT_WORLD_PERCENT = 50,
    TR_DEFAULT_FLEET_WORLDS = 16,
    TR_DRAIN_MAX_S = 86400,
    TR_TRAININGS_MAX = 16,  /* at the same time */
    TR_RELAY_HOST_MAX = 254 /* bytes with the terminator */
};

typedef struct tr_config {
    /* listen: the game port */
    char host[TR_HOST_TEXT_MAX]; /* numeric address */
    int port;                    /* 0: the system chooses */
    bool tls;
    char certificate[TR_CONFIG_TEXT_MAX]; /* PEM files: the chain, and its key */
    char private_key[TR_CONFIG_TEXT_MAX];
    bool plain_anywhere; /* also accept other machines without TLS */

    /* web: HTTP and WebSocket */
    char web_host[TR_HOST_TEXT_MAX]; /* numeric address; "": none */
    int web_port;                    /* 0: the system chooses */
    bool web_asked; /* the address or port was given, so failing to listen is fatal */
    char web_root[TR_CONFIG_TEXT_MAX]; /* "": that of the installation; "none" */
    bool web_tls;
    char web_certificate[TR_CONFIG_TEXT_MAX]; /* PEM files; both "": the game port's */
    char web_private_key[TR_CONFIG_TEXT_MAX];
    bool web_plain_anywhere;
    tr_web_origins web_origins;

    char state_dir[TR_CONFIG_TEXT_MAX];
    char catalogue[TR_CONFIG_TEXT_MAX]; /* "": catalogue.sqlite in the state directory */
    char shipped[TR_CONFIG_TEXT_MAX];   /* "": that of the build or the installation; "none" */
    int threads;                        /* world threads; 0: the number of processors minus one */
    int step_ms;       /* processor time: a world of which a step takes more ends; 0: no limit */
    int world_percent; /* of a processor, for a real-time world before others; 0: no limit */
    int max_clients;   /* 0: as many as descriptors allow */
    int connections_per_address; /* on both ports, per address of other machines; 0: unlimited */

    /* Admission: the role of clients without a key, and the keys. */
    tr_role anonymous;
    bool anonymous_is_set; /* false: admin if there are no accounts, else none */
    int account_count;
    tr_account account[TR_ACCOUNTS_MAX]; /* [account_count], sorted by name */
    tr_role_limits limits[TR_ROLE_COUNT];

    /* relay: of the worlds of another daemon */
    char relay_host[TR_RELAY_HOST_MAX]; /* name or address; "": no relay */
    int relay_port;
    bool relay_tls;
    char relay_ca[TR_CONFIG_TEXT_MAX];       /* "": the signers that the system trusts */
    char relay_key_file[TR_CONFIG_TEXT_MAX]; /* "": none */
    int relay_subscriptions;                 /* that it needs there; 0: as many as it gets */

    /* fleet */
    bool agones; /* report to Agones' sidecar */
    int drain_s; /* time for worlds to end at SIGTERM; 0: none */
    int worlds;  /* number of worlds it is to have, for Agones; no limit */

    /* training: started by clients */
    char training_clips[TR_CONFIG_TEXT_MAX]; /* the folder of their clips; "": STATE_DIR/clips of a
                                                * local daemon, others make none */
    char training_program[TR_CONFIG_TEXT_MAX]; /* "": troupe-train of the build or installation */
    int training_limit;                        /* at the same time, at most TR_TRAININGS_MAX */
    int training_threads;                      /* of each */

    tr_log_level log_level;
} tr_config;

/* The configuration without a file: the game port on loopback, every client is admin. */
void tr_config_default(tr_config *out);

/* Applies the file's settings to *config. TR_NOT_FOUND: no such file; TR_INVALID_ARGUMENT, and
 * TR_RESOURCE_EXHAUSTED for a file over 1 MiB: "FILE:LINE: setting: what was expected"; *config is
 * untouched. */
tr_status tr_config_read(const char *path, tr_config *config, tr_error *error) TR_NODISCARD;

/* Do the settings fit together? TR_INVALID_ARGUMENT: the error names those that do not. Call it
 * after the last setting. */
tr_status tr_config_check(const tr_config *config, tr_error *error) TR_NODISCARD;

/* May a daemon that runs with `from` continue with `to`? TR_FAILED_PRECONDITION: the error names a
 * setting that requires a restart. */
tr_status tr_config_may_become(const tr_config *from, const tr_config *to,
                               tr_error *error) TR_NODISCARD;

/* Can only programs of this machine reach it? */
bool tr_config_is_local(const tr_config *config);

/* NULL: no such account. */
const tr_account *tr_config_account(const tr_config *config, const char *name);

/* The limits of the account with this id (tr_account_id); those of clients without a key: no such
 * account. */
tr_role_limits tr_config_limits(const tr_config *config, uint64_t account);

/* The files of the web port's TLS: its own, or the game port's. */
const char *tr_config_web_certificate(const tr_config *config);
const char *tr_config_web_private_key(const tr_config *config);

/* The role of a client without a key. */
tr_role tr_config_anonymous(const tr_config *config);
