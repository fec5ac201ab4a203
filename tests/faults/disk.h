/* A disk in memory under SQLite that keeps only synced data, and fails on demand.
 *
 * Every file has two contents: on the platter, and as programs see it. A write changes the second
 * and waits in a list; a sync of the file writes its list to the platter. When power is lost, each
 * waiting write may or may not be on the platter, in any order, whole or torn at sectors of 512
 * bytes, one of which may be garbage; a file whose folder was not synced since may be gone, or have
 * its name before disk_rename, and one that was deleted since may be back. SQLite's sync of a file
 * syncs the folder. Everything is drawn from a seed. One process, one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum disk_fault {
    DISK_FULL,  /* writes, truncations and creations: no space left; the rest works */
    DISK_ERROR, /* reads, writes, syncs, truncations, openings and deletions: an I/O error */
    DISK_POWER  /* the power is gone: every call fails from then on */
} disk_fault;

/* Becomes SQLite's default file system for the rest of this process. */
void disk_install(void);

/* A disk without files, that works. */
void disk_clear(void);

/* Renames a file, and replaces one of that name for good. False:
 * no such file, or the disk fails. */
bool disk_rename(const char *from, const char *to);

/* Files without SQLite, on the same disk. disk_open: -1: no such file; -2: the disk fails. What
 * returns a bool is false when the disk fails. */
int disk_open(const char *name, bool create);
bool disk_has(const char *name);
size_t disk_size(int file);
size_t disk_read(int file, size_t at, void *out, size_t size);
bool disk_write(int file, size_t at, const void *data, size_t size);
bool disk_resize(int file, size_t size);
bool disk_sync(int file);
bool disk_sync_folders(void);
bool disk_delete(const char *name);
const char *disk_name(int at); /* "": no file there; NULL: no more of them */

/* From the `countdown`-th call on that it concerns, `length` of them fail (0: all). countdown 0: no
 * fault. */
void disk_arm(disk_fault fault, int countdown, int length);

/* Calls since disk_arm that the armed fault concerns. */
int disk_calls(void);

/* Power comes back: what the programs see is what the platter has. Nothing may be open. */
void disk_lose_power(uint64_t seed);

/* Keeps what programs see now, all synced, and returns to it as often as wanted. Nothing may be
 * open. */
void disk_keep(void);
void disk_return(void);

/* What the last losses did, since disk_clear. */
typedef struct disk_losses {
    long dropped, torn, kept, files_gone, files_back;
} disk_losses;
disk_losses disk_lost(void);
