/* The library: models and controllers read from the catalogue, shared by all worlds.
 *
 * An item stays as long as a world holds it; a few unheld items are kept for the next request. The
 * catalogue is read on its thread: a job fetches missing items, and then calls the requester back.
 * All calls belong to the loop's thread. */
#pragma once

#include "server/catalogue/cast.h"
#include "server/catalogue/catalogue_thread.h"

typedef struct tr_library tr_library;
typedef struct tr_library_item tr_library_item;

/* Names that are needed together. A name that is not in the catalogue is an error, unless
 * `lenient`. */
typedef struct tr_library_needs {
    int model_count, controller_count;
    char model[TR_CAST_MODEL_MAX][TR_NAME_MAX];
    char controller[TR_CAST_CONTROLLER_MAX][TR_NAME_MAX];
    bool lenient;
} tr_library_needs;

/* Adds a name once; "" has no effect. TR_RESOURCE_EXHAUSTED: too many names. */
tr_status tr_library_need_model(tr_library_needs *needs, const char *name) TR_NODISCARD;
tr_status tr_library_need_controller(tr_library_needs *needs, const char *name) TR_NODISCARD;

/* Called on the loop when all needed items are in the library, or cannot be; error->status is the
 * outcome. */
typedef void (*tr_library_fetched)(void *context, const tr_error *error);

tr_status tr_library_create(tr_catalogue_thread *thread, tr_library **out) TR_NODISCARD;
/* Call after the catalogue thread has stopped; NULL is allowed. */
void tr_library_destroy(tr_library *library);

/* Is all of it in the library, by its present name? Controllers include their models. A former name is
 * fetched each time, for a later controller may take it. */
bool tr_library_has(const tr_library *library, const tr_library_needs *needs);

/* Fetches missing items. `fetched` is called later, never from within this call; all needed items
 * are in the library until it returns, so hold those that must stay. TR_RESOURCE_EXHAUSTED: too
 * many jobs wait; TR_UNAVAILABLE: the catalogue's thread has ended. */
tr_status tr_library_fetch(tr_library *library, const tr_library_needs *needs,
                           tr_library_fetched fetched, void *context) TR_NODISCARD;

/* Adds the needed items that are in the library to a cast, with the models of its controllers.
 * TR_RESOURCE_EXHAUSTED: the cast is full. */
tr_status tr_library_gather(tr_library *library, const tr_library_needs *needs,
                            tr_cast *cast) TR_NODISCARD;

/* NULL: not in the library. The pointers are valid as long as the item is held. */
tr_library_item *tr_library_find_model(tr_library *library, const char *name);
tr_library_item *tr_library_find_controller(const tr_library *library, const char *name);
const tr_model *
tr_library_model(const tr_library_item *item); /* a controller's: the model it is for */
const tr_controller *tr_library_controller(const tr_library_item *item); /* NULL: a model */

/* The catalogue has another controller of this name, or none: the next fetch asks it. */
void tr_library_forget(tr_library *library, const char *name);

void tr_library_hold(tr_library *library, tr_library_item *item);
void tr_library_release(tr_library *library, tr_library_item *item);

/* Items that a world or a match keeps, each once. All else zeroed: none. */
enum { TR_HOLDS_MAX = TR_CAST_MODEL_MAX + TR_CAST_CONTROLLER_MAX };
typedef struct tr_holds {
    tr_library *library;
    int count;
    tr_library_item *item[TR_HOLDS_MAX];
} tr_holds;

/* NULL has no effect; the second adds the needed items that are in the library. TR_RESOURCE_EXHAUSTED: too
 * many. */
tr_status tr_holds_add(tr_holds *holds, tr_library_item *item) TR_NODISCARD;
tr_status tr_holds_add_all(tr_holds *holds, const tr_library_needs *needs) TR_NODISCARD;
void tr_holds_release(tr_holds *holds);

void tr_library_must_hold(const tr_library *library, tr_invariant *broken);
