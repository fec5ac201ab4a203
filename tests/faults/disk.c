#include "disk.h"

#include "math/random.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 128, NAME_SIZE = 256, SECTOR = 512 };

typedef struct content {
    uint8_t *data;
    size_t size, capacity;
} content;

/* A write that waits for a sync; without data a change of size to `at`. */
typedef struct waiting {
    size_t at, size;
    uint8_t *data;
    struct waiting *next;
} waiting;

typedef struct disk_file {
    char name[NAME_SIZE], durable_name[NAME_SIZE]; /* the second one: when power is lost */
    bool there;                                    /* for programs */
    bool durable;                                  /* there when power is lost */
    content seen, platter;
    waiting *first, **end;
} disk_file;

static struct {
    disk_file file[FILE_MAX], kept[FILE_MAX];
    disk_fault fault;
    int countdown, length, calls;
    disk_losses losses;
    sqlite3_vfs *real, vfs;
} disk;

/* --- contents --- */

static void reserve(content *c, size_t size) {
    if (size <= c->capacity)
        return;
    c->capacity = size > 2 * c->capacity ? size : 2 * c->capacity;
    c->data = realloc(c->data, c->capacity);
    if (!c->data)
        abort();
}

/* Grows with zeros. */
static void resize(content *c, size_t size) {
    reserve(c, size);
    if (size > c->size)
        memset(c->data + c->size, 0, size - c->size);
    c->size = size;
}

static void put(content *c, size_t at, const void *data, size_t size) {
    if (at + size > c->size)
        resize(c, at + size);
    if (size > 0)
        memcpy(c->data + at, data, size);
}

static void assign(content *c, const content *from) {
    resize(c, from->size);
    if (from->size > 0)
        memcpy(c->data, from->data, from->size);
}

static void drop(content *c) {
    free(c->data);
    *c = (content){0};
}

/* --- files --- */

static void forget_waiting(disk_file *file) {
    for (waiting *next, *w = file->first; w; w = next) {
        next = w->next;
        free(w->data);
        free(w);
    }
    file->first = NULL;
    file->end = &file->first;
}

static void note(disk_file *file, size_t at, const void *data, size_t size) {
    waiting *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    w->at = at;
    w->size = size;
    if (data) {
        w->data = malloc(size + 1);
        memcpy(w->data, data, size);
    }
    *file->end = w;
    file->end = &w->next;
}

static void apply(disk_file *file, const waiting *w) {
    if (w->data)
        put(&file->platter, w->at, w->data, w->size);
    else
        resize(&file->platter, w->at);
}

static void sync_content(disk_file *file) {
    for (const waiting *w = file->first; w; w = w->next)
        apply(file, w);
    forget_waiting(file);
}

static void sync_name(disk_file *file) {
    file->durable = true;
    strcpy(file->durable_name, file->name);
}

/* As SQLite does it: with the name. */
static void sync_file(disk_file *file) {
    sync_content(file);
    sync_name(file);
}

static void delete_for_good(disk_file *file) {
    file->durable = false;
    forget_waiting(file);
    drop(&file->platter);
}

/* A file system writes down what happened to its folders in order: with a sync, all deletions
 * before it. */
static void sync_deletions(void) {
    for (int i = 0; i < FILE_MAX; i++)
        if (disk.file[i].durable && !disk.file[i].there)
            delete_for_good(&disk.file[i]);
}

static disk_file *find(const char *name) {
    for (int i = 0; i < FILE_MAX; i++)
        if (strcmp(disk.file[i].name, name) == 0)
            return &disk.file[i];
    return NULL;
}

static disk_file *find_or_make(const char *name) {
    disk_file *file = find(name);
    if (file)
        return file;
    file = find("");
    if (!file || strlen(name) >= NAME_SIZE)
        abort();
    strcpy(file->name, name);
    file->end = &file->first;
    return file;
}

