#include "cmocka_test.h"

#include "cli/terrain_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/troupe-terrain-XXXXXX";
static char obj[64], asc[64];

FIXTURE(make_folder) {
    assert_non_null(mkdtemp(folder));
    snprintf(obj, sizeof obj, "%s/a.obj", folder);
    snprintf(asc, sizeof asc, "%s/a.asc", folder);
}

FIXTURE(remove_folder) {
    (void)unlink(obj);
    (void)unlink(asc);
    assert_int_equal(rmdir(folder), 0);
}

static tr_status load(const char *path, const char *text, tr_terrain_file *out, tr_error *error) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return tr_terrain_file_load(path, &(tr_terrain_scale){0.1, 1, false}, out, error);
}

static void refuses(const char *path, const char *text, const char *expected) {
    tr_terrain_file file = {0};
    tr_error error = {0};
    assert_int_equal(load(path, text, &file, &error), TR_INVALID_ARGUMENT);
    if (!strstr(error.message, path) || !strstr(error.message, expected))
        fail_msg("'%s' does not say '%s'", error.message, expected);
}

static tr_terrain_file loaded(const char *path, const char *text) {
    tr_terrain_file file = {0};
    tr_error error = {0};
    if (load(path, text, &file, &error))
        fail_msg("%s", error.message);
    return file;
}

TEST(lines_of_obj_may_be_written_freely) {
    static const char *const texts[] = {
        "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3\nf 1 3 4\n",
        "  v 0 0 0\n\tv 2 0 0\n v 2 2 0\n v 0 2 0\n f 1 2 3\n   f 1 3 4\n",
        "v\t0\t0 0\nv\t2 0 0\nv\t2 2 0\nv\t0 2 0\nf\t1 2 3\nf\t1\t3 4 \n",
        "\xEF\xBB\xBFv 0 0 0\r\nv 2 0 0\r\nv 2 2 0\r\nv 0 2 0\r\nf 1 2 3\r\nf 1 3 4\r\n\x1A",
        "v 0 0 0\rv 2 0 0\rv 2 2 0\rv 0 2 0\rf 1 2 3\rf 1 3 4",
        "v 0 0 \\\n0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 \\\r\n 2 \\\n 3\nf 1 3 4 # last\n",
        "o floor\nmtllib a.mtl\nv 0 0 0 1\nv 2 0 0 0.1 0.2 0.3\nv 2 2 0\nv 0 2 0\nvn 0 0 1\nvt 0 "
        "0\n"
        "g a b\nusemtl c\ns off\nf 1/1/1 2//1 3/1\nf -4 -2 -1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        static const uint32_t index[6] = {0, 1, 2, 0, 2, 3};
        OWN_BY(tr_terrain_file_deinit) tr_terrain_file file = loaded(obj, texts[i]);
        assert_int_equal(file.mesh.vertex_count, 4);
        assert_int_equal(file.mesh.triangle_count, 2);
        assert_memory_equal(file.index, index, sizeof index);
        assert_true(file.number[3] == 2);
    }
}

