#include "faults.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

/* SQLite's file, with the real one behind it. Version 1 has no shared memory: an exclusive writer
 * needs none. */
typedef struct faulty_file {
    sqlite3_file base;
    sqlite3_file *real;
} faulty_file;

static struct {
    fault_kind kind;
    int countdown, count;
    sqlite3_vfs *real;
    sqlite3_vfs vfs;
} faults;

static sqlite3_file *real_of(sqlite3_file *file) {
    return ((faulty_file *)file)->real;
}

/* To be asked before each change: SQLITE_OK or what it fails with. */
static int ask(void) {
    if (++faults.count < faults.countdown || faults.countdown == 0)
        return SQLITE_OK;
    if (faults.kind == FAULT_KILL)
        kill(getpid(), SIGKILL);
    return faults.kind == FAULT_FULL ? SQLITE_FULL : SQLITE_IOERR;
}

static int file_close(sqlite3_file *file) {
    return real_of(file)->pMethods->xClose(real_of(file));
}
static int file_read(sqlite3_file *file, void *data, int size, sqlite3_int64 at) {
    return real_of(file)->pMethods->xRead(real_of(file), data, size, at);
}
static int file_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 at) {
    if (faults.count + 1 == faults.countdown)
        real_of(file)->pMethods->xWrite(real_of(file), data, size / 2, at);
    int code = ask();
    return code ? code : real_of(file)->pMethods->xWrite(real_of(file), data, size, at);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = ask();
    return code ? code : real_of(file)->pMethods->xTruncate(real_of(file), size);
}
static int file_sync(sqlite3_file *file, int flags) {
    int code = ask();
    return code ? code : real_of(file)->pMethods->xSync(real_of(file), flags);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *out) {
    return real_of(file)->pMethods->xFileSize(real_of(file), out);
}
static int file_lock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}
static int file_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
static int file_reserved(sqlite3_file *file, int *out) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}
static int file_control(sqlite3_file *file, int what, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}
static int file_sector(sqlite3_file *file) {
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}
static int file_characteristics(sqlite3_file *file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_characteristics,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    faulty_file *faulty = (faulty_file *)file;
    faulty->real = (sqlite3_file *)(faulty + 1);
    memset(faulty->real, 0, (size_t)faults.real->szOsFile);
    int code = faults.real->xOpen(faults.real, name, faulty->real, flags, out);
    file->pMethods = code == SQLITE_OK ? &methods : NULL;
    return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    int code = ask();
    return code ? code : faults.real->xDelete(faults.real, name, sync);
}

void faults_install(fault_kind kind, int countdown) {
    faults_arm(kind, countdown);
    faults.real = sqlite3_vfs_find(NULL);
    faults.vfs = *faults.real;
    faults.vfs.zName = "faulty";
    faults.vfs.szOsFile += (int)sizeof(faulty_file);
    faults.vfs.pNext = NULL;
    faults.vfs.xOpen = vfs_open;
    faults.vfs.xDelete = vfs_delete;
    sqlite3_vfs_register(&faults.vfs, 1);
}

void faults_arm(fault_kind kind, int countdown) {
    faults.kind = kind;
    faults.countdown = countdown;
    faults.count = 0;
}
