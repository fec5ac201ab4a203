#include "server/match/matches.h"

#include "proto/clock.h"
#include "server/config/log.h"
#include "server/match/bout_exchange.h"
#include "server/match/match_answer.h"
#include "server/match/match_encode.h"
#include "server/match/match_resume.h"
#include "server/match/match_store.h"
#include "server/match/referee.h"
#include "server/world/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TELL_EVERY_MS = 100, RETRY_EVERY_MS = 1000 };

struct tr_matches {
    const tr_match_services *services;
    tr_bout_exchange *exchange;
    tr_contest *first; /* in the order in which they began */
    tr_contest *turn;  /* the contest that gets the next bout; NULL: the first */
    bool stopping;
    int64_t bouts_stored;
    void (*resumed)(void *context); /* called once every interrupted match can be found */
    void *resumed_context;
    uv_timer_t later; /* to notify watchers, or to try to store again */
};

static void advance_contest(tr_matches *matches, tr_contest *contest);

/* --- the list of matches --- */

int tr_matches_count(const tr_matches *matches) {
    int count = 0;
    for (const tr_contest *c = matches->first; c; c = c->next)
        count += c->phase != TR_CONTEST_OVER;
    return count;
}

int64_t tr_matches_bouts_stored(const tr_matches *matches) {
    return matches->bouts_stored;
}

static tr_contest *find(tr_matches *matches, const char *name) {
    for (tr_contest *c = matches->first; c; c = c->next)
        if (c->phase != TR_CONTEST_OVER && c->phase != TR_CONTEST_COMING &&
            strcmp(c->row.name, name) == 0)
            return c;
    return NULL;
}

static void append(tr_matches *matches, tr_contest *contest) {
    tr_contest **at = &matches->first;
    while (*at)
        at = &(*at)->next;
    *at = contest;
}

static void log_match(const char *event, const tr_contest *contest) {
    char name[TR_NAME_MAX];
    tr_log_quote(contest->row.name, name, sizeof name);
    tr_log_line(TR_LOG_INFO, event, "match=\"%s\" rule=%s bouts=%d stored=%d", name,
                contest->row.rule, contest->row.bout_count, contest->stored);
}

/* The frame about the end must arrive; earlier ones may be left out. */
static void tell_spectators(tr_matches *matches, tr_contest *contest, tr_match_state state) {
    tr_packet *packet = NULL;
    contest->unreported = false;
    if (contest->spectators.count == 0 || tr_encode_progress(contest, state, &packet))
        return;
    tr_spectators_tell(&contest->spectators, &matches->services->clients, packet,
                       state != TR_MATCH_RUNNING);
    tr_packet_release(packet);
}

/* --- later --- */

static void on_later(uv_timer_t *timer) {
    tr_matches *matches = timer->data;
    for (tr_contest *next, *c = matches->first; c; c = next) {
        next = c->next;
        if (c->unreported && c->phase != TR_CONTEST_OVER)
            tell_spectators(matches, c, TR_MATCH_RUNNING);
        if (c->storing == TR_STORING_FAILED)
            advance_contest(matches, c);
    }
}

static void set_later(tr_matches *matches, uint64_t ms) {
    if (uv_is_active((uv_handle_t *)&matches->later) || matches->stopping)
        return;
    uv_timer_start(&matches->later, on_later, ms, 0);
}

/* --- the end of a match --- */

static void unlink_contest(tr_matches *matches, tr_contest *contest) {
    tr_contest **at = &matches->first;
    while (*at != contest)
        at = &(*at)->next;
    *at = contest->next;
    if (matches->turn == contest)
        matches->turn = contest->next;
    tr_contest_destroy(contest);
}

static void leave_world(tr_matches *matches, tr_contest *contest) {
    tr_hosted *world = tr_worlds_find(matches->services->worlds, contest->world);
    tr_bout_exchange_forget(matches->exchange, contest->row.id);
    contest->world = 0;
    if (world)
        tr_hosted_close(world);
}

