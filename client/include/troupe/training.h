/* Trainings: processes of `troupe-train learn` that the daemon starts for the clips of a folder of
 * its configuration. What a training has learned is in the catalogue when it has ended. */
#ifndef TROUPE_TRAINING_H
#define TROUPE_TRAINING_H

#include "troupe/catalogue.h"
#include "troupe/request.h"

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum tr_client_training_state {
    TR_CLIENT_TRAINING_RUNNING = 1,
    TR_CLIENT_TRAINING_DONE = 2,
    TR_CLIENT_TRAINING_STOPPED = 3, /* by a request */
    TR_CLIENT_TRAINING_FAILED = 4,
    TR_CLIENT_TRAINING_INTERRUPTED = 5 /* detail says how to continue it */
} tr_client_training_state;

typedef struct tr_client_training {
    const char *name, *clip;
    const char *effort;     /* "": normal */
    const char *detail;     /* printed last; of a failure the reason */
    const char *controller; /* its name in the catalogue; "": not there */
    uint64_t seed;
    tr_client_training_state state;
    int64_t started_unix_ns, ended_unix_ns; /* ended: 0 while it runs */
    double share;                           /* done, of the plan, 0 to 1 */
    int metric_count; /* 0 when the controller is in the catalogue: its run has them */
    const tr_client_metric *metrics;
} tr_client_training;

typedef struct tr_client_training_list {
    int training_count;
    const tr_client_training *trainings; /* the newest first */
    int clip_count;
    const char *const *clips; /* files that may be learned from */
    uint32_t limit;           /* trainings at the same time; 0: this daemon makes none */
} tr_client_training_list;

typedef struct tr_client_training_def {
    const char *clip;   /* one of the list's */
    const char *name;   /* of the controller: 1 to 47 of a-z, 0-9, '-' and '_' */
    const char *effort; /* quick, normal or thorough; NULL: normal */
    uint64_t seed;      /* 0: 1 */
} tr_client_training_def;

/* Starts a training (reply TRAINING). TR_ALREADY_EXISTS: the name is taken; TR_RESOURCE_EXHAUSTED:
 * as many run as may; TR_FAILED_PRECONDITION: this daemon makes none; TR_NOT_FOUND: no such clip;
 * TR_INVALID_ARGUMENT; TR_PERMISSION_DENIED: the role is lower than director. */
TR_API uint64_t tr_client_start_training(tr_client *client, const tr_client_training_def *def);

/* Lists trainings and clips (reply TRAININGS). */
TR_API uint64_t tr_client_list_trainings(tr_client *client);

/* Ends a training after its round with its best controller, or immediately if it was asked before
 * (reply TRAINING). Of an interrupted one, stores its best until then. TR_NOT_FOUND;
 * TR_FAILED_PRECONDITION: it has ended. */
TR_API uint64_t tr_client_stop_training(tr_client *client, const char *name);

#if defined(__cplusplus)
}
#endif

#endif
