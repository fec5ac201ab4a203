#include "line.h"

#include "scheduler.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 64, WINDOW = 32 << 10, PIECE_MAX = 4096, PORTS_MAX = 4 };

#define SECOND_NS 1000000000LL

typedef struct piece {
    int64_t due_ns;
    size_t size, read;
    struct piece *next;
    uint8_t bytes[];
} piece;

typedef struct direction {
    piece *first, *last;
    size_t size;
    int64_t stalled_until_ns;
    bool shut; /* nothing more will be written */
} direction;

struct line {
    const line_client *client;
    void *context;
    direction up, down; /* to the daemon, to the client */
    bool accepted, client_left, daemon_left, reset, remote;
    int from; /* process */
    struct port *to;
};

/* Where a daemon listens; wake NULL: not now. */
typedef struct port {
    int number, process;
    void (*wake)(void *context);
    void *context;
} port;

static struct {
    line *line[LINES_MAX];
    int top; /* no line stands there or behind */
    port port[PORTS_MAX];
    int faults, faulty; /* faulty: the process whose lines are bad; -1: all lines are */
    uint64_t dead;      /* processes, by bits */
    int64_t silent_until_ns[SIM_PROCESSES][SIM_PROCESSES];
    uint64_t passed[SIM_PROCESSES];
    int64_t delivered_ns; /* until when */
} lines;

void lines_begin(void) {
    for (int i = 0; i < lines.top; i++)
        if (lines.line[i])
            abort(); /* what was before has not ended */
    memset(&lines, 0, sizeof lines);
    lines.faulty = -1;
}

static port *port_of(int number) {
    port *p = lines.port;
    while (p < lines.port + PORTS_MAX && p->number != number && p->number != 0)
        p++;
    if (p == lines.port + PORTS_MAX)
        abort();
    p->number = number;
    return p;
}

void lines_set_faulty(int process) {
    lines.faulty = process;
}

void lines_set_faults(int level) {
    lines.faults = level;
    for (int i = 0; level == 0 && i < lines.top; i++)
        if (lines.line[i])
            lines.line[i]->up.stalled_until_ns = lines.line[i]->down.stalled_until_ns = 0;
}

/* --- a direction --- */

static int64_t arrival_ns(const direction *d, int faults) {
    int64_t delay_ns = faults > 0 ? (1 + sim_below(faults * 4000)) * 1000LL : 100000;
    if (faults > 1 && sim_one_in(40)) /* lost, and sent once more */
        delay_ns += 200000000;
    int64_t due_ns = sim_now_ns() + delay_ns;
    return d->last && d->last->due_ns > due_ns ? d->last->due_ns : due_ns;
}

static void append(const line *l, direction *d, const uint8_t *bytes, size_t size) {
    int faults = lines.faulty < 0 || lines.faulty == l->from ? lines.faults : 0;
    lines.passed[l->from] += size > 0;
    while (size > 0) {
        size_t part = size;
        if (faults > 0 && part > 1 && sim_one_in(3))
            part = 1 + (size_t)sim_below((int)(part < PIECE_MAX ? part : PIECE_MAX));
        part = part < size ? part : size;
        piece *p = malloc(sizeof *p + part);
        if (!p)
            abort();
        *p = (piece){.due_ns = arrival_ns(d, faults), .size = part};
        memcpy(p->bytes, bytes, part);
        if (d->last)
            d->last->next = p;
        else
            d->first = p;
        d->last = p;
        d->size += part;
        bytes += part;
        size -= part;
    }
}

static int64_t next_ns(const direction *d) {
    if (!d->first)
        return INT64_MAX;
    return d->first->due_ns > d->stalled_until_ns ? d->first->due_ns : d->stalled_until_ns;
}

static size_t take(direction *d, uint8_t *out, size_t size) {
    size_t done = 0;
    while (done < size && next_ns(d) <= sim_now_ns()) {
        piece *p = d->first;
        size_t part = p->size - p->read < size - done ? p->size - p->read : size - done;
        memcpy(out + done, p->bytes + p->read, part);
        p->read += part;
        done += part;
        if (p->read < p->size)
            break;
        d->first = p->next;
        if (!d->first)
            d->last = NULL;
        free(p);
    }
    d->size -= done;
    return done;
}

static void empty(direction *d) {
    for (piece *next; d->first; d->first = next) {
        next = d->first->next;
        free(d->first);
    }
    d->last = NULL;
    d->size = 0;
}

/* --- lines --- */

static void drop_if_left(line *l) {
    if (!l->client_left || !l->daemon_left)
        return;
    for (int i = 0; i < lines.top; i++)
        if (lines.line[i] == l)
            lines.line[i] = NULL;
    while (lines.top > 0 && !lines.line[lines.top - 1])
        lines.top--;
    empty(&l->up);
    empty(&l->down);
    free(l);
}

static void wake(const port *p) {
    if (p->wake)
        p->wake(p->context);
}

static bool is_dead(int process) {
    return (lines.dead >> process & 1) != 0;
}

static void stall(line *l) {
    int64_t until_ns = lines.silent_until_ns[l->from][l->to->process];
    l->up.stalled_until_ns = l->down.stalled_until_ns = until_ns;
}

line *line_connect(int number, const line_client *client, void *context, bool remote) {
    int at = 0;
    port *to = port_of(number);
    while (at < LINES_MAX && lines.line[at])
        at++;
    if (!to->wake || at == LINES_MAX || is_dead(sim_process()))
        return NULL;
    line *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->client = client;
    l->context = context;
    l->remote = remote;
    l->from = sim_process();
    l->to = to;
    stall(l);
    lines.line[at] = l;
    lines.top = at < lines.top ? lines.top : at + 1;
    wake(to);
    return l;
}

