#include "cmocka_test.h"

#include "server/access/permission.h"

static const tr_command_right own = TR_OWN_FROM_PLAYER, stepped = TR_STEPPED_FROM_PLAYER,
                              directors = TR_ANY_FROM(TR_ROLE_DIRECTOR);

static tr_status check(const tr_command_right *right, tr_role role, bool in_stepped,
                       bool *out_own) {
    tr_member member = {.role = role};
    return tr_command_right_check(right, &member, in_stepped, out_own, NULL);
}

TEST(a_role_below_the_lowest_is_refused) {
    bool own_only = false;
    assert_int_equal(check(&own, TR_ROLE_SPECTATOR, true, &own_only), TR_PERMISSION_DENIED);
    assert_int_equal(check(&stepped, TR_ROLE_SPECTATOR, true, &own_only), TR_PERMISSION_DENIED);
    assert_int_equal(check(&directors, TR_ROLE_PLAYER, true, &own_only), TR_PERMISSION_DENIED);
    assert_int_equal(check(&directors, TR_ROLE_DIRECTOR, false, &own_only), TR_OK);
}

TEST(a_player_acts_only_on_its_own_characters) {
    bool own_only = false;
    assert_int_equal(check(&own, TR_ROLE_PLAYER, false, &own_only), TR_OK);
    assert_true(own_only);
    assert_int_equal(check(&own, TR_ROLE_DIRECTOR, false, &own_only), TR_OK);
    assert_false(own_only);
}

TEST(a_player_steps_only_stepped_worlds) {
    bool own_only = true;
    assert_int_equal(check(&stepped, TR_ROLE_PLAYER, true, &own_only), TR_OK);
    assert_false(own_only);
    assert_int_equal(check(&stepped, TR_ROLE_PLAYER, false, &own_only), TR_PERMISSION_DENIED);
    assert_int_equal(check(&stepped, TR_ROLE_DIRECTOR, false, &own_only), TR_OK);
}
