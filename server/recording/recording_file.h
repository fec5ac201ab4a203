/* Files of recordings: what libuv's threads do with them. Blocking calls; each touches only the
 * file it is given. */
#ifndef TROUPE_SERVER_RECORDING_FILE_H
#define TROUPE_SERVER_RECORDING_FILE_H

#include "server/recording/recording.h"

/* Appends all of it. TR_RESOURCE_EXHAUSTED: the disk is full; TR_UNAVAILABLE: another failure. What
 * was written of it before stays. */
tr_status tr_recording_file_write(int file, const tr_packet *bytes, tr_error *error) TR_NODISCARD;

/* Returns when what was written is on the disk. TR_UNAVAILABLE: it may not be. */
tr_status tr_recording_file_sync(int file, tr_error *error) TR_NODISCARD;

/* The same of the names in a folder: files made, renamed or removed. */
tr_status tr_recording_file_sync_folder(const char *folder, tr_error *error) TR_NODISCARD;

/* Writes at `offset` of a file, which at 0 is made anew. */
tr_status tr_recording_file_extend(const char *path, uint64_t offset, const tr_packet *bytes,
                                   tr_error *error) TR_NODISCARD;

/* Cuts the file to `size`, syncs it and gives it its name; what has that name stays:
 * TR_ALREADY_EXISTS. The folder is the caller's to sync. */
tr_status tr_recording_file_adopt(const char *path, uint64_t size, const char *final_path,
                                  tr_error *error) TR_NODISCARD;

/* At most `size` bytes from `offset` on, fewer at the end. out_size: of the whole file. *out is the
 * caller's. TR_OUT_OF_RANGE: the file is longer than TR_RECORDING_BYTES_MAX. */
tr_status tr_recording_file_read(const char *path, uint64_t offset, size_t size, tr_packet **out,
                                 uint64_t *out_size, tr_error *error) TR_NODISCARD;

/* What its two ends tell: tr_recording_glance. */
tr_status tr_recording_file_glance(const char *path, tr_recording_info *out, uint64_t *out_size,
                                   tr_error *error) TR_NODISCARD;

#endif
