/* trouped: the program. Exit status: 0 ended cleanly, 1 could not start, 2 wrong usage. */
#include "server/daemon.h"
#include "server/server.h"

#include <stdio.h>

int main(int argc, char **argv) {
    tr_options options;
    tr_error error = {0};
    if (tr_options_parse(argc, argv, &options, &error) != TR_OK) {
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
    if (tr_daemon_run(&options, &error) != TR_OK) {
        fprintf(stderr, "trouped: %s\n", error.message);
        return 1;
    }
    return 0;
}
