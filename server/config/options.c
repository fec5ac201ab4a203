#include "server/config/options.h"

#include "proto/option.h"
#include "server/config/address.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 256, CLIENTS_MAX = 1000000 };

/* One row per option: what the parser needs, what help says, and where its value goes. Rows of
 * TR_OPTION_CALL hand it to `read`. */
typedef tr_status (*option_reader)(tr_options *options, const char *value, tr_error *error);
typedef struct option_row {
    const char *name;
    const char *value; /* NULL: a flag */
    const char *help;
    tr_option_kind kind;
    size_t offset; /* in tr_options */
    double high;
    option_reader read;
} option_row;

static tr_status read_address(const char *name, const char *value, char host[TR_HOST_TEXT_MAX],
                              int *port, tr_error *error) {
    if (!tr_address_split(value, host, TR_HOST_TEXT_MAX, port))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--%s: '%s': expected host:port, as in 127.0.0.1:7400", name, value);
    return TR_OK;
}

static tr_status read_listen(tr_options *options, const char *value, tr_error *error) {
    return read_address("listen", value, options->config.host, &options->config.port, error);
}

static tr_status read_web_listen(tr_options *options, const char *value, tr_error *error) {
    options->config.web_asked = true;
    if (strcmp(value, "none") == 0) {
        options->config.web_host[0] = '\0';
        return TR_OK;
    }
    return read_address("web-listen", value, options->config.web_host, &options->config.web_port,
                        error);
}

static tr_status read_relay(tr_options *options, const char *value, tr_error *error) {
    tr_config *config = &options->config;
    if (!tr_address_split(value, config->relay_host, TR_RELAY_HOST_MAX, &config->relay_port))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--relay: '%s': expected host:port of a daemon, as in play.example.org:7400",
                       value);
    return TR_OK;
}

static tr_status read_web_origin(tr_options *options, const char *value, tr_error *error) {
    tr_web_origins *origins = &options->config.web_origins;
    if (!tr_web_origin_is_valid(value))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--web-origin: '%s': expected scheme, host and perhaps port, as in "
                       "https://play.example.org",
                       value);
    if (origins->count == TR_WEB_ORIGINS_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--web-origin: given more than %d times",
                       TR_WEB_ORIGINS_MAX);
    memcpy(origins->origin[origins->count++], value, strlen(value) + 1);
    return TR_OK;
}

static tr_status read_bundle(tr_options *options, const char *value, tr_error *error) {
    if (options->bundle_count == TR_OPTION_BUNDLE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--bundle: given more than %d times",
                       TR_OPTION_BUNDLE_MAX);
    options->bundle[options->bundle_count++] = value;
    return TR_OK;
}

static tr_status read_log_level(tr_options *options, const char *value, tr_error *error) {
    if (!tr_log_level_parse(value, &options->config.log_level))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--log-level: '%s': expected error, warn, info or debug", value);
    return TR_OK;
}

static tr_status read_check_config(tr_options *options, const char *value, tr_error *error) {
    options->check_config = true;
    return tr_option_store(&(tr_option){"check-config", TR_OPTION_CHARS, options->config_file, 0,
                                        sizeof options->config_file - 1},
                           value, error);
}

static tr_status read_anonymous(tr_options *options, const char *value, tr_error *error) {
    if (!tr_role_parse(value, &options->config.anonymous))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--anonymous: '%s': expected none, spectator, player, director or admin",
                       value);
    options->config.anonymous_is_set = true;
    return TR_OK;
}

static tr_status read_make_key(tr_options *options, const char *value, tr_error *error) {
    if (!tr_key_name_is_valid(value))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--make-key: '%s': expected 1 to 47 of a-z, 0-9 and '-'", value);
    options->make_key = value;
    return TR_OK;
}

static tr_status read_role(tr_options *options, const char *value, tr_error *error) {
    if (!tr_role_parse(value, &options->make_key_role) || options->make_key_role == TR_ROLE_NONE)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--role: '%s': expected spectator, player, director or admin", value);
    return TR_OK;
}

static tr_status read_expires(tr_options *options, const char *value, tr_error *error) {
    int64_t at_s = 0;
    if (!tr_expiry_parse(value, &at_s))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--expires: '%s': expected 2027-01-31 or 2027-01-31T12:00:00Z", value);
    options->make_key_expires = value;
    return TR_OK;
}

#define CHARS(member)                                                                              \
    TR_OPTION_CHARS, offsetof(tr_options, member), sizeof((tr_options *)0)->member - 1, NULL
#define COUNT(member, highest) TR_OPTION_COUNT, offsetof(tr_options, member), highest, NULL
#define TEXT(member) TR_OPTION_TEXT, offsetof(tr_options, member), 0, NULL
#define FLAG(member) TR_OPTION_FLAG, offsetof(tr_options, member), 0, NULL
#define CALL(reader) TR_OPTION_CALL, 0, 0, reader

