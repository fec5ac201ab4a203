#include "server/fleet/agones.h"

#include "proto/clock.h"
#include "server/config/log.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEALTH_MS = 2000,
    TIMEOUT_MS = 2000, /* of a request */
    RETRY_FIRST_MS = 200,
    RETRY_LAST_MS = 5000,
    VALUE_MAX = 64,
    TEXT_MAX = 256 /* of a path, and of a body */
};

/* A fact is a request whose repetition changes nothing. It is sent when its text differs from what
 * the sidecar acknowledged. In this order, as a counter's count may not exceed its capacity. */
typedef enum fact_name {
    PHASE,
    VERSION,
    ROOM,
    WORLDS_CAPACITY,
    WORLDS_COUNT,
    PLAYERS_CAPACITY,
    PLAYERS_COUNT,
    FACT_COUNT
} fact_name;

typedef struct fact {
    char path[TEXT_MAX], body[TEXT_MAX]; /* acknowledged */
    bool refused;                        /* and logged */
} fact;

struct tr_agones {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    tr_agones_report report; /* under the lock, as are the next two */
    bool reported;           /* since the last POST /health */
    bool ending;

    /* For the thread only. One connection to the sidecar, kept open. */
    CURL *curl;
    struct curl_slist *headers;
    int port; /* of the sidecar, on this machine; it need not listen yet */
    const char *version;
    fact told[FACT_COUNT];
    int retry_ms; /* 0: everything was reported */
    int64_t health_due_ms;
};

static int64_t now_ms(void) {
    return tr_clock_ns(CLOCK_MONOTONIC) / 1000000;
}

/* --- requests: the thread waits for their answers --- */

/* A request with a JSON body. */
typedef struct request {
    const char *method, *path, *body;
} request;

/* What the sidecar answers beyond its status is not used. */
static size_t ignore(const void *data, size_t size, size_t count, void *context) {
    (void)data, (void)context;
    return size * count;
}

static bool open_sidecar(tr_agones *agones) {
    if (curl_global_init(CURL_GLOBAL_NOTHING) != CURLE_OK)
        return false;
    CURL *curl = agones->curl = curl_easy_init();
    agones->headers = curl_slist_append(NULL, "Content-Type: application/json");
    return curl && agones->headers &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, agones->headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROXY, "*") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)TIMEOUT_MS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore) == CURLE_OK;
}

static void close_sidecar(tr_agones *agones) {
    curl_easy_cleanup(agones->curl);
    curl_slist_free_all(agones->headers);
}

/* Returns the status of HTTP; 0: no answer. */
static int ask(tr_agones *agones, const request *asked) {
    CURL *curl = agones->curl;
    char url[TEXT_MAX + 32];
    long status = 0;
    snprintf(url, sizeof url, "http://localhost:%d%s", agones->port, asked->path);
    if (curl_easy_setopt(curl, CURLOPT_URL, url) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, asked->method) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, asked->body) != CURLE_OK ||
        curl_easy_perform(curl) != CURLE_OK ||
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK)
        return 0;
    return (int)status;
}

/* --- facts --- */

static const char *const phase_path[] = {[TR_AGONES_STARTING] = "",
                                         [TR_AGONES_READY] = "/ready",
                                         [TR_AGONES_ALLOCATED] = "/allocate",
                                         [TR_AGONES_SHUTDOWN] = "/shutdown"};

static const struct {
    const char *method, *path;
    const char *head; /* of the body; the value follows */
} fact_row[FACT_COUNT] = {
    [PHASE] = {"POST", NULL, "{"},
    [VERSION] = {"PUT", "/metadata/label", "{\"key\":\"version\",\"value\":\""},
    [ROOM] = {"PUT", "/metadata/label", "{\"key\":\"room\",\"value\":\""},
    [WORLDS_CAPACITY] = {"PATCH", "/v1beta1/counters/worlds", "{\"capacity\":\""},
    [WORLDS_COUNT] = {"PATCH", "/v1beta1/counters/worlds", "{\"count\":\""},
    [PLAYERS_CAPACITY] = {"PATCH", "/v1beta1/counters/players", "{\"capacity\":\""},
    [PLAYERS_COUNT] = {"PATCH", "/v1beta1/counters/players", "{\"count\":\""},
};

static int larger(int a, int b) {
    return a > b ? a : b;
}

static void put_value(const tr_agones *agones, const tr_agones_report *report, fact_name name,
                      char out[VALUE_MAX]) {
    const int number[FACT_COUNT] = {
        [WORLDS_CAPACITY] =
            report->has_room ? larger(report->worlds_max, report->worlds) : report->worlds,
        [WORLDS_COUNT] = report->worlds,
        [PLAYERS_CAPACITY] = larger(report->players_max, report->players),
        [PLAYERS_COUNT] = report->players};
    const char *text = name == VERSION ? agones->version
                       : name == ROOM  ? (report->has_room ? "yes" : "no")
                                       : "";
    if (name >= WORLDS_CAPACITY)
        snprintf(out, VALUE_MAX, "%d", number[name]);
    else
        snprintf(out, VALUE_MAX, "%s", text);
}

static void put_body(fact_name name, const char *value, char out[TEXT_MAX]) {
    const char *head = fact_row[name].head;
    snprintf(out, TEXT_MAX, "%s%s%s", head, value, head[1] == '\0' ? "}" : "\"}");
}

/* A refused fact is logged when it begins to be refused. */
static void note(fact *told, const request *sent, int status) {
    bool refused = status != 200;
    if (refused && !told->refused)
        tr_log_line(TR_LOG_WARN, "agones.refused", "request=\"%s %s\" status=%d", sent->method,
                    sent->path, status);
    told->refused = refused;
}

