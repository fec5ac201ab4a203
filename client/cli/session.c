#include "cli/failure.h"
#include "cli/output.h"
#include "proto/clock.h"
#include "proto/key.h"
#include "proto/suggest.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* --- connection --- */

bool tr_cli_parse_address(const char *text, tr_cli *cli) {
    bool bracketed = text[0] == '[';
    const char *begin = bracketed ? text + 1 : text;
    const char *end = bracketed ? strchr(begin, ']') : begin + strcspn(begin, ":");
    if (!end || end == begin || (size_t)(end - begin) >= sizeof cli->host)
        return false;
    const char *rest = bracketed ? end + 1 : end;
    int64_t port = cli->port;
    if (*rest && (*rest != ':' || !tr_option_integer(rest + 1, &port) || port < 1 || port > 65535))
        return false;
    memcpy(cli->host, begin, (size_t)(end - begin));
    cli->host[end - begin] = '\0';
    cli->port = (int)port;
    return true;
}

static void on_state(void *user, tr_client *client, const tr_client_state *state) {
    (void)client;
    tr_cli *cli = user;
    if (cli->on_state)
        cli->on_state(cli, state);
}

static void on_event(void *user, tr_client *client, const tr_client_event *event) {
    (void)client;
    tr_cli *cli = user;
    if (cli->on_event)
        cli->on_event(cli, event);
    if (cli->follows && event->kind == TR_CLIENT_DESTROYED && event->text[0]) {
        snprintf(cli->moved_to, sizeof cli->moved_to, "%s", event->text);
        cli->finished = true;
    }
}

static void on_match(void *user, tr_client *client, const tr_client_match_progress *progress) {
    (void)client;
    tr_cli *cli = user;
    if (cli->on_match)
        cli->on_match(cli, progress);
}

/* Reads the key from its file, which other users must not be able to read. Returns an exit code. */
static int read_key(const char *path, char *out, size_t capacity) {
    struct stat info;
    FILE *file = fopen(path, "r");
    if (!file || fstat(fileno(file), &info) != 0) {
        fprintf(stderr, "troupe: --key-file %s: %s\n", path, strerror(errno));
        if (file)
            fclose(file);
        return TR_EXIT_FILE;
    }
    char shown[1100];
    tr_error error = {0};
    tr_key key;
    snprintf(shown, sizeof shown, "--key-file %s", path);
    tr_status status = (info.st_mode & 077) != 0
                           ? tr_fail(&error, TR_PERMISSION_DENIED,
                                     "%s: other users can read it; expected chmod 600", shown)
                           : tr_key_read(file, shown, &key, &error);
    fclose(file);
    if (status) {
        fprintf(stderr, "troupe: %s\n", error.message);
        return TR_EXIT_FILE;
    }
    snprintf(out, capacity, "%s.%s", key.name, key.secret);
    tr_key_forget(&key);
    return TR_EXIT_OK;
}

double tr_cli_clock_s(void) {
    return tr_clock_s(CLOCK_MONOTONIC);
}

tr_status tr_cli_try_to_connect(tr_cli *cli, tr_error *error) {
    tr_client_def def = tr_client_def_default();
    def.key = cli->key[0] ? cli->key : NULL;
    def.tls = cli->tls;
    def.ca = cli->ca[0] ? cli->ca : NULL;
    def.host = cli->host;
    def.port = cli->port;
    def.name = "troupe";
    def.connect_timeout_ms = cli->timeout_ms;
    def.user = cli;
    def.on_state = on_state;
    def.on_event = on_event;
    def.on_match = on_match;
    return tr_client_connect(&def, &cli->client, error);
}

int tr_cli_read_key(tr_cli *cli) {
    return cli->key_file[0] ? read_key(cli->key_file, cli->key, sizeof cli->key) : TR_EXIT_OK;
}

static bool is_own_machine(const char *host) {
    return strncmp(host, "127.", 4) == 0 || strcmp(host, "localhost") == 0 ||
           strcmp(host, "::1") == 0;
}

/* How long to wait for a daemon of this machine that does not serve yet: one that was started a
 * moment ago listens soon, and one that answers that it is starting imports its catalogue. */
static double patience_s(const tr_cli *cli, const char *message) {
    static const double UNTIL_IT_LISTENS_S = 1, UNTIL_IT_SERVES_S = 120;
    return !is_own_machine(cli->host)              ? 0
           : strstr(message, "daemon is starting") ? UNTIL_IT_SERVES_S
                                                   : UNTIL_IT_LISTENS_S;
}

int tr_cli_connect(tr_cli *cli) {
    static const struct timespec pause = {.tv_nsec = 100000000};
    const double begin_s = tr_cli_clock_s();
    bool told = false;
    for (;;) {
        tr_error error = {0};
        tr_status status = tr_cli_try_to_connect(cli, &error);
        double patience = status == TR_UNAVAILABLE ? patience_s(cli, error.message) : 0;
        if (!status)
            return TR_EXIT_OK;
        if (tr_cli_clock_s() - begin_s >= patience)
            return tr_cli_fail_to_connect(cli, status, error.message);
        if (patience > 1 && !told && !tr_cli_fails_in_json())
            fputs("troupe: the daemon is starting; waiting for it\n", stderr);
        told = patience > 1;
        nanosleep(&pause, NULL);
    }
}

