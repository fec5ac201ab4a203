#include "proto/suggest.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 48 };

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Damerau's distance with adjacent swaps: three rows of the usual table. Words of at most WORD_MAX. */
static int distance(const char *a, const char *b) {
    int rows[3][WORD_MAX + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    int height = (int)strlen(a), width = (int)strlen(b);
    for (int k = 0; k <= width; k++)
        last[k] = k;
    for (int i = 1; i <= height; i++) {
        row[0] = i;
        for (int k = 1; k <= width; k++) {
            row[k] = least(least(last[k], row[k - 1]) + 1, last[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], before[k - 2] + 1);
        }
        int *oldest = before;
        before = last, last = row, row = oldest;
    }
    return last[width];
}

const char *tr_suggest_nearest(const char *word, const char *const *names, int count) {
    const char *nearest = NULL;
    size_t length = strlen(word);
    if (length < 3 || length > WORD_MAX)
        return NULL;
    int best = least(2, (int)length / 3) + 1;
    for (int i = 0; i < count; i++) {
        int far = strlen(names[i]) > WORD_MAX ? best : distance(word, names[i]);
        if (far < best) {
            best = far;
            nearest = names[i];
        }
    }
    return nearest;
}

static int far_from(const char *word, const char *name) {
    return strlen(word) > WORD_MAX || strlen(name) > WORD_MAX ? 2 * WORD_MAX : distance(word, name);
}

void tr_suggest_order(const char *word, const char **names, int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && far_from(word, names[k]) < far_from(word, names[k - 1]); k--) {
            const char *nearer = names[k];
            names[k] = names[k - 1];
            names[k - 1] = nearer;
        }
}

const char *tr_suggest_text(const char *name, char out[80]) {
    if (name)
        snprintf(out, 80, "; did you mean '%s'?", name);
    else
        out[0] = '\0';
    return out;
}
