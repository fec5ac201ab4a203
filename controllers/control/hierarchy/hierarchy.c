/* The driver kind "hierarchy": what it does, and its row. */
#include "control/hierarchy/hierarchy.h"

#include "control/hierarchy/hierarchy_content.h"
#include "control/parts/driver_holder.h"
#include "control/parts/falls.h"
#include "control/recovery/falling.h"
#include "control/recovery/recovery.h"
#include "math/elementary.h"

#include <limits.h>

/* The duration of an entry of lying. */
static const double ENTRY_S = 0.1;

/* The fixed order, in entries of ENTRY_S: a character has landed after the longest fall; limbs that
 * are caught are freed in turn with gathering; turning over ends past the side. The times are those
 * of recovery.c. */
enum { FALL_MOST = 12, GATHER_LEAST = 2, CAUGHT_FROM = 6, FREE_MOST = 6, TURN_MOST = 10 };

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_hierarchy_state, entry, 0, TR_DRIVER_ENTRY_MAX - 1),
    TR_STATE_BOOL_FIELD(tr_hierarchy_state, mirrored),
    TR_STATE_BOOL_FIELD(tr_hierarchy_state, decides),
    TR_STATE_BOOL_FIELD(tr_hierarchy_state, down),
    TR_STATE_BOOL_FIELD(tr_hierarchy_state, falls),
    TR_STATE_INT_FIELD(tr_hierarchy_state, steps, 0, INT_MAX - 1),
    TR_STATE_INT_FIELD(tr_hierarchy_state, repeats, 0, INT_MAX - 1),
};

const tr_scheduler *tr_hierarchy_scheduler(const tr_hierarchy *hierarchy) {
    return hierarchy->inner.content;
}

static const tr_driver_sheet *sheet_of(const tr_hierarchy *hierarchy) {
    return &tr_hierarchy_scheduler(hierarchy)->sheet;
}

int tr_hierarchy_number(const tr_hierarchy *hierarchy, tr_hierarchy_entry entry) {
    return sheet_of(hierarchy)->outline.entry_count + (int)entry;
}

/* Negative: an entry of the held scheduler. */
static int own_entry(const tr_hierarchy *hierarchy, int entry) {
    return entry - tr_hierarchy_number(hierarchy, TR_HIERARCHY_SCHEDULED);
}

static bool is_of_rising(const tr_hierarchy *hierarchy, int entry) {
    const tr_driver_sheet *sheet = sheet_of(hierarchy);
    return own_entry(hierarchy, entry) < 0 && sheet->skill[sheet->entry[entry].skill].rises;
}

/* Is the entry one of lying or rising? */
static bool gets_up(const tr_hierarchy *hierarchy, int entry) {
    return own_entry(hierarchy, entry) > TR_HIERARCHY_SCHEDULED || is_of_rising(hierarchy, entry);
}

static void *inner_state(const tr_hierarchy *hierarchy, const void *state) {
    return tr_driver_held_state((tr_driver){&tr_hierarchy_kind, (void *)hierarchy}, state, 0);
}

/* Returns the state in which the first rising skill begins. */
static tr_state lying_of(const tr_hierarchy *hierarchy, const tr_model *model, bool mirrored) {
    const tr_state *start = sheet_of(hierarchy)->entry[hierarchy->rising].start;
    return mirrored ? tr_state_mirror(model, start) : *start;
}

/* --- the fixed order --- */

static bool is_up(const tr_sight *sight) {
    return !tr_falls_is_down(sight->world, sight->character, true);
}

static int next_of_lying(const tr_hierarchy *hierarchy, const tr_hierarchy_state *state,
                         const tr_sight *sight) {
    const tr_state start = lying_of(hierarchy, sight->model, state->mirrored);
    const int done = own_entry(hierarchy, state->entry), times = state->repeats + 1;
    const bool slow = tr_vec3_length(sight->state->root_vel) < TR_RECOVERY_LANDED_MPS;
    if (is_up(sight))
        return tr_hierarchy_number(hierarchy, TR_HIERARCHY_SCHEDULED);
    /* It protects itself until it has landed. */
    if (done == TR_HIERARCHY_PROTECT)
        return tr_hierarchy_number(hierarchy, slow || times >= FALL_MOST ? TR_HIERARCHY_GATHER
                                                                         : TR_HIERARCHY_PROTECT);
    /* Turning over and freeing a limb take several entries, and gathering follows both. */
    if (done == TR_HIERARCHY_TURN_OVER && times < TURN_MOST &&
        tr_recovery_lean(sight->state, &start) > TR_RECOVERY_OVER_RAD)
        return state->entry;
    if (done == TR_HIERARCHY_FREE && times < FREE_MOST)
        return state->entry;
    if (done != TR_HIERARCHY_GATHER || times < GATHER_LEAST)
        return tr_hierarchy_number(hierarchy, TR_HIERARCHY_GATHER);
    /* After gathering: rise, or turn over, or free a limb, or gather on. */
    if (tr_recovery_is_gathered(sight->model, sight->state, &start))
        return hierarchy->rising;
    if (tr_recovery_lies_over(sight->model, sight->state, &start))
        return tr_hierarchy_number(hierarchy, TR_HIERARCHY_TURN_OVER);
    const bool caught =
        times >= CAUGHT_FROM && tr_recovery_is_caught(sight->model, sight->state, &start);
    return tr_hierarchy_number(hierarchy, caught ? TR_HIERARCHY_FREE : TR_HIERARCHY_GATHER);
}

