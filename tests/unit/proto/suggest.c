#include "cmocka_test.h"

#include "proto/suggest.h"

#include <string.h>

static const char long_word[] = "a-word-of-more-than-forty-eight-bytes-which-nobody-means";
static const char *const names[] = {"pose", "poses", "push", long_word};

TEST(the_nearest_name_is_within_a_third_of_the_word) {
    static const struct {
        const char *word, *nearest;
    } cases[] = {{"psoe", "pose"}, {"posses", "poses"}, {"pushh", "push"}, {"xyz", NULL},
                 {"po", NULL},     {long_word, NULL},   {"opse", "pose"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *found = tr_suggest_nearest(cases[i].word, names, 4);
        if (found != cases[i].nearest &&
            !(found && cases[i].nearest && strcmp(found, cases[i].nearest) == 0))
            fail_msg("%s: %s", cases[i].word, found ? found : "none");
    }
}

TEST(names_are_ordered_by_their_distance) {
    const char *listed[] = {long_word, "walk", "push", "pose", "post"};
    char text[80];
    tr_suggest_order("post", listed, 5);
    assert_string_equal(listed[0], "post");
    assert_string_equal(listed[1], "pose");
    assert_string_equal(listed[4], long_word);
    tr_suggest_order(long_word, listed, 5); /* as far from all */
    assert_string_equal(listed[0], "post");
    assert_string_equal(tr_suggest_text("pose", text), "; did you mean 'pose'?");
    assert_string_equal(tr_suggest_text(NULL, text), "");
}
