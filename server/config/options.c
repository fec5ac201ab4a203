#include "server/config/options.h"

#include "proto/argument.h"
#include "server/config/address.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 256, CLIENTS_MAX = 1000000 };

static tr_status read_address(const char *name, const char *value, char host[TR_HOST_TEXT_MAX],
                              int *port, tr_error *error) {
    if (!tr_address_split(value, host, TR_HOST_TEXT_MAX, port))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--%s: '%s': expected host:port, as in 127.0.0.1:7400", name, value);
    return TR_OK;
}

static tr_status read_listen(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    return read_address("listen", value->text, options->config.host, &options->config.port, error);
}

static tr_status read_web_listen(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    options->config.web_asked = true;
    if (strcmp(value->text, "none") == 0) {
        options->config.web_host[0] = '\0';
        return TR_OK;
    }
    return read_address("web-listen", value->text, options->config.web_host,
                        &options->config.web_port, error);
}

static tr_status read_relay(void *out, const tr_option_value *value, tr_error *error) {
    tr_config *config = &((tr_options *)out)->config;
    if (!tr_address_split(value->text, config->relay_host, TR_RELAY_HOST_MAX, &config->relay_port))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--relay: '%s': expected host:port of a daemon, as in play.example.org:7400",
                       value->text);
    return TR_OK;
}

static tr_status read_web_origin(void *out, const tr_option_value *value, tr_error *error) {
    tr_web_origins *origins = &((tr_options *)out)->config.web_origins;
    if (!tr_web_origin_is_valid(value->text))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--web-origin: '%s': expected scheme, host and perhaps port, as in "
                       "https://play.example.org",
                       value->text);
    if (origins->count == TR_WEB_ORIGINS_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--web-origin: given more than %d times",
                       TR_WEB_ORIGINS_MAX);
    memcpy(origins->origin[origins->count++], value->text, strlen(value->text) + 1);
    return TR_OK;
}

static tr_status read_bundle(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    if (options->bundle_count == TR_OPTION_BUNDLE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--bundle: given more than %d times",
                       TR_OPTION_BUNDLE_MAX);
    options->bundle[options->bundle_count++] = value->text;
    return TR_OK;
}

static tr_status read_log_level(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    if (!tr_log_level_parse(value->text, &options->config.log_level))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--log-level: '%s': expected error, warn, info or debug", value->text);
    return TR_OK;
}

static tr_status read_check_config(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    options->check_config = true;
    return tr_option_store(&(tr_option){"check-config", TR_OPTION_CHARS, options->config_file, 0,
                                        sizeof options->config_file - 1},
                           value->text, error);
}

static tr_status read_anonymous(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    if (!tr_role_parse(value->text, &options->config.anonymous))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--anonymous: '%s': expected none, spectator, player, director or admin",
                       value->text);
    options->config.anonymous_is_set = true;
    return TR_OK;
}

static tr_status read_make_key(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    if (!tr_key_name_is_valid(value->text))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--make-key: '%s': expected 1 to 47 of a-z, 0-9 and '-'", value->text);
    options->make_key = value->text;
    return TR_OK;
}

static tr_status read_role(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    if (!tr_role_parse(value->text, &options->make_key_role) ||
        options->make_key_role == TR_ROLE_NONE)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--role: '%s': expected spectator, player, director or admin", value->text);
    return TR_OK;
}

static tr_status read_expires(void *out, const tr_option_value *value, tr_error *error) {
    tr_options *options = out;
    int64_t at_s = 0;
    if (!tr_expiry_parse(value->text, &at_s))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--expires: '%s': expected 2027-01-31 or 2027-01-31T12:00:00Z", value->text);
    options->make_key_expires = value->text;
    return TR_OK;
}

#define AT(member) offsetof(tr_options, member)
#define ROOM(member) (sizeof((tr_options *)0)->member - 1)