static void clear_files(disk_file *files) {
    for (int i = 0; i < FILE_MAX; i++) {
        forget_waiting(&files[i]);
        drop(&files[i].seen);
        drop(&files[i].platter);
        files[i] = (disk_file){0};
        files[i].end = &files[i].first;
    }
}

static void copy_files(disk_file *to, const disk_file *from) {
    clear_files(to);
    for (int i = 0; i < FILE_MAX; i++) {
        memcpy(to[i].name, from[i].name, NAME_SIZE);
        memcpy(to[i].durable_name, from[i].name, NAME_SIZE);
        to[i].there = to[i].durable = from[i].there;
        assign(&to[i].platter, &from[i].seen);
        assign(&to[i].seen, &from[i].seen);
    }
}

/* --- faults --- */

static bool concerns(bool writes) {
    return disk.fault != DISK_FULL || writes;
}

/* To be asked before each call: SQLITE_OK or `code`. */
static int ask(bool writes, int code) {
    if (!concerns(writes))
        return SQLITE_OK;
    int n = ++disk.calls;
    bool fails = disk.countdown > 0 && n >= disk.countdown &&
                 (disk.length == 0 || n < disk.countdown + disk.length);
    return !fails ? SQLITE_OK : disk.fault == DISK_FULL ? SQLITE_FULL : code;
}

void disk_arm(disk_fault fault, int countdown, int length) {
    disk.fault = fault;
    disk.countdown = countdown;
    disk.length = length;
    disk.calls = 0;
}

int disk_calls(void) {
    return disk.calls;
}

bool disk_rename(const char *from, const char *to) {
    disk_file *file = find(from), *before = find(to);
    if (!file || !file->there || ask(false, SQLITE_IOERR) != SQLITE_OK)
        return false;
    if (before) {
        delete_for_good(before);
        drop(&before->seen);
        *before = (disk_file){0};
    }
    strcpy(file->name, to);
    return true;
}

/* --- files without SQLite --- */

int disk_open(const char *name, bool create) {
    disk_file *file = find(name);
    bool there = file && file->there;
    if (!there && !create)
        return -1;
    if (ask(!there, SQLITE_IOERR) != SQLITE_OK)
        return -2;
    if (!there) {
        file = find_or_make(name);
        forget_waiting(file);
        note(file, 0, NULL, 0);
        resize(&file->seen, 0);
        file->there = true;
    }
    return (int)(file - disk.file);
}

bool disk_has(const char *name) {
    const disk_file *file = find(name);
    return file && file->there;
}

size_t disk_size(int file) {
    return disk.file[file].seen.size;
}

size_t disk_read(int file, size_t at, void *out, size_t size) {
    const content *c = &disk.file[file].seen;
    size_t left = at < c->size ? c->size - at : 0, got = left < size ? left : size;
    if (got > 0)
        memcpy(out, c->data + at, got);
    return got;
}

bool disk_write(int file, size_t at, const void *data, size_t size) {
    if (ask(true, SQLITE_IOERR) != SQLITE_OK)
        return false;
    put(&disk.file[file].seen, at, data, size);
    note(&disk.file[file], at, data, size);
    return true;
}

bool disk_resize(int file, size_t size) {
    if (ask(true, SQLITE_IOERR) != SQLITE_OK)
        return false;
    resize(&disk.file[file].seen, size);
    note(&disk.file[file], size, NULL, 0);
    return true;
}

bool disk_sync(int file) {
    if (ask(false, SQLITE_IOERR) != SQLITE_OK)
        return false;
    sync_content(&disk.file[file]);
    return true;
}

bool disk_sync_folders(void) {
    if (ask(false, SQLITE_IOERR) != SQLITE_OK)
        return false;
    for (int i = 0; i < FILE_MAX; i++)
        if (disk.file[i].there)
            sync_name(&disk.file[i]);
    sync_deletions();
    return true;
}

bool disk_delete(const char *name) {
    disk_file *file = find(name);
    if (!file || !file->there || ask(false, SQLITE_IOERR) != SQLITE_OK)
        return false;
    file->there = false;
    return true;
}