int tr_cli_ask(tr_cli *cli, uint64_t request, const tr_client_reply **out) {
    tr_error error;
    tr_status status = tr_client_await(cli->client, request, cli->timeout_ms, out, &error);
    return status == TR_NOT_FOUND ? tr_cli_fail_missing(cli, error.message)
           : status               ? tr_cli_fail(status, error.message, NULL)
                                  : TR_EXIT_OK;
}

static int ask_but(tr_cli *cli, uint64_t request, tr_status refusal, tr_status other,
                   const tr_client_reply **out) {
    tr_error error;
    *out = NULL;
    tr_status status = tr_client_await(cli->client, request, cli->timeout_ms, out, &error);
    return status && status != refusal && status != other ? tr_cli_fail(status, error.message, NULL)
                                                          : TR_EXIT_OK;
}

int tr_cli_ask_or_none(tr_cli *cli, uint64_t request, const tr_client_reply **out) {
    return ask_but(cli, request, TR_NOT_FOUND, TR_UNIMPLEMENTED, out);
}

int tr_cli_ask_unless(tr_cli *cli, uint64_t request, tr_status refusal,
                      const tr_client_reply **out) {
    return ask_but(cli, request, refusal, refusal, out);
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

static void heed_interrupts(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* Receives in slices, so that an interrupt ends it cleanly. The first state may come before the
 * answer to the subscription, and the interrupt with it. */
int tr_cli_receive(tr_cli *cli, double seconds) {
    enum { SLICE_MS = 100, FOR_EVER_S = 1000000000 };
    if (!(seconds >= 0))
        return tr_cli_usage_error("--for %g: expected 0 seconds or more", seconds);
    heed_interrupts();
    int code = TR_EXIT_OK;
    int64_t left_ms = seconds < FOR_EVER_S ? (int64_t)(seconds * 1000) : INT64_MAX;
    while (code == TR_EXIT_OK && left_ms > 0 && !interrupted && !cli->finished && !ferror(stdout)) {
        tr_error error;
        int slice = left_ms < SLICE_MS ? (int)left_ms : SLICE_MS;
        tr_status status = tr_client_run(cli->client, slice, &error);
        if (status)
            code = tr_cli_fail(status, error.message, NULL);
        left_ms -= slice;
    }
    return code;
}

/* Connects to the daemon where the world continues. */
static int go_after(tr_cli *cli, const char *name, uint32_t *out_world) {
    cli->finished = false;
    tr_client_close(cli->client);
    cli->client = NULL;
    if (!tr_cli_parse_address(cli->moved_to, cli))
        return tr_cli_fail(TR_DATA_LOSS, "the world has moved to an address that cannot be read",
                           NULL);
    cli->moved_to[0] = '\0';
    int code = tr_cli_connect(cli);
    return code ? code : tr_cli_find_world(cli, name, out_world);
}

int tr_cli_follow(tr_cli *cli, const tr_client_subscribe_def *given, double seconds) {
    tr_client_subscribe_def subscribe = *given;
    const tr_client_reply *reply = NULL;
    char name[64] = "";
    double end_s = -1; /* counted from the first subscription */
    if (!(seconds >= 0))
        return tr_cli_usage_error("--for %g: expected 0 seconds or more", seconds);
    heed_interrupts(); /* the first state may be shown before the answer arrives */
    cli->follows = true;
    int code = tr_cli_ask(cli, tr_client_get_world(cli->client, subscribe.world), &reply);
    if (code == TR_EXIT_OK)
        snprintf(name, sizeof name, "%s", reply->world.name);
    while (code == TR_EXIT_OK) {
        code = tr_cli_ask(cli, tr_client_subscribe(cli->client, &subscribe), NULL);
        if (end_s < 0)
            end_s = tr_cli_clock_s() + seconds;
        if (code == TR_EXIT_OK)
            code = tr_cli_receive(cli, fmax(0, end_s - tr_cli_clock_s()));
        if (code || !cli->moved_to[0])
            return code;
        code = go_after(cli, name, &subscribe.world);
    }
    return code;
}

/* --- names --- */

/* What to do about a name that looks like an id. */
static const char *advise_id(const char *text) {
    int64_t id = 0;
    return tr_option_integer(text, &id) ? "; an id is written '#ID', in quotes" : "";
}

enum { NAME_MAX_SHOWN = 128 };

/* Fails with the nearest of the existing names. */
static int fail_name(const char *what, const char *text, const char *const *names, int count,
                     const char *advice) {
    char meant[80];
    tr_error error;
    tr_suggest_text(tr_suggest_nearest(text, names, count), meant);
    (void)tr_fail(&error, TR_NOT_FOUND, "%s is called '%s'%s%s", what, text, meant,
                  advise_id(text));
    return tr_cli_fail(TR_NOT_FOUND, error.message, advice);
}

static int fail_world(const char *text, const tr_client_reply *worlds) {
    const char *names[NAME_MAX_SHOWN] = {NULL};
    int count = 0;
    for (int i = 0; i < worlds->count && count < NAME_MAX_SHOWN; i++)
        names[count++] = worlds->worlds[i].name;
    return fail_name("no world", text, names, count,
                     count > 0 ? "'troupe worlds' lists them."
                               : "'troupe worlds' lists none; 'troupe create-world NAME' makes "
                                 "one.");
}

int tr_cli_find_world(tr_cli *cli, const char *text, uint32_t *out) {
    if (tr_option_id(text, out))
        return TR_EXIT_OK;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_list_worlds(cli->client), &reply);
    if (code)
        return code;
    for (int i = 0; i < reply->count; i++)
        if (strcmp(reply->worlds[i].name, text) == 0) {
            *out = reply->worlds[i].id;
            return TR_EXIT_OK;
        }
    return fail_world(text, reply);
}

/* The characters of this label or, without any, the objects of this name: the first two, 0 for
 * none. What has no label is not called ''. */
static void find_called(const tr_client_state *state, const char *label, uint32_t out[2]) {
    int count = 0;
    for (int i = 0; *label && i < state->character_count && count < 2; i++)
        if (strcmp(state->characters[i].label, label) == 0)
            out[count++] = state->characters[i].entity;
    for (int i = 0; *label && out[0] == 0 && i < state->object_count; i++)
        if (strcmp(state->objects[i].name, label) == 0)
            out[0] = state->objects[i].entity;
}

static int fail_shared(const char *label, const uint32_t called[2]) {
    tr_error error;
    (void)tr_fail(&error, TR_FAILED_PRECONDITION,
                  "'%s': entities %u and %u are called so; expected the id of one", label,
                  called[0], called[1]);
    return tr_cli_fail(TR_FAILED_PRECONDITION, error.message, NULL);
}

static int fail_entity(const char *text, const tr_client_state *state) {
    const char *names[NAME_MAX_SHOWN] = {NULL};
    int count = 0;
    for (int i = 0; i < state->character_count && count < NAME_MAX_SHOWN; i++)
        names[count++] = state->characters[i].label;
    for (int i = 0; i < state->object_count && count < NAME_MAX_SHOWN; i++)
        names[count++] = state->objects[i].name;
    return fail_name("nothing in this world", text, names, count,
                     "'troupe state WORLD' lists them.");
}

int tr_cli_find_entity(tr_cli *cli, uint32_t world, const char *text, uint32_t *out) {
    if (tr_option_id(text, out))
        return TR_EXIT_OK;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_state(cli->client, world, TR_CLIENT_OBJECTS), &reply);
    if (code)
        return code;
    uint32_t called[2] = {0, 0};
    find_called(&reply->state, text, called);
    if (called[1])
        return fail_shared(text, called);
    *out = called[0];
    return *out ? TR_EXIT_OK : fail_entity(text, &reply->state);
}

