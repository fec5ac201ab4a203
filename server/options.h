/* The command line of trouped. */
#ifndef TROUPE_SERVER_OPTIONS_H
#define TROUPE_SERVER_OPTIONS_H

#include "proto/status.h"
#include "server/log.h"

#include <stdbool.h>
#include <stdio.h>

enum { TR_OPTION_TEXT_MAX = 1024, TR_OPTION_BUNDLE_MAX = 16, TR_HOST_TEXT_MAX = 64 };

typedef struct tr_options {
    char host[TR_HOST_TEXT_MAX]; /* numeric address to listen on */
    int port;                    /* 0: the system chooses */
    char port_file[TR_OPTION_TEXT_MAX];
    char state_dir[TR_OPTION_TEXT_MAX];
    char catalogue[TR_OPTION_TEXT_MAX]; /* "" : catalogue.sqlite in the state directory */
    char shipped[TR_OPTION_TEXT_MAX];   /* "": where the build or the installation has it; "none" */
    const char *bundle[TR_OPTION_BUNDLE_MAX];
    int bundle_count;
    int threads;     /* that run worlds; 0: one per processor */
    int max_clients; /* 0: as many as descriptors allow */
    tr_log_level log_level;
    bool help, version;
} tr_options;

tr_options tr_options_default(void);

/* Reads argv. TR_INVALID_ARGUMENT: `error` names the option and what was expected. Strings of
 * `bundle` live as long as argv. Uses getopt: one thread. */
tr_status tr_options_parse(int argc, char **argv, tr_options *out, tr_error *error) TR_NODISCARD;

/* Usage with every option and its default. */
void tr_options_help(FILE *out);

#endif
