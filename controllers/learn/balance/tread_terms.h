/* What the search moves of a treading (control/treading/treading.h): the swing, the sway and the
 * gains of places, as terms counted from 0. */
#ifndef TROUPE_LEARN_BALANCE_TREAD_TERMS_H
#define TROUPE_LEARN_BALANCE_TREAD_TERMS_H

#include "control/treading/treading.h"
#include "learn/balance/balance_settings.h"

enum {
    TR_TREAD_TERMS =
        TR_TREADING_SWINGS + 2 * TR_TREADING_SWAYS + TR_TREADING_PLACES * TR_BALANCE_FEATURES
};

/* Makes the steps of a task, which only lift a foot so far. TR_INVALID_ARGUMENT: a leg of the
 * stance cannot bend so far, or the steps do not fit the looks of the balance. */
tr_status tr_tread_steps(const tr_model *model, const tr_balance_settings *settings,
                         const tr_balance *balance, tr_treading_steps *out,
                         tr_error *error) TR_NODISCARD;

/* Returns the feature that a term reads; -1: it is a turn. */
int tr_tread_term_feature(int term);

/* May the search move this term? Pitch reads sagittal features, roll lateral ones, and neither the
 * turn about the vertical. */
bool tr_tread_term_is_free(int term);

double *tr_tread_term(tr_treading_steps *steps, int term);

#endif
