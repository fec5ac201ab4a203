#include "server/web/asset.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct tr_assets {
    int count;
    size_t bytes;
    tr_asset asset[TR_ASSET_COUNT_MAX]; /* by path */
};

static const char *type_of(const char *path) {
    static const struct {
        const char *suffix, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".mjs", "text/javascript; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".json", "application/json"},
                 {".map", "application/json"},
                 {".webmanifest", "application/manifest+json"},
                 {".txt", "text/plain; charset=utf-8"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".jpg", "image/jpeg"},
                 {".webp", "image/webp"},
                 {".ico", "image/x-icon"},
                 {".woff2", "font/woff2"},
                 {".wasm", "application/wasm"},
                 {".glb", "model/gltf-binary"}};
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix && i < sizeof types / sizeof *types; i++)
        if (strcasecmp(suffix, types[i].suffix) == 0)
            return types[i].type;
    return "application/octet-stream";
}

/* A name derived from the content, the same after every start. */
static void write_etag(const tr_packet *packet, char *out) {
    unsigned char digest[EVP_MAX_MD_SIZE] = {0};
    unsigned size = 0;
    EVP_Digest(packet->bytes, packet->size, digest, &size, EVP_sha256(), NULL);
    char *at = out;
    *at++ = '"';
    for (int i = 0; i < 16; i++)
        at += sprintf(at, "%02x", digest[i]);
    *at++ = '"';
    *at = '\0';
}

/* --- reading --- */

static tr_status read_whole(int fd, const char *path, size_t size, tr_packet **out,
                            tr_error *error) {
    tr_packet *packet = tr_packet_create(size);
    if (!packet)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory for %zu bytes", path, size);
    size_t have = 0;
    for (ssize_t count = 1; have < size && count > 0; have += count > 0 ? (size_t)count : 0)
        count = read(fd, packet->bytes + have, size - have);
    if (have < size) {
        tr_packet_release(packet);
        return tr_fail(error, TR_NOT_FOUND, "%s: cannot be read completely", path);
    }
    *out = packet;
    return TR_OK;
}

static tr_status add_file(tr_assets *assets, int fd, const char *path, tr_error *error) {
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return TR_OK;
    if (assets->count == TR_ASSET_COUNT_MAX ||
        (size_t)info.st_size > TR_ASSET_BYTES_MAX - assets->bytes)
        return tr_fail(error, TR_OUT_OF_RANGE, "%s: expected at most %d files with %d MiB in all",
                       path, TR_ASSET_COUNT_MAX, TR_ASSET_BYTES_MAX >> 20);
    tr_asset *asset = &assets->asset[assets->count];
    tr_status status = read_whole(fd, path, (size_t)info.st_size, &asset->plain, error);
    if (status)
        return status;
    snprintf(asset->path, sizeof asset->path, "%s", path);
    asset->type = type_of(path);
    write_etag(asset->plain, asset->etag);
    assets->bytes += (size_t)info.st_size;
    assets->count++;
    return TR_OK;
}

static tr_status add_folder(tr_assets *assets, int fd, const char *path, int depth,
                            tr_error *error);

/* Adds a file or folder of `folder`; entries that cannot be opened are skipped. */
static tr_status add_entry(tr_assets *assets, int folder, const char *path, const char *name,
                           int depth, tr_error *error) {
    char below[TR_ASSET_PATH_MAX];
    struct stat info;
    if (name[0] == '.')
        return TR_OK;
    if (snprintf(below, sizeof below, "%s/%s", path, name) >= (int)sizeof below)
        return tr_fail(error, TR_OUT_OF_RANGE, "%s/%s: longer than %d bytes", path, name,
                       TR_ASSET_PATH_MAX - 1);
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return TR_OK;
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode))
        return add_folder(assets, fd, below, depth + 1, error);
    tr_status status = add_file(assets, fd, below, error);
    close(fd);
    return status;
}

/* Closes `fd`. */
static tr_status add_folder(tr_assets *assets, int fd, const char *path, int depth,
                            tr_error *error) {
    DIR *folder = depth <= TR_ASSET_DEPTH_MAX ? fdopendir(fd) : NULL;
    if (!folder) {
        close(fd);
        return tr_fail(error, TR_OUT_OF_RANGE, "%s: cannot be read, or deeper than %d folders",
                       path, TR_ASSET_DEPTH_MAX);
    }
    tr_status status = TR_OK;
    for (const struct dirent *entry; !status && (entry = readdir(folder));)
        status = add_entry(assets, fd, path, entry->d_name, depth, error);
    closedir(folder);
    return status;
}

/* --- compressed forms --- */

static int compare_paths(const void *a, const void *b) {
    return strcmp(((const tr_asset *)a)->path, ((const tr_asset *)b)->path);
}

static tr_asset *find(const tr_assets *assets, const char *path) {
    tr_asset key;
    if ((size_t)snprintf(key.path, sizeof key.path, "%s", path) >= sizeof key.path)
        return NULL;
    return bsearch(&key, assets->asset, (size_t)assets->count, sizeof key, compare_paths);
}

/* Attaches a compressed file to its uncompressed one. */
static bool join_gzip(const tr_assets *assets, tr_asset *compressed) {
    char path[TR_ASSET_PATH_MAX];
    size_t size = strlen(compressed->path);
    if (size < 4 || strcmp(compressed->path + size - 3, ".gz") != 0)
        return false;
    memcpy(path, compressed->path, size - 3);
    path[size - 3] = '\0';
    tr_asset *plain = find(assets, path);
    if (!plain)
        return false;
    plain->gzip = compressed->plain;
    memcpy(plain->gzip_etag, compressed->etag, sizeof plain->gzip_etag);
    compressed->plain = NULL;
    return true;
}

static void join_all(tr_assets *assets) {
    qsort(assets->asset, (size_t)assets->count, sizeof(tr_asset), compare_paths);
    for (int i = 0; i < assets->count; i++)
        (void)join_gzip(assets, &assets->asset[i]);
    int kept = 0;
    for (int i = 0; i < assets->count; i++) {
        if (assets->asset[i].plain)
            assets->asset[kept++] = assets->asset[i];
        else
            tr_packet_release(assets->asset[i].gzip);
    }
    assets->count = kept;
}

/* --- the interface --- */

tr_status tr_assets_load(const char *folder, tr_assets **out, tr_error *error) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return tr_fail(error, TR_NOT_FOUND, "%s: %s", folder, strerror(errno));
    tr_assets *assets = calloc(1, sizeof *assets);
    if (!assets) {
        close(fd);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", folder);
    }
    tr_error why = {0};
    tr_status status = add_folder(assets, fd, "", 0, &why);
    if (status) {
        tr_assets_destroy(assets);
        return tr_fail(error, status, "%s%s", folder, why.message);
    }
    join_all(assets);
    *out = assets;
    return TR_OK;
}

void tr_assets_destroy(tr_assets *assets) {
    if (!assets)
        return;
    for (int i = 0; i < assets->count; i++) {
        tr_packet_release(assets->asset[i].plain);
        tr_packet_release(assets->asset[i].gzip);
    }
    free(assets);
}

const tr_asset *tr_assets_find(const tr_assets *assets, const char *path) {
    char index[TR_ASSET_PATH_MAX];
    size_t size = strlen(path);
    if (size == 0 || path[size - 1] != '/')
        return find(assets, path);
    if ((size_t)snprintf(index, sizeof index, "%sindex.html", path) >= sizeof index)
        return NULL;
    return find(assets, index);
}

int tr_assets_count(const tr_assets *assets) {
    return assets->count;
}
