/* What must hold in releases too. A check that fails is kept in the record of its owner, a world or a
 * session. The owner ends, with this as the reason; the process and the others continue. */
#pragma once

/* The first check that failed; `what` is NULL while all hold. Texts are static. */
typedef struct tr_invariant {
    const char *what, *file;
    int line;
} tr_invariant;

static inline void tr_invariant_note(tr_invariant *record, const char *what, const char *file,
                                     int at_line) {
    if (!record->what)
        *record = (tr_invariant){what, file, at_line};
}

/* The condition is short, because clients read it. */
#define TR_MUST(record, condition)                                                                 \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            tr_invariant_note(record, #condition, __FILE_NAME__, __LINE__);                        \
    } while (0)
