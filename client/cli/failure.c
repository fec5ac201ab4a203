#include "cli/failure.h"

#include "cli/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the whole process. */
static bool in_json;
static const tr_cli_command *current;

void tr_cli_fail_in_json(void) {
    in_json = true;
}

void tr_cli_fail_as(const tr_cli_command *command) {
    current = command;
}

bool tr_cli_fails_in_json(void) {
    return in_json;
}

/* Advice for a person, by status. */
static const char *advice(tr_status status) {
    switch (status) {
    case TR_UNAVAILABLE:
        return "Is trouped running there? Start it with 'trouped', or name its address with --host "
               "and --port, or in TROUPE_ADDRESS=host:port.";
    case TR_DEADLINE_EXCEEDED:
        return "Wait longer with --timeout SECONDS; a world that is paused or waits for "
               "steppers answers late.";
    case TR_NOT_FOUND:
        return "'troupe worlds', 'troupe state WORLD', 'troupe controllers', 'troupe models', "
               "'troupe match list' and 'troupe recordings' list what there is.";
    case TR_UNAUTHENTICATED:
        return "Give the client's key with --key-file FILE, or in TROUPE_KEY_FILE; 'trouped "
               "--make-key NAME' makes one.";
    case TR_PERMISSION_DENIED:
        return "The key's role may not do this; ask the daemon's admin for another role.";
    case TR_ALREADY_EXISTS:
        return "Choose another name, or remove the existing item.";
    case TR_RESOURCE_EXHAUSTED:
        return "Remove worlds or entities that are no longer needed, or raise the daemon's limits.";
    case TR_FAILED_PRECONDITION: /* its message says what would work */
        return "";
    case TR_OUT_OF_RANGE:
        return "'troupe worlds' shows the tick at which each world is, 'troupe controllers NAME' "
               "the "
               "fragments of a controller.";
    case TR_INVALID_ARGUMENT:
        return current ? "" : "'troupe help COMMAND' describes the arguments.";
    case TR_DATA_LOSS:
        return "The stored data is damaged or cut off, or repeating it gives another result.";
    default:
        return "The daemon's log on its standard error may say more.";
    }
}

/* The same before there is a connection. */
static const char *connection_advice(const tr_cli *cli, tr_status status) {
    switch (status) {
    case TR_UNAVAILABLE:
        return cli->tls ? advice(status)
                        : "Is trouped running there? Start it with 'trouped', or name its address "
                          "with --host and --port, or in TROUPE_ADDRESS=host:port. If its port "
                          "uses TLS, add --tls.";
    case TR_DATA_LOSS:
        return cli->tls ? "Name the certificates to trust with --ca FILE, or in TROUPE_CA; omit "
                          "--tls if the port does not use TLS."
                        : "Is that the daemon's game port?";
    case TR_DEADLINE_EXCEEDED:
        return "Is that the daemon's game port? Wait longer with --timeout SECONDS.";
    case TR_INVALID_ARGUMENT:
        return "'troupe help' explains --key-file and --ca.";
    default:
        return advice(status);
    }
}

static int exit_code(tr_status status) {
    return !status                          ? TR_EXIT_OK
           : status == TR_UNAVAILABLE       ? TR_EXIT_NO_SERVER
           : status == TR_DEADLINE_EXCEEDED ? TR_EXIT_TIMEOUT
                                            : TR_EXIT_REFUSED;
}

/* --- the user's words --- */

/* Is `name` how a message calls the field that the user gives as `word`? Words have hyphens for
 * underscores; a field may end in its unit, and lie in a message: "scene.ground.friction". */
static bool names_field(const char *word, const char *name, size_t length) {
    static const char *const units[] = {"", "_s", "_rad", "_n"};
    size_t size = strcspn(word, " ");
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        if (length != size + strlen(units[u]) ||
            strncmp(name + size, units[u], strlen(units[u])) != 0)
            continue;
        size_t i = 0;
        while (i < size && tolower((unsigned char)word[i]) == (name[i] == '_' ? '-' : name[i]))
            i++;
        if (i == size)
            return true;
    }
    return false;
}

/* The argument that a message which begins with `path` is about; NULL: none. */
static const tr_argument *argument_of(const char *path, size_t length) {
    const char *name = path + length;
    while (name > path && name[-1] != '.')
        name--;
    for (const tr_argument *a = current ? current->argument : NULL; a && a->usage; a++)
        if (names_field(a->usage + strspn(a->usage, "-["), name, length - (size_t)(name - path)))
            return a;
    return NULL;
}

/* "speed: 99: expected ..." becomes "--speed: 99: expected ...". */
static void in_users_words(const char *message, char *out, size_t capacity) {
    size_t length = strspn(message, "abcdefghijklmnopqrstuvwxyz_.0123456789");
    const tr_argument *a = message[length] == ':' ? argument_of(message, length) : NULL;
    if (a)
        snprintf(out, capacity, "%.*s%s", (int)strcspn(a->usage, " "), a->usage, message + length);
    else
        snprintf(out, capacity, "%s", message);
}

int tr_cli_print_plain(FILE *file, const char *text) {
    int width = 0;
    for (; *text; text++) {
        bool control = (unsigned char)*text < 0x20 || *text == 0x7f;
        if (file)
            fputc(control ? ' ' : *text, file);
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

static void print_json(tr_status status, const char *message, const char *advice_given) {
    json_t *object = json_pack("{s:{s:s, s:s, s:s}}", "error", "status", tr_status_name(status),
                               "message", message, "advice", advice_given);
    char *text = object ? json_dumps(object, TR_OUTPUT_JSON) : NULL;
    fprintf(stderr, "%s\n", text ? text : "{\"error\":{}}"); /* no memory, or not UTF-8 */
    free(text);
    json_decref(object);
}

int tr_cli_fail(tr_status status, const char *message, const char *advice_given) {
    char text[1024];
    in_users_words(message[0] ? message : tr_status_text(status), text, sizeof text);
    const char *what_to_do = advice_given ? advice_given : advice(status);
    if (in_json) {
        print_json(status, text, what_to_do);
        return exit_code(status);
    }
    fprintf(stderr, "troupe: ");
    tr_cli_print_plain(stderr, text);
    fprintf(stderr, " (%s)\n%s%s", tr_status_name(status), what_to_do, what_to_do[0] ? "\n" : "");
    return exit_code(status);
}

int tr_cli_fail_to_connect(const tr_cli *cli, tr_status status, const char *message) {
    return tr_cli_fail(status, message, connection_advice(cli, status));
}

int tr_cli_fail_on_file(const char *path) {
    (void)tr_cli_usage_error("%s: %s", path, strerror(errno));
    return TR_EXIT_FILE;
}

int tr_cli_fail_in_file(const tr_error *error) {
    fprintf(stderr, "troupe: %s\n", error->message);
    return TR_EXIT_FILE;
}

int tr_cli_usage_error(const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (in_json)
        print_json(TR_INVALID_ARGUMENT, message, "'troupe help' describes the command line.");
    else
        fprintf(stderr, "troupe: %s\n", message);
    return TR_EXIT_USAGE;
}