static const option_row rows[] = {
    {"config", "FILE", "read settings from FILE; options win over it [none]", CHARS(config_file)},
    {"check-config", "FILE", "check FILE, print the result and exit", CALL(read_check_config)},
    {"listen", "HOST:PORT", "address to serve on; port 0 lets the system choose [127.0.0.1:7400]",
     CALL(read_listen)},
    {"port-file", "FILE", "write the port to FILE once clients may connect", CHARS(port_file)},
    {"web-listen", "HOST:PORT",
     "address of the web port: viewer, WebSocket, metrics; or none [127.0.0.1:7401]",
     CALL(read_web_listen)},
    {"web-port-file", "FILE", "write the web port to FILE", CHARS(web_port_file)},
    {"web-root", "DIR", "folder of the viewer, or none [the installed one]",
     CHARS(config.web_root)},
    {"web-origin", "ORIGIN",
     "allow pages of this origin to open a WebSocket, as in https://play.example.org; may be given "
     "several times",
     CALL(read_web_origin)},
    {"state-dir", "DIR", "folder of the catalogue; created if missing [./troupe-state]",
     CHARS(config.state_dir)},
    {"catalogue", "FILE", "catalogue to serve [catalogue.sqlite in the state directory]",
     CHARS(config.catalogue)},
    {"shipped", "FILE", "bundle for an empty catalogue, or none [the installed one]",
     CHARS(config.shipped)},
    {"bundle", "FILE", "import FILE's controllers at start; may be given several times",
     CALL(read_bundle)},
    {"threads", "N",
     "threads that run worlds; 0: the number of processors minus one, or 2 on two processors [0]",
     COUNT(config.threads, THREADS_MAX)},
    {"max-clients", "N", "refuse clients above N; 0: as many as file descriptors allow [0]",
     COUNT(config.max_clients, CLIENTS_MAX)},
    {"allow-plain", NULL, "accept clients of other machines without TLS", FLAG(allow_plain)},
    {"anonymous", "ROLE", "role of clients without a key [admin if there are no keys]",
     CALL(read_anonymous)},
    {"make-key", "NAME",
     "make a client's key, print it and its line for the configuration, and exit",
     CALL(read_make_key)},
    {"role", "ROLE", "role of the key to make: spectator, player, director or admin [player]",
     CALL(read_role)},
    {"expires", "DATE", "expiry of the key to make, as in 2027-01-31 [never]", CALL(read_expires)},
    {"relay", "HOST:PORT", "show the worlds of that daemon to spectators, read-only [none]",
     CALL(read_relay)},
    {"agones", NULL, "report to the sidecar of Agones, at AGONES_SDK_HTTP_PORT [9358]",
     FLAG(config.agones)},
    {"drain", "SECONDS",
     "at SIGTERM make no more worlds, and wait at most SECONDS for the existing ones to end [0]",
     COUNT(config.drain_s, TR_DRAIN_MAX_S)},
    {"log-level", "LEVEL", "error, warn, info or debug [info]", CALL(read_log_level)},
    {"version", NULL, "print the version and exit", FLAG(version)},
    {"help", NULL, "print this help and exit", FLAG(help)},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* A row with a reader, at work. */
typedef struct reading {
    tr_options *options;
    option_reader read;
} reading;

static tr_status hand_over(void *context, const tr_option_value *value, tr_error *error) {
    const reading *r = context;
    return r->read(r->options, value->text, error);
}

static tr_status read_options(tr_options *options, tr_error *error) {
    tr_option table[ROW_COUNT];
    tr_option_call call[ROW_COUNT];
    reading r[ROW_COUNT];
    for (int i = 0; i < ROW_COUNT; i++) {
        const option_row *row = &rows[i];
        void *target = (char *)options + row->offset;
        r[i] = (reading){options, row->read};
        call[i] = (tr_option_call){hand_over, &r[i], NULL};
        table[i] = (tr_option){row->name, row->kind, row->read ? &call[i] : target, 0, row->high};
    }
    int at = 0;
    tr_error why = {0};
    const tr_option_table all = {table, ROW_COUNT, false};
    tr_status status = tr_option_take(&all, options->argc - 1, options->argv + 1, &at, &why);
    if (status)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s%s", why.message,
                       status == TR_NOT_FOUND ? "; see --help" : "");
    if (at + 1 < options->argc)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s': expected an option; see --help",
                       options->argv[at + 1]);
    return TR_OK;
}

/* Options win over the file that one of them names: they are read again after it. */
static tr_status read_file(tr_options *options, tr_error *error) {
    tr_options *first = malloc(sizeof *first);
    if (!first)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    *first = *options;
    tr_status status = read_options(first, error);
    if (!status && first->config_file[0])
        status = tr_config_read(first->config_file, &options->config, error);
    free(first);
    return status;
}

static tr_status read_all(tr_options *options, tr_error *error) {
    tr_config_default(&options->config);
    tr_status status = read_file(options, error);
    if (!status)
        status = read_options(options, error);
    if (options->allow_plain)
        options->config.plain_anywhere = options->config.web_plain_anywhere = true;
    if (status || options->help || options->version || options->make_key)
        return status;
    return tr_config_check(&options->config, error);
}

tr_status tr_options_parse(int argc, char **argv, tr_options *out, tr_error *error) {
    tr_options *options = calloc(1, sizeof *options);
    if (!options)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    options->argc = argc;
    options->argv = argv;
    options->make_key_role = TR_ROLE_PLAYER;
    tr_status status = read_all(options, error);
    if (!status)
        *out = *options;
    free(options);
    return status;
}

void tr_options_help(FILE *out) {
    fputs("trouped: hosts worlds of learned, physically simulated characters\n\n"
          "usage: trouped [options]\n\n",
          out);
    for (int i = 0; i < ROW_COUNT; i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s %s", rows[i].name, rows[i].value ? rows[i].value : "");
        fprintf(out, "  %-23s %s\n", left, rows[i].help);
    }
    fputs("\nSIGHUP reads the configuration, its keys and certificates again. SIGTERM and SIGINT "
          "shut it down: clients are notified, the catalogue is closed, exit "
          "status 0. With --drain the worlds may end first, and a second signal ends the wait.\n",
          out);
}
