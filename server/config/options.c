#include "server/config/options.h"

#include "proto/long_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 256 };

/* One row per option: what getopt needs, what help says, and the function that takes the value. */
typedef tr_status (*option_reader)(tr_options *options, const char *value, tr_error *error);
typedef struct option_row {
    const char *name;
    const char *value; /* NULL: a flag */
    const char *help;
    option_reader read;
} option_row;

static tr_status copy_text(char *to, size_t capacity, const char *name, const char *value,
                           tr_error *error) {
    if (strlen(value) == 0 || strlen(value) >= capacity)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--%s: expected 1 to %zu bytes", name,
                       capacity - 1);
    memcpy(to, value, strlen(value) + 1);
    return TR_OK;
}

static tr_status read_int(const char *name, const char *value, int highest, int *out,
                          tr_error *error) {
    char *end = NULL;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || number < 0 || number > highest)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--%s: '%s': expected a number from 0 to %d",
                       name, value, highest);
    *out = (int)number;
    return TR_OK;
}

/* "host:port" or "[v6]:port". */
static tr_status read_address(const char *name, const char *value, char host[TR_HOST_TEXT_MAX],
                              int *port, tr_error *error) {
    const char *colon = strrchr(value, ':');
    if (colon == NULL || colon == value)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--%s: '%s': expected host:port, as in 127.0.0.1:7400", name, value);
    const char *from = value;
    size_t size = (size_t)(colon - value);
    if (from[0] == '[' && size > 2 && from[size - 1] == ']') {
        from++;
        size -= 2;
    }
    if (size >= TR_HOST_TEXT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--%s: the host is too long", name);
    tr_status status = read_int(name, colon + 1, 65535, port, error);
    if (status != TR_OK)
        return status;
    memcpy(host, from, size);
    host[size] = '\0';
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

static tr_status read_web_port_file(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->web_port_file, sizeof options->web_port_file, "web-port-file", value,
                     error);
}

static tr_status read_web_root(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->config.web_root, sizeof options->config.web_root, "web-root", value,
                     error);
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

static tr_status read_port_file(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->port_file, sizeof options->port_file, "port-file", value, error);
}

static tr_status read_state_dir(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->config.state_dir, sizeof options->config.state_dir, "state-dir",
                     value, error);
}

static tr_status read_catalogue(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->config.catalogue, sizeof options->config.catalogue, "catalogue",
                     value, error);
}

static tr_status read_shipped(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->config.shipped, sizeof options->config.shipped, "shipped", value,
                     error);
}

static tr_status read_bundle(tr_options *options, const char *value, tr_error *error) {
    if (options->bundle_count == TR_OPTION_BUNDLE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--bundle: given more than %d times",
                       TR_OPTION_BUNDLE_MAX);
    options->bundle[options->bundle_count++] = value;
    return TR_OK;
}

static tr_status read_threads(tr_options *options, const char *value, tr_error *error) {
    return read_int("threads", value, THREADS_MAX, &options->config.threads, error);
}

static tr_status read_max_clients(tr_options *options, const char *value, tr_error *error) {
    return read_int("max-clients", value, 1000000, &options->config.max_clients, error);
}

static tr_status read_log_level(tr_options *options, const char *value, tr_error *error) {
    if (!tr_log_level_parse(value, &options->config.log_level))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--log-level: '%s': expected error, warn, info or debug", value);
    return TR_OK;
}

static tr_status read_config(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->config_file, sizeof options->config_file, "config", value, error);
}

static tr_status read_check_config(tr_options *options, const char *value, tr_error *error) {
    options->check_config = true;
    return read_config(options, value, error);
}