static const tr_argument rows[] = {
    {"--config FILE", TR_OPTION_CHARS, AT(config_file),
     "read settings from FILE; options win over it [none]", 0, ROOM(config_file)},
    {"--check-config FILE", TR_OPTION_CALL, 0, "check FILE, print the result and exit",
     .take = read_check_config},
    {"--listen HOST:PORT", TR_OPTION_CALL, 0,
     "address to serve on; port 0 lets the system choose [127.0.0.1:7400]", .take = read_listen},
    {"--port-file FILE", TR_OPTION_CHARS, AT(port_file),
     "write the port to FILE once clients may connect", 0, ROOM(port_file)},
    {"--web-listen HOST:PORT", TR_OPTION_CALL, 0,
     "address of the web port: viewer, WebSocket, metrics; or none [127.0.0.1:7401]",
     .take = read_web_listen},
    {"--web-port-file FILE", TR_OPTION_CHARS, AT(web_port_file), "write the web port to FILE", 0,
     ROOM(web_port_file)},
    {"--web-root DIR", TR_OPTION_CHARS, AT(config.web_root),
     "folder of the viewer, or none [the installed one]", 0, ROOM(config.web_root)},
    {"--web-origin ORIGIN", TR_OPTION_CALL, 0,
     "allow pages of this origin to open a WebSocket, as in https://play.example.org; may be given "
     "several times",
     .take = read_web_origin},
    {"--state-dir DIR", TR_OPTION_CHARS, AT(config.state_dir),
     "folder of the catalogue; created if missing [./troupe-state]", 0, ROOM(config.state_dir)},
    {"--catalogue FILE", TR_OPTION_CHARS, AT(config.catalogue),
     "catalogue to serve [catalogue.sqlite in the state directory]", 0, ROOM(config.catalogue)},
    {"--shipped FILE", TR_OPTION_CHARS, AT(config.shipped),
     "bundle for an empty catalogue, or none [the installed one]", 0, ROOM(config.shipped)},
    {"--bundle FILE", TR_OPTION_CALL, 0,
     "import FILE's controllers at start, by free names where theirs are taken; may be given "
     "several times",
     .take = read_bundle},
    {"--threads N", TR_OPTION_COUNT, AT(config.threads),
     "threads that run worlds; 0: the number of processors minus one, or 2 on two processors [0]",
     0, THREADS_MAX},
    {"--max-clients N", TR_OPTION_COUNT, AT(config.max_clients),
     "refuse clients above N; 0: as many as file descriptors allow [0]", 0, CLIENTS_MAX},
    {"--allow-plain", TR_OPTION_FLAG, AT(allow_plain),
     "accept clients of other machines without TLS"},
    {"--anonymous ROLE", TR_OPTION_CALL, 0,
     "role of clients without a key [admin if there are no keys]", .take = read_anonymous},
    {"--make-key NAME", TR_OPTION_CALL, 0,
     "make a client's key, print it and its line for the configuration, and exit",
     .take = read_make_key},
    {"--role ROLE", TR_OPTION_CALL, 0,
     "role of the key to make: spectator, player, director or admin [player]", .take = read_role},
    {"--expires DATE", TR_OPTION_CALL, 0, "expiry of the key to make, as in 2027-01-31 [never]",
     .take = read_expires},
    {"--relay HOST:PORT", TR_OPTION_CALL, 0,
     "show the worlds of that daemon to spectators, read-only [none]", .take = read_relay},
    {"--agones", TR_OPTION_FLAG, AT(config.agones),
     "report to the sidecar of Agones, at AGONES_SDK_HTTP_PORT [9358]"},
    {"--drain SECONDS", TR_OPTION_COUNT, AT(config.drain_s),
     "at SIGTERM make no more worlds, and wait at most SECONDS for the existing ones to end [0]", 0,
     TR_DRAIN_MAX_S},
    {"--log-level LEVEL", TR_OPTION_CALL, 0, "error, warn, info or debug [info]",
     .take = read_log_level},
    {"--version", TR_OPTION_FLAG, AT(version), "print the version and exit"},
    {"--help", TR_OPTION_FLAG, AT(help), "print this help and exit"},
    {0}};

static tr_status read_options(tr_options *options, tr_error *error) {
    tr_error why = {0};
    tr_status status = tr_argument_take(rows, options->argc - 1, options->argv + 1, options, &why);
    return status ? tr_fail(error, TR_INVALID_ARGUMENT, "%s; see --help", why.message) : TR_OK;
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
    tr_argument_print_help(rows, out);
    fputs("\nSIGHUP reads the configuration, its keys and certificates again. SIGTERM and SIGINT "
          "shut it down: clients are notified, the catalogue is closed, exit "
          "status 0. With --drain the worlds may end first, and a second signal ends the wait.\n",
          out);
}
