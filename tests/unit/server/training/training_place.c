#include "cmocka_test.h"

#include "server/training/training_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of clips beside a file that is none of them. */
static char top[64], clips[80], all[80];

static void write_file(const char *folder, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("HIERARCHY\n", file);
    fclose(file);
}

FIXTURE(set_up) {
    snprintf(top, sizeof top, "/tmp/troupe-place-XXXXXX");
    assert_non_null(mkdtemp(top));
    snprintf(clips, sizeof clips, "%s/clips", top);
    snprintf(all, sizeof all, "%s/trainings", top);
    assert_false(mkdir(clips, 0700) != 0);
    write_file(clips, "jog.bvh");
    write_file(clips, "09_12 (side).amc");
    write_file(clips, "WALK.BVH");
    write_file(clips, "L\xc3\xa4ufer.bvh");
    write_file(clips, "notes.pdf");
    write_file(clips, "-o.bvh");
    write_file(clips, ".hidden.bvh");
    write_file(top, "secret.bvh");
}

FIXTURE(tear_down) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", top);
    assert_int_equal(system(command), 0);
}

TEST(a_clip_is_a_plain_name_in_the_folder) {
    static const char *const refused[] = {"",
                                          "..",
                                          "../secret.bvh",
                                          "jog.bvh/",
                                          "/etc/passwd",
                                          "a/jog.bvh",
                                          "-o.bvh",
                                          ".hidden.bvh",
                                          "notes.pdf",
                                          "jog",
                                          "jog.bvh;ls",
                                          "$(ls).bvh",
                                          "j\nog.bvh",
                                          "j\x1bog.bvh",
                                          "jog.bvh\\..\\x.bvh",
                                          "L\xe4ufer.bvh",
                                          "L\xc2\x9bufer.bvh"};
    assert_int_equal(tr_training_clip_check(clips, "jog.bvh", NULL), TR_OK);
    assert_int_equal(tr_training_clip_check(clips, "09_12 (side).amc", NULL), TR_OK);
    assert_int_equal(tr_training_clip_check(clips, "WALK.BVH", NULL), TR_OK);
    assert_int_equal(tr_training_clip_check(clips, "L\xc3\xa4ufer.bvh", NULL), TR_OK);
    assert_int_equal(tr_training_clip_check(clips, "absent.bvh", NULL), TR_NOT_FOUND);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(tr_training_clip_check(clips, refused[i], NULL), TR_INVALID_ARGUMENT);
    char longest[TR_TRAINING_CLIP_MAX + 1];
    memset(longest, 'a', sizeof longest);
    memcpy(longest + sizeof longest - 5, ".bvh", 5);
    assert_int_equal(tr_training_clip_check(clips, longest, NULL), TR_INVALID_ARGUMENT);
}

TEST(a_link_may_not_leave_the_folder) {
    char from[128], to[128];
    snprintf(from, sizeof from, "%s/secret.bvh", top);
    snprintf(to, sizeof to, "%s/out.bvh", clips);
    assert_int_equal(symlink(from, to), 0);
    snprintf(to, sizeof to, "%s/in.bvh", clips);
    assert_int_equal(symlink("jog.bvh", to), 0);
    snprintf(to, sizeof to, "%s/folder.bvh", clips);
    assert_int_equal(mkdir(to, 0700), 0);
    assert_int_equal(tr_training_clip_check(clips, "out.bvh", NULL), TR_NOT_FOUND);
    assert_int_equal(tr_training_clip_check(clips, "in.bvh", NULL), TR_OK);
    assert_int_equal(tr_training_clip_check(clips, "folder.bvh", NULL), TR_NOT_FOUND);
}

TEST(only_such_clips_are_listed_by_name) {
    static char listed[TR_TRAINING_CLIPS_LISTED][TR_TRAINING_CLIP_MAX];
    assert_int_equal(tr_training_clips_list(clips, listed), 5);
    assert_string_equal(listed[0], "09_12 (side).amc");
    assert_string_equal(listed[1], "L\xc3\xa4ufer.bvh");
    assert_string_equal(listed[2], "WALK.BVH");
    assert_string_equal(listed[3], "in.bvh");
    assert_string_equal(listed[4], "jog.bvh");
    assert_int_equal(tr_training_clips_list("/no/such/folder", listed), 0);
}