static tr_status read_allow_plain(tr_options *options, const char *value, tr_error *error) {
    (void)value, (void)error;
    options->config.plain_anywhere = options->config.web_plain_anywhere = true;
    return TR_OK;
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

static tr_status read_convert_keys(tr_options *options, const char *value, tr_error *error) {
    (void)error;
    options->convert_keys = value;
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

static tr_status read_help(tr_options *options, const char *value, tr_error *error) {
    (void)value, (void)error;
    options->help = true;
    return TR_OK;
}

static tr_status read_version(tr_options *options, const char *value, tr_error *error) {
    (void)value, (void)error;
    options->version = true;
    return TR_OK;
}

static const option_row rows[] = {
    {"config", "FILE", "read settings from FILE; options win over it [none]", read_config},
    {"check-config", "FILE", "say whether FILE is sound, and leave", read_check_config},
    {"listen", "HOST:PORT", "address to serve on; port 0 lets the system choose [127.0.0.1:7400]",
     read_listen},
    {"port-file", "FILE", "write the port served on to FILE once clients may connect",
     read_port_file},
    {"web-listen", "HOST:PORT",
     "address of the web port: viewer, WebSocket, metrics; or none [127.0.0.1:7401]",
     read_web_listen},
    {"web-port-file", "FILE", "write the web port served on to FILE", read_web_port_file},
    {"web-root", "DIR", "folder of the viewer, or none [the one that came with the daemon]",
     read_web_root},
    {"web-origin", "ORIGIN",
     "let pages of this origin open a WebSocket, as in https://play.example.org; may be given "
     "several times",
     read_web_origin},
    {"state-dir", "DIR", "where the catalogue is kept; created when missing [./troupe-state]",
     read_state_dir},
    {"catalogue", "FILE", "catalogue to serve [catalogue.sqlite in the state directory]",
     read_catalogue},
    {"shipped", "FILE",
     "bundle for an empty catalogue, or none [the one that came with the daemon]", read_shipped},
    {"bundle", "FILE", "import FILE's controllers at start; may be given several times",
     read_bundle},
    {"threads", "N", "threads that run worlds; 0 is one per processor but one [0]", read_threads},
    {"max-clients", "N", "refuse clients past N; 0 is as many as file descriptors allow [0]",
     read_max_clients},
    {"allow-plain", NULL, "take clients from beyond this machine without TLS", read_allow_plain},
    {"anonymous", "ROLE", "what clients without a key are [admin as long as there are no keys]",
     read_anonymous},
    {"make-key", "NAME", "make a client's key, say it and its line of the configuration, and leave",
     read_make_key},
    {"convert-keys", "FILE",
     "print FILE with verifiers for SCRAM in place of older hashes of the keys on standard input, "
     "a key a line, and leave",
     read_convert_keys},
    {"role", "ROLE", "of the key to make: spectator, player, director or admin [player]",
     read_role},
    {"expires", "DATE", "of the key to make, as in 2027-01-31 [never]", read_expires},
    {"log-level", "LEVEL", "error, warn, info or debug [info]", read_log_level},
    {"version", NULL, "say the version and leave", read_version},
    {"help", NULL, "say this and leave", read_help},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* The file comes before all options, wherever it is named: they win. */
static tr_status read_file(tr_options *options, tr_error *error) {
    return options->config_file[0] == '\0'
               ? TR_OK
               : tr_config_read(options->config_file, &options->config, error);
}

static void make_table(struct option table[ROW_COUNT + 1]) {
    for (int i = 0; i < ROW_COUNT; i++)
        table[i] = (struct option){
            rows[i].name, rows[i].value != NULL ? required_argument : no_argument, NULL, 0};
    table[ROW_COUNT] = (struct option){0};
}

static bool names_file(const option_row *row) {
    return row->read == read_config || row->read == read_check_config;
}

/* Hands every option of argv to its reader; with `first` only the one that names the file. */
static tr_status read_options(tr_options *options, bool first, tr_error *error) {
    struct option table[ROW_COUNT + 1];
    make_table(table);
    optind = 0; /* GNU: start over */
    opterr = 0;
    int at = 0;
    for (int c = 0;
         (c = tr_long_option_next(options->argc, options->argv, ":", table, &at)) != -1;) {
        if (c == ':')
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s: needs a value",
                           options->argv[optind - 1]);
        if (c != 0)
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s: no such option; see --help",
                           options->argv[optind - 1]);
        tr_status status =
            first == names_file(&rows[at]) ? rows[at].read(options, optarg, error) : TR_OK;
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

static tr_status read_all(tr_options *options, tr_error *error) {
    tr_config_default(&options->config);
    tr_status status = read_options(options, true, error);
    if (status == TR_OK)
        status = read_file(options, error);
    if (status == TR_OK)
        status = read_options(options, false, error);
    if (status == TR_OK && optind < options->argc)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "'%s': expected an option; see --help",
                         options->argv[optind]);
    if (status != TR_OK || options->help || options->version || options->make_key ||
        options->convert_keys)
        return status;
    return tr_config_check(&options->config, error);
}

tr_status tr_options_parse(int argc, char **argv, tr_options *out, tr_error *error) {
    tr_options *options = calloc(1, sizeof *options);
    if (options == NULL)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    options->argc = argc;
    options->argv = argv;
    options->make_key_role = TR_ROLE_PLAYER;
    tr_status status = read_all(options, error);
    if (status == TR_OK)
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
        snprintf(left, sizeof left, "--%s %s", rows[i].name,
                 rows[i].value != NULL ? rows[i].value : "");
        fprintf(out, "  %-23s %s\n", left, rows[i].help);
    }
    fputs("\nSIGHUP reads the configuration, its keys and certificates again. SIGTERM and SIGINT "
          "end it cleanly: clients are told, the catalogue is closed, exit "
          "status 0.\n",
          out);
}
