/* troupe-train reproduce: trains a run of the catalogue again and reports what differs. */
#include "db/store/catalogue.h"
#include "db/tables/runs.h"
#include "tools/frame/tool.h"
#include "tools/reproduce/method_remake.h"
#include "tools/train/run_motion.h"

#include <stdio.h>

typedef struct options {
    const char *run, *catalogue;
    tr_reproduction given; /* without the catalogue, which is opened later */
} options;

static const tr_argument words[] = {
    {"RUN", TR_OPTION_TEXT, offsetof(options, run), "a run of the catalogue"},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue),
     "a catalogue, or a bundle; it is not changed", .needed = true},
    {"--clips DIR", TR_OPTION_TEXT, offsetof(options, given.clips), "folder of the source clips"},
    {"--motion M", TR_OPTION_TEXT, offsetof(options, given.motion), "the imported motion itself"},
    {"--import TEXT", TR_OPTION_TEXT, offsetof(options, given.import),
     "import options of the clip (they are in the motion's file), for runs that did not record "
     "them"},
    TR_TOOL_THREADS(options, given.threads),
    {0}};

static tr_status reproduce(const tr_reproduction *given, const char *name, tr_error *error) {
    tr_run_row run;
    tr_status status = tr_runs_find(given->catalogue, name, &run, error);
    if (status)
        return status;
    printf("recorded as: %s\n", run.command);
    (void)fflush(stdout);
    return tr_method_reproduce(given, &run, error);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_reproduction with = o->given;
    tr_status status =
        tr_catalogue_open(o->catalogue, TR_CATALOGUE_SCRATCH, &with.catalogue, error);
    if (!status)
        status = reproduce(&with, o->run, error);
    tr_catalogue_close(with.catalogue);
    return status;
}

const tr_tool_command tr_tool_reproduce = {
    .name = "reproduce",
    .summary = "repeat a run of the catalogue and report what differs",
    .help =
        "Take parameters, seed and model from the catalogue (or a bundle), find the clip among\n"
        "the files of DIR by its digest, import it with the recorded options, and train. A run\n"
        "that continued another begins from that one's controller, which is trained first if it\n"
        "is missing. The files given with --starts and --control are in the record.\n"
        "A control graph is built or trained again with the recorded options. Parts that are\n"
        "missing or have changed are made first, from their own runs, and named on stderr;\n"
        "trained skills need --clips. A gait is trained again from its settings and the "
        "checkpoint\n"
        "that it began with; a scheduler with the driver that it holds; a balance from its\n"
        "settings, its stance and the policy that it began at. If a part's digest differs from\n"
        "the record, the command names its run and ends. The catalogue is never written.\n"
        "Metrics and controller are compared number by number; on the same build they are the\n"
        "same to the bit, whatever the number of threads. Exit code 1: they differ.\n",
    .example = "  troupe-train reproduce bongo --catalogue db/shipped.troupe\n"
               "  troupe-train reproduce turn-run-right --catalogue db/shipped.troupe --clips "
               "mocap\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .run = run,
};
