#include "motion/clips/joint_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_separator(char c) {
    return c && strchr(":|_-. ", c);
}

/* Length of the prefix up to the first separator after `from`; 0: no separator. */
static size_t prefix_length(const char *name, size_t from) {
    for (size_t i = from; name[i]; i++)
        if (is_separator(name[i]) && i > from)
            return i + 1;
    return 0;
}

/* Whether four of five joints have this prefix; ends have the names of their parents. */
static bool is_shared(const tr_clip *clip, const char *prefix, size_t length) {
    int count = 0, with = 0;
    for (int i = 0; i < clip->joint_count; i++) {
        count += !clip->joints[i].is_end;
        with += !clip->joints[i].is_end && strncmp(clip->joints[i].name, prefix, length) == 0;
    }
    return 5 * with >= 4 * count;
}

void tr_joint_name_space(const tr_clip *clip, char out[TR_CLIP_NAME_MAX]) {
    size_t longest = 0;
    out[0] = '\0';
    for (int i = 0; i < clip->joint_count; i++) {
        const char *name = clip->joints[i].name;
        for (size_t length = prefix_length(name, 0); length && is_shared(clip, name, length);
             length = prefix_length(name, length)) {
            if (length <= longest)
                continue;
            longest = length;
            snprintf(out, TR_CLIP_NAME_MAX, "%.*s", (int)length, name);
        }
    }
}

/* A word begins after a separator, at a capital after a small letter, and at the last capital of a
 * run ("LThigh"). */
static bool begins_word(const char *name, size_t i) {
    if (i == 0 || is_separator(name[i - 1]))
        return true;
    if (!isupper((unsigned char)name[i]))
        return false;
    return islower((unsigned char)name[i - 1]) || islower((unsigned char)name[i + 1]);
}

static tr_side side_of(const char *word, size_t length) {
    static const struct {
        const char *word;
        tr_side side;
    } words[] = {{"left", TR_SIDE_LEFT},
                 {"l", TR_SIDE_LEFT},
                 {"right", TR_SIDE_RIGHT},
                 {"r", TR_SIDE_RIGHT}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && strncasecmp(word, words[i].word, length) == 0)
            return words[i].side;
    return TR_SIDE_NONE;
}

static void append(char text[TR_CLIP_NAME_MAX], const char *word, size_t length) {
    size_t used = strlen(text);
    for (size_t i = 0; i < length && used + 1 < TR_CLIP_NAME_MAX; i++)
        if (isalnum((unsigned char)word[i]))
            text[used++] = (char)tolower((unsigned char)word[i]);
    text[used] = '\0';
}

tr_joint_name tr_joint_name_read(const char *name, const char *space) {
    tr_joint_name read = {.side = TR_SIDE_NONE};
    size_t skipped = strlen(space);
    if (strncmp(name, space, skipped) == 0)
        name += skipped;
    const char *colon = strrchr(name, ':');
    if (colon)
        name = colon + 1;
    for (size_t begin = 0, end; name[begin]; begin = end) {
        for (end = begin + 1; name[end] && !begins_word(name, end);)
            end++;
        size_t length = end - begin;
        while (length && is_separator(name[begin + length - 1]))
            length--;
        append(read.key, name + begin, length);
        if (length == 1 && tolower((unsigned char)name[begin]) == 'c')
            continue; /* of the centre */
        tr_side side = side_of(name + begin, length);
        if (side == TR_SIDE_NONE || read.side != TR_SIDE_NONE)
            append(read.noun, name + begin, length);
        else
            read.side = side;
    }
    return read;
}
