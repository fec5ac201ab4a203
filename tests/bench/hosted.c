#include "bench/hosted.h"

#include "model/model.h"
#include "proto/limits.h"
#include "proto/message.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAME_MAX = 4 << 20, CHUNK = 1 << 16, START_MS = 20000, STOP_MS = 40000 };

void tr_bench_give_up(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("troupe-bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

double tr_bench_clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double tr_bench_load(void) {
    double load[1] = {0};
    return getloadavg(load, 1) == 1 ? load[0] : 0;
}

/* --- the daemon --- */

static int read_port(const char *path) {
    FILE *file = fopen(path, "re");
    int port = 0;
    if (file && fscanf(file, "%d", &port) != 1)
        port = 0;
    if (file)
        fclose(file);
    return port;
}

/* upstream: the port of the daemon of which it is a relay; 0: none. A relay asks that daemon for
 * controllers, and would copy the catalogue for nothing. */
static void become_daemon(const char *folder, const char *port_file, int threads, int upstream) {
    char state[96], log[96], count[16], relay[32];
    snprintf(relay, sizeof relay, "127.0.0.1:%d", upstream);
    snprintf(state, sizeof state, "%s/state", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(count, sizeof count, "%d", threads);
    if (!freopen(log, "we", stderr))
        _exit(1);
    execl(TR_BENCH_TROUPED, "trouped", "--listen", "127.0.0.1:0", "--port-file", port_file,
          "--state-dir", state, "--web-listen", "none", "--threads", count,
          upstream ? "--relay" : (char *)NULL, relay, "--shipped", "none", (char *)NULL);
    _exit(1);
}

static tr_bench_daemon start(int threads, int upstream) {
    tr_bench_daemon daemon = {.folder = "/tmp/troupe-bench-XXXXXX"};
    char port_file[96];
    if (!mkdtemp(daemon.folder))
        tr_bench_give_up("%s: %s", daemon.folder, strerror(errno));
    snprintf(port_file, sizeof port_file, "%s/port", daemon.folder);
    daemon.process = fork();
    if (daemon.process == 0)
        become_daemon(daemon.folder, port_file, threads, upstream);
    for (int ms = 0; ms < START_MS && daemon.port == 0; ms++) {
        daemon.port = read_port(port_file);
        usleep(1000);
    }
    if (daemon.process < 0 || daemon.port == 0)
        tr_bench_give_up("%s does not start: see %s/log", TR_BENCH_TROUPED, daemon.folder);
    return daemon;
}

tr_bench_daemon tr_bench_daemon_start(int threads) {
    return start(threads, 0);
}

tr_bench_daemon tr_bench_relay_start(int port) {
    return start(1, port);
}

bool tr_bench_daemon_stop(tr_bench_daemon *daemon) {
    int status = 0, waited = 0;
    char command[96];
    kill(daemon->process, SIGTERM);
    while (waitpid(daemon->process, &status, WNOHANG) == 0 && waited++ < STOP_MS)
        usleep(1000);
    if (waited > STOP_MS)
        kill(daemon->process, SIGKILL);
    snprintf(command, sizeof command, "rm -rf '%s'", daemon->folder);
    return system(command) == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

double tr_bench_daemon_cpu_s(const tr_bench_daemon *daemon) {
    char path[64], text[1024] = "";
    unsigned long user = 0, system_time = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)daemon->process);
    FILE *file = fopen(path, "re");
    if (file && fgets(text, sizeof text, file)) {
        const char *after = strrchr(text, ')');
        if (!after || sscanf(after, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                             &system_time) != 2)
            user = system_time = 0;
    }
    if (file)
        fclose(file);
    return (double)(user + system_time) / (double)sysconf(_SC_CLK_TCK);
}

double tr_bench_daemon_memory(const tr_bench_daemon *daemon) {
    char path[64];
    long pages = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)daemon->process);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* --- connections --- */

void tr_bench_send(int socket, const Troupe__ClientMessage *request) {
    uint8_t *frame = NULL;
    size_t size = 0;
    if (tr_message_frame(&request->base, FRAME_MAX, &frame, &size))
        tr_bench_give_up("a request cannot be encoded");
    for (size_t done = 0; done < size;) {
        ssize_t n = send(socket, frame + done, size - done, MSG_NOSIGNAL);
        if (n < 0)
            tr_bench_give_up("send: %s", strerror(errno));
        done += (size_t)n;
    }
    free(frame);
}

int tr_bench_connect(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0)
        tr_bench_give_up("connect: %s", strerror(errno));
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    Troupe__Hello hello = TROUPE__HELLO__INIT;
    hello.protocol_major = TR_PROTOCOL_MAJOR;
    hello.client_name = (char *)"bench";
    Troupe__ClientMessage request = TROUPE__CLIENT_MESSAGE__INIT;
    request.request_id = 1;
    request.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_HELLO;
    request.hello = &hello;
    tr_bench_send(descriptor, &request);
    return descriptor;
}

static void receive(tr_bench_link *link) {
    if (link->capacity - link->size < CHUNK) {
        link->capacity += CHUNK;
        link->buffer = realloc(link->buffer, link->capacity);
        if (!link->buffer)
            tr_bench_give_up("out of memory");
    }
    ssize_t n = recv(link->socket, link->buffer + link->size, CHUNK, 0);
    if (n <= 0)
        tr_bench_give_up("the daemon closed the connection");
    link->size += (size_t)n;
}

