#include "cmocka_test.h"

#include "server/access/decoy.h"
#include "server/access/gate.h"
#include "server/access/lockout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A gate with one key, "holder", that expires at 1000 s. */
typedef struct fixture {
    tr_options options;
    tr_gate *gate;
    tr_key key;
    char decoy[TR_CONFIG_TEXT_MAX + 16]; /* the gate's file */
} fixture;

FIXTURE(set_up) {
    fixture *f = calloc(1, sizeof *f);
    tr_config *config = &f->options.config;
    assert_non_null(f);
    tr_config_default(config);
    tr_account *account = &config->account[config->account_count++];
    snprintf(account->name, sizeof account->name, "holder");
    account->role = TR_ROLE_PLAYER;
    account->expires_s = 1000;
    char hash[TR_SCRAM_VERIFIER_TEXT_MAX];
    assert_int_equal(tr_key_make("holder", &f->key), TR_OK);
    assert_int_equal(tr_account_verifier(&f->key, hash), TR_OK);
    assert_true(tr_scram_verifier_parse(hash, &account->verifier));
    snprintf(config->state_dir, sizeof config->state_dir, "/tmp/troupe-gate-XXXXXX");
    assert_non_null(mkdtemp(config->state_dir));
    snprintf(f->decoy, sizeof f->decoy, "%s/decoy", config->state_dir);
    assert_int_equal(tr_gate_create(&f->options, NULL, &f->gate, NULL), TR_OK);
    *given = f;
}

FIXTURE(tear_down) {
    OWN_MEMORY fixture *f = *given;
    tr_gate_destroy(f->gate);
    assert_int_equal(unlink(f->decoy), 0);
    assert_int_equal(rmdir(f->options.config.state_dir), 0);
}

/* A connection from an address, in plain TCP. */
static tr_channel connection(const char *address) {
    static const tr_channel_kind kind = {.name = "tcp"};
    tr_channel channel = {.kind = &kind};
    snprintf(channel.peer, sizeof channel.peer, "%s", address);
    return channel;
}

static tr_scram_server challenge(fixture *f, const tr_channel *channel, const char *client_first,
                                 char out[TR_SCRAM_MESSAGE_MAX]) {
    tr_scram_server scram;
    tr_error error;
    assert_int_equal(tr_gate_challenge(f->gate, channel, client_first, &scram, out, &error), TR_OK);
    return scram;
}

/* A login with a malformed proof. */
static tr_status guess(fixture *f, const char *name, const char *address, uint64_t now_ms) {
    char first[TR_SCRAM_MESSAGE_MAX], final[TR_SCRAM_MESSAGE_MAX], answer[TR_SCRAM_MESSAGE_MAX];
    tr_member *member = NULL;
    tr_error error;
    const tr_channel channel = connection(address);
    snprintf(first, sizeof first, "n,,n=%s,r=x", name);
    tr_scram_server scram = challenge(f, &channel, first, answer);
    snprintf(final, sizeof final, "c=biws,r=%s,p=%042d8=", scram.nonce, 0);
    const tr_login login = {.scram = &scram,
                            .channel = &channel,
                            .client_final = final,
                            .now_ms = now_ms,
                            .now_s = 500};
    return tr_gate_login(f->gate, &login, answer, &member, &error);
}

/* A login with the key. */
static tr_status log_in(fixture *f, const char *address, uint64_t now_ms, int64_t now_s,
                        tr_member **out, tr_error *error) {
    static const tr_scram_binding unbound = {.header = TR_SCRAM_UNBOUND};
    tr_scram_client client;
    char text[TR_SCRAM_MESSAGE_MAX], answer[TR_SCRAM_MESSAGE_MAX];
    const tr_channel channel = connection(address);
    assert_int_equal(
        tr_scram_client_first(&client, f->key.name, f->key.secret, "x", &unbound, text), TR_OK);
    tr_scram_server scram = challenge(f, &channel, text, answer);
    assert_int_equal(tr_scram_client_final(&client, answer, text), TR_OK);
    const tr_login login = {.scram = &scram,
                            .channel = &channel,
                            .client_final = text,
                            .now_ms = now_ms,
                            .now_s = now_s};
    tr_status status = tr_gate_login(f->gate, &login, answer, out, error);
    assert_true(status || tr_scram_client_trusts(&client, answer));
    return status;
}

static tr_status log_in_rightly(fixture *f, const char *address, uint64_t now_ms) {
    tr_member *member = NULL;
    tr_error error;
    tr_status status = log_in(f, address, now_ms, 500, &member, &error);
    if (!status)
        tr_gate_release(f->gate, member);
    return status;
}

