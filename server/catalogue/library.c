#include "server/catalogue/library.h"

#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "model/mjcf.h"
#include "model/name.h"

#include <stdlib.h>
#include <string.h>

enum { UNHELD_MAX = 64 }; /* unheld items that are kept */

struct tr_library_item {
    char name[TR_NAME_MAX];
    int holders;       /* worlds, and for a model also its controllers in the library */
    uint64_t released; /* number of the release that made it unheld: the lowest is evicted first */
    tr_model *model;   /* of a model item */
    tr_controller *controller;
    tr_library_item *model_item; /* a controller's model, held */
    tr_library_item *next;
};

/* A former name of a controller, and its present one, as the catalogue had them at the last fetch. */
typedef struct former_name {
    char former[TR_NAME_MAX], present[TR_NAME_MAX];
    struct former_name *next;
} former_name;

struct tr_library {
    tr_catalogue_thread *thread;
    tr_library_item *models, *controllers;
    former_name *formers;
    int unheld;
    uint64_t releases;
};

/* --- needs --- */

static tr_status add_name(char (*names)[TR_NAME_MAX], int *count, int max, const char *name) {
    if (name[0] == '\0')
        return TR_OK;
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return TR_OK;
    if (*count == max || strlen(name) >= TR_NAME_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_name_set(names[(*count)++], name);
    return TR_OK;
}

tr_status tr_library_need_model(tr_library_needs *needs, const char *name) {
    return add_name(needs->model, &needs->model_count, TR_CAST_MODEL_MAX, name);
}

tr_status tr_library_need_controller(tr_library_needs *needs, const char *name) {
    return add_name(needs->controller, &needs->controller_count, TR_CAST_CONTROLLER_MAX, name);
}

/* --- items --- */

static tr_library_item *find(tr_library_item *first, const char *name) {
    for (tr_library_item *item = first; item; item = item->next)
        if (strcmp(item->name, name) == 0)
            return item;
    return NULL;
}

tr_library_item *tr_library_find_model(tr_library *library, const char *name) {
    return find(library->models, name);
}

static former_name *find_former(former_name *first, const char *name) {
    for (former_name *f = first; f; f = f->next)
        if (strcmp(f->former, name) == 0)
            return f;
    return NULL;
}

/* A controller that has the name comes before one that had it. */
tr_library_item *tr_library_find_controller(const tr_library *library, const char *name) {
    tr_library_item *item = find(library->controllers, name);
    const former_name *former = item ? NULL : find_former(library->formers, name);
    return former ? find(library->controllers, former->present) : item;
}

const tr_model *tr_library_model(const tr_library_item *item) {
    return item->model_item ? item->model_item->model : item->model;
}

const tr_controller *tr_library_controller(const tr_library_item *item) {
    return item->controller;
}

void tr_library_forget(tr_library *library, const char *name) {
    tr_library_item *item = find(library->controllers, name);
    if (item)
        item->name[0] =
            '\0'; /* no controller has this name: its holders keep it, and it is evicted */
}

static void destroy_item(tr_library_item *item) {
    tr_controller_destroy(item->controller);
    tr_model_destroy(item->model);
    free(item);
}

/* The link to the item that has been unheld longest, among this list and `*oldest`; NULL: all are
 * held. */
static tr_library_item **oldest_unheld(tr_library_item **list, tr_library_item **oldest) {
    for (tr_library_item **at = list; *at; at = &(*at)->next)
        if ((*at)->holders == 0 && (!oldest || (*at)->released < (*oldest)->released))
            oldest = at;
    return oldest;
}

/* Evicting a controller releases its model, which may then be the next to go. */
static void evict(tr_library *library) {
    while (library->unheld > UNHELD_MAX) {
        tr_library_item **at =
            oldest_unheld(&library->models, oldest_unheld(&library->controllers, NULL));
        if (!at)
            return;
        tr_library_item *item = *at;
        *at = item->next;
        library->unheld--;
        if (item->model_item && --item->model_item->holders == 0)
            library->unheld++;
        destroy_item(item);
    }
}

void tr_library_hold(tr_library *library, tr_library_item *item) {
    if (item->holders++ == 0)
        library->unheld--;
}

void tr_library_release(tr_library *library, tr_library_item *item) {
    item->released = ++library->releases;
    if (--item->holders == 0) {
        library->unheld++;
        evict(library);
    }
}

tr_status tr_holds_add(tr_holds *holds, tr_library_item *item) {
    for (int i = 0; i < holds->count; i++)
        if (holds->item[i] == item)
            return TR_OK;
    if (!item)
        return TR_OK;
    if (holds->count == TR_HOLDS_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_library_hold(holds->library, item);
    holds->item[holds->count++] = item;
    return TR_OK;
}

tr_status tr_holds_add_all(tr_holds *holds, const tr_library_needs *needs) {
    tr_status status = TR_OK;
    for (int i = 0; i < needs->model_count && !status; i++)
        status = tr_holds_add(holds, tr_library_find_model(holds->library, needs->model[i]));
    for (int i = 0; i < needs->controller_count && !status; i++)
        status =
            tr_holds_add(holds, tr_library_find_controller(holds->library, needs->controller[i]));
    return status;
}

void tr_holds_release(tr_holds *holds) {
    for (int i = 0; i < holds->count; i++)
        tr_library_release(holds->library, holds->item[i]);
    holds->count = 0;
}

/* --- fetching: on the catalogue thread --- */

typedef struct fetch_job {
    tr_catalogue_job job; /* first: the catalogue's thread hands it back */
    tr_library *library;
    tr_library_fetched fetched;
    void *context;
    tr_error error;
    tr_library_needs needs; /* the items that were missing */
    tr_holds kept;          /* the rest, held until the fetch is done */
    /* Items that were read; a controller's model is among the models, by name. */
    tr_library_item *models, *controllers;
    former_name *formers; /* those that were asked for */
} fetch_job;

static tr_library_item *new_item(tr_library_item **first, const char *name) {
    tr_library_item *item = calloc(1, sizeof *item);
    if (!item)
        return NULL;
    tr_name_set(item->name, name);
    item->next = *first;
    *first = item;
    return item;
}

static tr_status read_model(fetch_job *job, tr_catalogue *catalogue, const char *name) {
    if (find(job->models, name))
        return TR_OK;
    tr_model_row row;
    tr_model *model = NULL;
    tr_status status = tr_models_find(catalogue, name, &row, &job->error);
    if (!status)
        status = tr_models_load(catalogue, row.id, &model, &job->error);
    if (status)
        return status;
    tr_library_item *item = new_item(&job->models, name);
    if (!item) {
        tr_model_destroy(model);
        return tr_fail(&job->error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    item->model = model;
    return TR_OK;
}

static tr_status note_former(fetch_job *job, const char *former, const char *present) {
    former_name *f = calloc(1, sizeof *f);
    if (!f)
        return tr_fail(&job->error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_name_set(f->former, former);
    tr_name_set(f->present, present);
    f->next = job->formers;
    job->formers = f;
    return TR_OK;
}

static tr_status read_controller(fetch_job *job, tr_catalogue *catalogue, const char *name) {
    tr_controller_row row;
    tr_controller *controller = NULL;
    tr_status status = tr_controllers_resolve(catalogue, name, &row, &job->error);
    if (!status && strcmp(name, row.name) != 0)
        status = note_former(job, name, row.name);
    if (status || find(job->controllers, row.name))
        return status;
    status = read_model(job, catalogue, row.model_name);
    if (status)
        return status;
    const tr_model *model = find(job->models, row.model_name)->model;
    status = tr_controllers_load(catalogue, row.id, model, &controller, &job->error);
    if (status)
        return status;
    tr_library_item *item = new_item(&job->controllers, row.name);
    if (!item) {
        tr_controller_destroy(controller);
        return tr_fail(&job->error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    item->controller = controller;
    return TR_OK;
}

static bool may_continue(fetch_job *job, tr_status status) {
    if (status == TR_NOT_FOUND && job->needs.lenient)
        job->error = (tr_error){0};
    return !job->error.status;
}

static void query(tr_catalogue_job *base, tr_catalogue *catalogue) {
    fetch_job *job = (fetch_job *)base;
    bool more = true;
    for (int i = 0; i < job->needs.model_count && more; i++)
        more = may_continue(job, read_model(job, catalogue, job->needs.model[i]));
    for (int i = 0; i < job->needs.controller_count && more; i++)
        more = may_continue(job, read_controller(job, catalogue, job->needs.controller[i]));
}

/* --- fetching: back on the loop --- */

static void destroy_list(tr_library_item *first) {
    for (tr_library_item *next; first; first = next) {
        next = first->next;
        destroy_item(first);
    }
}

/* Moves items from `*from` to `*to` unless they are already there; two jobs may have read the
 * same. */
static void adopt(tr_library *library, tr_library_item **from, tr_library_item **to) {
    for (tr_library_item *next, *item = *from; item; item = next) {
        next = item->next;
        if (find(*to, item->name)) {
            destroy_item(item);
            continue;
        }
        item->next = *to;
        *to = item;
        item->released = ++library->releases;
        library->unheld++;
    }
    *from = NULL;
}

static void destroy_formers(former_name *first) {
    for (former_name *next; first; first = next) {
        next = first->next;
        free(first);
    }
}

static void adopt_formers(tr_library *library, former_name **from) {
    for (former_name *next, *f = *from; f; f = next) {
        next = f->next;
        former_name *known = find_former(library->formers, f->former);
        if (known) {
            tr_name_set(known->present, f->present);
            free(f);
            continue;
        }
        f->next = library->formers;
        library->formers = f;
    }
    *from = NULL;
}

static void bind_controllers(tr_library *library) {
    for (tr_library_item *item = library->controllers; item; item = item->next)
        if (!item->model_item) {
            item->model_item = find(library->models, item->controller->model_name);
            tr_library_hold(library, item->model_item);
        }
}

static void done(tr_catalogue_job *base) {
    fetch_job *job = (fetch_job *)base;
    if (!job->error.status) {
        adopt(job->library, &job->models, &job->library->models);
        adopt(job->library, &job->controllers, &job->library->controllers);
        adopt_formers(job->library, &job->formers);
        bind_controllers(job->library);
    }
    job->fetched(job->context, &job->error);
    tr_holds_release(&job->kept);
    evict(job->library);
    destroy_list(job->controllers);
    destroy_list(job->models);
    destroy_formers(job->formers);
    free(job);
}

bool tr_library_has(const tr_library *library, const tr_library_needs *needs) {
    for (int i = 0; i < needs->model_count; i++)
        if (!find(library->models, needs->model[i]))
            return false;
    for (int i = 0; i < needs->controller_count; i++)
        if (!find(library->controllers, needs->controller[i]))
            return false;
    return true;
}

tr_status tr_library_gather(tr_library *library, const tr_library_needs *needs, tr_cast *cast) {
    tr_status status = TR_OK;
    for (int i = 0; i < needs->model_count && !status; i++) {
        const tr_library_item *item = find(library->models, needs->model[i]);
        if (item)
            status = tr_cast_add_model(cast, item->model, item->name);
    }
    for (int i = 0; i < needs->controller_count && !status; i++) {
        const tr_library_item *item = tr_library_find_controller(library, needs->controller[i]);
        if (item)
            status = tr_cast_add_model(cast, item->model_item->model, item->model_item->name);
        if (item && !status)
            status = tr_cast_add_controller(cast, item->controller);
        if (item && !status)
            status = tr_cast_add_former(cast, needs->controller[i], item->controller);
    }
    return status;
}

/* Holds items that are here, so that they are not evicted before the rest is read; lists the others
 * for reading. There is room for all. */
static void divide(fetch_job *job, const tr_library_needs *needs) {
    for (int i = 0; i < needs->model_count; i++) {
        tr_library_item *item = find(job->library->models, needs->model[i]);
        (void)!(item ? tr_holds_add(&job->kept, item)
                     : tr_library_need_model(&job->needs, needs->model[i]));
    }
    for (int i = 0; i < needs->controller_count; i++) {
        tr_library_item *item = find(job->library->controllers, needs->controller[i]);
        (void)!(item ? tr_holds_add(&job->kept, item)
                     : tr_library_need_controller(&job->needs, needs->controller[i]));
    }
}

tr_status tr_library_fetch(tr_library *library, const tr_library_needs *needs,
                           tr_library_fetched fetched, void *context) {
    fetch_job *job = calloc(1, sizeof *job);
    if (!job)
        return TR_RESOURCE_EXHAUSTED;
    job->job.query = query;
    job->job.done = done;
    job->library = job->kept.library = library;
    job->fetched = fetched;
    job->context = context;
    job->needs.lenient = needs->lenient;
    divide(job, needs);
    tr_status status = tr_catalogue_thread_submit(library->thread, &job->job);
    if (status) {
        tr_holds_release(&job->kept);
        free(job);
    }
    return status;
}

/* --- life --- */

tr_status tr_library_create(tr_catalogue_thread *thread, tr_library **out) {
    tr_library *library = calloc(1, sizeof *library);
    if (!library)
        return TR_RESOURCE_EXHAUSTED;
    library->thread = thread;
    *out = library;
    return TR_OK;
}

void tr_library_destroy(tr_library *library) {
    if (!library)
        return;
    destroy_list(library->controllers);
    destroy_list(library->models);
    destroy_formers(library->formers);
    free(library);
}

void tr_library_must_hold(const tr_library *library, tr_invariant *broken) {
    int unheld = 0;
    for (int list = 0; list < 2; list++)
        for (const tr_library_item *i = list ? library->controllers : library->models; i;
             i = i->next) {
            unheld += i->holders == 0;
            TR_MUST_BE(broken, i->holders, >=, 0);
        }
    TR_MUST_BE(broken, library->unheld, ==, unheld);
}