static void answer_asker(tr_matches *matches, const tr_contest *contest, tr_match_state state) {
    tr_error error;
    if (contest->asker.session == 0)
        return;
    if (state == TR_MATCH_CANCELLED) {
        tr_match_answer(matches->services, contest->asker, contest, state);
        return;
    }
    (void)tr_fail(&error, TR_FAILED_PRECONDITION, "match '%s': it has ended", contest->row.name);
    tr_match_refuse(matches->services, contest->asker, &error);
}

/* Its end is in the catalogue. Runners that still fight its bouts keep the memory a moment
 * longer. */
static void finish(tr_matches *matches, tr_contest *contest, tr_match_state state) {
    contest->phase = TR_CONTEST_OVER;
    contest->row.ended_ns = tr_clock_ns(CLOCK_REALTIME);
    log_match("match.ended", contest);
    tell_spectators(matches, contest, state);
    answer_asker(matches, contest, state);
    leave_world(matches, contest);
    tr_bout_exchange_drop(matches->exchange, &contest->def);
    if (contest->fighting == 0)
        unlink_contest(matches, contest);
}

/* --- storing --- */

static void on_saved(void *context, tr_contest *contest, const tr_error *error);

static void store_later(tr_matches *matches, tr_contest *contest) {
    contest->storing = TR_STORING_FAILED;
    set_later(matches, RETRY_EVERY_MS);
}

static void set_failed(tr_contest *contest, const tr_error *error) {
    contest->phase = TR_CONTEST_FAILED;
    snprintf(contest->reason, sizeof contest->reason, "%.*s", TR_SHORT_TEXT_MAX - 1,
             error->message);
    for (char *at = contest->reason; *at != '\0'; at++)
        if (*at < ' ' || *at > '~') /* a cut character; the catalogue takes whole texts only */
            *at = '?';
}

/* Its books do not balance, so that its results are worth nothing. */
static void check(tr_contest *contest) {
    const tr_invariant *broken = &contest->invariant;
    tr_error error;
    tr_contest_must_hold(contest);
    if (!broken->what || contest->phase != TR_CONTEST_RUNNING)
        return;
    error.status = TR_INTERNAL;
    tr_invariant_print(broken, error.message, sizeof error.message);
    tr_log_line(TR_LOG_ERROR, "match.failed", "match=%lld why=\"%s\"", (long long)contest->row.id,
                error.message);
    set_failed(contest, &error);
}

/* Stores the results that have arrived, unless a job is already storing some. */
static void save(tr_matches *matches, tr_contest *contest) {
    check(contest);
    tr_match_state state = tr_contest_state(contest);
    if (contest->storing == TR_STORING_NOW || contest->phase == TR_CONTEST_OVER ||
        (contest->unsaved_count == 0 && state == TR_MATCH_RUNNING))
        return;
    tr_match_save what = {.contest = contest,
                          .state = state,
                          .reason = contest->reason,
                          .now_ns = tr_clock_ns(CLOCK_REALTIME),
                          .stored = on_saved,
                          .context = matches};
    if (tr_match_store_save(matches->services->catalogue, &what)) {
        store_later(matches, contest);
        return;
    }
    contest->storing = TR_STORING_NOW;
    contest->row.state = state;
}

static void fail(tr_matches *matches, tr_contest *contest, const tr_error *error) {
    set_failed(contest, error);
    save(matches, contest);
}

static void on_saved(void *context, tr_contest *contest, const tr_error *error) {
    tr_matches *matches = context;
    tr_match_state state = contest->row.state;
    contest->storing = TR_STORING_NOTHING;
    contest->row.state = TR_MATCH_RUNNING;
    if (error->status) {
        tr_log_line(TR_LOG_ERROR, "match.not_stored", "match=%lld why=\"%s\"",
                    (long long)contest->row.id, error->message);
        store_later(matches, contest);
        return;
    }
    matches->bouts_stored += contest->stored - contest->row.bouts_stored;
    contest->row.bouts_stored = contest->stored;
    if (matches->stopping)
        return;
    if (state != TR_MATCH_RUNNING) {
        finish(matches, contest, state);
        return;
    }
    contest->unreported = true;
    set_later(matches, TELL_EVERY_MS);
    advance_contest(matches, contest);
}

/* --- headless bouts --- */

