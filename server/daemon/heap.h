/* The heap: memory that clients made the daemon take goes back to the system.
 *
 * glibc keeps freed blocks for the next allocation; after one flood it would keep hundreds of
 * megabytes. */
#ifndef TROUPE_SERVER_HEAP_H
#define TROUPE_SERVER_HEAP_H

/* From now on large blocks are mapped each by itself, so that they go back when they are freed. */
void tr_heap_init(void);

/* Gives back what lies free between blocks that are in use: a walk over the heap, some ms. */
void tr_heap_give_back(void);

#endif
