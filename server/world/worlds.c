#include "server/world/worlds.h"

#include "model/name.h"
#include "proto/sink.h"
#include "server/config/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_BITS = 9, SLOT_MASK = (1 << SLOT_BITS) - 1 };
_Static_assert((int)TR_WORLDS_MAX <= SLOT_MASK, "a slot has nine bits of an id");

struct tr_worlds {
    tr_worlds_def def;
    tr_hosted *slot[TR_WORLD_PLACES]; /* behind TR_WORLDS_MAX: worlds that still close */
    uint32_t generation[TR_WORLDS_MAX];
    int count; /* places in use, including those of closing worlds */
    bool draining;
    uint64_t moved_count;          /* that have moved away */
    tr_moved moved[TR_MOVED_KEPT]; /* a ring of the newest */
    uint64_t charged_ns;           /* when accounts were last charged */
    uv_async_t news;
    uv_timer_t ends;  /* until the first lease or hold ends */
    int open_handles; /* of both */
    void (*closed)(void *context);
    void *closed_context;
};

/* --- ids: the slot in the low bits, its generation above --- */

static uint32_t make_id(const tr_worlds *worlds, int slot) {
    return worlds->generation[slot] << SLOT_BITS | (uint32_t)(slot + 1);
}

static int slot_of(uint32_t id) {
    int slot = (int)(id & SLOT_MASK) - 1;
    return slot >= 0 && slot < TR_WORLDS_MAX ? slot : -1;
}

tr_hosted *tr_worlds_at(const tr_worlds *worlds, int index) {
    tr_hosted *hosted = worlds->slot[index];
    return hosted && !tr_hosted_is_closing(hosted) ? hosted : NULL;
}

tr_hosted *tr_worlds_find(tr_worlds *worlds, uint32_t id) {
    int slot = slot_of(id);
    tr_hosted *hosted = slot < 0 ? NULL : tr_worlds_at(worlds, slot);
    return hosted && tr_hosted_id(hosted) == id ? hosted : NULL;
}

tr_hosted *tr_worlds_find_called(tr_worlds *worlds, const char *name) {
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (hosted && strcmp(tr_hosted_name(hosted), name) == 0)
            return hosted;
    }
    return NULL;
}

int tr_worlds_count(const tr_worlds *worlds) {
    int count = 0;
    for (int i = 0; i < TR_WORLDS_MAX; i++)
        count += tr_worlds_at(worlds, i) != NULL;
    return count;
}

int tr_worlds_made_by(const tr_worlds *worlds, uint64_t account) {
    int count = 0;
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        const tr_hosted *hosted = tr_worlds_at(worlds, i);
        count += hosted && tr_hosted_maker(hosted) == account;
    }
    return count;
}

int tr_worlds_owned_by(const tr_worlds *worlds, uint64_t account) {
    int count = 0;
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        count += hosted ? tr_hosted_owned(hosted, account) : 0;
    }
    return count;
}

tr_lateness tr_worlds_lateness(const tr_worlds *worlds) {
    tr_lateness sum = worlds->def.tally->lateness;
    for (int i = 0; i < TR_WORLD_PLACES; i++) {
        tr_hosted *hosted = worlds->slot[i]; /* closing ones too: the sum never falls */
        if (!hosted)
            continue;
        const tr_world_info info = tr_hosted_describe(hosted);
        tr_tally_add_lateness(&sum, &info.lateness);
    }
    return sum;
}

/* --- evidence ---
 *
 * What is kept of a world that broke an invariant: its snapshot, from which the next step can be made
 * again. A folder has EVIDENCE_MAX of them, and a new one replaces an old one. */

enum { EVIDENCE_MAX = 16, EVIDENCE_PATH_MAX = 512 };

/* Sets the path of the file; "": it could not be written. Blocks for a moment. */
static void keep_evidence(const char *folder, uint32_t world, const tr_packet *snapshot,
                          char out_path[EVIDENCE_PATH_MAX]) {
    snprintf(out_path, EVIDENCE_PATH_MAX, "%s/fault-%u.snapshot", folder, world % EVIDENCE_MAX);
    if (tr_sink_write(out_path, snapshot->bytes, snapshot->size, NULL))
        out_path[0] = '\0';
}

/* --- the output of worlds --- */

static void log_world(const char *event, const tr_hosted *hosted) {
    static const char *const mode[] = {
        [TR_MODE_REAL_TIME] = "real_time", [TR_MODE_STEPPED] = "stepped", [TR_MODE_FAST] = "fast"};
    char name[TR_NAME_MAX];
    tr_log_quote(tr_hosted_name(hosted), name, sizeof name);
    tr_log_line(TR_LOG_INFO, event, "world=%u name=\"%s\" mode=%s", tr_hosted_id(hosted), name,
                mode[tr_hosted_mode(hosted)]);
}