/* The next contest that has a bout to fight, taking turns; NULL: none. */
static tr_contest *next_contest(tr_matches *matches, int *out_position) {
    tr_contest *first = matches->turn ? matches->turn : matches->first;
    tr_contest *c = first;
    while (c) {
        bool fights = c->def.mode == TR_MATCH_HEADLESS && c->phase == TR_CONTEST_RUNNING;
        tr_contest *next = c->next ? c->next : matches->first;
        if (fights && tr_contest_hand_out(c, out_position)) {
            matches->turn = next;
            return c;
        }
        c = next == first ? NULL : next;
    }
    return NULL;
}

static void send_bouts(tr_matches *matches) {
    while (!matches->stopping && tr_bout_exchange_has_room(matches->exchange)) {
        int position = 0;
        tr_contest *contest = next_contest(matches, &position);
        if (!contest)
            return;
        tr_bout_exchange_send(matches->exchange, &contest->def, position);
    }
}

/* --- hosted bouts --- */

static tr_status host(tr_matches *matches, tr_contest *contest, tr_error *error) {
    tr_referee_def referee = {.match = &contest->def,
                              .seed = tr_match_bout_seed(&contest->def, 0),
                              .ended = tr_bout_exchange_post,
                              .context = matches->exchange,
                              .ticket = contest->row.id};
    tr_hosted *world = NULL;
    tr_status status = tr_bout_exchange_expect(matches->exchange, referee.ticket);
    if (status)
        return tr_fail(error, status, "out of memory");
    contest->def.world.populate = tr_referee_populate;
    contest->def.world.context = &referee;
    status = tr_worlds_add(matches->services->worlds, &contest->def.world, contest->maker, &world,
                           error);
    contest->def.world.populate = NULL;
    contest->def.world.context = NULL;
    if (status)
        return status;
    contest->world = tr_hosted_id(world);
    for (int i = 0; i < contest->holds.count && !status; i++)
        status = tr_holds_add(tr_hosted_holds(world), contest->holds.item[i]);
    return !status ? TR_OK : tr_fail(error, status, "its world knows too many names");
}

/* A hosted match fights its one bout in a separate world. */
static void open_world(tr_matches *matches, tr_contest *contest) {
    tr_error error = {0};
    int position = 0;
    if (contest->world != 0 || !tr_contest_hand_out(contest, &position))
        return;
    if (!host(matches, contest, &error))
        return;
    tr_contest_hand_back(contest, position);
    leave_world(matches, contest);
    fail(matches, contest, &error);
}

/* --- what every match needs --- */

/* Does everything that the contest needs now. */
static void advance_contest(tr_matches *matches, tr_contest *contest) {
    if (contest->phase == TR_CONTEST_OVER || matches->stopping)
        return;
    save(matches, contest);
    if (contest->phase != TR_CONTEST_RUNNING)
        return;
    if (contest->def.mode == TR_MATCH_HEADLESS)
        send_bouts(matches);
    else
        open_world(matches, contest);
}

/* --- results of bouts --- */

/* The match of a hosted bout may have been cancelled since. */
static tr_contest *contest_of(tr_matches *matches, const tr_bout_back *bout) {
    for (tr_contest *c = matches->first; c; c = c->next)
        if (bout->match ? &c->def == bout->match : c->row.id == bout->ticket && c->fighting > 0)
            return c;
    return NULL;
}

static void take_back(tr_matches *matches, const tr_bout_back *bout) {
    tr_contest *contest = contest_of(matches, bout);
    if (!contest)
        return;
    if (!bout->dropped && contest->phase == TR_CONTEST_RUNNING)
        tr_contest_add(contest, bout->position, &bout->result);
    else
        tr_contest_hand_back(contest, bout->position);
    if (contest->phase == TR_CONTEST_OVER && contest->fighting == 0)
        unlink_contest(matches, contest);
    else
        save(matches, contest);
}

static void collect(tr_matches *matches) {
    for (tr_bout_back bout; tr_bout_exchange_take(matches->exchange, &bout);)
        take_back(matches, &bout);
}

static void on_news(void *context) {
    tr_matches *matches = context;
    if (matches->stopping)
        return;
    collect(matches);
    send_bouts(matches);
}

/* --- start --- */