void line_send(line *l, const uint8_t *bytes, size_t size) {
    if (!l->daemon_left && !l->reset)
        append(l, &l->up, bytes, size);
}

void line_close(line *l) {
    const port *to = l->to;
    l->client_left = true;
    l->up.shut = true;
    empty(&l->down);
    if (!l->accepted)
        l->daemon_left = true;
    drop_if_left(l);
    wake(to);
}

int64_t lines_next_ns(void) {
    int64_t first = INT64_MAX;
    for (int i = 0; i < lines.top; i++) {
        const line *l = lines.line[i];
        int64_t up = l && !l->daemon_left ? next_ns(&l->up) : INT64_MAX;
        int64_t down = l && !l->client_left ? next_ns(&l->down) : INT64_MAX;
        /* What has arrived and is not read yet is no news. */
        if (up > sim_now_ns() && up < first)
            first = up;
        if (down < first)
            first = down;
    }
    return first;
}

static void deliver(line *l) {
    static uint8_t bytes[1 << 16];
    size_t size;
    while (!l->client_left && (size = take(&l->down, bytes, sizeof bytes)) > 0)
        l->client->bytes(l->context, bytes, size);
    bool over = l->reset || ((l->daemon_left || l->down.shut) && !l->down.first);
    if (l->client_left || !over)
        return;
    l->client_left = true;
    l->up.shut = true;
    l->client->ended(l->context);
    drop_if_left(l);
}

void lines_deliver(void) {
    if (lines.delivered_ns == sim_now_ns())
        return; /* whatever is sent arrives later */
    lines.delivered_ns = sim_now_ns();
    for (int i = 0; i < lines.top; i++) {
        line *l = lines.line[i];
        if (l && !l->client_left)
            deliver(l);
        if (lines.line[i] && !lines.line[i]->daemon_left)
            wake(lines.line[i]->to);
    }
}

void line_stall(line *l, int64_t until_ns) {
    l->down.stalled_until_ns = until_ns;
}

static void reset(line *l) {
    l->reset = true;
    empty(&l->up);
    empty(&l->down);
    wake(l->to);
}

/* Is it a line between these two, whoever has made it? */
static bool is_between(const line *l, int a, int b) {
    int to = l->to->process;
    return (l->from == a && (to == b || b < 0)) || (to == a && (l->from == b || b < 0));
}

void lines_reset(int a, int b) {
    for (int i = 0; i < lines.top; i++)
        if (lines.line[i] && is_between(lines.line[i], a, b))
            reset(lines.line[i]);
}

void lines_silence(int a, int b, int64_t until_ns) {
    lines.silent_until_ns[a][b] = lines.silent_until_ns[b][a] = until_ns;
    for (int i = 0; i < lines.top; i++)
        if (lines.line[i] && is_between(lines.line[i], a, b))
            stall(lines.line[i]);
}

void lines_set_dead(int process, bool dead) {
    lines.dead = (lines.dead & ~(1ULL << process)) | (uint64_t)dead << process;
    for (port *p = lines.port; dead && p < lines.port + PORTS_MAX; p++)
        if (p->process == process && p->wake)
            lines_stop(p->number);
    if (dead)
        lines_reset(process, -1);
}

uint64_t lines_passed(int process) {
    return lines.passed[process];
}

void lines_disturb(void) {
    line *l = lines.line[sim_below(LINES_MAX)];
    if (!l || lines.faults == 0)
        return;
    int64_t until_ns = sim_now_ns() + (1 + sim_below(30)) * SECOND_NS / 10;
    switch (sim_below(lines.faults > 1 ? 5 : 3)) {
    case 0:
    case 1:
        l->up.stalled_until_ns = until_ns;
        break;
    case 2:
        l->down.stalled_until_ns = until_ns;
        break;
    case 3:
        l->up.stalled_until_ns = l->down.stalled_until_ns = until_ns;
        break;
    default:
        reset(l);
    }
}

/* --- the daemon's side --- */

static line *find_waiting(int number) {
    for (int i = 0; i < lines.top; i++)
        if (lines.line[i] && !lines.line[i]->accepted && lines.line[i]->to->number == number)
            return lines.line[i];
    return NULL;
}

bool line_is_remote(const line *l) {
    return l->remote;
}

bool line_waits(int number) {
    return port_of(number)->wake && find_waiting(number);
}

line *line_accept(int number) {
    line *l = find_waiting(number);
    if (l)
        l->accepted = true;
    return l;
}

size_t line_read(line *l, void *out, size_t size) {
    return take(&l->up, out, size);
}

bool line_has_bytes(const line *l) {
    return next_ns(&l->up) <= sim_now_ns();
}

bool line_is_over(const line *l) {
    return l->reset || (l->up.shut && !l->up.first);
}

size_t line_room(const line *l) {
    return l->client_left ? WINDOW : l->down.size < WINDOW ? WINDOW - l->down.size : 0;
}

void line_write(line *l, const void *bytes, size_t size) {
    if (!l->client_left && !l->reset)
        append(l, &l->down, bytes, size);
}

void line_shutdown(line *l) {
    l->down.shut = true;
}

void line_leave(line *l) {
    l->daemon_left = true;
    empty(&l->up);
    drop_if_left(l);
}

void lines_listen(int number, void (*wakes)(void *context), void *context) {
    if (!is_dead(sim_process()))
        *port_of(number) = (port){number, sim_process(), wakes, context};
}

void lines_stop(int number) {
    port_of(number)->wake = NULL;
    for (int i = 0; i < LINES_MAX; i++) {
        line *l = lines.line[i];
        if (!l || l->accepted || l->to->number != number)
            continue;
        l->accepted = l->reset = true;
        line_leave(l);
    }
}
