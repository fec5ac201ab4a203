#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* --- telling failures --- */

/* What a person can do about it. */
static const char *advice(tr_status status) {
    switch (status) {
    case TR_UNAVAILABLE:
        return "Is trouped running there? Start it with 'trouped', or name its address with --host "
               "and --port, or in TROUPE_ADDRESS=host:port.";
    case TR_DEADLINE_EXCEEDED:
        return "Give it more time with --timeout SECONDS; a world that is paused or waits for "
               "steppers answers late.";
    case TR_NOT_FOUND:
        return "'troupe worlds', 'troupe state WORLD', 'troupe controllers', 'troupe models', "
               "'troupe match list' and 'troupe recordings' list what there is.";
    case TR_UNAUTHENTICATED:
        return "Give the client's key with --key-file FILE, or in TROUPE_KEY_FILE; 'trouped "
               "--make-key NAME' makes one.";
    case TR_PERMISSION_DENIED:
        return "The key's role may not do this: its holder has to ask the daemon's admin.";
    case TR_ALREADY_EXISTS:
        return "Choose another name, or remove the one that is there.";
    case TR_RESOURCE_EXHAUSTED:
        return "Remove worlds or entities that are no longer needed, or raise the daemon's limits.";
    case TR_FAILED_PRECONDITION:
        return "'troupe worlds' shows the mode of each world and whether it is paused; 'troupe "
               "status' the versions.";
    case TR_OUT_OF_RANGE:
        return "'troupe worlds' shows the tick at which each world is, 'troupe controllers NAME' "
               "the "
               "fragments of a controller.";
    case TR_INVALID_ARGUMENT:
        return "'troupe help COMMAND' describes the arguments.";
    case TR_DATA_LOSS:
        return "What is stored is damaged or cut off, or does not come out the same again.";
    default:
        return "The daemon's log on its standard error may say more.";
    }
}

/* The same, as long as there is no connection. */
static const char *connection_advice(const tr_cli *cli, tr_status status) {
    switch (status) {
    case TR_UNAVAILABLE:
        return cli->tls ? advice(status)
                        : "Is trouped running there? Start it with 'trouped', or name its address "
                          "with --host and --port, or in TROUPE_ADDRESS=host:port. Where its port "
                          "has TLS, add --tls.";
    case TR_DATA_LOSS:
        return cli->tls ? "Name the certificates to believe with --ca FILE, or in TROUPE_CA; leave "
                          "out --tls where the port has none."
                        : "Is that the daemon's game port?";
    case TR_DEADLINE_EXCEEDED:
        return "Is that the daemon's game port? Give it more time with --timeout SECONDS.";
    case TR_INVALID_ARGUMENT:
        return "'troupe help' says what --key-file and --ca name.";
    default:
        return advice(status);
    }
}

static int exit_code(tr_status status) {
    return status == TR_OK                  ? TR_EXIT_OK
           : status == TR_UNAVAILABLE       ? TR_EXIT_NO_SERVER
           : status == TR_DEADLINE_EXCEEDED ? TR_EXIT_TIMEOUT
                                            : TR_EXIT_REFUSED;
}

/* Texts of the daemon are shown without control characters. */
static void print_plain(FILE *file, const char *text) {
    for (; *text; ++text)
        fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, file);
}

static int tell_and_advise(tr_status status, const char *message, const char *what_to_do) {
    fprintf(stderr, "troupe: ");
    print_plain(stderr, message[0] ? message : tr_status_text(status));
    fprintf(stderr, " (%s)\n%s\n", tr_status_name(status), what_to_do);
    return exit_code(status);
}

static int tell(tr_status status, const char *message) {
    return tell_and_advise(status, message, advice(status));
}

int tr_cli_usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("troupe: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return TR_EXIT_USAGE;
}

/* --- connection --- */

bool tr_cli_parse_address(const char *text, tr_cli *cli) {
    bool bracketed = text[0] == '[';
    const char *begin = bracketed ? text + 1 : text;
    const char *end = bracketed ? strchr(begin, ']') : begin + strcspn(begin, ":");
    if (!end || end == begin || (size_t)(end - begin) >= sizeof cli->host)
        return false;
    const char *rest = bracketed ? end + 1 : end;
    int64_t port = cli->port;
    if (*rest &&
        (*rest != ':' || !tr_cli_parse_integer(rest + 1, &port) || port < 1 || port > 65535))
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
}

static void on_match(void *user, tr_client *client, const tr_client_match_progress *progress) {
    (void)client;
    tr_cli *cli = user;
    if (cli->on_match)
        cli->on_match(cli, progress);
}

/* The key in a file of its own, which nobody else may read. Returns an exit code. */
static int read_key(const char *path, char *out, size_t capacity) {
    struct stat info;
    FILE *file = fopen(path, "r");
    if (!file || fstat(fileno(file), &info) != 0) {
        fprintf(stderr, "troupe: --key-file %s: %s\n", path, strerror(errno));
        if (file)
            fclose(file);
        return TR_EXIT_FILE;
    }
    bool open_to_others = (info.st_mode & 077) != 0;
    bool read = !open_to_others && fgets(out, (int)capacity, file);
    fclose(file);
    if (read) {
        out[strcspn(out, "\r\n")] = '\0';
        return TR_EXIT_OK;
    }
    fprintf(stderr, "troupe: --key-file %s: %s\n", path,
            open_to_others ? "others can read it; expected chmod 600" : "expected a key in it");
    return TR_EXIT_FILE;
}

