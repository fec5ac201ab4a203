#include "control/couple/couple.h"

#include "control/couple/couple_content.h"
#include "control/parts/above_ground.h"
#include "control/parts/driver_holder.h"

#include <string.h>

/* The state of one character; the states of both drivers follow. second: does the second driver
 * work? */
typedef struct couple_state {
    bool second;
} couple_state;

static const tr_state_field fields[] = {TR_STATE_BOOL_FIELD(couple_state, second)};

static const char *name_of(const void *content) {
    return tr_couple_name[((const tr_couple *)content)->rule];
}

static const char *name_at(int index) {
    return index < TR_COUPLE_RULES ? tr_couple_name[index] : NULL;
}

static tr_bank *bank(void *content) {
    tr_couple *couple = content;
    return couple->rule == TR_COUPLE_RELIEF ? &couple->bank : tr_driver_holder_bank(content);
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_couple *couple = content;
    tr_driver_outline second;
    couple->first.kind->outline(couple->first.content, step_s, out);
    couple->second.kind->outline(couple->second.content, step_s, &second);
    out->entry_count += second.entry_count;
    out->duration_s += second.duration_s;
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_couple *couple = content;
    const bool second = index >= couple->entries;
    const tr_driver of = tr_couple_held(couple, second);
    of.kind->entry(of.content, index - (second ? couple->entries : 0), out);
    out->skill += second ? couple->skills : 0;
}

/* A driver that describes no skills takes all entries for its own. */
static tr_status describe_both(const tr_couple *couple, tr_driver_sheet *sheet) {
    const int all = sheet->outline.entry_count;
    sheet->outline.entry_count = couple->entries;
    tr_status status = tr_driver_describe_skills(couple->first, sheet);
    const int skills = sheet->skill_count, edges = sheet->edge_count;
    sheet->outline.entry_count = all - couple->entries;
    if (!status)
        status = tr_driver_describe_skills(couple->second, sheet);
    sheet->outline.entry_count = all;
    /* Entries of the second driver come after those of the first. */
    for (int i = skills; i < sheet->skill_count; i++)
        sheet->skill[i].first += couple->entries;
    for (int e = edges; e < sheet->edge_count; e++) {
        sheet->edge[e].from += couple->entries;
        sheet->edge[e].to += couple->entries;
    }
    return status;
}

/* Adds the edges of a pair from the first driver to the second and back, as the header says. */
static tr_status add_edges(const tr_couple *couple, tr_driver_sheet *sheet) {
    const int home = sheet->outline.first_count, edges = sheet->edge_count;
    const tr_driver_edge back = {couple->entries, 0, false};
    tr_status status = tr_driver_sheet_add_edge(sheet, &back);
    for (int i = 0; !status && i < home; i++)
        status = tr_driver_sheet_add_edge(sheet, &(tr_driver_edge){i, couple->entries, false});
    for (int e = 0; !status && e < edges; e++)
        if (sheet->edge[e].to < home && sheet->edge[e].from >= home)
            status = tr_driver_sheet_add_edge(
                sheet, &(tr_driver_edge){sheet->edge[e].from, couple->entries, false});
    return status;
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_couple *couple = content;
    tr_status status = describe_both(couple, sheet);
    return status || couple->rule == TR_COUPLE_RELIEF ? status : add_edges(couple, sheet);
}

/* --- state --- */

static void *state_of(const tr_couple *couple, const void *state, int index) {
    return tr_driver_held_state((tr_driver){&tr_couple_kind, (void *)couple}, state, index);
}