/* A name in `at` instead of an id. Returns whether it is one. */
static bool is_name(const char *text, uint32_t *out_id, const char **out_name) {
    const bool named = text && !tr_option_id(text, out_id);
    *out_name = named ? text : NULL;
    return named;
}

int tr_cli_ask_about(tr_cli *cli, const void *values, tr_cli_send *send,
                     const tr_client_reply **out) {
    const tr_cli_target *target = values;
    uint32_t entity = 0;
    tr_client_at at = {.tick = target->tick};
    bool named = is_name(target->world, &at.world, &at.world_name);
    named |= is_name(target->entity, &entity, &at.entity_name);
    tr_error error;
    tr_status status = tr_client_await(cli->client, send(cli->client, at, entity, values),
                                       cli->timeout_ms, out, &error);
    if (status == TR_NOT_FOUND && !named)
        return tr_cli_fail_missing(cli, error.message);
    if (!named || (status != TR_NOT_FOUND && status != TR_INVALID_ARGUMENT))
        return status ? tr_cli_fail(status, error.message, NULL) : TR_EXIT_OK;
    at = (tr_client_at){.tick = target->tick};
    int code = tr_cli_find_world(cli, target->world, &at.world);
    if (code == TR_EXIT_OK && target->entity)
        code = tr_cli_find_entity(cli, at.world, target->entity, &entity);
    return code ? code : tr_cli_ask(cli, send(cli->client, at, entity, values), out);
}

int tr_cli_act(tr_cli *cli, const void *values, tr_cli_send *send, const char *done) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask_about(cli, values, send, &reply);
    return code ? code : tr_output_applied(cli, done, &reply->applied);
}