static int next_in_order(const tr_hierarchy *hierarchy, const tr_hierarchy_state *state,
                         const tr_sight *sight) {
    const tr_driver_sheet *sheet = sheet_of(hierarchy);
    if (own_entry(hierarchy, state->entry) > TR_HIERARCHY_SCHEDULED)
        return next_of_lying(hierarchy, state, sight);
    if (is_of_rising(hierarchy, state->entry)) {
        const tr_driver_skill *skill = &sheet->skill[sheet->entry[state->entry].skill];
        if (state->entry + 1 < skill->first + skill->count)
            return state->entry + 1;
    }
    const bool down = tr_falls_is_down(sight->world, sight->character, false);
    return tr_hierarchy_number(hierarchy, down ? TR_HIERARCHY_PROTECT : TR_HIERARCHY_SCHEDULED);
}

/* A character that begins to turn over or to free a limb does so to one side or the other, by the
 * tick. */
tr_scheduler_place tr_hierarchy_order(const tr_hierarchy *hierarchy,
                                      const tr_hierarchy_state *state, const tr_sight *sight) {
    const int next = next_in_order(hierarchy, state, sight);
    const bool sided = own_entry(hierarchy, next) >= TR_HIERARCHY_TURN_OVER;
    const bool draws = sided && next != state->entry && sheet_of(hierarchy)->outline.mirrored;
    return (tr_scheduler_place){next, draws ? sight->tick / TR_RECOVERY_SIDE_TICKS % 2 != 0
                                            : state->mirrored};
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_hierarchy *hierarchy = content;
    const tr_hierarchy_state *s = state;
    const tr_driver *inner = &hierarchy->inner;
    tr_doing doing;
    inner->kind->look(inner->content, inner_state(hierarchy, state), &doing);
    const int own = own_entry(hierarchy, s->entry);
    return own < TR_HIERARCHY_ENTRIES && (!s->falls || (s->down && own == TR_HIERARCHY_PROTECT)) &&
           (sheet_of(hierarchy)->outline.mirrored || !s->mirrored) &&
           (!s->decides || own > TR_HIERARCHY_SCHEDULED || doing.between);
}

/* The scheduler that is not at work has a state too, which fits. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_hierarchy *hierarchy = content;
    const tr_driver *inner = &hierarchy->inner;
    tr_hierarchy_state *s = state;
    void *held = inner_state(hierarchy, state);
    /* The held scheduler continues where it was, if `scheduled` follows itself. */
    const bool again = s->decides && s->entry == entry_index, down = s->down;
    const int own = own_entry(hierarchy, entry_index);
    if (own < 0)
        inner->kind->enter(inner->content, held, entry_index, mirrored);
    else if (own > TR_HIERARCHY_SCHEDULED || !again)
        tr_scheduler_enter_deciding(inner->content, held, mirrored);
    *s = (tr_hierarchy_state){.entry = entry_index,
                              .mirrored =
                                  own == TR_HIERARCHY_SCHEDULED && again ? s->mirrored : mirrored,
                              .down = down,
                              .repeats = again && s->repeats < INT_MAX - 1 ? s->repeats + 1 : 0};
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_driver *inner = &((const tr_hierarchy *)content)->inner;
    inner->kind->nearest(inner->content, model, state, out_entry, out_mirrored);
}

