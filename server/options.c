#include "server/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { TR_THREADS_MAX = 256 };

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
static tr_status read_listen(tr_options *options, const char *value, tr_error *error) {
    const char *colon = strrchr(value, ':');
    if (colon == NULL || colon == value)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--listen: '%s': expected host:port, as in 127.0.0.1:7400", value);
    const char *host = value;
    size_t size = (size_t)(colon - value);
    if (host[0] == '[' && size > 2 && host[size - 1] == ']') {
        host++;
        size -= 2;
    }
    if (size >= sizeof options->host)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--listen: the host is too long");
    tr_status status = read_int("listen", colon + 1, 65535, &options->port, error);
    if (status != TR_OK)
        return status;
    memcpy(options->host, host, size);
    options->host[size] = '\0';
    return TR_OK;
}

static tr_status read_port_file(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->port_file, sizeof options->port_file, "port-file", value, error);
}

static tr_status read_state_dir(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->state_dir, sizeof options->state_dir, "state-dir", value, error);
}

static tr_status read_catalogue(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->catalogue, sizeof options->catalogue, "catalogue", value, error);
}

static tr_status read_shipped(tr_options *options, const char *value, tr_error *error) {
    return copy_text(options->shipped, sizeof options->shipped, "shipped", value, error);
}

static tr_status read_bundle(tr_options *options, const char *value, tr_error *error) {
    if (options->bundle_count == TR_OPTION_BUNDLE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--bundle: given more than %d times",
                       TR_OPTION_BUNDLE_MAX);
    options->bundle[options->bundle_count++] = value;
    return TR_OK;
}

static tr_status read_threads(tr_options *options, const char *value, tr_error *error) {
    return read_int("threads", value, TR_THREADS_MAX, &options->threads, error);
}

static tr_status read_max_clients(tr_options *options, const char *value, tr_error *error) {
    return read_int("max-clients", value, 1000000, &options->max_clients, error);
}

static tr_status read_log_level(tr_options *options, const char *value, tr_error *error) {
    if (!tr_log_level_parse(value, &options->log_level))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--log-level: '%s': expected error, warn, info or debug", value);
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
    {"listen", "HOST:PORT", "address to serve on; port 0 lets the system choose [127.0.0.1:7400]",
     read_listen},
    {"port-file", "FILE", "write the port served on to FILE once clients may connect",
     read_port_file},
    {"state-dir", "DIR", "where the catalogue is kept; created when missing [./troupe-state]",
     read_state_dir},
    {"catalogue", "FILE", "catalogue to serve [catalogue.sqlite in the state directory]",
     read_catalogue},
    {"shipped", "FILE",
     "bundle for an empty catalogue, or none [the one that came with the daemon]", read_shipped},
    {"bundle", "FILE", "import FILE's controllers at start; may be given several times",
     read_bundle},
    {"threads", "N", "threads that run worlds; 0 is one per processor [0]", read_threads},
    {"max-clients", "N", "refuse clients past N; 0 is as many as file descriptors allow [0]",
     read_max_clients},
    {"log-level", "LEVEL", "error, warn, info or debug [info]", read_log_level},
    {"version", NULL, "say the version and leave", read_version},
    {"help", NULL, "say this and leave", read_help},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

tr_options tr_options_default(void) {
    tr_options options = {.host = "127.0.0.1", .port = 7400, .state_dir = "troupe-state"};
    options.log_level = TR_LOG_INFO;
    return options;
}

tr_status tr_options_parse(int argc, char **argv, tr_options *out, tr_error *error) {
    struct option table[ROW_COUNT + 1] = {0};
    for (int i = 0; i < ROW_COUNT; i++)
        table[i] = (struct option){
            rows[i].name, rows[i].value != NULL ? required_argument : no_argument, NULL, 0};
    tr_options options = tr_options_default();
    optind = 0; /* GNU: start over, so that tests may parse more than once */
    opterr = 0;
    int at = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":", table, &at)) != -1;) {
        if (c == ':')
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s: needs a value", argv[optind - 1]);
        if (c != 0)
            return tr_fail(error, TR_INVALID_ARGUMENT, "%s: no such option; see --help",
                           argv[optind - 1]);
        tr_status status = rows[at].read(&options, optarg, error);
        if (status != TR_OK)
            return status;
    }
    if (optind < argc)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s': expected an option; see --help",
                       argv[optind]);
    *out = options;
    return TR_OK;
}

void tr_options_help(FILE *out) {
    fputs("trouped: hosts worlds of learned, physically simulated characters\n\n"
          "usage: trouped [options]\n\n",
          out);
    for (int i = 0; i < ROW_COUNT; i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s %s", rows[i].name,
                 rows[i].value != NULL ? rows[i].value : "");
        fprintf(out, "  %-22s %s\n", left, rows[i].help);
    }
    fputs("\nSIGTERM and SIGINT end it cleanly: clients are told, the catalogue is closed, exit "
          "status 0.\n",
          out);
}
