/* The command line client: its commands, their arguments, and shared functions.
 *
 * A command is a file that ends in a const entry (or an entry of commands/plain.c), and a name in the
 * list of CMakeLists.txt.
 * Parsing, usage and help use its table of arguments; the values are stored in a struct of the
 * command. A command sends requests through tr_cli_ask, makes JSON values of replies by view.h, and
 * shows them through output.h, which prints JSON or tables.
 *
 * Exit codes are part of the interface: scripts rely on them. */
#pragma once

#include "proto/argument.h"
#include "troupe/client.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TR_EXIT_OK = 0,
    TR_EXIT_REFUSED = 1,   /* the daemon refused */
    TR_EXIT_USAGE = 2,     /* the command line is wrong */
    TR_EXIT_NO_SERVER = 3, /* cannot connect, or the connection was lost */
    TR_EXIT_TIMEOUT = 4,   /* no answer in time */
    TR_EXIT_FILE = 5       /* a local file or standard output cannot be read or written */
};

enum { TR_CLI_ARGUMENT_MAX = 16, TR_CLI_VALUES_MAX = 512 };

typedef struct tr_cli tr_cli;

/* Where a command applies, as the user gave it. */
typedef struct tr_cli_target {
    const char *world, *entity; /* names or "#ID"; entity NULL: the world itself */
    int64_t tick;               /* 0: as soon as possible */
} tr_cli_target;

/* Arguments whose values begin with a tr_cli_target. */
#define TR_CLI_WORLD                                                                               \
    { "WORLD", TR_OPTION_TEXT, offsetof(tr_cli_target, world), "name or #ID" }
#define TR_CLI_ENTITY                                                                              \
    { "ENTITY", TR_OPTION_TEXT, offsetof(tr_cli_target, entity), "name or #ID" }
#define TR_CLI_AT                                                                                  \
    {                                                                                              \
        "--at TICK", TR_OPTION_INTEGER, offsetof(tr_cli_target, tick),                             \
            "when; default: as soon as possible", 1, 0                                             \
    }

/* Sends the request of a command on a world or one of its entities; entity 0: `at` names it, or the
 * command has none. */
typedef uint64_t tr_cli_send(tr_client *client, tr_client_at at, uint32_t entity,
                             const void *values);

/* Defines the `send` of a command by an expression of `client`, `at`, `entity` and the values `v`. */
#define TR_CLI_SEND(values, request)                                                               \
    static uint64_t send(tr_client *client, tr_client_at at, uint32_t entity, const void *given) { \
        const values *v = given;                                                                   \
        (void)entity, (void)v;                                                                     \
        return request;                                                                            \
    }

typedef struct tr_cli_command {
    const char *name;
    const char *summary; /* one line */
    const char *help;    /* description, then examples; lines up to 100 columns */
    tr_argument argument[TR_CLI_ARGUMENT_MAX]; /* ends with a NULL usage */
    const void *defaults;                      /* initial values; NULL: zero */
    size_t values_size;
    bool
        everywhere; /* run without a connection if there are several daemons and no WORLD is given */
    bool (*is_local)(const void *values); /* whether these values need no daemon; NULL: they do */
    int (*run)(tr_cli *cli, const void *values); /* returns an exit code */
    /* Instead of run: what is sent by tr_cli_act, and what was done then, e.g. "paused". */
    tr_cli_send *send;
    const char *done;
} tr_cli_command;

struct tr_cli {
    char host[256];
    int port;
    const struct tr_cli_hosts *hosts; /* instead of them; NULL: one daemon */
    char key_file[1024];              /* "": none */
    char key[256];                    /* read from it; "": none */
    bool tls;
    char ca[1024]; /* "": the signers that the system trusts */
    bool json;
    int timeout_ms;
    tr_client *client; /* connected before a command runs, unless that is `everywhere` */
    void *user;        /* of the command, for the callbacks below */
    void (*on_state)(tr_cli *cli, const tr_client_state *state);
    void (*on_event)(tr_cli *cli, const tr_client_event *event);
    void (*on_match)(tr_cli *cli, const tr_client_match_progress *progress);
    bool finished; /* set by a callback: nothing more to receive */
    bool follows;  /* set moved_to and finish when a world moves to another daemon */
    char moved_to[64];
};

extern const tr_cli_command *const tr_cli_commands[]; /* ends with NULL */

/* --- arguments.c --- */

/* Fills `values` from the words after the command's name. False: an error was printed on stderr. */
bool tr_cli_parse(const tr_cli_command *command, int count, char **words, void *values);

void tr_cli_print_help(const tr_cli_command *command);

/* --- session.c --- */

/* "HOST", "HOST:PORT" or "[ADDRESS]:PORT". False if the text has another form. */
bool tr_cli_parse_address(const char *text, tr_cli *cli);

/* Connects to cli->host. Nothing is printed if that fails. */
tr_status tr_cli_try_to_connect(tr_cli *cli, tr_error *error) TR_NODISCARD;

double tr_cli_clock_s(void); /* never set back */

/* These return an exit code; a failure is printed on stderr with advice. */
int tr_cli_read_key(tr_cli *cli); /* before connecting */
int tr_cli_connect(tr_cli *cli);
int tr_cli_ask(tr_cli *cli, uint64_t request, const tr_client_reply **out); /* out may be NULL */

/* As tr_cli_ask, but if the item does not exist, or the daemon is too old to know it, *out is NULL
 * without a failure. */
int tr_cli_ask_or_none(tr_cli *cli, uint64_t request, const tr_client_reply **out);

/* As tr_cli_ask, but if the request is refused with `refusal`, *out is NULL without a failure. */
int tr_cli_ask_unless(tr_cli *cli, uint64_t request, tr_status refusal,
                      const tr_client_reply **out);

/* Subscribes, and receives for the given time or until interrupted. If the world moves, and events
 * are subscribed, connects to the daemon where it continues. */
int tr_cli_follow(tr_cli *cli, const tr_client_subscribe_def *subscribe, double seconds);

/* Receives for the given time, until interrupted, or until a callback sets `finished`. */
int tr_cli_receive(tr_cli *cli, double seconds);

/* A world by its name or "#ID"; an entity by its label or "#ID". */
int tr_cli_find_world(tr_cli *cli, const char *text, uint32_t *out);
int tr_cli_find_entity(tr_cli *cli, uint32_t world, const char *text, uint32_t *out);

/* Sends a command with its names, in one round trip. If they are not found they are looked up, for
 * advice and for daemons that take ids alone. values: begin with a tr_cli_target. */
int tr_cli_ask_about(tr_cli *cli, const void *values, tr_cli_send *send,
                     const tr_client_reply **out);

/* The same, and prints what was `done`. */
int tr_cli_act(tr_cli *cli, const void *values, tr_cli_send *send, const char *done);

/* Reports an error in the command line that parsing cannot find. Returns TR_EXIT_USAGE. */
int tr_cli_usage_error(const char *format, ...) TR_PRINTF(1, 2);
