#include "server/training/training_encode.h"

/* All values of one metric, by round. */
typedef struct series {
    const char *name;
    int count;
    const int64_t *iteration;
    const double *value;
} series;

static const uint32_t states[] = {
    [TR_TRAINING_RUNNING] = TROUPE__TRAINING_STATE__TRAINING_STATE_RUNNING,
    [TR_TRAINING_DONE] = TROUPE__TRAINING_STATE__TRAINING_STATE_DONE,
    [TR_TRAINING_STOPPED] = TROUPE__TRAINING_STATE__TRAINING_STATE_STOPPED,
    [TR_TRAINING_FAILED] = TROUPE__TRAINING_STATE__TRAINING_STATE_FAILED,
    [TR_TRAINING_INTERRUPTED] = TROUPE__TRAINING_STATE__TRAINING_STATE_INTERRUPTED};

static const tr_mapping series_mapping =
    TR_MAPPING(series, RunMetric, run_metric, TR_COPY(name), TR_COPY_ARRAY(count, iteration),
               TR_COPY_ARRAY(count, value));

static const tr_mapping info_mapping =
    TR_MAPPING(tr_training_info, Training, training, TR_COPY(name), TR_COPY_AS(request.clip, clip),
               TR_COPY_AS(request.effort, effort), TR_COPY_AS(request.seed, seed),
               TR_COPY_CHOICE(state, states), TR_COPY(detail, controller),
               TR_COPY_AS(started_ns, started_unix_ns), TR_COPY_AS(ended_ns, ended_unix_ns),
               TR_COPY_AS(curves.share, share));

Troupe__Training *tr_encode_training(const tr_training_info *info, tr_mapping_memory *memory) {
    Troupe__Training *training = tr_mapping_write(&info_mapping, info, memory);
    series all[TR_TRAINING_METRIC_COUNT];
    size_t count = 0;
    if (!training || info->controller[0] != '\0') /* then its run has the curves */
        return training;
    for (int i = 0; i < TR_TRAINING_METRIC_COUNT; i++) {
        const tr_training_curve *curve = &info->curves.metric[i];
        if (curve->count > 0)
            all[count++] =
                (series){tr_training_metric_name(i), curve->count, curve->iteration, curve->value};
    }
    training->metrics =
        (Troupe__RunMetric **)tr_mapping_write_all(&series_mapping, all, count, memory);
    training->n_metrics = training->metrics ? count : 0;
    return training;
}

Troupe__TrainingList *tr_encode_training_list(const tr_training_list *list,
                                              tr_mapping_memory *memory) {
    Troupe__TrainingList *to = tr_mapping_take(memory, 1, sizeof *to);
    if (!to)
        return NULL;
    troupe__training_list__init(to);
    to->limit = (uint32_t)list->limit;
    to->trainings = tr_mapping_take(memory, (size_t)list->count, sizeof(void *));
    to->clips = tr_mapping_take(memory, (size_t)list->clip_count, sizeof(char *));
    for (int i = 0; to->trainings && i < list->count; i++)
        if ((to->trainings[to->n_trainings] = tr_encode_training(list->infos[i], memory)))
            to->n_trainings++;
    for (int i = 0; to->clips && i < list->clip_count; i++)
        to->clips[to->n_clips++] = list->clips[i];
    return to;
}
