#include "cli/failure.h"
#include "cli/listing.h"
#include "cli/match_batch.h"
#include "cli/match_file.h"
#include "cli/state_rows.h"
#include "cli/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MATCH_NAME_MAX = 64, NAME_TRIES = 1000 };

typedef struct values {
    const char *action, *target, *name, *on, *catalogue;
    int64_t bouts, seed, bout, ranks; /* bouts 0, seed -1: as in the file */
    double rate_hz, seconds;
    bool detach, all_bouts, running;
} values;

static const values defaults = {
    .seed = -1, .ranks = TR_CLI_RANKS_OF_JOB, .rate_hz = 5, .seconds = INFINITY};

/* --- as JSON --- */

static json_t *match_object(const void *match) {
    return tr_view(&tr_client_match_mapping, match,
                   "match=name state rule mode teams bouts done=bouts_done seed "
                   "began=created_unix_ns ended=ended_unix_ns ?world ?reason");
}

static json_t *match_bout_row(const tr_client_match_detail *d, const tr_client_bout *b) {
    json_t *row = tr_view(&tr_client_bout_mapping, b,
                          "bout=position outcome winner score seconds=ticks why=reason seed hash");
    bool named = b->winner >= 0 && b->winner < d->info.team_count;
    json_object_set_new(row, "winner", json_string(named ? d->info.teams[b->winner] : ""));
    json_object_set_new(row, "seconds", json_real((double)b->ticks * d->step_s));
    return row;
}

static json_t *match_progress_object(const tr_client_match_progress *p) {
    json_t *wins = json_object();
    for (int i = 0; i < p->team_count && i < p->info.team_count; i++)
        json_object_set_new(wins, p->info.teams[i], json_integer(p->wins[i]));
    json_t *object = tr_view(&tr_client_match_progress_mapping, p,
                             "match=info.name state=info.state done=info.bouts_done "
                             "bouts=info.bouts wins draws voids");
    json_object_set_new(object, "wins", wins);
    return object;
}

/* --- one match and its results --- */

static void add_page(json_t *rows, const tr_client_match_detail *detail) {
    for (int i = 0; i < detail->bout_count; i++)
        json_array_append_new(rows, match_bout_row(detail, &detail->bouts[i]));
}

static int add_bouts(tr_cli *cli, const char *name, json_t *rows) {
    char token[64] = "";
    do {
        const tr_client_reply *reply = NULL;
        int code = tr_cli_ask(cli, tr_client_get_match(cli->client, name, 256, token), &reply);
        if (code)
            return code;
        add_page(rows, &reply->match_detail);
        snprintf(token, sizeof token, "%s", reply->next_page_token);
    } while (token[0]);
    return TR_EXIT_OK;
}

static json_t *detail_object(const tr_client_match_detail *detail) {
    json_t *object = match_object(&detail->info);
    tr_view_add(object, &tr_client_match_detail_mapping, detail,
                "results=results_hash mean_s=ticks.mean draws voids "
                "statistics=teams{team=name wins win_rate from=win_rate_low to=win_rate_high "
                "score=score.mean score_from=score.low score_to=score.high}");
    json_object_set_new(object, "mean_s", json_real(detail->ticks.value * detail->step_s));
    return object;
}

static int show(tr_cli *cli, const char *name, bool all_bouts) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_match(cli->client, name, 1, NULL), &reply);
    if (code)
        return code;
    json_t *object = detail_object(&reply->match_detail);
    if (all_bouts) {
        json_t *bouts = json_array();
        code = add_bouts(cli, name, bouts);
        json_object_set_new(object, "bout_list", bouts);
    }
    if (code == TR_EXIT_OK)
        return tr_output_object(cli, object);
    json_decref(object);
    return code;
}

static int exec_show(tr_cli *cli, const values *v) {
    return show(cli, v->target, v->all_bouts);
}

/* --- progress --- */

