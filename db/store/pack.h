/* Packing of stored blobs without loss: the SQL functions pack(X) and unpack(X). Inside db/ only.
 *
 * Statements pack what they store and unpack what they read, so that nothing else knows of it, and
 * digests are those of the unpacked bytes. A packed value:
 *
 *     offset size
 *          0    1  form, of which the shortest is taken: 0 stored, 1 deflated, 2 a series of
 *                  quaternions, 3 words of eight bytes sorted by the place of their bytes, 4 a series
 *                  of quaternions on a grid; these deflated
 *          1    4  bytes of the unpacked value, little-endian
 *          5       content
 *
 * Targets of servos (encoding.h) are the bulk of a catalogue. They are smooth in time and have unit
 * length, so that form 2, which serves the joints of states too, predicts each number and deflates
 * what the prediction missed. It predicts x, y, z by the parabola through the three steps before, w
 * by the unit length and the sign one step before. Errors are differences of the bits as integers,
 * sorted by the place of their bytes. Where x, y and z are multiples of 2^-20 and w is what is
 * predicted but for its sign, as in compact bundles, form 4 takes multiples instead of bits. The
 * prediction uses additions, products and square roots in one order only, which IEEE 754 rounds in one
 * way. */
#pragma once

#include "proto/status.h"

#include <sqlite3.h>

/* Gives a connection both functions. unpack is TR_DATA_LOSS for what pack did not make. NULL stays
 * NULL. */
tr_status tr_pack_register(sqlite3 *db, tr_error *error) TR_NODISCARD;