/* Returns the sidecar's status: 200, also if it knows the fact already; 0: no answer. */
static int tell(tr_agones *agones, const tr_agones_report *report, fact_name name) {
    fact *told = &agones->told[name], next = {0};
    char value[VALUE_MAX];
    put_value(agones, report, name, value);
    put_body(name, value, next.body);
    snprintf(next.path, sizeof next.path, "%s",
             name == PHASE ? phase_path[report->phase] : fact_row[name].path);
    bool known = strcmp(next.path, told->path) == 0 && strcmp(next.body, told->body) == 0;
    if (known || next.path[0] == '\0')
        return 200;
    const request sent = {fact_row[name].method, next.path, next.body};
    int status = ask(agones, &sent);
    note(told, &sent, status);
    if (status != 200)
        return status;
    if (name == PHASE)
        tr_log_line(TR_LOG_INFO, "agones.phase", "request=\"%s\"", next.path);
    memcpy(told->path, next.path, sizeof told->path);
    memcpy(told->body, next.body, sizeof told->body);
    return status;
}

/* --- the thread --- */

static void send_health(tr_agones *agones, bool healthy) {
    static const request health = {"POST", "/health", "{}"};
    if (now_ms() < agones->health_due_ms)
        return;
    agones->health_due_ms = now_ms() + HEALTH_MS;
    if (healthy)
        (void)ask(agones, &health);
}

static bool is_ending(tr_agones *agones) {
    pthread_mutex_lock(&agones->lock);
    bool ending = agones->ending;
    pthread_mutex_unlock(&agones->lock);
    return ending;
}

/* Before the daemon is ready only its health is of interest. A sidecar that does not answer is
 * asked once, so that the next health request is not late. At the end only the phase is still
 * sent. */
static void tell_all(tr_agones *agones, const tr_agones_report *report) {
    bool told = true;
    int status = report->phase != TR_AGONES_STARTING ? 200 : 0;
    for (int i = 0; i < FACT_COUNT && status != 0 && !is_ending(agones); i++) {
        status = tell(agones, report, (fact_name)i);
        told = told && status == 200;
    }
    int longer_ms = agones->retry_ms == 0 ? RETRY_FIRST_MS : 2 * agones->retry_ms;
    agones->retry_ms = told ? 0 : longer_ms < RETRY_LAST_MS ? longer_ms : RETRY_LAST_MS;
}

/* Waits under the lock, until there is something to do. */
static void await_work(tr_agones *agones) {
    int64_t wait_ms = agones->health_due_ms - now_ms();
    if (agones->retry_ms > 0 && agones->retry_ms < wait_ms)
        wait_ms = agones->retry_ms;
    if (wait_ms <= 0)
        return;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t ns = until.tv_nsec + wait_ms * 1000000;
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_cond_timedwait(&agones->news, &agones->lock, &until);
}

static void *work(void *context) {
    tr_agones *agones = context;
    pthread_mutex_lock(&agones->lock);
    while (!agones->ending) {
        const tr_agones_report report = agones->report;
        bool healthy = agones->reported && report.healthy;
        bool health_is_due = now_ms() >= agones->health_due_ms;
        agones->reported = agones->reported && !health_is_due;
        pthread_mutex_unlock(&agones->lock);
        send_health(agones, healthy);
        tell_all(agones, &report);
        pthread_mutex_lock(&agones->lock);
        if (!agones->ending)
            await_work(agones);
    }
    const tr_agones_report last = agones->report;
    pthread_mutex_unlock(&agones->lock);
    (void)tell(agones, &last, PHASE);
    return NULL;
}

/* --- for the loop --- */

tr_status tr_agones_port(int *out, tr_error *error) {
    const char *text = getenv("AGONES_SDK_HTTP_PORT");
    char *end = NULL;
    long port = text ? strtol(text, &end, 10) : TR_AGONES_DEFAULT_PORT;
    if (text && (end == text || *end != '\0' || port < 1 || port > 65535))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "AGONES_SDK_HTTP_PORT: '%s': expected a port from 1 to 65535", text);
    *out = (int)port;
    return TR_OK;
}

static bool init_waiting(tr_agones *agones) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&agones->lock, NULL);
    bool made = pthread_cond_init(&agones->news, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return made;
}

tr_status tr_agones_start(int port, const char *version, tr_agones **out) {
    tr_agones *agones = calloc(1, sizeof *agones);
    if (!agones)
        return TR_RESOURCE_EXHAUSTED;
    agones->version = version;
    agones->port = port;
    if (!open_sidecar(agones) || !init_waiting(agones) ||
        pthread_create(&agones->thread, NULL, work, agones) != 0) {
        close_sidecar(agones);
        free(agones);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = agones;
    return TR_OK;
}

/* The thread is woken only for a change, so that a report a second costs nothing. */
void tr_agones_tell(tr_agones *agones, const tr_agones_report *report) {
    pthread_mutex_lock(&agones->lock);
    const tr_agones_report *last = &agones->report;
    bool changed = last->phase != report->phase || last->has_room != report->has_room ||
                   last->worlds != report->worlds || last->players != report->players;
    agones->report = *report;
    agones->reported = true;
    if (changed)
        pthread_cond_signal(&agones->news);
    pthread_mutex_unlock(&agones->lock);
}

void tr_agones_end(tr_agones *agones) {
    if (!agones)
        return;
    pthread_mutex_lock(&agones->lock);
    agones->ending = true;
    pthread_cond_signal(&agones->news);
    pthread_mutex_unlock(&agones->lock);
    pthread_join(agones->thread, NULL);
    close_sidecar(agones);
    pthread_cond_destroy(&agones->news);
    pthread_mutex_destroy(&agones->lock);
    free(agones);
}
