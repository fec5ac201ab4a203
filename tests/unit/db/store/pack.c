#include "cmocka_test.h"

#include "db/store/blob.h"
#include "db/store/database.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 300, BYTES_MAX = 20000 };

FIXTURE(open_memory) {
    sqlite3 *db = NULL;
    assert_false(tr_database_open("", TR_DATABASE_MEMORY, true, &db, NULL));
    *given = db;
}

static int close_memory(void **state) {
    return sqlite3_close(*state);
}

/* The result of "SELECT pack(?)" or "SELECT unpack(?)", for the caller to free; the SQLite code. */
static int apply(sqlite3 *db, const char *sql, tr_blob_view in, tr_blob *out) {
    sqlite3_stmt *statement = NULL;
    assert_int_equal(SQLITE_OK, sqlite3_prepare_v2(db, sql, -1, &statement, NULL));
    sqlite3_bind_blob64(statement, 1, in.data, in.size, SQLITE_STATIC);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        out->size = (size_t)sqlite3_column_bytes(statement, 0);
        out->data = malloc(out->size + 1);
        if (out->size)
            memcpy(out->data, sqlite3_column_blob(statement, 0), out->size);
    }
    sqlite3_finalize(statement);
    return code & 0xff;
}

/* Packs and unpacks; returns the packed size. */
static size_t assert_same_again(sqlite3 *db, tr_blob_view raw) {
    tr_blob packed = {0}, again = {0};
    assert_int_equal(SQLITE_ROW, apply(db, "SELECT pack(?)", raw, &packed));
    assert_int_equal(SQLITE_ROW, apply(db, "SELECT unpack(?)", tr_blob_look(&packed), &again));
    assert_int_equal(raw.size, again.size);
    if (raw.size)
        assert_memory_equal(raw.data, again.data, raw.size);
    size_t size = packed.size;
    tr_blob_deinit(&packed);
    tr_blob_deinit(&again);
    return size;
}

static tr_blob targets_of(const double *numbers, int steps, int bodies) {
    tr_blob blob = {0};
    size_t count = 4 * (size_t)steps * (size_t)bodies;
    tr_blob_writer writer = tr_blob_begin(TR_BLOB_TARGETS, 1, 8 + count * sizeof(double));
    tr_blob_put_int(&writer, (uint32_t)steps);
    tr_blob_put_int(&writer, (uint32_t)bodies);
    tr_blob_put_doubles(&writer, numbers, count);
    assert_int_equal(TR_OK, tr_blob_seal(&writer, &blob, NULL));
    return blob;
}

/* Smooth rotations about slowly turning axes. */
static void draw_smooth(tr_random *random, int steps, int bodies, double *out) {
    for (int body = 0; body < bodies; body++) {
        double phase = 6 * tr_random_uniform(random), speed = 0.1 * tr_random_uniform(random);
        for (int step = 0; step < steps; step++) {
            double *q = out + 4 * (step * bodies + body), half = phase + speed * step;
            double tilt = 0.3 * half + 1;
            q[0] = tr_cos(half);
            q[1] = tr_sin(half) * tr_cos(tilt);
            q[2] = tr_sin(half) * tr_sin(tilt);
            q[3] = 0;
        }
    }
}

TEST(any_bytes_are_the_same_again) {
    unsigned char bytes[BYTES_MAX];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tr_random random = tr_random_seed(seed);
        size_t size = seed ? tr_random_next(&random) % BYTES_MAX : 0;
        /* From constant bytes to noise. */
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)(tr_random_next(&random) % (1 + seed % 256));
        assert_same_again(*given, (tr_blob_view){bytes, size});
    }
}

TEST(any_finite_series_is_the_same_again) {
    static const double odd[] = {0.0, -0.0, 5e-324, 1.7e308, -1.7e308, 1, -1, 1e-300};
    static double numbers[4 * 40 * 20];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tr_random random = tr_random_seed(seed);
        int steps = 1 + (int)(tr_random_next(&random) % 40);
        int bodies = 1 + (int)(tr_random_next(&random) % 20);
        draw_smooth(&random, steps, bodies, numbers);
        for (uint64_t i = 0; i < seed % 50; i++) {
            size_t place = tr_random_next(&random) % (size_t)(4 * steps * bodies);
            numbers[place] = odd[tr_random_next(&random) % (sizeof odd / sizeof *odd)];
        }
        OWN_BY(tr_blob_deinit) tr_blob blob = targets_of(numbers, steps, bodies);
        assert_same_again(*given, tr_blob_look(&blob));
    }
}

