/* The command line of trouped. */
#pragma once

#include "server/config/config.h"

#include <stdio.h>

enum { TR_OPTION_TEXT_MAX = TR_CONFIG_TEXT_MAX, TR_OPTION_BUNDLE_MAX = 16 };

typedef struct tr_options {
    tr_config config; /* the defaults, overridden by the file, overridden by the options */
    char config_file[TR_OPTION_TEXT_MAX]; /* "": none */
    bool check_config;                    /* check the configuration and exit */
    char port_file[TR_OPTION_TEXT_MAX];
    char web_port_file[TR_OPTION_TEXT_MAX];
    const char *bundle[TR_OPTION_BUNDLE_MAX];
    int bundle_count;
    const char *make_key; /* the name of a key to make, or NULL */
    tr_role make_key_role;
    const char *make_key_expires; /* NULL: never */
    bool allow_plain, help, version;
    int argc; /* the source, for reading it again */
    char **argv;
} tr_options;

/* Reads argv and the configuration it names, and checks that all of it fits together.
 * TR_INVALID_ARGUMENT, and what tr_config_read returns: `error` names the option or the line of the
 * file, and what was expected; *out is untouched. Strings of `bundle` and `make_key` live as long as
 * argv. */
tr_status tr_options_parse(int argc, char **argv, tr_options *out, tr_error *error) TR_NODISCARD;

/* Prints the usage with every option and its default. */
void tr_options_help(FILE *out);