static void count_closed(tr_tally *tally, const tr_world_info *info) {
    tally->worlds_closed++;
    tally->steps += info->steps_made;
    tally->dropped_ticks += info->dropped_ticks;
    tally->contacts_dropped += info->contacts_dropped;
    tally->searches_cut += info->searches_cut;
    tally->processor_s += info->processor_s;
    tr_tally_add_lateness(&tally->lateness, &info->lateness);
}

static void let_go(tr_worlds *worlds, int place) {
    tr_hosted *hosted = worlds->slot[place];
    const tr_world_info info = tr_hosted_describe(hosted);
    uint32_t id = tr_hosted_id(hosted);
    count_closed(worlds->def.tally, &info);
    tr_subscriptions_end(tr_hosted_subscriptions(hosted));
    log_world("world.closed", hosted);
    worlds->slot[place] = NULL;
    worlds->count--;
    tr_hosted_destroy(hosted);
    worlds->def.closed(worlds->def.context, id);
}

static void tell_closed(tr_worlds *worlds) {
    if (worlds->count > 0 || !worlds->closed)
        return;
    void (*closed)(void *) = worlds->closed;
    worlds->closed = NULL;
    closed(worlds->closed_context);
}

/* A world that has failed makes no more steps. It ends here, so that no command that is under way to it
 * is lost without an answer. */
static void end_failed(tr_worlds *worlds, tr_hosted *hosted, const tr_harvest *harvest) {
    const tr_world_info info = tr_hosted_describe(hosted);
    char path[EVIDENCE_PATH_MAX] = "", why[TR_WORLD_FAILURE_MAX];
    tr_log_quote(harvest->failure, why, sizeof why);
    if (harvest->evidence)
        keep_evidence(worlds->def.state_dir, tr_hosted_id(hosted), harvest->evidence, path);
    tr_log_line(TR_LOG_WARN, "world.failed",
                "world=%u seed=%llu tick=%lld why=\"%s\" evidence=\"%s\"", tr_hosted_id(hosted),
                (unsigned long long)info.seed, (long long)info.tick, why, path);
    worlds->def.tally->worlds_failed++;
    tr_hosted_close(hosted);
}

static void on_news(uv_async_t *handle) {
    tr_worlds *worlds = handle->data;
    for (int i = 0; i < TR_WORLD_PLACES; i++) {
        tr_hosted *hosted = worlds->slot[i];
        tr_harvest harvest;
        if (!hosted || !tr_hosted_has_news(hosted))
            continue;
        tr_hosted_collect(hosted, &harvest);
        tr_subscriptions *all = tr_hosted_subscriptions(hosted);
        /* What was applied is sent before the state in which it shows; the event of the world's end
         * is the last of it. */
        tr_subscriptions_offer_events(all, harvest.events, worlds->def.tally);
        if (!harvest.ended)
            tr_subscriptions_offer_states(all, harvest.state, worlds->def.tally);
        tr_harvest_deliver(&harvest);
        for (const tr_reply *reply = harvest.replies; reply; reply = reply->next)
            worlds->def.replied(worlds->def.context, reply);
        bool closed = harvest.closed;
        if (harvest.failure[0] != '\0')
            end_failed(worlds, hosted, &harvest);
        tr_harvest_deinit(&harvest);
        if (closed)
            let_go(worlds, i);
    }
    tell_closed(worlds);
}

/* --- worlds --- */

/* The first of the places from `first` to `end` - 1 that holds no world; -1: none. */
static int find_free(const tr_worlds *worlds, int first, int end) {
    for (int i = first; i < end; i++)
        if (!worlds->slot[i])
            return i;
    return -1;
}

/* Moves a closing world behind the slots, so that a destroyed world stops no new one. Returns the
 * slot that it leaves; -1: no world closes, or too many do. */
static int free_closing_slot(tr_worlds *worlds) {
    int place = find_free(worlds, TR_WORLDS_MAX, TR_WORLD_PLACES);
    for (int i = 0; i < TR_WORLDS_MAX && place >= 0; i++) {
        if (tr_worlds_at(worlds, i))
            continue;
        worlds->slot[place] = worlds->slot[i];
        worlds->slot[i] = NULL;
        return i;
    }
    return -1;
}

static tr_status find_slot(tr_worlds *worlds, const char *name, int *out_slot, tr_error *error) {
    const tr_hosted *same = tr_worlds_find_called(worlds, name);
    if (same)
        return tr_fail(error, TR_ALREADY_EXISTS, "name: world '%s' already exists (id %u)", name,
                       tr_hosted_id(same));
    int slot = find_free(worlds, 0, TR_WORLDS_MAX);
    if (slot < 0)
        slot = free_closing_slot(worlds);
    if (slot < 0)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "there are already %d worlds", TR_WORLDS_MAX);
    *out_slot = slot;
    return TR_OK;
}