TEST(no_word_of_obj_is_ignored) {
    refuses(obj, "v 0 0 0\nq 1\n", ":2: 'q': expected v, f");
    refuses(obj, "v 0 0 \\\n0\nV 1 0 0\n", ":3: 'V'");
    refuses(obj, "v 0 0 0\ncurv 1 2 3\n", ":2: a curve or a surface");
    refuses(obj, "v 0 0 0 2\n", "a weight other than 1");
    refuses(obj, "v 0 0 0x\n", ":1: v: found '0x'; expected three numbers");
    refuses(obj, "v 0 0x10 0\n", ":1: v: found '0x10'; expected three numbers");
    refuses(obj, "v 0 1e39 0\n", ":1: v: found '1e39'; expected three numbers of -10000");
    refuses(obj, "v 0 0\n", ":1: v: 2 numbers; expected three");
    refuses(obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", ":4: f: found 'x'; expected the number");
    refuses(obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3.5\n", ":4: f: found '3.5'");
    refuses(obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 1 2\n", ":4: f: vertex 1 is a corner twice");
    refuses(obj, "v 0 0 0\n", "a.obj:2: expected a face with an area");
    refuses(obj, "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "a.obj:5: expected a face with an area");
}

static double area_of(const tr_terrain_file *file) {
    double sum = 0;
    for (uint32_t t = 0; t < file->mesh.triangle_count; t++) {
        const float *a = file->number + 3 * file->index[3 * t];
        const float *b = file->number + 3 * file->index[3 * t + 1];
        const float *c = file->number + 3 * file->index[3 * t + 2];
        double area = ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
                      ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]);
        assert_true(area > 0);
        sum += area / 2;
    }
    return sum;
}

/* An L, begun at each of its corners. */
TEST(a_face_covers_its_area_alone) {
    static const int corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (int first = 0; first < 6; first++) {
        char text[256] = "";
        for (int i = 0; i < 6; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "v %d %d 0\n",
                     corner[(first + i) % 6][0], corner[(first + i) % 6][1]);
        strcat(text, "f 1 2 3 4 5 6\n");
        OWN_BY(tr_terrain_file_deinit) tr_terrain_file file = loaded(obj, text);
        assert_true(area_of(&file) == 3);
    }
    refuses(obj,
            "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 2 3 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n"
            "f 1 2 3 4 5 6 7 8\n",
            "split it into triangles");
}

TEST(grids_are_read_with_either_head) {
    static const char *const texts[] = {
        "ncols 2\nnrows 2\ncellsize 0.5\n1 2\n3 4\n",
        "\xEF\xBB\xBFNCOLS 2\r\nNROWS 2\r\nxllcorner 7\r\nyllcorner 8\r\ndx 0.5\r\ndy 0.5\r\n"
        "NODATA_value -9999\r\n1 2\r\n3 4\r\n",
        "ncols 2\rnrows 2\rcellsize 0.5\r1 2\r3 4\r",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        static const float heights[4] = {3, 4, 1, 2};
        OWN_BY(tr_terrain_file_deinit) tr_terrain_file file = loaded(asc, texts[i]);
        assert_memory_equal(file.number, heights, sizeof heights);
        assert_true(file.heights.spacing_m == 0.5);
    }
}

TEST(holes_and_surplus_of_a_grid_are_named) {
    refuses(asc, "ncols 2\nnrows 2\ncellsize 1\n1 2\nnan 4\n", ":5: row 2, column 1: no data");
    refuses(asc, "ncols 2\nnrows 2\ncellsize 1\nnodata_value nan\nNaN 2\n3 4\n",
            "row 1, column 1: no data");
    refuses(asc,
            "ncols 2\nnrows 2\ncellsize 1\nnodata_value -3.4028234663852886e+38\n1 "
            "-3.40282e+38\n3 4\n",
            "row 1, column 2: no data");
    refuses(asc, "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 40000\n",
            "row 2, column 2: 40000: expected a height");
    refuses(asc, "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 four\n", "found 'four'");
    refuses(asc, "ncols 2\nnrows 2\ncellsize 1\n1 2\n3\n", "found 'the end of the file'");
    refuses(asc, "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 4 5\n", "'5' after the grid");
    refuses(asc, "ncols 2\nnrows 2\ndx 1\ndy 2\n1 2\n3 4\n", "dx and dy differ");
    refuses(asc, "ncols 2\nnrows 2\ncellsize 1\ndx 2\ndy 2\n1 2\n3 4\n", "cellsize and dx differ");
    refuses(asc, "ncols 2\nNCOLS 3\n", ":2: 'NCOLS' stands twice");
    refuses(asc, "ncols 2\nnrow 2\n", ":2: 'nrow': expected ncols");
    refuses(asc, "ncols two\n", ":1: ncols: expected a number, found 'two'");
}

SUITE_FIXTURE(make_folder, remove_folder);
