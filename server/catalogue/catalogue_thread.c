#include "server/catalogue/catalogue_thread.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Jobs in order of submission. */
typedef struct job_list {
    tr_catalogue_job *first, **end;
    int count;
} job_list;

struct tr_catalogue_thread {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    job_list asked, answered;
    bool ending;
    uint64_t jobs;
    double busy_s;
    pthread_t thread;
    tr_catalogue *catalogue; /* used only by the thread while it runs */
    uv_async_t answers;
};

static void list_init(job_list *list) {
    *list = (job_list){.first = NULL, .end = &list->first};
}

static void list_append(job_list *list, tr_catalogue_job *job) {
    job->next = NULL;
    *list->end = job;
    list->end = &job->next;
    list->count++;
}

static tr_catalogue_job *list_take_first(job_list *list) {
    tr_catalogue_job *job = list->first;
    if (!job)
        return NULL;
    list->first = job->next;
    if (!list->first)
        list->end = &list->first;
    list->count--;
    return job;
}

static tr_catalogue_job *next_job(tr_catalogue_thread *thread) {
    pthread_mutex_lock(&thread->lock);
    while (!thread->asked.first && !thread->ending)
        pthread_cond_wait(&thread->changed, &thread->lock);
    tr_catalogue_job *job = list_take_first(&thread->asked);
    pthread_mutex_unlock(&thread->lock);
    return job;
}

static void *work(void *argument) {
    tr_catalogue_thread *thread = argument;
    for (tr_catalogue_job *job; (job = next_job(thread));) {
        uint64_t began_ns = uv_hrtime();
        job->query(job, thread->catalogue);
        pthread_mutex_lock(&thread->lock);
        thread->jobs++;
        thread->busy_s += (double)(uv_hrtime() - began_ns) * 1e-9;
        list_append(&thread->answered, job);
        pthread_mutex_unlock(&thread->lock);
        uv_async_send(&thread->answers);
    }
    return NULL;
}

static void deliver_answers(tr_catalogue_thread *thread) {
    for (;;) {
        pthread_mutex_lock(&thread->lock);
        tr_catalogue_job *job = list_take_first(&thread->answered);
        pthread_mutex_unlock(&thread->lock);
        if (!job)
            return;
        job->done(job);
    }
}

static void on_answers(uv_async_t *handle) {
    deliver_answers(handle->data);
}

static void on_closed(uv_handle_t *handle) {
    tr_catalogue_thread *thread = handle->data;
    pthread_cond_destroy(&thread->changed);
    pthread_mutex_destroy(&thread->lock);
    free(thread);
}

tr_status tr_catalogue_thread_start(uv_loop_t *loop, tr_catalogue *catalogue,
                                    tr_catalogue_thread **out) {
    tr_catalogue_thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return TR_RESOURCE_EXHAUSTED;
    if (uv_async_init(loop, &thread->answers, on_answers) != 0) {
        free(thread);
        return TR_RESOURCE_EXHAUSTED;
    }
    thread->answers.data = thread;
    thread->catalogue = catalogue;
    list_init(&thread->asked);
    list_init(&thread->answered);
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->changed, NULL);
    if (pthread_create(&thread->thread, NULL, work, thread) != 0) {
        uv_close((uv_handle_t *)&thread->answers, on_closed);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = thread;
    return TR_OK;
}

tr_status tr_catalogue_thread_submit(tr_catalogue_thread *thread, tr_catalogue_job *job) {
    pthread_mutex_lock(&thread->lock);
    tr_status status = thread->ending ? TR_UNAVAILABLE : TR_RESOURCE_EXHAUSTED;
    if (!thread->ending && thread->asked.count < TR_CATALOGUE_JOB_MAX) {
        list_append(&thread->asked, job);
        pthread_cond_signal(&thread->changed);
        status = TR_OK;
    }
    pthread_mutex_unlock(&thread->lock);
    return status;
}

tr_catalogue_figures tr_catalogue_thread_figures(tr_catalogue_thread *thread) {
    pthread_mutex_lock(&thread->lock);
    tr_catalogue_figures figures = {thread->jobs, thread->busy_s, thread->asked.count};
    pthread_mutex_unlock(&thread->lock);
    return figures;
}

void tr_catalogue_thread_stop(tr_catalogue_thread *thread) {
    if (!thread)
        return;
    pthread_mutex_lock(&thread->lock);
    thread->ending = true;
    pthread_cond_signal(&thread->changed);
    pthread_mutex_unlock(&thread->lock);
    pthread_join(thread->thread, NULL);
    deliver_answers(thread);
    tr_catalogue_close(thread->catalogue);
    uv_close((uv_handle_t *)&thread->answers, on_closed);
}

void tr_catalogue_thread_must_hold(tr_catalogue_thread *thread, tr_invariant *broken) {
    pthread_mutex_lock(&thread->lock);
    TR_MUST(broken, !*thread->asked.end && !*thread->answered.end);
    TR_MUST_BE(broken, thread->asked.count > 0, ==, thread->asked.first != NULL);
    TR_MUST_BE(broken, thread->asked.count, <=, TR_CATALOGUE_JOB_MAX);
    pthread_mutex_unlock(&thread->lock);
}
