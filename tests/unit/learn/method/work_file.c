#include "cmocka_test.h"

#include "learn/method/whole_file.h"
#include "learn/method/work_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PATH[] = "work_file_test.checkpoint";

enum { NOTES_MAX = 8 };

/* A work with a fixed part and one that grows. wide: its build has a larger fixed part */
typedef struct work {
    struct {
        double a, b;
    } fixed;
    int count, notes[NOTES_MAX];
    bool wide;
} work;

static void list(void *given, tr_blocks *b) {
    work *w = given;
    tr_block(b, "fixed", &w->fixed, w->wide ? sizeof w->fixed : sizeof w->fixed.a);
    const int count = tr_block_count(b, "notes", &w->count, 0, NOTES_MAX);
    tr_block(b, "notes", w->notes, (size_t)count * sizeof *w->notes);
}

static const tr_method method = {.name = "noting", .list = list};
static const tr_work_bond own = {.method = "noting", .run = "mine", .settings = "a = 1\nb = 2\n"};

static tr_work_file file_of(work *w, const tr_work_bond *bond) {
    return (tr_work_file){&method, w, bond, NULL, NULL};
}

static void save(work *w) {
    const tr_work_file file = file_of(w, &own);
    assert_int_equal(tr_work_file_save(&file, PATH, NULL), TR_OK);
}

static void expect(work *into, const tr_work_bond *bond, tr_status expected, const char *text) {
    const tr_work_file file = file_of(into, bond);
    tr_error error = {0};
    tr_status status = tr_work_file_load(&file, PATH, &error);
    if (status != expected || !strstr(error.message, text))
        fail_msg("'%s': expected %s and '%s'", error.message, tr_status_name(expected), text);
}

TEST(what_is_saved_is_loaded) {
    work whole = {.fixed = {1, 2}, .count = 3, .notes = {7, 8, 9}}, later = {.count = 1};
    save(&whole);
    expect(&later, &own, TR_OK, "");
    assert_true(later.fixed.a == 1 && later.fixed.b == 0 && later.count == 3);
    assert_memory_equal(later.notes, whole.notes, sizeof whole.notes);
    remove(PATH);
}

TEST(what_it_does_not_belong_to_is_named) {
    work whole = {.count = 1}, later = {0};
    const struct {
        tr_work_bond bond;
        tr_status status;
        const char *text;
    } others[] = {
        {{.method = "other"}, TR_FAILED_PRECONDITION, "of the method 'noting', not of 'other'"},
        {{.method = "noting", .model = 1}, TR_FAILED_PRECONDITION, "of another model"},
        {{.method = "noting", .given = 1}, TR_FAILED_PRECONDITION, "from other inputs"},
        {{.method = "noting", .run = "mine", .settings = "a = 1\nb = 3\n"},
         TR_FAILED_PRECONDITION,
         "with other settings: b = 2, now 3"},
        {{.method = "noting", .run = "mine", .settings = "a = 1\nnew = 3\nb = 2\n"},
         TR_FAILED_PRECONDITION,
         "with other settings: no new, now 3; give the same"},
        {{.method = "noting", .run = "yours", .settings = "a = 1\nb = 2\n"},
         TR_INVALID_ARGUMENT,
         "of the training of 'mine', not of 'yours'"},
    };
    save(&whole);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect(&later, &others[i].bond, others[i].status, others[i].text);
    later.wide = true;
    expect(&later, &own, TR_FAILED_PRECONDITION, "block 'fixed': of another size");
    remove(PATH);
    expect(&later, &own, TR_NOT_FOUND, PATH);
}

/* Writes the data with a seal that fits. */
static void write_sealed(char *data, size_t size) {
    (void)tr_block_seal(data, data + size - TR_SEAL_SIZE);
    assert_int_equal(tr_whole_file_write(PATH, data, size, NULL), TR_OK);
}

TEST(damage_is_found) {
    work whole = {.count = 1}, later = {0};
    char *data = NULL;
    size_t size = 0;
    save(&whole);
    assert_int_equal(tr_whole_file_read(PATH, 1, 1 << 20, &data, &size, NULL), TR_OK);
    assert_int_equal(tr_whole_file_write(PATH, data, size - 1, NULL), TR_OK);
    expect(&later, &own, TR_DATA_LOSS, "not a checkpoint, or damaged");
    data[size / 2]++;
    assert_int_equal(tr_whole_file_write(PATH, data, size, NULL), TR_OK);
    expect(&later, &own, TR_DATA_LOSS, "not a checkpoint, or damaged");
    data[size / 2]--;
    data[sizeof(uint64_t)]++; /* the magic word stands behind its size */
    write_sealed(data, size);
    expect(&later, &own, TR_DATA_LOSS, "not a checkpoint");
    data[sizeof(uint64_t)]--;
    write_sealed(data, size - sizeof(int) - sizeof(uint64_t)); /* without the last note */
    expect(&later, &own, TR_DATA_LOSS, "block 'notes': the file ends before it");
    free(data);
    whole.count = NOTES_MAX + 1;
    const tr_work_file file = file_of(&whole, &own);
    assert_int_equal(tr_work_file_save(&file, PATH, NULL), TR_DATA_LOSS);
    remove(PATH);
}
