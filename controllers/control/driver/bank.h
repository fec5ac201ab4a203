/* A bank: control fragments that belong together, with their common gain set and action map.
 *
 * Part of the content of chains and control graphs, which say in what order fragments follow one
 * another. Immutable once its controller is in use; only the code that learns it changes it. */
#pragma once

#include "control/driver/driver.h"
#include "control/fragments/fragment.h"

enum { TR_BANK_FRAGMENT_MAX = 1024 };

/* cyclic:   the driver that runs them never ends
 * mirrored: fragments may also be run as their mirror image; the action map is symmetric then
 * gain_set: of the model; in a graph each skill has one instead
 * fragment: [fragment_count], owned */
typedef struct tr_bank {
    char gain_set[TR_NAME_MAX];
    bool cyclic, mirrored;
    tr_action_map action;
    int fragment_count;
    tr_fragment *fragment;
} tr_bank;

/* Fragments of `steps` targets each: identity targets, policies of zero, states at the origin. A
 * fragment may then be shortened by lowering its `steps`. TR_INVALID_ARGUMENT: past the caps;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_bank_init(tr_bank *bank, int fragment_count, int steps, int body_count) TR_NODISCARD;
void tr_bank_deinit(tr_bank *bank);

/* Copies `count` fragments into a bank that has room for their targets. */
void tr_bank_copy_fragments(const tr_fragment *from, int count, int body_count, tr_fragment *out);

/* Gain set and action map. */
void tr_bank_copy_setting(const tr_bank *from, tr_bank *to);

/* Have they as many fragments, of as many targets, with the same gain set and size of action? */
bool tr_bank_same_shape(const tr_bank *a, const tr_bank *b);

/* The mirror image: it does on the right what `from` does on the left. */
tr_status tr_bank_mirror(const tr_bank *from, const tr_model *model, tr_bank *out) TR_NODISCARD;

/* Copies the bank out of sections. TR_DATA_LOSS: the sections hold no bank. */
tr_status tr_bank_load(const tr_sections *in, int body_count, tr_bank *out,
                       tr_error *error) TR_NODISCARD;

/* TR_INVALID_ARGUMENT: the message names fragment and field. */
tr_status tr_bank_check(const tr_bank *bank, const tr_model *model, tr_error *error) TR_NODISCARD;

/* Covers the setting and everything in the bank that acts; not sigma. */
uint64_t tr_bank_hash(const tr_bank *bank, const tr_driver_setting *setting);

/* Seconds of all fragments together; both halves if mirrored. */
double tr_bank_duration_s(const tr_bank *bank, double step_s);

/* Finds the fragment whose start is nearest to the state in feature space, and whether its mirror
 * image is nearer (never in a bank that is not mirrored). Each feature is divided by a typical
 * spread; of equal distances the earlier fragment counts, and the unmirrored one before the
 * mirrored. */
void tr_bank_nearest(const tr_bank *bank, const tr_model *model, const tr_state *state,
                     int *out_fragment, bool *out_mirrored);
