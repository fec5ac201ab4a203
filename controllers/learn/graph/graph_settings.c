#include "learn/graph/graph_settings.h"

#include "learn/graph/graph_build.h"

#define AT(field) offsetof(tr_graph_settings, field)

/* Names of records: they call hardening "season", and a dwell time "stay". */
static const tr_parameter rows[] = {
    {"graph", TR_NAME, AT(change), 0, 0, "build",
     "what is done: build, season (harden), slopes, refit, loosen, shorten or catch"},
    {"of", TR_TEXT, AT(of), 0, 0, "", "the graph that is changed"},
    {"extend", TR_TEXT, AT(extends), 0, 0, "",
     "GRAPH,...: reuse transitions of these graphs between unchanged skills"},
    {"candidates", TR_COUNT, AT(candidates), 1, TR_GRAPH_CANDIDATE_MAX, "60",
     "direct transitions tried for each pair of skills (60)"},
    {"trials", TR_COUNT, AT(trials), 1, 1000, "200",
     "trials that a transition must hold, of a test, or pushes (200)"},
    {"edges", TR_COUNT, AT(edges), 1, 100, "6", "direct transitions kept for each pair (6)"},
    {"learn", TR_FLAG, AT(learns), 0, 0, "0", "learn chains between cyclic skills"},
    {"windows", TR_COUNT, AT(windows), 1, 10000, "40",
     "blend windows tried for each chain, the nearest first (40)"},
    {"longest", TR_COUNT, AT(longest), 1, TR_BLEND_FRAGMENT_MAX, "8",
     "most fragments of a blend window (8)"},
    {"rounds", TR_COUNT, AT(rounds), 0, 100, "4",
     "hardening rounds: most for a chain that is learned, 0 leaves it as blended; or over all "
     "chains (4)"},
    {"hold", TR_REAL, AT(hold_s), 0, 600, "0",
     "seconds that the second skill must hold afterwards (6; in hardening 3); while a chain is "
     "hardened it is watched for as long (2.5)"},
    {"seed", TR_SEED, AT(seed), 0, 0, "20150815", "seed of everything drawn"},
    {"draws", TR_COUNT, AT(draws), 1, 1000, "1",
     "start states drawn for a trial, which meets the hardest (1)"},
    {"shortest", TR_COUNT, AT(shortest), 1, TR_BLEND_FRAGMENT_MAX, "2",
     "least fragments of a blend window (2)"},
    {"rate", TR_REAL, AT(rate), 0, 10, "0",
     "size of hardening steps (1 for a chain that is learned, else 0.3)"},
    {"skills", TR_TEXT, AT(skills), 0, 0, "",
     "NAME,...: enter these skills, train only these transitions, or find jumps anew between "
     "these. "
     "A cyclic skill named here is trained itself: after "
     "the chains that lead to it or, if there are none, after the direct jumps to it"},
    {"after", TR_TEXT, AT(after), 0, 0, "", "NAME,...: start trials in these cyclic skills"},
    {"stay", TR_REAL, AT(dwell_s), 0, 60, "0",
     "most seconds in each skill before (3); given, a jump is tried after such skills too"},
    {"slope", TR_REAL, AT(slope_deg), 0, 30, "0",
     "on slopes of up to so many degrees; only slope terms change"},
    {"with", TR_TEXT, AT(with), 0, 0, "",
     "SKILL=CONTROLLER,...: the controllers, and whose places they take; or graphs, and which "
     "skill to add "
     "out of each"},
    {"without", TR_TEXT, AT(without), 0, 0, "",
     "NAME,...: leave out these cyclic skills with their transitions, or transitions; or try no "
     "jumps from and to these skills"},
    {"limits", TR_TEXT, AT(limits), 0, 0, "",
     "NAME=DISTANCE,...: cyclic skills and transitions, and their limits; SKILL=2deg: the steepest "
     "ground on which it may be asked for by name"},
    {"short-loss", TR_FLAG, AT(short_loss), 0, 0, "0",
     "a loss costs less in hardening, as in graphs that do not record this"},
    {"failing", TR_COUNT, AT(failing), 0, 100, "0",
     "where no jump holds, keep as many that held most often, to be hardened; so many trials of a "
     "learned chain may fail (0)"},
    {"links", TR_TEXT, AT(links), 0, 0, "",
     "FROM=TO,...: pairs of cyclic skills (all ordered pairs; those that find no jump stay as they "
     "are)"},
    {"settled", TR_FLAG, AT(settled), 0, 0, "0",
     "a jump must also end near the reference of the second skill"},
    {"straight", TR_REAL, AT(straight_deg), 0, 180, "0",
     "a jump may turn the character by so many degrees at most (0: by any)"},
    {"spread", TR_FLAG, AT(spread), 0, 0, "0",
     "try jumps out of every part of a skill, not only where the skills are nearest"},
};

const tr_parameter_table tr_graph_settings_table = {
    .row = rows, .count = sizeof rows / sizeof *rows, .retired = "tails=0"};
