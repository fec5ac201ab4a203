/* Which pages may open a socket, and under which names the daemon answers. */
#include "cmocka_test.h"

#include "server/web/web_origin.h"

#include <stdio.h>
#include <string.h>

static const tr_web_origins allowed = {2,
                                       {"https://play.example.org", "http://dev.example.org:8080"}};

static bool may(const char *host, const char *origin) {
    char text[512];
    tr_http_request request;
    if (origin)
        snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\n\r\n", host,
                 origin);
    else
        snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", host);
    assert_int_equal(tr_http_parse(text, strlen(text), &request), 200);
    return tr_web_origin_allowed(&request, &allowed);
}

TEST(test_the_daemons_own_pages_may) {
    assert_true(may("127.0.0.1:7401", "http://127.0.0.1:7401"));
    assert_true(may("localhost:7401", "http://LOCALHOST:7401"));
    assert_true(may("[::1]:7401", "http://[::1]:7401"));
    assert_true(may("192.0.2.1", "https://192.0.2.1"));
}

TEST(test_a_client_without_an_origin_may) {
    assert_true(may("anything", NULL));
}

TEST(test_configured_origins_may) {
    assert_true(may("127.0.0.1:7401", "https://play.example.org"));
    assert_true(may("elsewhere", "http://dev.example.org:8080"));
    assert_false(may("elsewhere", "http://dev.example.org"));
    assert_false(may("elsewhere", "http://play.example.org"));
    assert_false(may("elsewhere", "https://play.example.org.evil.example"));
}

TEST(test_other_pages_may_not) {
    assert_false(may("127.0.0.1:7401", "http://evil.example"));
    assert_false(may("127.0.0.1:7401", "http://127.0.0.1:7402"));
    assert_false(may("127.0.0.1:7401", "http://127.0.0.1"));
    assert_false(may("127.0.0.1:7401", "null"));
    assert_false(may("127.0.0.1:7401", ""));
    assert_false(may("127.0.0.1:7401", "file://127.0.0.1:7401"));
    assert_false(may("", "http://"));
}

/* The page was loaded from evil.example, whose name now points here. */
TEST(test_a_name_pointed_at_this_machine_is_not_its_own) {
    assert_false(may("evil.example:7401", "http://evil.example:7401"));
    assert_false(may("127.0.0.1.evil.example:7401", "http://127.0.0.1.evil.example:7401"));
    assert_false(may("localhost.evil.example", "http://localhost.evil.example"));
}

static bool answers_to(const char *host) {
    char text[512];
    tr_http_request request;
    snprintf(text, sizeof text, "GET /metrics HTTP/1.1\r\nHost: %s\r\n\r\n", host);
    assert_int_equal(tr_http_parse(text, strlen(text), &request), 200);
    return tr_web_host_allowed(&request, &allowed);
}

TEST(test_names_it_answers_to) {
    assert_true(answers_to("127.0.0.1:7401"));
    assert_true(answers_to("192.0.2.1"));
    assert_true(answers_to("LOCALHOST:1"));
    assert_true(answers_to("[::1]:7401"));
    assert_true(answers_to("play.example.org"));
    assert_true(answers_to("Dev.example.org:9000"));
}

TEST(test_names_it_does_not_answer_to) {
    const char *const other[] = {"evil.example",
                                 "evil.example:7401",
                                 "localhost.evil.example",
                                 "127.0.0.1.example",
                                 "example.org",
                                 "play.example.org.evil",
                                 "play.example.org.",
                                 "[::1",
                                 "[::1]7401",
                                 "localhost:1@[::1]x",
                                 ":7401",
                                 ""};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (answers_to(other[i]))
            fail_msg("it answers to '%s'", other[i]);
}

TEST(test_a_request_without_a_host_comes_from_no_browser) {
    tr_http_request request;
    const char text[] = "GET /metrics HTTP/1.0\r\n\r\n";
    assert_int_equal(tr_http_parse(text, sizeof text - 1, &request), 200);
    assert_true(tr_web_host_allowed(&request, &allowed));
}

TEST(test_forms_of_origins) {
    char longest[TR_WEB_ORIGIN_MAX + 8] = "http://";
    memset(longest + 7, 'a', sizeof longest - 8);
    assert_true(tr_web_origin_is_valid("https://play.example.org"));
    assert_true(tr_web_origin_is_valid("http://[::1]:80"));
    assert_false(tr_web_origin_is_valid("https://play.example.org/"));
    assert_false(tr_web_origin_is_valid("play.example.org"));
    assert_false(tr_web_origin_is_valid("https://"));
    assert_false(tr_web_origin_is_valid("https://a b"));
    assert_false(tr_web_origin_is_valid("*"));
    assert_false(tr_web_origin_is_valid(longest));
}
