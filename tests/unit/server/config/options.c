#include "cmocka_test.h"

#include "server/config/options.h"

#include <stdio.h>
#include <string.h>

static tr_status parse(tr_options *out, tr_error *error, int argc, const char **argv) {
    return tr_options_parse(argc, (char **)argv, out, error);
}

#define PARSE(out, error, ...)                                                                     \
    parse(out, error, (int)(sizeof((const char *[]){"trouped", __VA_ARGS__}) / sizeof(char *)),    \
          (const char *[]){"trouped", __VA_ARGS__, NULL})

TEST(test_defaults) {
    static tr_options options;
    assert_int_equal(parse(&options, NULL, 1, (const char *[]){"trouped", NULL}), TR_OK);
    assert_string_equal(options.config.host, "127.0.0.1");
    assert_int_equal(options.config.port, 7400);
    assert_int_equal(options.config.threads, 0);
    assert_int_equal(options.config.log_level, TR_LOG_INFO);
}

TEST(test_every_option) {
    static tr_options options;
    assert_int_equal(PARSE(&options, NULL, "--listen", "0.0.0.0:0", "--port-file", "p",
                           "--state-dir=s", "--shipped", "none", "--catalogue", "c", "--bundle",
                           "a", "--bundle", "b", "--threads", "3", "--max-clients", "9",
                           "--log-level", "debug", "--allow-plain", "--anonymous", "spectator"),
                     TR_OK);
    assert_string_equal(options.config.host, "0.0.0.0");
    assert_int_equal(options.config.port, 0);
    assert_string_equal(options.port_file, "p");
    assert_string_equal(options.config.state_dir, "s");
    assert_string_equal(options.config.catalogue, "c");
    assert_string_equal(options.config.shipped, "none");
    assert_int_equal(options.bundle_count, 2);
    assert_string_equal(options.bundle[1], "b");
    assert_int_equal(options.config.threads, 3);
    assert_int_equal(options.config.max_clients, 9);
    assert_int_equal(options.config.log_level, TR_LOG_DEBUG);
    assert_true(options.config.plain_anywhere);
    assert_int_equal(tr_config_anonymous(&options.config), TR_ROLE_SPECTATOR);
}

TEST(test_address_of_version_6) {
    static tr_options options;
    assert_int_equal(PARSE(&options, NULL, "--listen", "[::1]:7401"), TR_OK);
    assert_string_equal(options.config.host, "::1");
    assert_int_equal(options.config.port, 7401);
}

TEST(test_mistakes_name_the_option) {
    static const char *const wrong[][2] = {
        {"--listen", "7400"},     {"--listen", ":7400"},   {"--listen", "h:65536"},
        {"--listen", "h:x"},      {"--threads", "-1"},     {"--threads", "1x"},
        {"--threads", "1000"},    {"--log-level", "loud"}, {"--state-dir", ""},
        {"--max-clients", "1e9"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tr_options options = {.config.port = -1};
        tr_error error = {0};
        assert_int_equal(PARSE(&options, &error, wrong[i][0], wrong[i][1]), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, wrong[i][0]));
        assert_int_equal(options.config.port, -1);
    }
}

TEST(test_beyond_this_machine_takes_tls_and_keys) {
    static tr_options options;
    tr_error error;
    assert_int_equal(PARSE(&options, &error, "--listen", "0.0.0.0:0"), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "listen.tls"));
    assert_int_equal(PARSE(&options, &error, "--listen", "0.0.0.0:0", "--allow-plain"),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "anonymous"));
    assert_int_equal(PARSE(&options, &error, "--web-listen", "[::]:0"), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "web.plain_anywhere"));
    assert_int_equal(PARSE(&options, &error, "--listen", "127.8.8.8:0"), TR_OK);
}

TEST(test_names_are_whole) {
    static tr_options options;
    static const char *const cut[] = {"--port", "--port=7400", "--catalog", "--check-conf"};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        tr_error error;
        char told[64];
        snprintf(told, sizeof told, "%s: no such option", cut[i]);
        assert_int_equal(PARSE(&options, &error, cut[i], "7400"), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, told));
    }
}

TEST(test_unknown_missing_and_stray) {
    static tr_options options;
    tr_error error;
    assert_int_equal(PARSE(&options, &error, "--nothing"), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "--nothing"));
    assert_int_equal(PARSE(&options, &error, "--threads"), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "value"));
    assert_int_equal(PARSE(&options, &error, "stray"), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "stray"));
}