tr_status tr_worlds_add(tr_worlds *worlds, tr_world_loop_def *def, uint64_t maker, tr_hosted **out,
                        tr_error *error) {
    int slot = 0;
    tr_status status = tr_worlds_check_drain(worlds, error);
    if (!status)
        status = find_slot(worlds, def->name, &slot, error);
    if (status)
        return status;
    worlds->generation[slot] = (worlds->generation[slot] + 1) & (UINT32_MAX >> SLOT_BITS);
    def->id = make_id(worlds, slot);
    def->staggered = true;
    def->phase = tr_pace_phase_of(slot);
    def->commands = worlds->def.commands;
    status = tr_hosted_create(&(tr_hosted_def){.loop = *def,
                                               .pool = worlds->def.pool,
                                               .library = worlds->def.library,
                                               .maker = maker,
                                               .step_limit_s = worlds->def.step_limit_s,
                                               .share = worlds->def.world_share,
                                               .news = &worlds->news},
                              &worlds->slot[slot]);
    if (status)
        return tr_fail_if(error, status, "world");
    worlds->count++;
    log_world("world.open", worlds->slot[slot]);
    *out = worlds->slot[slot];
    return TR_OK;
}

/* --- what ends with time or with a session: leases (ownership.h) and holds (move.h) --- */

static void await_ends(tr_worlds *worlds);

static bool is_over(const tr_worlds *worlds, uint64_t ends_ms) {
    return ends_ms != 0 && ends_ms <= uv_now(worlds->def.loop);
}

static void end_what_is_over(tr_worlds *worlds, tr_hosted *hosted) {
    const tr_move *move = tr_hosted_move(hosted);
    if (is_over(worlds, move->ends_ms)) {
        log_world("world.hold_ended", hosted);
        tr_move_release(hosted, move->holder);
    }
    if (is_over(worlds, tr_hosted_ownership(hosted)->ends_ms)) {
        log_world("world.lease_ended", hosted);
        tr_hosted_close(hosted);
    }
}

static void on_end(uv_timer_t *timer) {
    tr_worlds *worlds = timer->data;
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (hosted)
            end_what_is_over(worlds, hosted);
    }
    await_ends(worlds);
}

/* The earlier of two ends, of which 0 is none. */
static uint64_t earlier(uint64_t a, uint64_t b) {
    return a == 0 || (b != 0 && b < a) ? b : a;
}

static void await_ends(tr_worlds *worlds) {
    uint64_t first_ms = 0, now_ms = uv_now(worlds->def.loop);
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (!hosted)
            continue;
        first_ms = earlier(first_ms, tr_hosted_ownership(hosted)->ends_ms);
        first_ms = earlier(first_ms, tr_hosted_move(hosted)->ends_ms);
    }
    if (first_ms != 0)
        uv_timer_start(&worlds->ends, on_end, first_ms > now_ms ? first_ms - now_ms : 0, 0);
}

static uint64_t in_seconds(const tr_worlds *worlds, double seconds) {
    return uv_now(worlds->def.loop) + 1 + (uint64_t)(seconds * 1e3);
}

void tr_worlds_begin_lease(tr_worlds *worlds, tr_hosted *hosted) {
    tr_ownership *ownership = tr_hosted_ownership(hosted);
    if (ownership->destroy && ownership->ends_ms == 0)
        ownership->ends_ms = in_seconds(worlds, ownership->lease_s);
    await_ends(worlds);
}

tr_status tr_worlds_hold(tr_worlds *worlds, tr_hosted *hosted, tr_hold_def *def, double seconds,
                         tr_error *error) {
    def->ends_ms = in_seconds(worlds, seconds);
    tr_status status = tr_move_hold(hosted, def, error);
    if (!status)
        await_ends(worlds);
    return status;
}

tr_status tr_worlds_move_away(tr_worlds *worlds, tr_hosted *hosted, uint64_t session,
                              const char *to, tr_error *error) {
    tr_status status = tr_move_may_leave(hosted, session, error);
    if (status)
        return status;
    tr_moved *moved = &worlds->moved[worlds->moved_count++ % TR_MOVED_KEPT];
    tr_name_set(moved->name, tr_hosted_name(hosted));
    tr_name_set(moved->to, to);
    tr_name_set(moved->hold, tr_hosted_move(hosted)->hold);
    tr_hosted_move_away(hosted, to);
    return TR_OK;
}

int tr_worlds_moved(const tr_worlds *worlds, tr_moved out[TR_MOVED_KEPT]) {
    int kept = worlds->moved_count < TR_MOVED_KEPT ? (int)worlds->moved_count : TR_MOVED_KEPT;
    for (int i = 0; i < kept; i++)
        out[i] = worlds->moved[(worlds->moved_count - (uint64_t)(kept - i)) % TR_MOVED_KEPT];
    return kept;
}