/* Without --json, progress goes to standard error, so that standard output has only the result. */
static void print_progress(tr_cli *cli, const tr_client_match_progress *progress) {
    if (cli->json) {
        tr_output_object(cli, match_progress_object(progress));
    } else {
        fprintf(stderr, "%u of %u bouts", progress->info.bouts_done, progress->info.bouts);
        for (int i = 0; i < progress->team_count && i < progress->info.team_count; i++)
            fprintf(stderr, ", %s %u", progress->info.teams[i], progress->wins[i]);
        fprintf(stderr, ", drawn %u, void %u\n", progress->draws, progress->voids);
    }
    cli->finished = progress->info.state != TR_CLIENT_MATCH_RUNNING;
}

/* Follows a match to its end; returns immediately if it has already ended. */
static int follow(tr_cli *cli, const char *name, const values *v) {
    const tr_client_reply *reply = NULL;
    cli->on_match = print_progress;
    int code = tr_cli_ask_unless(cli, tr_client_watch_match(cli->client, name),
                                 TR_FAILED_PRECONDITION, &reply);
    if (code || !reply)
        return code;
    tr_client_subscribe_def subscribe = {.world = reply->match.world, .rate_hz = v->rate_hz};
    subscribe.fields = TR_CLIENT_JOINTS | TR_CLIENT_OBJECTS;
    subscribe.events = true;
    if (subscribe.world && v->rate_hz > 0) { /* unless the world was already destroyed */
        cli->on_state = tr_cli_print_state;
        cli->on_event = tr_cli_print_event;
        code = tr_cli_ask_or_none(cli, tr_client_subscribe(cli->client, &subscribe), &reply);
    }
    code = code ? code : tr_cli_receive(cli, v->seconds);
    if (code == TR_EXIT_NO_SERVER && !tr_cli_fails_in_json())
        fprintf(stderr,
                "The daemon continues the match when it runs again: 'troupe match watch %s'.\n",
                name);
    return code;
}

static int exec_watch(tr_cli *cli, const values *v) {
    int code = follow(cli, v->target, v);
    return code ? code : show(cli, v->target, false);
}

/* --- starting --- */

/* Finds the name itself, or the first of "name-2", "name-3", ... that no match has. */
static int find_free_name(tr_cli *cli, const char *name, char out[MATCH_NAME_MAX]) {
    for (int i = 1; i <= NAME_TRIES; i++) {
        const tr_client_reply *reply = NULL;
        int size = i == 1 ? snprintf(out, MATCH_NAME_MAX, "%s", name)
                          : snprintf(out, MATCH_NAME_MAX, "%s-%d", name, i);
        if (size >= MATCH_NAME_MAX)
            return tr_cli_usage_error("name: expected at most 47 bytes");
        int code = tr_cli_ask_or_none(cli, tr_client_get_match(cli->client, out, 1, NULL), &reply);
        if (code || !reply)
            return code;
    }
    return tr_cli_usage_error("--name: there are already %d matches with this name", NAME_TRIES);
}

static int run_by_daemon(tr_cli *cli, const values *v, tr_client_match_def *def) {
    char name[MATCH_NAME_MAX];
    const tr_client_reply *reply = NULL;
    int code = find_free_name(cli, v->name ? v->name : def->name, name);
    def->name = name;
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_start_match(cli->client, def), &reply);
    if (code == TR_EXIT_OK && v->detach)
        code = tr_output_object(cli, match_object(&reply->match));
    if (code || v->detach)
        return code;
    code = follow(cli, name, &defaults);
    return code ? code : show(cli, name, v->all_bouts);
}

/* The results of a batch: those of all pages are the same but for the bouts. */
typedef struct shown {
    json_t *object; /* NULL: no page yet */
    bool all_bouts;
} shown;

static void show_page(void *context, const tr_client_match_detail *detail) {
    shown *s = context;
    if (!s->object) {
        s->object = detail_object(detail);
        if (s->all_bouts)
            json_object_set_new(s->object, "bout_list", json_array());
    }
    if (s->all_bouts)
        add_page(json_object_get(s->object, "bout_list"), detail);
}

