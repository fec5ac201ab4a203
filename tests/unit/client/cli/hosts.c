/* Name servers: what is begun with the system's resolver is ended, whatever TROUPE_DNS says. */
#include "cmocka_test.h"

#include <resolv.h>
#include <stdlib.h>

static int begun, ended;

static int begin(struct __res_state *state) {
    begun++;
    return res_ninit(state);
}

static void end(struct __res_state *state) {
    ended++;
    res_nclose(state);
}

#undef res_ninit
#undef res_nclose
#define res_ninit begin
#define res_nclose end
#include "cli/hosts.c"

/* --- what hosts.c needs of the command line --- */

static char said[TR_ERROR_MESSAGE_MAX];

int tr_cli_fail(tr_status status, const char *message, const char *advice) {
    (void)status, (void)advice;
    snprintf(said, sizeof said, "%s", message);
    return TR_EXIT_REFUSED;
}

int tr_cli_fail_to_connect(const tr_cli *cli, tr_status status, const char *message) {
    (void)cli;
    return tr_cli_fail(status, message, NULL);
}

int tr_cli_usage_error(const char *format, ...) {
    return tr_cli_fail(TR_INVALID_ARGUMENT, format, NULL);
}

bool tr_cli_fails_in_json(void) {
    return false;
}

bool tr_cli_parse_address(const char *text, tr_cli *cli) {
    (void)text, (void)cli;
    return false;
}

tr_status tr_cli_try_to_connect(tr_cli *cli, tr_error *error) {
    (void)cli;
    return tr_fail(error, TR_UNAVAILABLE, "nobody is there");
}

int tr_cli_ask(tr_cli *cli, uint64_t request, const tr_client_reply **out) {
    (void)cli, (void)request, (void)out;
    return TR_EXIT_REFUSED;
}

TEST(a_bad_name_server_leaves_no_resolver) {
    const tr_cli cli = {0};
    tr_cli_hosts hosts = {0};
    for (int i = 0; i < 2; i++) {
        setenv("TROUPE_DNS", i ? "nowhere:53" : "127.0.0.1", 1);
        assert_int_equal(tr_cli_hosts_read(&cli, "_troupe._tcp.nobody.test", &hosts),
                         TR_EXIT_REFUSED);
        assert_string_equal(
            said, "TROUPE_DNS: expected the address of a name server, as in 127.0.0.1:53");
        assert_true(begun == i + 1 && ended == begun);
    }
    unsetenv("TROUPE_DNS");
}
