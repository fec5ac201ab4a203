/* Long options of a command line by their whole names alone: getopt_long takes `--port` for
 * `--port-file` where that is the only one that begins so, and says nothing of it. It keeps its
 * state in globals, so this is for one thread. Everyone may use it. */
#ifndef TROUPE_PROTO_LONG_OPTION_H
#define TROUPE_PROTO_LONG_OPTION_H

#include <getopt.h>

/* As getopt_long, with letters as its short options, but that '?' is returned for an abbreviation
 * and told on stderr unless opterr is 0. argv[optind - 1] is then the word, as it is for an option
 * that is unknown or lacks its value. *out_index: set where a long option is taken; may be NULL. */
int tr_long_option_next(int argc, char **argv, const char *letters, const struct option *options,
                        int *out_index);

#endif