/* It is in the catalogue, or is refused. While the daemon ends, it is left for the next start. */
static void on_put(void *context, tr_contest *contest, const tr_error *error) {
    tr_matches *matches = context;
    tr_asker asker = contest->asker;
    contest->asker = (tr_asker){0};
    if (error->status) {
        tr_match_refuse(matches->services, asker, error);
        unlink_contest(matches, contest);
    } else if (!matches->stopping) {
        contest->phase = TR_CONTEST_RUNNING;
        log_match("match.began", contest);
        advance_contest(matches, contest);
        tr_match_answer(matches->services, asker, contest, tr_contest_state(contest));
    }
}

/* Binds a match that may start to its models and controllers, and stores it. */
static tr_status put(tr_matches *matches, const tr_match_start *start, tr_error *error) {
    const tr_match_services *services = matches->services;
    tr_match_row row = tr_contest_row(start->def, tr_clock_ns(CLOCK_REALTIME));
    tr_contest *contest = tr_contest_create(&row, start->def);
    if (!contest)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    contest->phase = TR_CONTEST_COMING;
    contest->maker = start->member->account;
    contest->asker = start->asker;
    append(matches, contest);
    tr_status status = tr_contest_bind(contest, services->library, error);
    if (!status) {
        status =
            tr_match_store_put(services->catalogue, contest, start->definition, on_put, matches);
        if (status)
            (void)tr_fail(error, status, "the catalogue is busy; try again");
    }
    if (status)
        unlink_contest(matches, contest);
    return status;
}

/* A hosted match needs a world with its name; refuse now what would fail later. */
static tr_status check_world(tr_matches *matches, const tr_match_def *def, tr_error *error) {
    tr_worlds *worlds = matches->services->worlds;
    for (int i = 0; i < TR_WORLDS_MAX && def->mode != TR_MATCH_HEADLESS; i++) {
        const tr_hosted *world = tr_worlds_at(worlds, i);
        if (world && strcmp(tr_hosted_name(world), def->name) == 0)
            return tr_fail(error, TR_ALREADY_EXISTS, "name: a world '%s' already exists",
                           def->name);
    }
    return TR_OK;
}

/* A hosted match counts towards the worlds that its maker may have, also before its world
 * exists. */
static tr_status may_host(const tr_matches *matches, const tr_match_start *start, tr_error *error) {
    const tr_member *member = start->member;
    int made = tr_worlds_made_by(matches->services->worlds, member->account);
    if (start->def->mode == TR_MATCH_HEADLESS)
        return TR_OK;
    for (const tr_contest *c = matches->first; c; c = c->next)
        made += tr_contest_needs_world(c, member->account);
    return tr_member_may_have(member, made, member->limits.worlds, "worlds", error);
}

static tr_status may_start(tr_matches *matches, const tr_match_start *start, tr_error *error) {
    if (matches->stopping)
        return tr_fail(error, TR_UNAVAILABLE, "the daemon is ending");
    if (tr_matches_count(matches) >= TR_MATCHES_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%d matches have not ended", TR_MATCHES_MAX);
    tr_status status = check_world(matches, start->def, error);
    return !status ? may_host(matches, start, error) : status;
}

void tr_matches_start(tr_matches *matches, const tr_match_start *start) {
    tr_error error = {0};
    if (may_start(matches, start, &error) || put(matches, start, &error))
        tr_match_refuse(matches->services, start->asker, &error);
}

/* --- after a restart --- */

static void on_resumed(void *context, tr_contest *contest, const tr_error *error) {
    tr_matches *matches = context;
    append(matches, contest);
    if (error->status) {
        fail(matches, contest, error);
        return;
    }
    log_match("match.resumed", contest);
    advance_contest(matches, contest);
}

static void on_all_resumed(void *context, const tr_error *error) {
    const tr_matches *matches = context;
    (void)error; /* logged */
    matches->resumed(matches->resumed_context);
}

void tr_matches_resume(tr_matches *matches, void (*resumed)(void *context), void *context) {
    matches->resumed = resumed;
    matches->resumed_context = context;
    const tr_match_recall what = {on_resumed, on_all_resumed, matches};
    tr_match_resume_all(matches->services, &what);
}

/* --- requests about matches that run --- */

static tr_contest *find_or_refuse(tr_matches *matches, const char *name, tr_asker asker) {
    tr_contest *contest = find(matches, name);
    if (!contest)
        tr_match_refuse_absent(matches->services, asker, name);
    return contest;
}

const char *tr_matches_in_world(const tr_matches *matches, uint32_t world) {
    for (const tr_contest *c = matches->first; c; c = c->next)
        if (world != 0 && c->world == world && c->phase != TR_CONTEST_OVER)
            return c->row.name;
    return NULL;
}

void tr_matches_watch(tr_matches *matches, const char *name, tr_asker asker) {
    tr_contest *contest = find_or_refuse(matches, name, asker);
    tr_error error;
    if (!contest)
        return;
    if (tr_spectators_add(&contest->spectators, &matches->services->clients, asker.session) !=
        TR_OK) {
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "%d sessions watch this match",
                      TR_MATCH_WATCHERS_MAX);
        tr_match_refuse(matches->services, asker, &error);
        return;
    }
    tr_match_answer(matches->services, asker, contest, TR_MATCH_RUNNING);
    tell_spectators(matches, contest, TR_MATCH_RUNNING);
}

