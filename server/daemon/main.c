/* trouped: the program. Exit status: 0 ended cleanly, 1 could not start, 2 wrong usage, 5 standard output
 * could not be written. */
#include "proto/sink.h"
#include "server/access/gate.h"
#include "server/config/version.h"
#include "server/daemon/daemon.h"

#include <stdio.h>

/* The only place that prints the key; the configuration has a verifier. */
static int make_key(const tr_options *options) {
    char hash[TR_SCRAM_VERIFIER_TEXT_MAX];
    tr_key key;
    if (tr_key_make(options->make_key, &key) || tr_account_verifier(&key, hash)) {
        fputs("trouped: no random bytes for a key\n", stderr);
        return 1;
    }
    const char *expires = options->make_key_expires;
    fprintf(stderr,
            "The client's key, shown only once; keep it in a file that only the client can read "
            "(chmod 600):\n");
    printf("%s.%s\n", key.name, key.secret);
    tr_key_forget(&key);
    tr_error error = {0};
    if (tr_standard_output_flush(&error)) { /* a key that the user has not seen is of no use */
        fprintf(stderr, "trouped: %s\n", error.message);
        return TR_EXIT_OUTPUT;
    }
    fprintf(stderr,
            "For the list `keys` of the configuration, with commas between keys:\n"
            "  { name = \"%s\"; role = \"%s\"; hash = \"%s\";%s%s%s }\n",
            options->make_key, tr_role_name(options->make_key_role), hash,
            expires ? " expires = \"" : "", expires != NULL ? expires : "", expires ? "\";" : "");
    return 0;
}

static int check_config(const tr_options *options) {
    const tr_config *config = &options->config;
    tr_error error = {0};
    if (tr_gate_check_certificates(config, &error)) {
        fprintf(stderr, "trouped: %s\n", error.message);
        return 1;
    }
    printf("%s: valid; %d keys, TLS %s, on the web port %s\n", options->config_file,
           config->account_count, config->tls ? "on" : "off", config->web_tls ? "on" : "off");
    return 0;
}

static int run(int argc, char **argv) {
    static tr_options options;
    tr_error error = {0};
    if (tr_options_parse(argc, argv, &options, &error)) {
        fprintf(stderr, "trouped: %s\n", error.message);
        return 2;
    }
    if (options.help) {
        tr_options_help(stdout);
        return 0;
    }
    if (options.version) {
        puts("trouped " TR_SERVER_VERSION);
        return 0;
    }
    if (options.make_key)
        return make_key(&options);
    if (options.check_config)
        return check_config(&options);
    if (tr_daemon_run(&options, &error)) {
        fprintf(stderr, "trouped: %s\n", error.message);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    return tr_standard_output_end("trouped", run(argc, argv));
}
