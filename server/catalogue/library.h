/* The library: models and controllers read from the catalogue, shared by all worlds.
 *
 * An item stays as long as a world holds it; a few more are kept for the next who asks. The
 * catalogue is read on its own thread: what is not here yet is fetched by a job, and the asker goes
 * on when it is. All calls are the loop's. */
#ifndef TROUPE_SERVER_LIBRARY_H
#define TROUPE_SERVER_LIBRARY_H

#include "server/catalogue/cast.h"
#include "server/catalogue/catalogue_thread.h"

typedef struct tr_library tr_library;
typedef struct tr_library_item tr_library_item;

/* Names that somebody needs at once. A name that the catalogue does not know is an error, unless
 * `lenient`. */
typedef struct tr_library_wish {
    int model_count, controller_count;
    char model[TR_CAST_MODEL_MAX][TR_NAME_MAX];
    char controller[TR_CAST_CONTROLLER_MAX][TR_NAME_MAX];
    bool lenient;
} tr_library_wish;

/* Once per name; "" is nothing. TR_RESOURCE_EXHAUSTED: the wish is full. */
tr_status tr_library_wish_model(tr_library_wish *wish, const char *name) TR_NODISCARD;
tr_status tr_library_wish_controller(tr_library_wish *wish, const char *name) TR_NODISCARD;

/* Called on the loop when all of a wish is in the library, or cannot be: error->status tells. */
typedef void (*tr_library_fetched)(void *context, const tr_error *error);

tr_status tr_library_create(tr_catalogue_thread *thread, tr_library **out) TR_NODISCARD;
void tr_library_destroy(
    tr_library *library); /* after the catalogue thread has stopped; NULL is fine */

/* Is all of it here? Controllers bring their models. */
bool tr_library_has(const tr_library *library, const tr_library_wish *wish);

/* Fetches what is missing; `fetched` is called later, never from here, and finds all of the wish, until
 * it returns: hold what is to stay. TR_RESOURCE_EXHAUSTED: too many jobs wait; TR_UNAVAILABLE: the
 * catalogue's thread has ended. */
tr_status tr_library_fetch(tr_library *library, const tr_library_wish *wish,
                           tr_library_fetched fetched, void *context) TR_NODISCARD;

/* Adds what is here of a wish to a cast, with the models of its controllers. TR_RESOURCE_EXHAUSTED:
 * the cast is full. */
tr_status tr_library_gather(tr_library *library, const tr_library_wish *wish,
                            tr_cast *cast) TR_NODISCARD;

/* NULL: not here. The pointers live as long as somebody holds the item. */
tr_library_item *tr_library_find_model(tr_library *library, const char *name);
tr_library_item *tr_library_find_controller(tr_library *library, const char *name);
const tr_model *
tr_library_model(const tr_library_item *item); /* of a controller: the one it is for */
const tr_controller *tr_library_controller(const tr_library_item *item); /* NULL: a model */
const char *tr_library_name(const tr_library_item *item);

void tr_library_hold(tr_library *library, tr_library_item *item);
void tr_library_release(tr_library *library, tr_library_item *item);

#endif