int tr_cli_connect(tr_cli *cli) {
    tr_client_def def = tr_client_def_default();
    char key[256] = "";
    int code = cli->key_file[0] ? read_key(cli->key_file, key, sizeof key) : TR_EXIT_OK;
    if (code)
        return code;
    def.key = key[0] ? key : NULL;
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
    tr_error error;
    tr_status status = tr_client_connect(&def, &cli->client, &error);
    memset(key, 0, sizeof key);
    return status ? tell_and_advise(status, error.message, connection_advice(cli, status))
                  : TR_EXIT_OK;
}

int tr_cli_ask(tr_cli *cli, uint64_t request, const tr_client_reply **out) {
    tr_error error;
    tr_status status = tr_client_await(cli->client, request, cli->timeout_ms, out, &error);
    return status ? tell(status, error.message) : TR_EXIT_OK;
}

int tr_cli_ask_or_none(tr_cli *cli, uint64_t request, const tr_client_reply **out) {
    tr_error error;
    *out = NULL;
    tr_status status = tr_client_await(cli->client, request, cli->timeout_ms, out, &error);
    bool none = status == TR_NOT_FOUND || status == TR_UNIMPLEMENTED;
    return status && !none ? tell(status, error.message) : TR_EXIT_OK;
}

int tr_cli_ask_unless(tr_cli *cli, uint64_t request, tr_status refusal,
                      const tr_client_reply **out) {
    tr_error error;
    *out = NULL;
    tr_status status = tr_client_await(cli->client, request, cli->timeout_ms, out, &error);
    return status && status != refusal ? tell(status, error.message) : TR_EXIT_OK;
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
        return tr_cli_usage_error("--for: expected 0 seconds or more");
    heed_interrupts();
    int code = TR_EXIT_OK;
    int64_t left_ms = seconds < FOR_EVER_S ? (int64_t)(seconds * 1000) : INT64_MAX;
    while (code == TR_EXIT_OK && left_ms > 0 && !interrupted && !cli->finished) {
        tr_error error;
        int slice = left_ms < SLICE_MS ? (int)left_ms : SLICE_MS;
        tr_status status = tr_client_run(cli->client, slice, &error);
        if (status)
            code = tell(status, error.message);
        left_ms -= slice;
    }
    return code;
}

int tr_cli_follow(tr_cli *cli, const tr_client_subscribe_def *subscribe, double seconds) {
    heed_interrupts(); /* the first state may be shown before the answer has come */
    int code = tr_cli_ask(cli, tr_client_subscribe(cli->client, subscribe), NULL);
    return code ? code : tr_cli_receive(cli, seconds);
}

/* --- names --- */

int tr_cli_find_world(tr_cli *cli, const char *text, uint32_t *out) {
    int64_t id = 0;
    if (tr_cli_parse_integer(text, &id) && id > 0 && id <= UINT32_MAX) {
        *out = (uint32_t)id;
        return TR_EXIT_OK;
    }
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_list_worlds(cli->client), &reply);
    if (code)
        return code;
    for (int i = 0; i < reply->count; ++i)
        if (strcmp(reply->worlds[i].name, text) == 0) {
            *out = reply->worlds[i].id;
            return TR_EXIT_OK;
        }
    tr_error error;
    return tell(tr_fail(&error, TR_NOT_FOUND, "no world is called '%s'", text), error.message);
}

/* Looks among characters, then among objects. 0: none. */
static uint32_t entity_called(const tr_client_state *state, const char *label) {
    for (int i = 0; i < state->character_count; ++i)
        if (strcmp(state->characters[i].label, label) == 0)
            return state->characters[i].entity;
    for (int i = 0; i < state->object_count; ++i)
        if (strcmp(state->objects[i].name, label) == 0)
            return state->objects[i].entity;
    return 0;
}

int tr_cli_find_entity(tr_cli *cli, uint32_t world, const char *text, uint32_t *out) {
    int64_t id = 0;
    if (tr_cli_parse_integer(text, &id) && id > 0 && id <= UINT32_MAX) {
        *out = (uint32_t)id;
        return TR_EXIT_OK;
    }
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_state(cli->client, world, TR_CLIENT_OBJECTS), &reply);
    if (code)
        return code;
    *out = entity_called(&reply->state, text);
    tr_error error;
    return *out ? TR_EXIT_OK
                : tell(tr_fail(&error, TR_NOT_FOUND, "no entity of world %u is called '%s'", world,
                               text),
                       error.message);
}

int tr_cli_find_place(tr_cli *cli, const char *world, int64_t tick, tr_client_at *out) {
    uint32_t id = 0;
    int code = tr_cli_find_world(cli, world, &id);
    if (code == TR_EXIT_OK)
        *out = (tr_client_at){.world = id, .tick = tick};
    return code;
}
