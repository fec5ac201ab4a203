/* Files of recordings: the blocking calls made on libuv's threads. Each touches only the file it is
 * given. */
#pragma once

#include "server/recording/recording.h"

/* Appends all bytes. TR_RESOURCE_EXHAUSTED: the disk is full; TR_UNAVAILABLE: another failure.
 * Bytes written before the failure stay. */
tr_status tr_recording_file_write(int file, const tr_packet *bytes, tr_error *error) TR_NODISCARD;

/* Returns when the written bytes are on the disk. TR_UNAVAILABLE: they may not be. */
tr_status tr_recording_file_sync(int file, tr_error *error) TR_NODISCARD;

/* The same for the names in a folder: files made, renamed or removed. */
tr_status tr_recording_file_sync_folder(const char *folder, tr_error *error) TR_NODISCARD;

/* Writes at `offset` of a file; offset 0 creates or empties it. */
tr_status tr_recording_file_extend(const char *path, uint64_t offset, const tr_packet *bytes,
                                   tr_error *error) TR_NODISCARD;

/* Cuts the file to `size`, syncs it and renames it. TR_ALREADY_EXISTS: a file has that name, and
 * stays. The caller syncs the folder. */
tr_status tr_recording_file_adopt(const char *path, uint64_t size, const char *final_path,
                                  tr_error *error) TR_NODISCARD;

/* Reads at most `size` bytes from `offset` on, fewer at the end. out_size: of the whole file. The
 * caller owns *out. TR_OUT_OF_RANGE: the file is longer than TR_RECORDING_BYTES_MAX. */
tr_status tr_recording_file_read(const char *path, uint64_t offset, size_t size, tr_packet **out,
                                 uint64_t *out_size, tr_error *error) TR_NODISCARD;

/* Reads the file's two ends: tr_recording_glance. */
tr_status tr_recording_file_glance(const char *path, tr_recording_info *out, uint64_t *out_size,
                                   tr_error *error) TR_NODISCARD;