/* A guess a millisecond from one address, for 100 s. */
TEST_WITH(test_100_000_guesses, set_up, tear_down) {
    fixture *f = *given;
    int told_wrong = 0, locked_out = 0, came_in = 0;
    for (int i = 0; i < 100000; i++) {
        uint64_t now_ms = (uint64_t)i + 1;
        tr_status status = guess(f, "holder", "192.0.2.1", now_ms);
        told_wrong += status == TR_UNAUTHENTICATED;
        locked_out += status == TR_RESOURCE_EXHAUSTED;
        if (i % 1000 == 0) /* the holder, at the same address */
            came_in += !log_in_rightly(f, "192.0.2.1", now_ms);
    }
    printf("guesses: 100000, told wrong %d, locked out %d; the holder came in %d times of 100\n",
           told_wrong, locked_out, came_in);
    assert_int_equal(told_wrong + locked_out, 100000);
    assert_int_equal(came_in, 100);
    assert_true(told_wrong <= 5 + 5 * 100 / 60);
}

TEST_WITH(test_an_address_that_tries_many_names, set_up, tear_down) {
    fixture *f = *given;
    char name[16];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "name-%d", i);
        assert_int_equal(guess(f, name, "192.0.2.7", 1000),
                         i < 10 ? TR_UNAUTHENTICATED : TR_RESOURCE_EXHAUSTED);
    }
    assert_int_equal(guess(f, "name", "192.0.2.8", 1000), TR_UNAUTHENTICATED);
    assert_int_equal(guess(f, "name", "192.0.2.7", 7500), TR_UNAUTHENTICATED);
    assert_int_equal(guess(f, "name", "192.0.2.7", 7500), TR_RESOURCE_EXHAUSTED);
}

/* The owner of one address of version 6 has 2^64 of them. */
TEST_WITH(test_a_network_of_version_6_is_one_address, set_up, tear_down) {
    fixture *f = *given;
    char address[32], name[16];
    for (int i = 0; i < 20; i++) {
        snprintf(address, sizeof address, "2001:db8::%x", i + 1);
        snprintf(name, sizeof name, "name-%d", i);
        assert_int_equal(guess(f, name, address, 1000),
                         i < 10 ? TR_UNAUTHENTICATED : TR_RESOURCE_EXHAUSTED);
    }
    assert_int_equal(guess(f, "name", "2001:db8:0:1::1", 1000), TR_UNAUTHENTICATED);
}

/* Guesses from everywhere at one account, more addresses than the tables hold. */
TEST_WITH(test_guesses_from_many_addresses, set_up, tear_down) {
    fixture *f = *given;
    int told_wrong = 0;
    char address[32];
    for (int i = 0; i < 20000; i++) {
        snprintf(address, sizeof address, "10.%d.%d.1", i >> 8, i & 255);
        told_wrong += guess(f, "holder", address, 1000 + (uint64_t)i / 100) == TR_UNAUTHENTICATED;
    }
    assert_int_equal(told_wrong, TR_GUESSES_PER_ACCOUNT);
    assert_int_equal(log_in_rightly(f, "10.0.0.1", 1200), TR_OK);
}

TEST_WITH(test_expired, set_up, tear_down) {
    fixture *f = *given;
    tr_member *member = NULL;
    tr_error error;
    assert_int_equal(log_in(f, "::1", 1, 999, &member, &error), TR_OK);
    assert_int_equal(member->role, TR_ROLE_PLAYER);
    assert_int_equal(tr_member_check(member, 999, &error), TR_OK);
    assert_int_equal(tr_member_check(member, 1000, &error), TR_UNAUTHENTICATED);
    tr_gate_release(f->gate, member);
    assert_int_equal(log_in(f, "::1", 1, 1000, &member, &error), TR_UNAUTHENTICATED);
    assert_non_null(strstr(error.message, "expired"));
}

/* A client without a key cannot find out which names exist. */
TEST_WITH(test_a_name_without_an_account_is_challenged_like_others, set_up, tear_down) {
    fixture *f = *given;
    char known[TR_SCRAM_MESSAGE_MAX], unknown[TR_SCRAM_MESSAGE_MAX], again[TR_SCRAM_MESSAGE_MAX];
    const tr_channel channel = connection("::1");
    challenge(f, &channel, "n,,n=holder,r=x", known);
    challenge(f, &channel, "n,,n=absent,r=x", unknown);
    challenge(f, &channel, "n,,n=absent,r=x", again);
    assert_int_equal(strlen(known), strlen(unknown));
    assert_string_equal(strstr(unknown, ",s="), strstr(again, ",s="));
    assert_string_not_equal(unknown, again); /* the nonce */
}