void tr_worlds_session_left(tr_worlds *worlds, uint64_t session) {
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (!hosted)
            continue;
        tr_move_release(hosted, session);
        if (tr_hosted_ownership(hosted)->session != session)
            continue;
        tr_hosted_ownership(hosted)->session = 0;
        tr_worlds_begin_lease(worlds, hosted);
    }
}

/* --- budgets of accounts --- */

/* Processor time that each world has used since the last call. */
static void take_spent(tr_worlds *worlds, double out_s[TR_WORLDS_MAX]) {
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        out_s[i] = hosted ? tr_hosted_take_spent_s(hosted) : 0;
    }
}

static double sum_of(const tr_worlds *worlds, uint64_t account, const double spent_s[]) {
    double sum_s = 0;
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        const tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (hosted && tr_hosted_maker(hosted) == account)
            sum_s += spent_s[i];
    }
    return sum_s;
}

void tr_worlds_charge(tr_worlds *worlds) {
    uint64_t now_ns = uv_hrtime();
    double passed_s = (double)(now_ns - worlds->charged_ns) * 1e-9, spent_s[TR_WORLDS_MAX];
    worlds->charged_ns = now_ns;
    take_spent(worlds, spent_s);
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        uint64_t maker = hosted ? tr_hosted_maker(hosted) : 0;
        if (maker == 0)
            continue;
        double share = worlds->def.key_share(worlds->def.context, maker);
        tr_hosted_hold_back(hosted, share > 0 && sum_of(worlds, maker, spent_s) > share * passed_s);
    }
}

/* --- life --- */

tr_status tr_worlds_create(const tr_worlds_def *def, tr_worlds **out) {
    tr_worlds *worlds = calloc(1, sizeof *worlds);
    if (!worlds)
        return TR_RESOURCE_EXHAUSTED;
    worlds->def = *def;
    if (uv_async_init(def->loop, &worlds->news, on_news) != 0) {
        free(worlds);
        return TR_RESOURCE_EXHAUSTED;
    }
    uv_timer_init(def->loop, &worlds->ends);
    worlds->open_handles = 2;
    worlds->charged_ns = uv_hrtime();
    worlds->news.data = worlds->ends.data = worlds;
    *out = worlds;
    return TR_OK;
}

void tr_worlds_drain(tr_worlds *worlds) {
    worlds->draining = true;
}

tr_status tr_worlds_check_drain(const tr_worlds *worlds, tr_error *error) {
    return worlds->draining ? tr_fail(error, TR_UNAVAILABLE,
                                      "the daemon drains, which means that it is about to end, and "
                                      "begins nothing new: use another daemon")
                            : TR_OK;
}

void tr_worlds_close(tr_worlds *worlds, void (*closed)(void *context), void *context) {
    worlds->closed = closed;
    worlds->closed_context = context;
    for (int i = 0; i < TR_WORLD_PLACES; i++)
        if (worlds->slot[i])
            tr_hosted_close(worlds->slot[i]);
    uv_async_send(&worlds->news);
}

bool tr_worlds_are_in_turns(const tr_worlds *worlds) {
    bool any = false;
    for (int i = 0; i < TR_WORLD_PLACES; i++) {
        if (worlds->slot[i] && tr_hosted_describe(worlds->slot[i]).turn_s == 0)
            return false;
        any |= worlds->slot[i] != NULL;
    }
    return any;
}

static void on_handle_closed(uv_handle_t *handle) {
    tr_worlds *worlds = handle->data;
    if (--worlds->open_handles == 0)
        free(worlds);
}

void tr_worlds_destroy(tr_worlds *worlds) {
    if (!worlds)
        return;
    for (int i = 0; i < TR_WORLD_PLACES; i++)
        if (worlds->slot[i])
            let_go(worlds, i);
    uv_close((uv_handle_t *)&worlds->news, on_handle_closed);
    uv_close((uv_handle_t *)&worlds->ends, on_handle_closed);
}

void tr_worlds_must_hold(tr_worlds *worlds, uint64_t turn, tr_invariant *broken) {
    int slot = (int)(turn % TR_WORLDS_MAX), count = 0;
    tr_hosted *hosted = tr_worlds_at(worlds, slot);
    for (int i = 0; i < TR_WORLD_PLACES; i++)
        count += worlds->slot[i] != NULL;
    TR_MUST_BE(broken, worlds->count, ==, count);
    if (!hosted)
        return;
    TR_MUST_BE(broken, tr_hosted_id(hosted), ==, make_id(worlds, slot));
    tr_hosted_must_hold(hosted);
}
