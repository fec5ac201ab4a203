/* What must hold in releases too. A check that fails is kept in the record of its owner, a world or a
 * session. The owner ends, with this as the reason; the process and the others continue. */
#pragma once

#include <stdio.h>

/* The first check that failed; `what` is NULL while all hold. Texts are static. */
typedef struct tr_invariant {
    const char *what, *file;
    int line;
    double left, right; /* of a comparison: what its sides were; else 0 */
} tr_invariant;

static inline void tr_invariant_note(tr_invariant *record, const tr_invariant *broken) {
    if (!record->what)
        *record = *broken;
}

/* The condition is short, because clients read it. */
#define TR_MUST(record, condition)                                                                 \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            tr_invariant_note(record, &(tr_invariant){#condition, __FILE_NAME__, __LINE__, 0, 0}); \
    } while (0)

/* The same for a comparison, TR_MUST_BE(record, count, <=, COUNT_MAX), of which the values are kept. */
#define TR_MUST_BE(record, a, relation, b)                                                         \
    do {                                                                                           \
        if (__builtin_expect(!((a)relation(b)), 0))                                                \
            tr_invariant_note(record, &(tr_invariant){#a " " #relation " " #b, __FILE_NAME__,      \
                                                      __LINE__, (double)(a), (double)(b)});        \
    } while (0)

/* The place, the condition and the values, for people. */
static inline void tr_invariant_print(const tr_invariant *broken, char *out, size_t size) {
    if (broken->left != 0 || broken->right != 0)
        snprintf(out, size, "%s:%d: %s (%g, %g)", broken->file, broken->line, broken->what,
                 broken->left, broken->right);
    else
        snprintf(out, size, "%s:%d: %s", broken->file, broken->line, broken->what);
}