TEST(names_are_safe_as_files) {
    static const char *const refused[] = {"",   ".",   "..",         "a/b", "-rf",
                                          "_a", "a b", "J\xc3\xb6g", "Jog", "a.b"};
    assert_true(tr_training_name_is_valid("jog-2_b"));
    assert_true(tr_training_name_is_valid("16_36_1"));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(tr_training_name_is_valid(refused[i]));
    assert_true(tr_training_name_is_valid("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
    assert_false(tr_training_name_is_valid("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

TEST(a_place_is_made_again_and_removed) {
    char folder[TR_TRAINING_PATH_MAX], path[TR_TRAINING_PATH_MAX + 16];
    struct stat info;
    assert_int_equal(tr_training_place_make(all, "jog", clips, folder, NULL), TR_OK);
    write_file(folder, "checkpoint");
    assert_int_equal(tr_training_place_make(all, "jog", clips, folder, NULL), TR_OK);
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    assert_int_equal(stat(path, &info), 0);
    snprintf(path, sizeof path, "%s/clips/jog.bvh", folder);
    assert_int_equal(stat(path, &info), 0);
    tr_training_place_remove(folder);
    assert_int_not_equal(lstat(folder, &info), 0);
    snprintf(path, sizeof path, "%s/jog.bvh", clips);
    assert_int_equal(stat(path, &info), 0); /* behind the link */
}

TEST(a_folder_that_was_not_made_here_stays) {
    char folder[TR_TRAINING_PATH_MAX], path[TR_TRAINING_PATH_MAX + 16];
    struct stat info;
    snprintf(folder, sizeof folder, "%s/elsewhere", all);
    assert_int_equal(symlink(clips, folder), 0);
    tr_training_place_tidy(folder);
    tr_training_place_remove(folder);
    snprintf(path, sizeof path, "%s/jog.bvh", clips);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    write_file(folder, "of-others");
    tr_training_place_tidy(folder);
    snprintf(path, sizeof path, "%s/of-others", folder);
    assert_int_equal(stat(path, &info), 0);
    tr_training_place_remove(folder);
}

/* Makes the folder of a training for jog.bvh. */
static void claim(const char *name, char folder[TR_TRAINING_PATH_MAX]) {
    const tr_training_request request = {.clip = "jog.bvh", .effort = "quick", .seed = 3};
    assert_int_equal(tr_training_place_make(all, name, clips, folder, NULL), TR_OK);
    assert_int_equal(tr_training_place_claim(folder, name, &request, NULL), TR_OK);
}

TEST(a_place_is_claimed_by_one_request) {
    const tr_training_request first = {.clip = "a.bvh", .seed = 1}, other = {"b.bvh", "quick", 2};
    char folder[TR_TRAINING_PATH_MAX];
    tr_error error = {0};
    assert_int_equal(tr_training_place_make(all, "leap", clips, folder, NULL), TR_OK);
    assert_int_equal(tr_training_place_claim(folder, "leap", &first, NULL), TR_OK);
    assert_int_equal(tr_training_place_claim(folder, "leap", &other, NULL), TR_OK);
    write_file(folder, TR_TRAINING_CHECKPOINT);
    assert_int_equal(tr_training_place_claim(folder, "leap", &other, NULL), TR_OK);
    assert_int_equal(tr_training_place_claim(folder, "leap", &first, &error),
                     TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "began with clip 'b.bvh', effort 'quick', seed 2"));
    tr_training_place_remove(folder);
}

TEST(what_was_reached_is_listed_and_other_folders_go) {
    static tr_training_place listed[TR_TRAINING_PLACES_LISTED];
    char begun[TR_TRAINING_PATH_MAX], folder[TR_TRAINING_PATH_MAX], path[TR_TRAINING_PATH_MAX + 64];
    struct stat info;
    claim("begun", begun);
    claim("cut", folder);
    write_file(folder, TR_TRAINING_CHECKPOINT);
    snprintf(path, sizeof path, "%s/.hidden", all);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(tr_training_places_list(all, listed), 1);
    assert_string_equal(listed[0].name, "cut");
    assert_string_equal(listed[0].request.clip, "jog.bvh");
    assert_string_equal(listed[0].request.effort, "quick");
    assert_int_equal(listed[0].request.seed, 3);
    assert_true(listed[0].began_ns > 0 && listed[0].last_ns >= listed[0].began_ns);
    assert_int_not_equal(lstat(begun, &info), 0);
    assert_int_equal(lstat(path, &info), 0); /* no name of a training */
    tr_training_place_remove(folder);
    assert_int_equal(tr_training_places_list("/no/such/folder", listed), 0);
}

TEST(a_place_is_tidied_unless_it_has_a_result) {
    char folder[TR_TRAINING_PATH_MAX];
    struct stat info;
    claim("leap", folder);
    write_file(folder, TR_TRAINING_CATALOGUE);
    tr_training_place_tidy(folder);
    assert_int_equal(lstat(folder, &info), 0);
    tr_training_place_remove(folder);
    claim("leap", folder);
    tr_training_place_tidy(folder);
    assert_int_not_equal(lstat(folder, &info), 0);
}

SUITE_FIXTURE(set_up, tear_down);
