/* The heap: returns memory to the system after clients have used much of it.
 *
 * glibc keeps freed blocks for later allocations; after one flood it would keep hundreds of
 * megabytes. */
#pragma once

/* From now on large blocks are mapped separately, so that they are returned when they are freed. */
void tr_heap_init(void);

/* Returns free memory between used blocks: walks over the heap, a few ms. */
void tr_heap_give_back(void);
