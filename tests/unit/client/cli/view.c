/* Views: structs of the client as JSON. */
#include "cmocka_test.h"

#include "cli/view.h"

#include <stdlib.h>

static void assert_json(json_t *take_value, const char *expected) {
    char *text = json_dumps(take_value, JSON_COMPACT | JSON_REAL_PRECISION(15));
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    json_decref(take_value);
}

TEST(test_keys_keep_their_order_and_have_the_names_of_the_words) {
    const tr_client_clip clip = {.name = "walk",
                                 .skeleton = "cmu",
                                 .frame_count = 300,
                                 .frames_per_s = 119.88,
                                 .cyclic = true};
    assert_json(tr_view(&tr_client_clip_mapping, &clip,
                        "frames=frame_count name  cyclic frames_per_s last=last_frame"),
                "{\"frames\":300,\"name\":\"walk\",\"cyclic\":true,\"frames_per_s\":119.88,"
                "\"last\":0}");
}

TEST(test_times_hashes_and_large_numbers_keep_every_digit) {
    const tr_client_match_detail detail = {
        .info = {.seed = UINT64_MAX, .created_unix_ns = 1777636800123456789, .ended_unix_ns = 0},
        .results_hash = 0xabcdef};
    assert_json(tr_view(&tr_client_match_detail_mapping, &detail,
                        "seed=info.seed began=info.created_unix_ns ended=info.ended_unix_ns "
                        "results=results_hash"),
                "{\"seed\":\"18446744073709551615\",\"began\":\"2026-05-01T12:00:00Z\","
                "\"ended\":null,\"results\":\"0000000000abcdef\"}");
}

TEST(test_choices_are_named_and_unknown_ones_are_empty) {
    const tr_client_world worlds[] = {{.mode = TR_CLIENT_REAL_TIME},
                                      {.mode = (tr_client_mode)99},
                                      {.fault_rule = TR_CLIENT_FAULT_FREEZE}};
    assert_json(tr_view_rows(&tr_client_world_mapping, worlds, 3, "#row mode fault_rule"),
                "[{\"row\":0,\"mode\":\"real-time\",\"fault_rule\":\"\"},"
                "{\"row\":1,\"mode\":\"\",\"fault_rule\":\"\"},"
                "{\"row\":2,\"mode\":\"\",\"fault_rule\":\"freeze\"}]");
    unsigned mode = 77;
    assert_true(tr_view_find_choice(&troupe__world_mode__descriptor, "real-time", &mode));
    assert_int_equal(mode, TR_CLIENT_REAL_TIME);
    assert_false(tr_view_find_choice(&troupe__world_mode__descriptor, "", &mode));
    assert_false(tr_view_find_choice(&troupe__world_mode__descriptor, "unspecified", &mode));
    assert_int_equal(mode, TR_CLIENT_REAL_TIME);
}

TEST(test_optional_words_leave_out_what_is_empty) {
    const tr_client_match matches[] = {{.reason = "", .world = 0}, {.reason = "why", .world = 3}};
    assert_json(tr_view_rows(&tr_client_match_mapping, matches, 2, "?world ?reason"),
                "[{},{\"world\":3,\"reason\":\"why\"}]");
}

TEST(test_braces_hold_the_words_of_a_list) {
    const tr_client_skill_edge edges[] = {{1, 2, true}, {3, 4, false}};
    const tr_client_controller_detail detail = {.edge_count = 2, .edges = edges, .action_size = 7};
    assert_json(tr_view(&tr_client_controller_detail_mapping, &detail,
                        "skills{skill=name} ?parameters{parameter=name} edges{#edge "
                        "from=from_fragment flips} action_size"),
                "{\"skills\":[],\"edges\":[{\"edge\":0,\"from\":1,\"flips\":true},"
                "{\"edge\":1,\"from\":3,\"flips\":false}],\"action_size\":7}");
}

TEST(test_arrays_vectors_and_pairs_are_lists) {
    const double force[] = {50, 62.5};
    const uint32_t trials[] = {20, 19};
    const tr_client_pushes pushes = {.count = 2, .force_n = force, .trials = trials};
    assert_json(tr_view(&tr_client_pushes_mapping, &pushes, "force_n trials"),
                "{\"force_n\":[50.0,62.5],\"trials\":[20,19]}");
    const tr_client_contact contact = {
        .entity = {5, 0}, .body = {2, -1}, .pos = {0.95f, 0, -1}, .depth = 0.5f};
    assert_json(tr_view(&tr_client_contact_mapping, &contact,
                        "entities=entity0,entity1 bodies=body0,body1 pos depth"),
                "{\"entities\":[5,0],\"bodies\":[2,-1],\"pos\":[0.95,0.0,-1.0],\"depth\":0.5}");
    const tr_client_scenery scenery = {.size = {1, 2, 3}, .rot = {1, 0, 0, 0}};
    assert_json(tr_view(&tr_client_scenery_mapping, &scenery, "size rot"),
                "{\"size\":[1.0,2.0,3.0],\"rot\":[1.0,0.0,0.0,0.0]}");
    const char *const teams[] = {"red", "blue"};
    const tr_client_match match = {.team_count = 2, .teams = teams};
    assert_json(tr_view(&tr_client_match_mapping, &match, "teams"),
                "{\"teams\":[\"red\",\"blue\"]}");
}

TEST(test_statuses_have_names) {
    const tr_client_event event = {.status = TR_NOT_FOUND, .body = -1, .text = "hit"};
    assert_json(tr_view(&tr_client_event_mapping, &event, "status=code body text"),
                "{\"status\":\"NOT_FOUND\",\"body\":-1,\"text\":\"hit\"}");
}