/* What the held scheduler chose is shown; choices are left to the driver around. */
static void show_choice(tr_doing *doing) {
    if (doing->choice_count > 0 && doing->shown_count < TR_DRIVER_SHOWN_MAX)
        doing->shown[doing->shown_count++] = (tr_driver_shown){
            "inner_choice",
            "",
            3,
            {doing->choice[0].entry, doing->choice[0].mirrored, doing->choice[0].value}};
    doing->choice_count = 0;
    doing->out_of_sequence = false;
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_hierarchy *hierarchy = content;
    const tr_hierarchy_state *s = state;
    const int own = own_entry(hierarchy, s->entry);
    hierarchy->inner.kind->look(hierarchy->inner.content, inner_state(hierarchy, state), out);
    show_choice(out);
    out->down |= s->down;
    if (own <= TR_HIERARCHY_SCHEDULED)
        return;
    out->entry = s->entry;
    out->skill = sheet_of(hierarchy)->skill_count + own;
    out->phase = s->decides ? 1 : 0;
    out->mirrored = s->mirrored;
    out->between = s->decides;
    out->ended = false;
    out->reached = NULL;
    out->feedback_rad = 0;
    out->text = tr_hierarchy_skill[own];
}

/* --- driving --- */

static void lie(const tr_hierarchy *hierarchy, tr_hierarchy_state *s, const tr_sight *sight,
                tr_drive *out) {
    const tr_model *model = sight->model;
    const tr_state start = lying_of(hierarchy, model, s->mirrored);
    const tr_state *unmirrored = sheet_of(hierarchy)->entry[hierarchy->rising].start;
    const double before_s = ++s->steps * sight->step_s;
    const int own = own_entry(hierarchy, s->entry);
    out->mode = TR_DRIVE_TARGETS;
    out->gain_set =
        tr_model_find_gain_set(model, sheet_of(hierarchy)->entry[hierarchy->rising].gain_set);
    if (own == TR_HIERARCHY_PROTECT)
        tr_falling_drive(model, sight->state, s->repeats * ENTRY_S + before_s, out);
    else if (own == TR_HIERARCHY_GATHER)
        tr_recovery_gather(model, sight->state, &start, out->target);
    else if (own == TR_HIERARCHY_TURN_OVER)
        tr_recovery_turn(model, sight->state, unmirrored, s->mirrored, out->target);
    else
        tr_recovery_free(model, sight->state, unmirrored, s->mirrored, out->target);
    /* A fall lasts until it has landed, other entries of lying for ENTRY_S. */
    out->completes = s->falls ? tr_recovery_has_landed(sight->state, before_s)
                              : before_s > ENTRY_S - sight->step_s / 2;
    s->falls = s->falls && !out->completes;
}

/* Is a character that was up on the ground, or too far off the reference of its entry? */
static bool begins_to_fall(const tr_hierarchy *hierarchy, const void *state,
                           const tr_sight *sight) {
    const tr_hierarchy_state *s = state;
    const tr_driver *inner = &hierarchy->inner;
    tr_doing doing;
    if (s->down || gets_up(hierarchy, s->entry))
        return false;
    inner->kind->look(inner->content, inner_state(hierarchy, state), &doing);
    const tr_state *end = sheet_of(hierarchy)->entry[doing.entry].end;
    return tr_falls_is_down(sight->world, sight->character, false) ||
           (end && tr_recovery_has_lost(sight, end, doing.mirrored));
}

/* Begins to protect the character, whatever was chosen. */
static void begin_to_fall(const tr_hierarchy *hierarchy, void *state) {
    tr_hierarchy_state *s = state;
    enter(hierarchy, state, tr_hierarchy_number(hierarchy, TR_HIERARCHY_PROTECT), s->mirrored);
    s->down = s->falls = true;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_hierarchy *hierarchy = content;
    const tr_driver *inner = &hierarchy->inner;
    tr_hierarchy_state *s = state;
    if (s->decides) {
        const tr_scheduler_place next = tr_hierarchy_order(hierarchy, s, sight);
        enter(content, state, next.entry, next.mirrored);
    }
    const bool begins = begins_to_fall(hierarchy, state, sight);
    /* It is down until it stands, in an entry other than those of lying and rising. */
    s->down = tr_falls_is_down(sight->world, sight->character, s->down) ||
              (s->down && gets_up(hierarchy, s->entry));
    if (begins)
        begin_to_fall(hierarchy, state);
    const int own = own_entry(hierarchy, s->entry);
    if (own > TR_HIERARCHY_SCHEDULED) {
        lie(hierarchy, s, sight, out);
    } else {
        tr_status status =
            inner->kind->drive(inner->content, inner_state(hierarchy, state), sight, out);
        if (status)
            return status;
        s->mirrored = out->mirrored;
    }
    out->entry = s->entry;
    out->mirrored = s->mirrored;
    s->decides = out->completes;
    return TR_OK;
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    tr_driver_holder_outline(content, step_s, out);
    out->entry_count += TR_HIERARCHY_ENTRIES;
    out->duration_s += TR_HIERARCHY_ENTRIES * ENTRY_S;
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_hierarchy *hierarchy = content;
    const tr_driver *inner = &hierarchy->inner;
    const int own = own_entry(hierarchy, index);
    const bool lies = own > TR_HIERARCHY_SCHEDULED;
    inner->kind->entry(inner->content,
                       own < 0 ? index
                       : lies  ? hierarchy->rising
                               : tr_hierarchy_scheduler(hierarchy)->entry[0],
                       out);
    out->rises = false;
    if (own < 0)
        return;
    out->end = NULL;
    out->steps = 0;
    out->skill = sheet_of(hierarchy)->skill_count + own;
}