TEST(smooth_targets_shrink_to_less_than_half) {
    static double numbers[4 * 20 * 18];
    tr_random random = tr_random_seed(1);
    draw_smooth(&random, 20, 18, numbers);
    OWN_BY(tr_blob_deinit) tr_blob blob = targets_of(numbers, 20, 18);
    assert_true(2 * assert_same_again(*given, tr_blob_look(&blob)) < blob.size);
}

/* As compact bundles round them; a number off the grid, -0 too, comes back all the same. */
TEST(targets_on_a_grid_shrink_to_a_sixth) {
    static double numbers[4 * 20 * 18];
    tr_random random = tr_random_seed(1);
    draw_smooth(&random, 20, 18, numbers);
    for (int i = 0; i < 20 * 18; i++) {
        double *q = numbers + (ptrdiff_t)4 * i, left = 1;
        for (int k = 1; k < 4; k++) {
            q[k] = nearbyint(q[k] * 0x1p20) * 0x1p-20 + 0.0;
            left -= q[k] * q[k];
        }
        q[0] = copysign(sqrt(fmax(left, 0)), q[0]);
    }
    OWN_BY(tr_blob_deinit) tr_blob blob = targets_of(numbers, 20, 18);
    assert_true(6 * assert_same_again(*given, tr_blob_look(&blob)) < blob.size);
    numbers[4 * 7 + 1] += 0x1p-30;
    OWN_BY(tr_blob_deinit) tr_blob off = targets_of(numbers, 20, 18);
    assert_same_again(*given, tr_blob_look(&off));
    numbers[4 * 7 + 1] = -0.0;
    OWN_BY(tr_blob_deinit) tr_blob negative = targets_of(numbers, 20, 18);
    assert_same_again(*given, tr_blob_look(&negative));
}

TEST(what_does_not_shrink_grows_by_five_bytes) {
    unsigned char noise[1000];
    tr_random random = tr_random_seed(2);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)tr_random_next(&random);
    assert_int_equal(sizeof noise + 5,
                     assert_same_again(*given, (tr_blob_view){noise, sizeof noise}));
}

TEST(null_stays_null) {
    int64_t nulls = 0;
    assert_int_equal(
        TR_OK, tr_database_read_int(*given, "SELECT (pack(NULL) IS NULL) + (unpack(NULL) IS NULL)",
                                    &nulls, NULL));
    assert_int_equal(2, nulls);
}

/* A damaged value is refused or gives other bytes of the size it names, within the limit. */
TEST(damage_is_refused_or_bounded) {
    static double numbers[4 * 10 * 5];
    tr_random random = tr_random_seed(3);
    draw_smooth(&random, 10, 5, numbers);
    tr_blob blob = targets_of(numbers, 10, 5), packed = {0};
    assert_int_equal(SQLITE_ROW, apply(*given, "SELECT pack(?)", tr_blob_look(&blob), &packed));
    int refused = 0;
    for (size_t i = 0; i < packed.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            OWN_BY(tr_blob_deinit) tr_blob out = {0};
            packed.data[i] ^= (uint8_t)(1 << bit);
            int code = apply(*given, "SELECT unpack(?)", tr_blob_look(&packed), &out);
            packed.data[i] ^= (uint8_t)(1 << bit);
            assert_true(code == SQLITE_CORRUPT || code == SQLITE_ROW);
            refused += code == SQLITE_CORRUPT;
        }
    assert_true(refused > (int)packed.size * 6);
    for (size_t size = 0; size < packed.size; size++) {
        tr_blob out = {0};
        tr_blob_view cut = {packed.data, size};
        assert_int_equal(SQLITE_CORRUPT, apply(*given, "SELECT unpack(?)", cut, &out));
    }
    tr_blob_deinit(&packed);
    tr_blob_deinit(&blob);
}

/* Headers that are nearly those of targets or of a state; each is packed as it is. */
TEST(what_is_nearly_a_series_is_the_same_again) {
    const double numbers[8] = {1, 0, 0, 0, 1, 0, 0, 0};
    OWN_BY(tr_blob_deinit) tr_blob blob = targets_of(numbers, 2, 1);
    static const struct {
        size_t at;
        unsigned char value;
    } cases[] = {{0, 'X'}, {4, 3},  {4, 9},  {5, 1},  {24, 0},
                 {24, 3},  {27, 1}, {28, 0}, {28, 2}, {31, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned char kept = blob.data[cases[i].at];
        blob.data[cases[i].at] = cases[i].value;
        assert_same_again(*given, tr_blob_look(&blob));
        blob.data[cases[i].at] = kept;
    }
    assert_same_again(*given, tr_blob_look(&blob));
}

SUITE_FIXTURE(open_memory, close_memory);