/* It looks the same after a restart, as a real one does, and with the iterations of one. */
TEST_WITH(test_a_name_without_an_account_keeps_its_challenge, set_up, tear_down) {
    fixture *f = *given;
    char before[TR_SCRAM_MESSAGE_MAX], after[TR_SCRAM_MESSAGE_MAX];
    const tr_channel channel = connection("::1");
    struct stat about;
    challenge(f, &channel, "n,,n=absent,r=x", before);
    tr_gate_destroy(f->gate);
    f->options.config.account[0].verifier.iterations = 9000;
    assert_int_equal(tr_gate_create(&f->options, NULL, &f->gate, NULL), TR_OK);
    challenge(f, &channel, "n,,n=absent,r=x", after);
    size_t salt = strcspn(strstr(before, ",s=") + 1, ",");
    assert_memory_equal(strstr(before, ",s="), strstr(after, ",s="), salt);
    assert_string_equal(strstr(after, ",i="), ",i=9000");
    assert_int_equal(stat(f->decoy, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(truncate(f->decoy, 3), 0); /* a start that was cut off */
    tr_gate_destroy(f->gate);
    assert_int_equal(tr_gate_create(&f->options, NULL, &f->gate, NULL), TR_OK);
}

/* A key that is added takes some of the names without an account; all others keep theirs. */
TEST(test_a_new_key_changes_few_challenges) {
    enum { NAMES = 200, KEYS = 9 };
    static tr_config config;
    const tr_decoy decoy = {{7}};
    int before[NAMES], changed = 0;
    for (int i = 0; i <= KEYS; i++) {
        snprintf(config.account[i].name, sizeof config.account[i].name, "key-%d", i);
        config.account[i].verifier.iterations = 5000 + i;
    }
    for (config.account_count = KEYS; config.account_count <= KEYS + 1; config.account_count++)
        for (int i = 0; i < NAMES; i++) {
            char name[16];
            snprintf(name, sizeof name, "absent-%d", i);
            const int now = tr_decoy_verifier(&decoy, &config, name).iterations;
            if (config.account_count == KEYS)
                before[i] = now;
            else if (now != before[i]) {
                assert_int_equal(now, 5000 + KEYS);
                changed++;
            }
        }
    assert_in_range(changed, 5, NAMES / 4);
}

TEST_WITH(test_bindings_that_do_not_fit_the_connection, set_up, tear_down) {
    fixture *f = *given;
    const tr_channel channel = connection("::1");
    char answer[TR_SCRAM_MESSAGE_MAX];
    tr_scram_server scram;
    tr_error error;
    assert_int_equal(tr_gate_challenge(f->gate, &channel, "p=tls-exporter,,n=holder,r=x", &scram,
                                       answer, &error),
                     TR_UNAUTHENTICATED);
    assert_int_equal(tr_gate_challenge(f->gate, &channel, "n=holder", &scram, answer, &error),
                     TR_UNAUTHENTICATED);
}

TEST_WITH(test_sessions_of_one_key_share_one_account, set_up, tear_down) {
    fixture *f = *given;
    tr_member *one = NULL, *two = NULL;
    tr_error error;
    assert_int_equal(log_in(f, "?", 0, 0, &one, &error), TR_OK);
    assert_int_equal(log_in(f, "?", 0, 0, &two, &error), TR_OK);
    assert_ptr_equal(one, two);
    int passed = 0;
    for (int i = 0; i < 1000; i++)
        passed += !tr_member_spend(i % 2 == 0 ? one : two, 10, 5, &error);
    assert_int_equal(passed, one->limits.requests_per_s);
    assert_non_null(strstr(error.message, "requests_per_s"));
    assert_int_equal(tr_member_spend(one, 10, 1005, &error), TR_OK);
    tr_gate_release(f->gate, one);
    tr_gate_release(f->gate, two);
}

TEST(test_sending_is_limited_for_all_sessions_of_a_key) {
    tr_member member = {.limits = {.sent_bytes_per_s = 1000}}, free_member = {0};
    tr_member_send(&member, 1000, 5);
    assert_int_equal(tr_member_owes_ms(&member, 5), 0); /* a second's worth without waiting */
    tr_member_send(&member, 500, 5);
    assert_int_equal(tr_member_owes_ms(&member, 5), 500);
    assert_int_equal(tr_member_owes_ms(&member, 405), 100);
    assert_int_equal(tr_member_owes_ms(&member, 505), 0);
    tr_member_send(&member, 1, 505); /* an answer goes in any case */
    assert_int_equal(tr_member_owes_ms(&member, 505), 1);
    tr_member_send(&member, 0, 100000); /* rest is not saved up */
    tr_member_send(&member, 2000, 100000);
    assert_int_equal(tr_member_owes_ms(&member, 100000), 1000);
    tr_member_send(&free_member, 1 << 30, 5);
    assert_int_equal(tr_member_owes_ms(&free_member, 5), 0);
}