/* Takes a whole frame off the buffer; NULL: it is incomplete. */
static Troupe__ServerMessage *take_message(tr_bench_link *link) {
    size_t length = 0, at = 0;
    for (int shift = 0; at < link->size; shift += 7) {
        uint8_t byte = link->buffer[at++];
        length |= (size_t)(byte & 0x7f) << shift;
        if (byte >= 0x80)
            continue;
        if (link->size - at < length)
            return NULL;
        Troupe__ServerMessage *message =
            troupe__server_message__unpack(NULL, length, link->buffer + at);
        link->size -= at + length;
        memmove(link->buffer, link->buffer + at + length, link->size);
        if (!message)
            tr_bench_give_up("the daemon sent nonsense");
        return message;
    }
    return NULL;
}

static Troupe__ServerMessage *await(tr_bench_link *link, uint64_t request) {
    for (;;) {
        Troupe__ServerMessage *message = take_message(link);
        if (!message) {
            receive(link);
            continue;
        }
        if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE &&
            message->response->request_id == request) {
            if (message->response->code != TROUPE__STATUS_CODE__STATUS_CODE_OK)
                tr_bench_give_up("refused: %s", message->response->message);
            return message;
        }
        troupe__server_message__free_unpacked(message, NULL);
    }
}

Troupe__ServerMessage *tr_bench_ask(tr_bench_link *link, Troupe__ClientMessage *request) {
    request->request_id = link->next_request++;
    tr_bench_send(link->socket, request);
    return await(link, request->request_id);
}

tr_bench_link tr_bench_link_open(int port) {
    tr_bench_link link = {.socket = tr_bench_connect(port), .next_request = 2};
    troupe__server_message__free_unpacked(await(&link, 1), NULL);
    return link;
}

void tr_bench_link_close(tr_bench_link *link) {
    close(link->socket);
    free(link->buffer);
}

/* --- worlds --- */

/* A command about a character, or one that makes it; returns its entity. */
static uint32_t command_about(tr_bench_link *link, Troupe__Command *command) {
    Troupe__ClientMessage request = TROUPE__CLIENT_MESSAGE__INIT;
    request.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND;
    request.command = command;
    Troupe__ServerMessage *answer = tr_bench_ask(link, &request);
    bool done = answer->response->result_case == TROUPE__RESPONSE__RESULT_COMMAND;
    uint32_t entity = done ? answer->response->command->entity : 0;
    troupe__server_message__free_unpacked(answer, NULL);
    return entity;
}

static void make_limp(tr_bench_link *link, uint32_t world, uint32_t entity) {
    Troupe__SetLimp limp = TROUPE__SET_LIMP__INIT;
    limp.entity = entity;
    limp.limp = 1;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    command.world = world;
    command.command_case = TROUPE__COMMAND__COMMAND_SET_LIMP;
    command.set_limp = &limp;
    command_about(link, &command);
}

static uint32_t spawn(tr_bench_link *link, uint32_t world, int lane, const char *controller) {
    Troupe__Vec3 pos = TROUPE__VEC3__INIT;
    pos.y = 3.0 * lane;
    Troupe__SpawnCharacter character = TROUPE__SPAWN_CHARACTER__INIT;
    character.controller = (char *)controller;
    character.pos = &pos;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    command.world = world;
    command.command_case = TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER;
    command.spawn_character = &character;
    return command_about(link, &command);
}

/* Name `index` of those with commas between them, in turn. */
static void name_in_turn(const char *names, int index, char out[static TR_NAME_MAX]) {
    int count = 1;
    for (const char *c = names; *c; c++)
        count += *c == ',';
    for (index %= count; index > 0; index--)
        names = strchr(names, ',') + 1;
    snprintf(out, TR_NAME_MAX, "%.*s", (int)strcspn(names, ","), names);
}

uint32_t tr_bench_make_world(tr_bench_link *link, const char *name, int characters,
                             const char *controllers, int limp_each) {
    Troupe__CreateWorld create = TROUPE__CREATE_WORLD__INIT;
    create.name = (char *)name;
    create.mode = TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME;
    Troupe__ClientMessage request = TROUPE__CLIENT_MESSAGE__INIT;
    request.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_CREATE_WORLD;
    request.create_world = &create;
    Troupe__ServerMessage *made = tr_bench_ask(link, &request);
    uint32_t world = made->response->world->id;
    troupe__server_message__free_unpacked(made, NULL);
    for (int i = 0; i < characters; i++) {
        char controller[TR_NAME_MAX];
        name_in_turn(controllers, i, controller);
        uint32_t entity = spawn(link, world, i, controller);
        if (limp_each > 0 && i % limp_each == 0)
            make_limp(link, world, entity);
    }
    return world;
}

Troupe__ServerMessage *tr_bench_get_world(tr_bench_link *link, uint32_t world) {
    Troupe__GetWorld get = TROUPE__GET_WORLD__INIT;
    get.world = world;
    Troupe__ClientMessage request = TROUPE__CLIENT_MESSAGE__INIT;
    request.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_GET_WORLD;
    request.get_world = &get;
    return tr_bench_ask(link, &request);
}
