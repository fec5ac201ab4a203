/* Long options of a command line by their whole names alone: getopt_long takes `--port` for
 * `--port-file` where that is the only one that begins so, and so says nothing of an option that is
 * not there. Uses getopt: one thread. Everyone may use it. */
#ifndef TROUPE_PROTO_LONG_OPTION_H
#define TROUPE_PROTO_LONG_OPTION_H

#include <getopt.h>

/* As getopt_long, but for abbreviations: '?', told on stderr unless opterr is 0, and
 * argv[optind - 1] is the word, as it is for an option that is unknown or lacks its value. */
int tr_long_option_next(int argc, char **argv, const char *letters, const struct option *options,
                        int *out_index);

#endif