static bool fits(const void *content, const void *state) {
    (void)content, (void)state;
    return true; /* the states of both drivers were asked */
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    const tr_driver *first = content;
    first->kind->nearest(first->content, model, state, out_entry, out_mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_couple *couple = content;
    const bool second = ((const couple_state *)state)->second;
    const tr_driver at = tr_couple_held(couple, second);
    at.kind->look(at.content, state_of(couple, state, second), out);
    out->entry += second ? couple->entries : 0;
    out->skill += second ? couple->skills : 0;
}

static void enter_driver(const tr_couple *couple, void *state, int index, int entry_index,
                         bool mirrored, bool anew) {
    const tr_driver of = tr_couple_held(couple, index);
    void *own = state_of(couple, state, index);
    if (anew)
        memset(own, 0, tr_driver_state_size(of));
    of.kind->enter(of.content, own, entry_index, mirrored);
}

/* The driver that is not at work has a state too, which fits. In a relief both begin anew, except a
 * first driver that is at work already; in a pair a second one that is not. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_couple *couple = content;
    couple_state *s = state;
    const bool goes = entry_index >= couple->entries, relief = couple->rule == TR_COUPLE_RELIEF;
    enter_driver(couple, state, 0, goes ? 0 : entry_index, !goes && mirrored,
                 relief && (goes || s->second));
    enter_driver(couple, state, 1, goes ? entry_index - couple->entries : 0,
                 relief && goes && mirrored, relief || !goes || !s->second);
    s->second = goes;
}

/* --- driving --- */

/* Has the second driver of a relief done an entry of its home? */
static bool is_home(const tr_couple *couple, const void *state) {
    const tr_driver second = couple->second;
    tr_doing doing;
    second.kind->look(second.content, state_of(couple, state, 1), &doing);
    return doing.between && doing.skill == couple->home && doing.entries_done > 0;
}

static void hand_back(const tr_couple *couple, const tr_sight *sight, void *state) {
    const tr_state here = tr_state_above_ground(sight->state, &sight->ground);
    int at;
    bool mirrored;
    nearest(couple, sight->model, &here, &at, &mirrored);
    enter(couple, state, at, mirrored);
}

static tr_status drive_one(const tr_couple *couple, void *state, const tr_sight *sight,
                           tr_drive *out) {
    const bool second = ((const couple_state *)state)->second;
    const tr_driver at = tr_couple_held(couple, second);
    tr_status status = at.kind->drive(at.content, state_of(couple, state, second), sight, out);
    out->entry += second ? couple->entries : 0;
    return status;
}

/* The second driver of a relief follows no target of the user's, but goes home. */
static tr_status go_home(const tr_couple *couple, void *state, const tr_sight *sight,
                         tr_drive *out) {
    tr_steering_target target = {.aim = TR_AIM_NONE};
    tr_sight own = *sight;
    memcpy(target.skill, couple->home_name, strlen(couple->home_name));
    own.target = &target;
    /* Its parameters have their initial values, because those that are set are the first
     * driver's. */
    own.parameter = couple->initial;
    return drive_one(couple, state, &own, out);
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_couple *couple = content;
    const couple_state *s = state;
    const bool relief = couple->rule == TR_COUPLE_RELIEF;
    /* Between two entries of its home the second driver hands back. */
    if (relief && s->second && is_home(couple, state))
        hand_back(couple, sight, state);
    return relief && s->second ? go_home(couple, state, sight, out)
                               : drive_one(couple, state, sight, out);
}

const tr_driver_kind tr_couple_kind = {.name = "couple",
                                       .name_of = name_of,
                                       .name_at = name_at,
                                       .check = tr_couple_check,
                                       .hash = tr_couple_hash,
                                       .mirror = tr_couple_mirror,
                                       .destroy = tr_couple_destroy,
                                       .save = tr_couple_save,
                                       .load = tr_couple_load,
                                       .outline = outline,
                                       .entry = entry,
                                       .parameters = tr_driver_holder_parameters,
                                       .describe = describe,
                                       .bank = bank,
                                       .held = tr_couple_held,
                                       .state_size = sizeof(couple_state),
                                       .field = fields,
                                       .field_count = sizeof fields / sizeof *fields,
                                       .fits = fits,
                                       .enter = enter,
                                       .nearest = nearest,
                                       .look = look,
                                       .reach = tr_driver_holder_reach,
                                       .performs = tr_driver_holder_performs,
                                       .drive = drive};