void tr_matches_unwatch(tr_matches *matches, const char *name, tr_asker asker) {
    tr_contest *contest = find_or_refuse(matches, name, asker);
    tr_error error;
    if (!contest)
        return;
    if (!tr_spectators_remove(&contest->spectators, asker.session)) {
        (void)tr_fail(&error, TR_NOT_FOUND, "match '%s': this session does not watch it", name);
        tr_match_refuse(matches->services, asker, &error);
        return;
    }
    tr_clients_respond(&matches->services->clients, asker, TROUPE__RESPONSE__RESULT__NOT_SET, NULL,
                       &(tr_mapping_memory){0});
}

void tr_matches_cancel(tr_matches *matches, const char *name, tr_asker asker) {
    tr_contest *contest = find_or_refuse(matches, name, asker);
    tr_error error;
    if (!contest)
        return;
    if (contest->phase != TR_CONTEST_RUNNING) {
        (void)tr_fail(&error, TR_FAILED_PRECONDITION, "match '%s': it is already ending", name);
        tr_match_refuse(matches->services, asker, &error);
        return;
    }
    contest->phase = TR_CONTEST_CANCELLED;
    contest->asker = asker;
    tr_bout_exchange_drop(matches->exchange, &contest->def);
    if (contest->def.mode != TR_MATCH_HEADLESS && contest->fighting > 0)
        tr_contest_hand_back(contest, 0);
    leave_world(matches, contest);
    save(matches, contest);
}

/* --- life --- */

tr_status tr_matches_create(const tr_match_services *services, int runner_count, tr_matches **out) {
    tr_matches *matches = calloc(1, sizeof *matches);
    if (!matches)
        return TR_RESOURCE_EXHAUSTED;
    matches->services = services;
    uv_timer_init(services->loop, &matches->later);
    matches->later.data = matches;
    tr_bout_exchange_def def = {.loop = services->loop,
                                .pool = services->pool,
                                .runner_count = runner_count,
                                .news = on_news,
                                .context = matches};
    *out = matches; /* on failure too: the daemon destroys it when the pool has ended */
    return tr_bout_exchange_create(&def, &matches->exchange);
}

void tr_matches_stop(tr_matches *matches) {
    if (!matches || !matches->exchange || matches->stopping)
        return;
    collect(matches);
    matches->stopping = true;
    uv_timer_stop(&matches->later);
    tr_bout_exchange_drop(matches->exchange, NULL);
}

void tr_matches_flush(tr_matches *matches) {
    if (!matches || !matches->exchange)
        return;
    collect(matches);
    for (tr_contest *c = matches->first; c; c = c->next)
        save(matches, c);
}

static void on_timer_closed(uv_handle_t *handle) {
    free(handle->data);
}

void tr_matches_destroy(tr_matches *matches) {
    if (!matches)
        return;
    tr_bout_exchange_destroy(matches->exchange);
    for (tr_contest *next, *c = matches->first; c; c = next) {
        next = c->next;
        c->fighting = 0;
        tr_contest_destroy(c);
    }
    uv_close((uv_handle_t *)&matches->later, on_timer_closed);
}
