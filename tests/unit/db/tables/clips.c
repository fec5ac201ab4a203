#include "unit/db/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TEST(fields_come_back) {
    fixture *f = *given;
    tr_clip_row clip = fixture_clip("läufer"), out;
    tr_row_id id = 0;
    assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    fixture_reopen(f);
    assert_ok(tr_clips_find(f->catalogue, "läufer", &out, &f->error));
    assert_int_equal(id, out.id);
    assert_string_equal(clip.source, out.source);
    assert_string_equal(clip.licence, out.licence);
    assert_string_equal(clip.skeleton, out.skeleton);
    assert_true(tr_digest_equal(&clip.file_digest, &out.file_digest));
    assert_memory_equal(&clip.frames_per_s, &out.frames_per_s, sizeof(double));
    assert_int_equal(clip.frame_count, out.frame_count);
    assert_int_equal(clip.first_frame, out.first_frame);
    assert_int_equal(clip.last_frame, out.last_frame);
    assert_true(out.cyclic);
}

TEST(bad_fields_are_named) {
    fixture *f = *given;
    tr_row_id id = 0;
    struct {
        const char *field;
        tr_clip_row clip;
    } cases[10];
    for (int i = 0; i < 10; i++)
        cases[i].clip = fixture_clip("clip");
    strcpy(cases[0].clip.name, "");
    strcpy(cases[1].clip.source, "a\x01");
    strcpy(cases[2].clip.licence, "\xff");
    memset(cases[3].clip.skeleton, 'x', sizeof cases[3].clip.skeleton);
    cases[4].clip.frame_count = 0;
    cases[5].clip.frames_per_s = NAN;
    cases[6].clip.first_frame = -1;
    cases[7].clip.last_frame = cases[7].clip.frame_count;
    cases[8].clip.frames_per_s = 0;
    cases[9].clip.first_frame = cases[9].clip.last_frame + 1;
    const char *const fields[] = {"name",         "source",       "licence",     "skeleton",
                                  "frame_count",  "frames_per_s", "first_frame", "last_frame",
                                  "frames_per_s", "first_frame"};
    for (int i = 0; i < 10; i++) {
        cases[i].field = fields[i];
        assert_status(TR_INVALID_ARGUMENT,
                      tr_clips_put(f->catalogue, &cases[i].clip, &id, &f->error));
        assert_non_null(strstr(f->error.message, cases[i].field));
    }
    assert_int_equal(0, id);
}

TEST(the_same_content_is_kept_once_per_name) {
    fixture *f = *given;
    tr_clip_row clip = fixture_clip("a"), out;
    tr_row_id first = 0, again = 0, other = 0;
    assert_ok(tr_clips_put(f->catalogue, &clip, &first, &f->error));
    assert_ok(tr_clips_put(f->catalogue, &clip, &again, &f->error));
    assert_int_equal(first, again);
    strcpy(clip.name, "b");
    assert_ok(tr_clips_put(f->catalogue, &clip, &other, &f->error));
    assert_true(first != other);
    assert_ok(tr_clips_get(f->catalogue, first, &out, &f->error));
    tr_digest digest = out.digest;
    assert_ok(tr_clips_get(f->catalogue, other, &out, &f->error));
    assert_true(tr_digest_equal(&digest, &out.digest));
    clip.last_frame++;
    assert_status(TR_ALREADY_EXISTS, tr_clips_put(f->catalogue, &clip, &other, &f->error));
}

TEST(lists_are_filtered_and_paged) {
    fixture *f = *given;
    tr_row_id id;
    for (int i = 0; i < 25; i++) {
        char name[16];
        snprintf(name, sizeof name, "clip%02d", (i * 7) % 25);
        tr_clip_row clip = fixture_clip(name);
        strcpy(clip.skeleton, i % 2 ? "mass" : "cmu");
        assert_ok(tr_clips_put(f->catalogue, &clip, &id, &f->error));
    }
    tr_clip_row page[10];
    tr_clip_filter filter = {0};
    char after[TR_NAME_MAX];
    int total = 0, pages = 0, count = 10;
    for (; count == 10; pages++) {
        assert_ok(tr_clips_list(f->catalogue, &filter, page, &count, &f->error));
        for (int i = 0; i < count; i++) {
            char expected[16];
            snprintf(expected, sizeof expected, "clip%02d", total + i);
            assert_string_equal(expected, page[i].name);
        }
        total += count;
        strcpy(after, page[count - 1].name);
        filter.after = after;
    }
    assert_int_equal(25, total);
    assert_int_equal(3, pages);
    tr_clip_filter cmu = {.skeleton = "cmu", .prefix = "clip1"};
    count = 10;
    assert_ok(tr_clips_list(f->catalogue, &cmu, page, &count, &f->error));
    assert_int_equal(5, count);
    assert_status(TR_NOT_FOUND, tr_clips_find(f->catalogue, "clip99", &page[0], &f->error));
    assert_non_null(strstr(f->error.message, "clip99"));
}

TEST(files_are_digested) {
    fixture *f = *given;
    const char *path = fixture_file(f, "file");
    char text[TR_DIGEST_TEXT_MAX];
    tr_digest digest;
    fixture_write(path, "abc", 3);
    assert_ok(tr_clips_digest_file(path, &digest, &f->error));
    tr_digest_format(&digest, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_status(TR_NOT_FOUND, tr_clips_digest_file(fixture_file(f, "none"), &digest, &f->error));
    assert_status(TR_UNAVAILABLE, tr_clips_digest_file(f->folder, &digest, &f->error));
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
