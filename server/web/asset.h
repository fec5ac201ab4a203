/* Assets: the files of a folder that the web port serves, read once and held in memory.
 *
 * Only files that existed when the folder was read can be requested, so no path leads out of it. A
 * file `name.gz` beside `name` is its compressed form. Immutable once loaded; for the loop's thread
 * only. */
#pragma once

#include "server/net/packet.h"

enum {
    TR_ASSET_COUNT_MAX = 1024,
    TR_ASSET_PATH_MAX = 256,
    TR_ASSET_DEPTH_MAX = 8,
    TR_ASSET_BYTES_MAX = 64 << 20, /* of all together */
    TR_ASSET_ETAG_MAX = 40
};

typedef struct tr_asset {
    char path[TR_ASSET_PATH_MAX];                               /* "/assets/index.js" */
    const char *type;                                           /* of its content, static */
    tr_packet *plain, *gzip;                                    /* gzip: NULL without */
    char etag[TR_ASSET_ETAG_MAX], gzip_etag[TR_ASSET_ETAG_MAX]; /* with quotes; of the content */
} tr_asset;

typedef struct tr_assets tr_assets;

/* Reads the folder and its subfolders: regular files whose names do not begin with a dot; links are
 * skipped. TR_NOT_FOUND: it cannot be read; TR_OUT_OF_RANGE: more than the limits above;
 * TR_RESOURCE_EXHAUSTED. The message names the file. */
tr_status tr_assets_load(const char *folder, tr_assets **out, tr_error *error) TR_NODISCARD;
void tr_assets_destroy(tr_assets *assets); /* NULL is allowed; packets being sent stay valid */

/* NULL: no such file. "/" and "/folder/" mean their index.html. Valid as long as `assets`. */
const tr_asset *tr_assets_find(const tr_assets *assets, const char *path);

int tr_assets_count(const tr_assets *assets);