const char *disk_name(int at) {
    return at >= FILE_MAX ? NULL : disk.file[at].there ? disk.file[at].name : "";
}

/* --- the loss of power --- */

/* Some sectors of it, in no order, one of them nonsense. */
static void tear(disk_file *file, const waiting *w, tr_random *random) {
    for (size_t done = 0; done < w->size;) {
        size_t at = w->at + done, left = w->size - done;
        size_t size = SECTOR - at % SECTOR;
        size = size < left ? size : left;
        uint64_t fate = tr_random_next(random) % 8;
        uint8_t nonsense[SECTOR];
        for (size_t i = 0; i < size; i++)
            nonsense[i] = (uint8_t)tr_random_next(random);
        if (fate < 4)
            put(&file->platter, at, w->data + done, size);
        else if (fate == 7)
            put(&file->platter, at, nonsense, size);
        done += size;
    }
}

static void lose(disk_file *file, tr_random *random) {
    for (const waiting *w = file->first; w; w = w->next) {
        uint64_t fate = tr_random_next(random) % 5;
        if (fate < 2) {
            disk.losses.dropped++;
        } else if (fate == 2 && w->data) {
            disk.losses.torn++;
            tear(file, w, random);
        } else {
            disk.losses.kept++;
            apply(file, w);
        }
    }
    forget_waiting(file);
}

void disk_lose_power(uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    for (int i = 0; i < FILE_MAX; i++) {
        disk_file *file = &disk.file[i];
        if (file->name[0] == '\0')
            continue;
        lose(file, &random);
        bool drawn = tr_random_next(&random) % 2 == 0;
        if (file->there && !file->durable && !drawn)
            disk.losses.files_gone++;
        if (!file->there && file->durable && drawn)
            disk.losses.files_back++;
        if (file->there != file->durable)
            file->durable = drawn;
        file->there = file->durable;
        if (file->durable_name[0] && !find(file->durable_name) && tr_random_next(&random) % 2 == 0)
            strcpy(file->name, file->durable_name);
        strcpy(file->durable_name, file->name);
        if (!file->there)
            drop(&file->platter);
        assign(&file->seen, &file->platter);
    }
    disk_arm(DISK_POWER, 0, 0);
}

void disk_clear(void) {
    clear_files(disk.file);
    disk.losses = (disk_losses){0};
    disk_arm(DISK_POWER, 0, 0);
}

void disk_keep(void) {
    copy_files(disk.kept, disk.file);
}

void disk_return(void) {
    copy_files(disk.file, disk.kept);
    disk_arm(DISK_POWER, 0, 0);
}

disk_losses disk_lost(void) {
    return disk.losses;
}

/* --- what SQLite calls --- */

typedef struct handle {
    sqlite3_file base;
    disk_file *file;
} handle;

static disk_file *file_of(sqlite3_file *file) {
    return ((handle *)file)->file;
}

static int on_close(sqlite3_file *file) {
    (void)file;
    return SQLITE_OK;
}

static int on_read(sqlite3_file *file, void *out, int size, sqlite3_int64 at) {
    const content *c = &file_of(file)->seen;
    if (ask(false, SQLITE_IOERR_READ) != SQLITE_OK)
        return SQLITE_IOERR_READ;
    size_t begin = (size_t)at, wanted = (size_t)size;
    size_t left = begin < c->size ? c->size - begin : 0, got = left < wanted ? left : wanted;
    if (got > 0)
        memcpy(out, c->data + begin, got);
    memset((uint8_t *)out + got, 0, wanted - got);
    return got == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int on_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 at) {
    int code = ask(true, SQLITE_IOERR_WRITE);
    /* What fails may have done a part of its work. */
    size_t done = code == SQLITE_OK ? (size_t)size : (size_t)size / 2;
    put(&file_of(file)->seen, (size_t)at, data, done);
    note(file_of(file), (size_t)at, data, done);
    return code;
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = ask(true, SQLITE_IOERR_TRUNCATE);
    if (code != SQLITE_OK)
        return code;
    resize(&file_of(file)->seen, (size_t)size);
    note(file_of(file), (size_t)size, NULL, 0);
    return SQLITE_OK;
}