static int run_on_ranks(const tr_cli *cli, const values *v, tr_client_match_def *def) {
    shown s = {.all_bouts = v->all_bouts};
    tr_cli_match_batch batch = {.launcher = v->on,
                                .catalogue = v->catalogue,
                                .ranks = v->ranks,
                                .match = def,
                                .page = show_page,
                                .context = &s};
    if (v->detach)
        return tr_cli_usage_error("--detach: expected without --on, which waits for the end");
    if (v->name)
        def->name = v->name;
    int code = tr_cli_match_batch_run(&batch);
    if (code == TR_EXIT_OK && !s.object)
        code = tr_cli_fail(TR_DATA_LOSS, "the job printed no results", NULL);
    if (code == TR_EXIT_OK)
        return tr_output_object(cli, s.object);
    json_decref(s.object);
    return code;
}

static int exec_run(tr_cli *cli, const values *v) {
    tr_match_file *file = NULL;
    tr_error error;
    if (v->bouts > UINT32_MAX)
        return tr_cli_usage_error("--bouts: too many");
    if (!v->on && (v->catalogue || v->ranks != TR_CLI_RANKS_OF_JOB))
        return tr_cli_usage_error("--catalogue and --ranks: expected with --on");
    tr_status status = tr_match_file_load(v->target, &file, &error);
    if (status) {
        fprintf(stderr, "troupe: %s\n", error.message);
        return status == TR_NOT_FOUND ? TR_EXIT_FILE : TR_EXIT_USAGE;
    }
    tr_client_match_def *def = tr_match_file_def(file);
    if (v->bouts > 0)
        def->bouts = (uint32_t)v->bouts;
    if (v->seed >= 0)
        def->seed = (uint64_t)v->seed;
    int code = v->on ? run_on_ranks(cli, v, def) : run_by_daemon(cli, v, def);
    tr_match_file_destroy(file);
    return code;
}

/* --- the other actions --- */

static const tr_cli_listing listing = {.ask = tr_client_list_matches,
                                       .mapping = &tr_client_match_mapping,
                                       .row = match_object,
                                       .columns = "match state rule mode done bouts teams began",
                                       .empty = "no matches; 'troupe match run FILE' starts one"};

static int exec_list(tr_cli *cli, const values *v) {
    return tr_cli_list(cli, &listing, &(tr_client_query){.running = v->running});
}

static int exec_cancel(tr_cli *cli, const values *v) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_cancel_match(cli->client, v->target), &reply);
    return code ? code : tr_output_object(cli, match_object(&reply->match));
}

static int exec_remove(tr_cli *cli, const values *v) {
    int code = tr_cli_ask(cli, tr_client_remove_match(cli->client, v->target), NULL);
    return code ? code : tr_output_object(cli, json_pack("{s:s}", "removed", v->target));
}

/* The daemon fights the bout again, so a long bout may need a longer --timeout. */
static int exec_record(tr_cli *cli, const values *v) {
    char name[MATCH_NAME_MAX];
    int size = v->name ? snprintf(name, sizeof name, "%s", v->name)
                       : snprintf(name, sizeof name, "%s-%lld", v->target, (long long)v->bout);
    if (size >= (int)sizeof name || v->bout > UINT32_MAX)
        return tr_cli_usage_error("match record: expected a shorter name, or a smaller number");
    int code = tr_cli_ask(
        cli, tr_client_record_bout(cli->client, v->target, (uint32_t)v->bout, name), NULL);
    return code ? code : tr_output_object(cli, json_pack("{s:s}", "recording", name));
}

static const struct {
    const char *name, *target; /* target: NULL: takes no target */
    int (*exec)(tr_cli *cli, const values *v);
} actions[] = {
    {"run", "FILE", exec_run},       {"list", NULL, exec_list},
    {"show", "NAME", exec_show},     {"watch", "NAME", exec_watch},
    {"cancel", "NAME", exec_cancel}, {"remove", "NAME", exec_remove},
    {"record", "NAME", exec_record},
};