static tr_status add_edges(const tr_hierarchy *hierarchy, tr_driver_sheet *sheet) {
    static const tr_driver_edge own[] = {
        {TR_HIERARCHY_SCHEDULED, TR_HIERARCHY_PROTECT, false},
        {TR_HIERARCHY_PROTECT, TR_HIERARCHY_GATHER, false},
        {TR_HIERARCHY_PROTECT, TR_HIERARCHY_SCHEDULED, false},
        {TR_HIERARCHY_GATHER, TR_HIERARCHY_TURN_OVER, false},
        {TR_HIERARCHY_GATHER, TR_HIERARCHY_TURN_OVER, true},
        {TR_HIERARCHY_GATHER, TR_HIERARCHY_FREE, false},
        {TR_HIERARCHY_GATHER, TR_HIERARCHY_FREE, true},
        {TR_HIERARCHY_TURN_OVER, TR_HIERARCHY_GATHER, false},
        {TR_HIERARCHY_FREE, TR_HIERARCHY_GATHER, false},
    };
    _Static_assert(sizeof own / sizeof *own + 1 == TR_HIERARCHY_EDGES, "edges that are checked");
    const bool mirrored = sheet_of(hierarchy)->outline.mirrored;
    const int first = tr_hierarchy_number(hierarchy, TR_HIERARCHY_SCHEDULED);
    tr_status status = tr_driver_sheet_add_edge(
        sheet, &(tr_driver_edge){first + TR_HIERARCHY_GATHER, hierarchy->rising, false});
    for (size_t i = 0; !status && i < sizeof own / sizeof *own; i++)
        if (mirrored || !own[i].flips)
            status = tr_driver_sheet_add_edge(
                sheet, &(tr_driver_edge){first + own[i].from, first + own[i].to, own[i].flips});
    for (int i = 0; !status && i < sheet->skill_count; i++) {
        const tr_driver_skill *skill = &sheet->skill[i];
        if (skill->first < first && is_of_rising(hierarchy, skill->first))
            status = tr_driver_sheet_add_edge(
                sheet, &(tr_driver_edge){skill->first + skill->count - 1, first, false});
    }
    return status;
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_hierarchy *hierarchy = content;
    tr_status status = tr_driver_describe_skills(hierarchy->inner, sheet);
    for (int i = 0; i < sheet->skill_count; i++)
        sheet->skill[i].rises = false;
    for (int k = 0; !status && k < TR_HIERARCHY_ENTRIES; k++)
        status = tr_driver_sheet_add_skill(
            sheet, &(tr_driver_skill){.name = tr_hierarchy_skill[k],
                                      .first = tr_hierarchy_number(hierarchy, k),
                                      .count = 1,
                                      .cyclic = true});
    return status ? status : add_edges(hierarchy, sheet);
}

const tr_driver_kind tr_hierarchy_kind = {.name = "hierarchy",
                                          .check = tr_hierarchy_check,
                                          .hash = tr_hierarchy_hash,
                                          .mirror = tr_hierarchy_mirror,
                                          .destroy = tr_driver_holder_destroy,
                                          .save = tr_hierarchy_save,
                                          .load = tr_hierarchy_load,
                                          .outline = outline,
                                          .entry = entry,
                                          .parameters = tr_driver_holder_parameters,
                                          .describe = describe,
                                          .bank = tr_driver_holder_bank,
                                          .held = tr_driver_holder_held,
                                          .state_size = sizeof(tr_hierarchy_state),
                                          .field = fields,
                                          .field_count = sizeof fields / sizeof *fields,
                                          .fits = fits,
                                          .enter = enter,
                                          .nearest = nearest,
                                          .look = look,
                                          .reach = tr_driver_holder_reach,
                                          .performs = tr_driver_holder_performs,
                                          .drive = drive};

/* --- controllers that are hierarchies --- */

const tr_hierarchy *tr_hierarchy_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_hierarchy_kind);
}

const tr_hierarchy_state *tr_hierarchy_state_of(const tr_runner *runner) {
    tr_driver driver = runner->controller->driver;
    const void *state = runner->state;
    while (driver.kind != &tr_hierarchy_kind) {
        state = tr_driver_held_state(driver, state, 0);
        driver = tr_driver_held(driver, 0);
    }
    return state;
}
