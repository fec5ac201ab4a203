/* troupe-train latent track: a physical character that follows a puppet by the fragments of
 * chains. */
#include "control/couple/couple.h"
#include "control/latent/tracker.h"
#include "control/recovery/recovery.h"
#include "db/store/catalogue.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"
#include "tools/latent/latent.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    const char *puppet, *catalogue, *name, *skill, *rise;
    tr_words chains;
} options;

static const options defaults = {.skill = "walk"};

static const tr_argument words[] = {
    {"PUPPET", TR_OPTION_TEXT, offsetof(options, puppet), "the puppet"},
    {"CHAIN ...", TR_OPTION_TEXT, offsetof(options, chains), "chains of its motions", 1,
     TR_TRACKER_ORBIT_MAX},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue),
     "holds puppet, chains and graph, and is written", .needed = true},
    {"--name NAME", TR_OPTION_TEXT, offsetof(options, name), "of the controller", 1,
     TR_NAME_MAX - 1, .needed = true},
    {"--skill NAME", TR_OPTION_TEXT, offsetof(options, skill), "what it does (walk)", 1,
     TR_NAME_MAX - 1},
    {"--rise GRAPH", TR_OPTION_TEXT, offsetof(options, rise),
     "a control graph of the catalogue that gets up, such as 'riser': after a fall it rises and "
     "goes to its skill of that name, and the tracker takes over again"},
    {0}};

/* The graph gets it up after a fall. */
static tr_status relieve(const options *o, tr_catalogue *catalogue, const tr_model *model,
                         tr_controller *tracker, tr_error *error) {
    tr_subject graph = {0};
    tr_status status = tr_subject_load(catalogue, o->rise, &graph, error);
    if (!status && !tr_recovery_of(graph.controller))
        status =
            tr_fail(error, TR_INVALID_ARGUMENT,
                    "--rise: '%s' does not get up; expected a graph with a rising skill", o->rise);
    if (!status) {
        tr_recovery_remove(graph.controller); /* loading adds it again, around both */
        status = tr_couple_add(tracker, graph.controller, TR_COUPLE_RELIEF, o->skill, model, error);
    }
    tr_subject_deinit(&graph);
    return status;
}

/* Stores it with the run and the clip of the puppet. */
static tr_status put(const options *o, const tr_subject *puppet, tr_controller *tracker,
                     tr_catalogue *catalogue, tr_error *error) {
    const tr_controller_row *row = &puppet->row;
    const tr_controller_entry entry = {tracker, row->model_id, row->run_id, row->clip_id};
    tr_row_id id = 0;
    snprintf(tracker->name, sizeof tracker->name, "%s", o->name);
    snprintf(tracker->skill, sizeof tracker->skill, "%s", o->skill);
    tr_status status = tr_controller_check(tracker, puppet->model, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    if (!status)
        printf("controller '%s', a tracker of '%s' with %d orbits, is in %s\n", o->name, o->puppet,
               o->chains.count, o->catalogue);
    return status;
}

static tr_status track(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const options *o = context;
    tr_subject puppet = {0}, chain[TR_TRACKER_ORBIT_MAX] = {{.model = NULL}};
    const tr_controller *orbit[TR_TRACKER_ORBIT_MAX];
    tr_controller *tracker = NULL;
    tr_status status = tr_subject_load(catalogue, o->puppet, &puppet, error);
    for (int i = 0; i < o->chains.count && !status; i++) {
        status = tr_subject_load(catalogue, o->chains.word[i], &chain[i], error);
        orbit[i] = chain[i].controller;
    }
    if (!status)
        status = tr_latent_tracker_create(puppet.controller, orbit, o->chains.count, puppet.model,
                                          &tracker, error);
    if (!status && o->rise)
        status = relieve(o, catalogue, puppet.model, tracker, error);
    if (!status)
        status = put(o, &puppet, tracker, catalogue, error);
    tr_controller_destroy(tracker);
    for (int i = 0; i < o->chains.count; i++)
        tr_subject_deinit(&chain[i]);
    tr_subject_deinit(&puppet);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    return tr_lead_change_catalogue(o->catalogue, TR_CATALOGUE_WRITE, track, o, error);
}

const tr_tool_command tr_tool_latent_track = {
    .name = "track",
    .summary = "make a physical character that follows a puppet by the fragments of chains",
    .help =
        "PUPPET is a controller that 'troupe-train latent store' put into the catalogue. Each "
        "CHAIN\n"
        "is a motion that repeats, learned by 'troupe-train learn' on the puppet's model with the\n"
        "same gains, preferably one that the puppet walked ('troupe-train latent generate').\n"
        "Three chains work best: one straight and one to each side. The tracker changes between\n"
        "them at one phase of the first, so that it turns to its heading.\n"
        "Measure it with 'troupe-train headings'.\n",
    .example = "  troupe-train latent track walker walk circle-left circle-right --rise riser \\\n"
               "      --name tracker --catalogue mine.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .run = run,
};