/* Only run has --on. */
static bool is_local(const void *given) {
    const values *v = given;
    return v->on && strcmp(v->action, "run") == 0;
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, v->action) != 0)
            continue;
        if ((v->target != NULL) == (actions[i].target != NULL))
            return actions[i].exec(cli, v);
        return tr_cli_usage_error("match %s: expected %s after it", v->action,
                                  actions[i].target ? actions[i].target : "nothing");
    }
    return tr_cli_usage_error("match: expected run, list, show, watch, cancel, remove or record");
}

const tr_cli_command tr_cli_command_match = {
    .name = "match",
    .summary = "run matches, once or in batches, and show the results",
    .help =
        "run fights the match of a file (deploy/matches has examples) and shows the result;\n"
        "the daemon continues the match if this command or the daemon itself ends. watch\n"
        "follows a running match, and its world if it has one. show prints how many bouts\n"
        "each team won, with 95 % intervals. record fights a stored bout again, with the same\n"
        "bits, and keeps it as a recording.\n\n"
        "run --on mpi and --on slurm need no daemon: 'mpirun troupe-bouts' or 'srun troupe-bouts'\n"
        "(TROUPE_BOUTS: another program) fights the bouts on many cores or machines, with the "
        "same\n"
        "bits, and stores them in a catalogue. The same command continues what was interrupted,\n"
        "and prints the results of a finished one again.\n\n"
        "  troupe match run deploy/matches/sumo.match\n"
        "  troupe match run deploy/matches/sumo.match --bouts 1000 --seed 7 --detach\n"
        "  troupe match run sumo.match --bouts 10000 --on mpi --ranks 8 --catalogue batch.troupe\n"
        "  troupe match list\n"
        "  troupe match show sumo --bouts-too\n"
        "  troupe match watch sumo\n"
        "  troupe match cancel sumo\n"
        "  troupe match record sumo --bout 17",
    .argument =
        {{"ACTION", TR_OPTION_TEXT, offsetof(values, action),
          "run, list, show, watch, cancel, remove or record"},
         {"[TARGET]", TR_OPTION_TEXT, offsetof(values, target), "run: a file; else a match's name"},
         {"--name NAME", TR_OPTION_TEXT, offsetof(values, name),
          "run: name instead of the file's, NAME-2, ... if taken; record: name of the recording"},
         {"--bouts N", TR_OPTION_INTEGER, offsetof(values, bouts), "run: instead of the file's", 1,
          0},
         {"--seed N", TR_OPTION_INTEGER, offsetof(values, seed), "run: instead of the file's"},
         {"--bout N", TR_OPTION_INTEGER, offsetof(values, bout), "record: the bout, from 0"},
         {"--detach", TR_OPTION_FLAG, offsetof(values, detach), "run: do not wait for the end"},
         {"--bouts-too", TR_OPTION_FLAG, offsetof(values, all_bouts), "run, show: every bout"},
         {"--on LAUNCHER", TR_OPTION_TEXT, offsetof(values, on),
          "run: without a daemon, by mpi (Open MPI) or slurm"},
         {"--ranks N", TR_OPTION_INTEGER, offsetof(values, ranks),
          "run --on: processes; default: as many as the launcher has room for", 1, 0},
         {"--catalogue FILE", TR_OPTION_TEXT, offsetof(values, catalogue),
          "run --on: has the controllers, and gets the results"},
         {"--running", TR_OPTION_FLAG, offsetof(values, running),
          "list: only matches that have not ended"},
         {"--rate HZ", TR_OPTION_REAL, offsetof(values, rate_hz),
          "watch: states of its world per second, 0 for none; default 5"},
         {"--for SECONDS", TR_OPTION_REAL, offsetof(values, seconds),
          "watch: default: until it ends"}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .is_local = is_local,
    .run = run,
};
