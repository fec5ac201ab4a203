#include "proto/long_option.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Is the word "--NAME" or "--NAME=VALUE" with a name among the options? */
static bool is_whole(const char *word, const struct option *options) {
    size_t length = strcspn(word + 2, "=");
    while (options->name &&
           (strlen(options->name) != length || strncmp(options->name, word + 2, length) != 0))
        options++;
    return options->name;
}

int tr_long_option_next(int argc, char **argv, const char *letters, const struct option *options,
                        int *out_index) {
    int index = -1, taken = getopt_long(argc, argv, letters, options, &index);
    bool lacks_value = taken == ':' && strncmp(argv[optind - 1], "--", 2) == 0;
    if (index < 0 && !lacks_value)
        return taken;
    bool apart = index >= 0 && optarg == argv[optind - 1]; /* "--NAME VALUE" */
    const char *word = argv[optind - (apart ? 2 : 1)];
    if (is_whole(word, options)) {
        if (index >= 0 && out_index)
            *out_index = index;
        return taken;
    }
    optind -= apart;
    if (opterr)
        fprintf(stderr, "%s: unrecognized option '%s'\n", argv[0], word);
    return '?';
}
