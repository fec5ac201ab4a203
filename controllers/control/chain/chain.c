#include "control/chain/chain.h"

#include "control/parts/playback.h"
#include "math/hash.h"

#include <stdlib.h>

typedef struct chain_state {
    tr_playback playback;
    bool ended;
} chain_state;

static const tr_state_field fields[] = {
    TR_PLAYBACK_FIELDS(chain_state),
    TR_STATE_BOOL_FIELD(chain_state, ended),
};

/* --- content --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_chain *chain = content;
    tr_status status = tr_bank_check(&chain->bank, setting->model, error);
    return status ? status : tr_steering_check(&chain->steering, chain->bank.action.size, error);
}

/* A chain that cannot be steered keeps the hash that it had before that existed. */
static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_chain *chain = content;
    const tr_steering *steering = &chain->steering;
    uint64_t hash = tr_bank_hash(&chain->bank, setting);
    return tr_steering_is_given(steering) ? tr_hash_add(hash, steering, sizeof *steering) : hash;
}

static void destroy(void *content) {
    tr_chain *chain = content;
    if (chain)
        tr_bank_deinit(&chain->bank);
    free(chain);
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_chain *chain = content;
    tr_chain *image = calloc(1, sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = tr_bank_mirror(&chain->bank, setting->model, &image->bank);
    image->steering = tr_steering_mirror(setting->model, &chain->bank.action, &chain->steering);
    return TR_GIVE(status, image, destroy, out);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_chain *chain = content;
    out->bank = &chain->bank;
    return tr_steering_save(&chain->steering, chain->bank.action.size, out, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    tr_chain *chain = calloc(1, sizeof *chain);
    tr_status status = chain ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_bank_load(in, setting->model->body_count, &chain->bank, error);
    if (!status)
        status = tr_steering_load(in, chain->bank.action.size, &chain->steering, error);
    if (!status && tr_sections_find(in, "blend"))
        status = tr_fail(error, TR_UNIMPLEMENTED,
                         "chain: its fragments blend, which this build has not: learn it again");
    return TR_GIVE(status, chain, destroy, out);
}

static tr_bank *bank(void *content) {
    return &((tr_chain *)content)->bank;
}

/* --- what it can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_bank *b = &((const tr_chain *)content)->bank;
    *out = (tr_driver_outline){.entry_count = b->fragment_count,
                               .first_count = b->fragment_count,
                               .cyclic = b->cyclic,
                               .mirrored = b->mirrored,
                               .duration_s = tr_bank_duration_s(b, step_s),
                               .gain_set = b->gain_set};
    out->cycle_s = b->cyclic ? out->duration_s : 0;
}

static void entry(const void *content, int index, tr_driver_entry *out) {
    const tr_bank *b = &((const tr_chain *)content)->bank;
    tr_playback_entry(b, index, b->gain_set, out);
}

static int parameters(const void *content, tr_driver_parameter *out) {
    out[0] = tr_playback_parameter(&((const tr_chain *)content)->bank);
    return 1;
}

static tr_status describe(const void *content, tr_driver_sheet *sheet) {
    const tr_chain *chain = content;
    tr_driver_skill skill = tr_steering_skill(&chain->steering);
    skill.name = "";
    skill.count = chain->bank.fragment_count;
    skill.cyclic = chain->bank.cyclic;
    skill.mirrored = chain->bank.mirrored;
    return tr_driver_sheet_add_skill(sheet, &skill);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_chain *chain = content;
    const chain_state *s = state;
    return tr_playback_fits(&s->playback, &chain->bank) && (!chain->bank.cyclic || !s->ended);
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    (void)content;
    chain_state *s = state;
    s->playback.fragment = entry_index;
    s->playback.mirrored = mirrored;
    s->playback.step = 0;
    s->ended = false;
}

static void nearest(const void *content, const tr_model *model, const tr_state *state,
                    int *out_entry, bool *out_mirrored) {
    tr_bank_nearest(&((const tr_chain *)content)->bank, model, state, out_entry, out_mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    const chain_state *s = state;
    tr_playback_look(&s->playback, &((const tr_chain *)content)->bank, out);
    out->ended = s->ended;
    out->between |= s->ended;
}

static void reach(const void *content, tr_driver_reach *out) {
    *out = tr_steering_reach(&((const tr_chain *)content)->steering);
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_chain *chain = content;
    chain_state *s = state;
    if (s->ended) {
        out->entry = s->playback.fragment;
        out->mirrored = s->playback.mirrored;
        return TR_OK;
    }
    if (s->playback.step == 0) {
        tr_way way = tr_fragments_way(chain->bank.fragment, chain->bank.fragment_count);
        tr_playback_guide guide = {&chain->steering, sight->target, sight->parameter, way};
        tr_status status = tr_playback_begin(&s->playback, &chain->bank, sight, &guide);
        if (status)
            return status;
    }
    out->gain_set = tr_model_find_gain_set(sight->model, chain->bank.gain_set);
    tr_playback_step(&s->playback, &chain->bank, sight, out);
    if (out->completes) {
        /* Moves on to the next fragment, the other half, or the end. */
        if (s->playback.fragment + 1 < chain->bank.fragment_count) {
            s->playback.fragment++;
        } else if (chain->bank.cyclic) {
            s->playback.fragment = 0;
            s->playback.mirrored ^= chain->bank.mirrored;
        } else {
            s->ended = true;
        }
    }
    return TR_OK;
}

const tr_driver_kind tr_chain_kind = {.name = "chain",
                                      .check = check,
                                      .hash = hash,
                                      .mirror = mirror,
                                      .destroy = destroy,
                                      .save = save,
                                      .load = load,
                                      .outline = outline,
                                      .entry = entry,
                                      .parameters = parameters,
                                      .describe = describe,
                                      .bank = bank,
                                      .state_size = sizeof(chain_state),
                                      .field = fields,
                                      .field_count = sizeof fields / sizeof *fields,
                                      .fits = fits,
                                      .enter = enter,
                                      .nearest = nearest,
                                      .look = look,
                                      .reach = reach,
                                      .drive = drive};

/* --- controllers that are chains --- */

tr_status tr_chain_create(int fragment_count, int steps, int body_count, tr_controller **out) {
    tr_chain *chain = calloc(1, sizeof *chain);
    tr_status status = chain ? tr_bank_init(&chain->bank, fragment_count, steps, body_count)
                             : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_controller_create((tr_driver){&tr_chain_kind, chain}, out);
    if (status)
        destroy(chain);
    return status;
}

tr_chain *tr_chain_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_chain_kind);
}
