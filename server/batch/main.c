/* troupe-bouts: fights a batch of bouts on one process or on many ranks, without a daemon. Exit
 * status: 0 done, 1 failed, 2 wrong usage, 5 standard output could not be written. */
#include "db/tables/matches.h"
#include "learn/ranks/ranks.h"
#include "physics/world/world.h"
#include "proto/option.h"
#include "proto/sink.h"
#include "server/batch/batch.h"
#include "server/config/version.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: troupe-bouts --catalogue FILE < MATCH\n\n"
    "Fights all bouts of a headless match without a daemon, and stores them in a catalogue. "
    "'troupe\n"
    "match run FILE --on mpi' and '--on slurm' start it as several ranks, give it the match, and "
    "show\n"
    "the results, which have the same bits as those of a daemon.\n\n"
    "  --catalogue FILE  has the controllers, and gets the results; no daemon may have it open\n"
    "  --help            show this\n"
    "  --version         show the version\n\n"
    "MATCH is a Match of proto/troupe/match.proto, encoded. The results are written as frames of\n"
    "MatchDetail. The same call again continues an interrupted batch, or prints\n"
    "the results of a finished one.\n";

typedef struct input {
    uint8_t *bytes; /* [TR_MATCH_DEFINITION_MAX + 1] */
    size_t size;
} input;

static tr_status read_match(void *context, tr_error *error) {
    input *in = context;
    in->size = fread(in->bytes, 1, TR_MATCH_DEFINITION_MAX + 1, stdin);
    if (ferror(stdin) || in->size == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "no match on standard input: 'troupe match run FILE --on mpi' gives one");
    if (in->size > TR_MATCH_DEFINITION_MAX)
        return tr_fail(error, TR_OUT_OF_RANGE, "the match is larger than %d bytes",
                       TR_MATCH_DEFINITION_MAX);
    return TR_OK;
}

static tr_status run(const char *catalogue, tr_error *error) {
    input in = {.bytes = malloc(TR_MATCH_DEFINITION_MAX + 1)};
    if (!in.bytes)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = tr_ranks_let_lead(read_match, &in, error);
    if (!status) {
        tr_ranks_follow(&in.size, sizeof in.size);
        tr_ranks_follow(in.bytes, in.size);
        tr_batch_def def = {catalogue, in.bytes, in.size, stderr, stdout};
        status = tr_batch_run(&def, error);
    }
    free(in.bytes);
    return status;
}

static int fail(int code, const char *message) {
    fprintf(stderr, "troupe-bouts: %s\n", message);
    return code;
}

static int run_ranks(const char *catalogue) {
    tr_error error = {0};
    tr_physics_init();
    if (tr_ranks_begin(&error))
        return fail(1, error.message);
    return tr_ranks_end(run(catalogue, &error) ? fail(1, error.message) : 0);
}

static int run_line(int argc, char **argv) {
    const char *catalogue = NULL;
    bool asks_help = false, asks_version = false;
    tr_error error = {0};
    int first = 0;
    const tr_option options[] = {{"catalogue", TR_OPTION_TEXT, &catalogue, 0, 0},
                                 {"help", TR_OPTION_FLAG, &asks_help, 0, 0},
                                 {"version", TR_OPTION_FLAG, &asks_version, 0, 0}};
    const tr_option_table table = {options, sizeof options / sizeof *options, false};
    if (tr_option_take(&table, argc - 1, argv + 1, &first, &error))
        return fail(2, error.message);
    if (asks_help || asks_version) {
        fputs(asks_help ? help : "troupe-bouts " TR_SERVER_VERSION "\n", stdout);
        return 0;
    }
    if (first < argc - 1)
        return fail(2, "expected options only: the match comes by standard input");
    return catalogue ? run_ranks(catalogue)
                     : fail(2, "--catalogue: expected a catalogue with the controllers");
}

int main(int argc, char **argv) {
    return tr_standard_output_end("troupe-bouts", run_line(argc, argv));
}
