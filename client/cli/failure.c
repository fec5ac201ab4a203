#include "cli/failure.h"

#include "cli/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool in_json; /* for the whole process */

void tr_cli_fail_in_json(void) {
    in_json = true;
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

/* Texts of the daemon are shown without control characters. */
static void print_plain(FILE *file, const char *text) {
    for (; *text; text++)
        fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, file);
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
    const char *text = message[0] ? message : tr_status_text(status);
    const char *what_to_do = advice_given ? advice_given : advice(status);
    if (in_json) {
        print_json(status, text, what_to_do);
        return exit_code(status);
    }
    fprintf(stderr, "troupe: ");
    print_plain(stderr, text);
    fprintf(stderr, " (%s)\n%s\n", tr_status_name(status), what_to_do);
    return exit_code(status);
}

int tr_cli_fail_to_connect(const tr_cli *cli, tr_status status, const char *message) {
    return tr_cli_fail(status, message, connection_advice(cli, status));
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
