/* A file system under SQLite that fails or dies at its n-th change, for the tests of db/. */
#pragma once

typedef enum fault_kind {
    FAULT_KILL, /* SIGKILL to this process, before the change; half of a write is done first */
    FAULT_FULL, /* the disk is full from then on */
    FAULT_IO    /* every change fails from then on */
} fault_kind;

/* Becomes SQLite's default for the rest of this process, armed as below. */
void faults_install(fault_kind kind, int countdown);

/* From the `countdown`-th write, sync, truncation or deletion on, the fault holds; 0: never. */
void faults_arm(fault_kind kind, int countdown);
