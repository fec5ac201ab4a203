/* Row functions for kinds that hold two drivers, of which one works at a time. The content of
 * such a kind begins with a `tr_driver_couple`, its state with a `tr_driver_couple_state`; these
 * functions read only those. Entries and skills of the second driver come after those of the first.
 * Parameters and steering are those of the first (driver_holder.h). */
#ifndef TROUPE_CONTROL_DRIVER_COUPLE_H
#define TROUPE_CONTROL_DRIVER_COUPLE_H

#include "control/controller.h"

/* first, second: owned
 * stance:   spawn state of the second; heading 0, x = y = 0
 * bodies:   of the model
 * entries, skills: counts of the first; set when the content is made or loaded */
typedef struct tr_driver_couple {
    tr_driver first; /* first (driver_holder.h) */
    tr_driver second;
    tr_state stance;
    int bodies, entries, skills;
} tr_driver_couple;

/* Of one character; the states of both drivers follow. */
typedef struct tr_driver_couple_state {
    bool second; /* does the second driver work? */
} tr_driver_couple_state;

enum { TR_DRIVER_COUPLE_FIELDS = 1 };
extern const tr_state_field tr_driver_couple_field[TR_DRIVER_COUPLE_FIELDS];

/* --- functions of a row --- */

tr_driver tr_driver_couple_held(const void *content, int index);
void tr_driver_couple_outline(const void *content, double step_s, tr_driver_outline *out);
void tr_driver_couple_entry(const void *content, int index, tr_driver_entry *out);
tr_status tr_driver_couple_describe(const void *content, tr_driver_sheet *sheet) TR_NODISCARD;
bool tr_driver_couple_fits(const void *content, const void *state);
void tr_driver_couple_nearest(const void *content, const tr_model *model, const tr_state *state,
                              int *out_entry, bool *out_mirrored);
void tr_driver_couple_look(const void *content, const void *state, tr_doing *out);

/* --- parts of functions of a row --- */

/* kind: the name of the kind, for messages */
tr_status tr_driver_couple_check(const tr_driver_couple *couple, const char *kind,
                                 const tr_driver_setting *setting, tr_error *error) TR_NODISCARD;
uint64_t tr_driver_couple_hash(const tr_driver_couple *couple, const tr_driver_setting *setting);
/* Both drivers, not the couple. */
void tr_driver_couple_destroy_held(const tr_driver_couple *couple);
/* out: zero-initialised; after a failure it may hold one driver, which the caller destroys. Its
 * entries and skills are not set. */
tr_status tr_driver_couple_mirror(const tr_driver_couple *couple, const tr_driver_setting *setting,
                                  tr_driver_couple *out) TR_NODISCARD;
tr_status tr_driver_couple_save_held(const tr_driver_couple *couple, tr_sections *out,
                                     tr_error *error) TR_NODISCARD;
/* kind, bank: of the first and the second. The couple has its stance; after a failure it may hold one
 * driver, which the caller destroys. */
tr_status tr_driver_couple_load_held(const tr_sections *in, const tr_driver_setting *setting,
                                     const tr_driver_kind *const kind[2],
                                     const tr_bank *const bank[2], tr_driver_couple *couple,
                                     tr_error *error) TR_NODISCARD;
/* The state of the first driver, by index 0, or the second, by 1. */
void *tr_driver_couple_state_of(const tr_driver_couple *couple, const void *state, int index);

/* Have both controllers one model and step, and no rig? TR_INVALID_ARGUMENT: no. */
tr_status tr_driver_couple_check_controllers(const char *kind, const tr_controller *first,
                                             const tr_controller *second,
                                             tr_error *error) TR_NODISCARD;
/* Copies a controller's driver. kind: as above */
tr_status tr_driver_couple_copy(const char *kind, const tr_controller *from, const tr_model *model,
                                tr_driver *out, tr_error *error) TR_NODISCARD;

#endif