static int on_sync(sqlite3_file *file, int flags) {
    (void)flags;
    int code = ask(false, SQLITE_IOERR_FSYNC);
    if (code != SQLITE_OK)
        return code;
    sync_file(file_of(file));
    sync_deletions();
    return SQLITE_OK;
}

static int on_size(sqlite3_file *file, sqlite3_int64 *out) {
    *out = (sqlite3_int64)file_of(file)->seen.size;
    return SQLITE_OK;
}

static int on_lock(sqlite3_file *file, int level) {
    (void)file, (void)level;
    return SQLITE_OK;
}

static int on_reserved(sqlite3_file *file, int *out) {
    (void)file;
    *out = 0;
    return SQLITE_OK;
}

static int on_control(sqlite3_file *file, int what, void *argument) {
    (void)file, (void)what, (void)argument;
    return SQLITE_NOTFOUND;
}

static int on_sector(sqlite3_file *file) {
    (void)file;
    return 4096;
}

/* Promises nothing: no atomic writes, no order, no untouched neighbours. */
static int on_characteristics(sqlite3_file *file) {
    (void)file;
    return 0;
}

static const sqlite3_io_methods methods = {.iVersion = 1,
                                           .xClose = on_close,
                                           .xRead = on_read,
                                           .xWrite = on_write,
                                           .xTruncate = on_truncate,
                                           .xSync = on_sync,
                                           .xFileSize = on_size,
                                           .xLock = on_lock,
                                           .xUnlock = on_lock,
                                           .xCheckReservedLock = on_reserved,
                                           .xFileControl = on_control,
                                           .xSectorSize = on_sector,
                                           .xDeviceCharacteristics = on_characteristics};

static int on_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    static int unnamed;
    char own[32];
    file->pMethods = NULL;
    if (!name) {
        sqlite3_snprintf(sizeof own, own, "unnamed %d", unnamed++ % 4);
        name = own;
    }
    disk_file *known = find(name);
    bool there = known && known->there;
    if (!there && (flags & SQLITE_OPEN_CREATE) == 0)
        return SQLITE_CANTOPEN;
    int code = ask(!there, SQLITE_IOERR);
    if (code != SQLITE_OK)
        return code == SQLITE_FULL ? code : SQLITE_CANTOPEN;
    known = find_or_make(name);
    if (!there) {
        forget_waiting(known);
        note(known, 0, NULL, 0);
        resize(&known->seen, 0);
        known->there = true;
    }
    ((handle *)file)->file = known;
    file->pMethods = &methods;
    if (out)
        *out = flags;
    return SQLITE_OK;
}

static int on_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    disk_file *file = find(name);
    if (!file || !file->there)
        return SQLITE_IOERR_DELETE_NOENT;
    int code = ask(false, SQLITE_IOERR_DELETE);
    if (code != SQLITE_OK)
        return code;
    file->there = false;
    if (sync)
        delete_for_good(file);
    return SQLITE_OK;
}

static int on_access(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
    (void)vfs, (void)flags;
    const disk_file *file = find(name);
    *out = file && file->there;
    return SQLITE_OK;
}

static int on_full_name(sqlite3_vfs *vfs, const char *name, int size, char *out) {
    (void)vfs;
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
}

void disk_install(void) {
    disk.real = sqlite3_vfs_find(NULL);
    disk.vfs = *disk.real;
    disk.vfs.zName = "disk";
    disk.vfs.szOsFile = (int)sizeof(handle);
    disk.vfs.pNext = NULL;
    disk.vfs.xOpen = on_open;
    disk.vfs.xDelete = on_delete;
    disk.vfs.xAccess = on_access;
    disk.vfs.xFullPathname = on_full_name;
    disk_clear();
    sqlite3_vfs_register(&disk.vfs, 1);
}
