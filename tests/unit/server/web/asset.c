/* Files of the web root. */
#include "cmocka_test.h"

#include "server/web/asset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static void put(const char *path, const char *content) {
    char full[512];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static void make_folder(const char *path) {
    char full[512];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    assert_int_equal(mkdir(full, 0700), 0);
}

FIXTURE(setup) {
    strcpy(folder, "/tmp/troupe-asset-XXXXXX");
    assert_int_equal(!mkdtemp(folder), 0);
}

FIXTURE(teardown) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static tr_assets *load(void) {
    tr_assets *assets = NULL;
    tr_error error = {0};
    if (tr_assets_load(folder, &assets, &error))
        fail_msg("%s", error.message);
    return assets;
}

TEST(test_files_by_path) {
    put("index.html", "<p>");
    make_folder("assets");
    put("assets/main-1a2b.js", "let a");
    put("assets/main-1a2b.js.gz", "zipped");
    put("odd.xyz", "");
    tr_assets *assets = load();
    assert_int_equal(tr_assets_count(assets), 3);
    const tr_asset *script = tr_assets_find(assets, "/assets/main-1a2b.js");
    assert_non_null(script);
    assert_string_equal(script->type, "text/javascript; charset=utf-8");
    assert_int_equal(script->plain->size, 5);
    assert_memory_equal(script->gzip->bytes, "zipped", 6);
    assert_string_not_equal(script->etag, script->gzip_etag);
    assert_ptr_equal(tr_assets_find(assets, "/"), tr_assets_find(assets, "/index.html"));
    assert_string_equal(tr_assets_find(assets, "/odd.xyz")->type, "application/octet-stream");
    assert_null(tr_assets_find(assets, "/assets/main-1a2b.js.gz"));
    assert_null(tr_assets_find(assets, "/assets/"));
    tr_assets_destroy(assets);
}

/* Files that were not read cannot be requested by any path. */
TEST(test_files_outside_the_folder_are_not_found) {
    char secret[128], link_path[128];
    snprintf(secret, sizeof secret, "%s.secret", folder);
    FILE *file = fopen(secret, "w");
    fputs("secret", file);
    fclose(file);
    put("index.html", "<p>");
    put(".hidden", "secret");
    snprintf(link_path, sizeof link_path, "%s/link.txt", folder);
    assert_int_equal(symlink(secret, link_path), 0);
    tr_assets *assets = load();
    assert_int_equal(tr_assets_count(assets), 1);
    const char *base = strrchr(secret, '/');
    char outside[128];
    snprintf(outside, sizeof outside, "/..%s", base);
    assert_null(tr_assets_find(assets, outside));
    assert_null(tr_assets_find(assets, "/link.txt"));
    assert_null(tr_assets_find(assets, "/.hidden"));
    assert_null(tr_assets_find(assets, "//index.html"));
    assert_null(tr_assets_find(assets, "index.html"));
    assert_null(tr_assets_find(assets, "/../index.html"));
    tr_assets_destroy(assets);
    unlink(secret);
}

TEST(test_the_same_content_has_the_same_tag) {
    put("a.css", "p {}");
    put("b.css", "p {}");
    put("c.css", "q {}");
    tr_assets *assets = load();
    assert_string_equal(tr_assets_find(assets, "/a.css")->etag,
                        tr_assets_find(assets, "/b.css")->etag);
    assert_string_not_equal(tr_assets_find(assets, "/a.css")->etag,
                            tr_assets_find(assets, "/c.css")->etag);
    tr_assets_destroy(assets);
}

TEST(test_limits_are_reported) {
    tr_assets *assets = NULL;
    tr_error error;
    assert_int_equal(tr_assets_load("/nowhere/at/all", &assets, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "/nowhere/at/all"));
    put("big", "");
    char path[128];
    snprintf(path, sizeof path, "%s/big", folder);
    assert_int_equal(truncate(path, (off_t)TR_ASSET_BYTES_MAX + 1), 0);
    assert_int_equal(tr_assets_load(folder, &assets, &error), TR_OUT_OF_RANGE);
    assert_non_null(strstr(error.message, "big"));
    unlink(path);
    snprintf(path, sizeof path, "a");
    make_folder(path);
    for (int i = 0; i < TR_ASSET_DEPTH_MAX; i++) {
        strcat(path, "/a");
        make_folder(path);
    }
    assert_int_equal(tr_assets_load(folder, &assets, &error), TR_OUT_OF_RANGE);
    assert_null(assets);
}

TEST_FIXTURE(setup, teardown);
