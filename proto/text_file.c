#include "proto/text_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- bytes to text --- */

/* An encoding that begins with these bytes; the longer mark of UTF-32 is tried first. */
static const struct {
    const char *mark;
    size_t size;
    const char *name; /* NULL: UTF-8 */
} encodings[] = {{"\xEF\xBB\xBF", 3, NULL},
                 {"\xFF\xFE\0\0", 4, "UTF-32"},
                 {"\0\0\xFE\xFF", 4, "UTF-32"},
                 {"\xFF\xFE", 2, "UTF-16"},
                 {"\xFE\xFF", 2, "UTF-16"}};

static int line_of(const char *text, size_t at) {
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

static size_t cut_end(const char *text, size_t size) {
    while (size > 0 && (text[size - 1] == '\0' || text[size - 1] == '\x1A'))
        size--;
    return size;
}

tr_status tr_text_clean(char *text, size_t *size, const char *name, tr_error *error) {
    size_t count = *size;
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
        size_t mark = encodings[i].size;
        if (count < mark || memcmp(text, encodings[i].mark, mark) != 0)
            continue;
        if (encodings[i].name)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%.200s: a text in %s: expected UTF-8; save it as UTF-8", name,
                           encodings[i].name);
        count -= mark;
        memmove(text, text + mark, count);
        break;
    }
    count = cut_end(text, count);
    const char *zero = memchr(text, '\0', count);
    if (zero)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "%.200s:%d: a zero byte: expected a text in UTF-8, not UTF-16 or binary data", name,
            line_of(text, (size_t)(zero - text)));
    for (size_t i = 0; i < count; i++)
        if (text[i] == '\r' && (i + 1 == count || text[i + 1] != '\n'))
            text[i] = '\n';
    text[count] = '\0';
    *size = count;
    return TR_OK;
}

/* --- settings --- */

/* What follows a comment, a text in quotes, or one character. */
static const char *skip_piece(const char *at) {
    const char *end = NULL;
    if (*at == '#' || (at[0] == '/' && at[1] == '/'))
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*')
        return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (*at != '"')
        return at + 1;
    for (at++; *at && *at != '"'; at++)
        at += at[0] == '\\' && at[1];
    return at + (*at == '"');
}

/* The first name that stands twice in one group: returns its length (0: none does) and its lines. */
static size_t find_twice(const char *text, const char **out_name, int out_line[2]) {
    enum { NAMES_MAX = 256, DEPTH_MAX = 16 };
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-*";
    const char *name[NAMES_MAX];
    int count = 0, depth = 0, first[DEPTH_MAX] = {0}; /* of the names, in each group around */
    for (const char *at = text; *at;) {
        size_t size = strspn(at, word), blanks = strspn(at + size, " \t\r\n");
        if (*at == '{' && ++depth == DEPTH_MAX)
            return 0;
        if (*at == '{')
            first[depth] = count;
        else if (*at == '}' && depth > 0)
            count = first[depth--];
        char next = at[size + blanks];
        if (size == 0 || (next != '=' && next != ':') || count == NAMES_MAX) {
            at = size > 0 ? at + size : skip_piece(at);
            continue;
        }
        for (int i = first[depth]; i < count; i++)
            if (strspn(name[i], word) == size && strncmp(name[i], at, size) == 0) {
                *out_name = at;
                out_line[0] = line_of(text, (size_t)(name[i] - text));
                out_line[1] = line_of(text, (size_t)(at - text));
                return size;
            }
        name[count++] = at;
        at += size;
    }
    return 0;
}

/* libconfig names the line where it stopped; the mistake is often at the end of the line before. */
tr_status tr_text_refuse_settings(const char *path, const char *text, int line, const char *what,
                                  tr_error *error) {
    const char *name;
    int place[2];
    size_t size = find_twice(text, &name, place);
    if (size > 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.200s:%d: '%.*s' stands in line %d already; expected it once", path,
                       place[1], (int)size, name, place[0]);
    bool vague = strcmp(what, "syntax error") == 0;
    return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s:%d: %s%s", path, line, what,
                   vague ? " here or just before: expected NAME = VALUE; and in a list a comma "
                           "between two values, none after the last"
                         : "");
}

/* --- reading --- */

/* All bytes of a file; false: memory is short. Stops after size_max + 1 bytes. */
static bool read_all(FILE *file, size_t size_max, char **out, size_t *out_size) {
    size_t capacity = 64 * (size_t)1024, size = 0;
    char *text = malloc(capacity);
    while (text) {
        size += fread(text + size, 1, capacity - size - 1, file);
        if (size + 1 < capacity || size > size_max)
            break;
        capacity *= 2;
        char *larger = realloc(text, capacity);
        if (!larger)
            free(text);
        text = larger;
    }
    if (text)
        text[size] = '\0';
    *out = text;
    *out_size = size;
    return text != NULL;
}

/* Gives bytes, or frees them after a failure, which it returns. */
static tr_status give(tr_status status, char *bytes, size_t size, char **out, size_t *out_size) {
    if (status) {
        free(bytes);
        return status;
    }
    *out = bytes;
    *out_size = size;
    return TR_OK;
}

static tr_status read_bytes(FILE *file, const char *name, size_t size_max, char **out,
                            size_t *out_size, tr_error *error) {
    char *bytes = NULL;
    size_t size = 0;
    errno = 0;
    if (!read_all(file, size_max, &bytes, &size))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: no memory", name);
    tr_status status = TR_OK;
    if (ferror(file) && errno == EISDIR)
        status = tr_fail(error, TR_UNAVAILABLE, "%.200s: a folder; expected a file", name);
    else if (ferror(file))
        status = tr_fail(error, TR_UNAVAILABLE, "%.200s: cannot be read: %s", name,
                         errno ? strerror(errno) : "a failure of the device");
    else if (size > size_max)
        status =
            tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: larger than %zu bytes", name, size_max);
    return give(status, bytes, size, out, out_size);
}

/* Gives bytes that were read as a text, or frees them. */
static tr_status give_text(const char *name, char *bytes, size_t size, char **out, size_t *out_size,
                           tr_error *error) {
    tr_status status = tr_text_clean(bytes, &size, name, error);
    return give(status, bytes, size, out, out_size);
}

tr_status tr_text_stream_read(FILE *file, const char *name, size_t size_max, char **out,
                              size_t *out_size, tr_error *error) {
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = read_bytes(file, name, size_max, &bytes, &size, error);
    return status ? status : give_text(name, bytes, size, out, out_size, error);
}

tr_status tr_bytes_file_read(const char *path, size_t size_max, char **out, size_t *out_size,
                             tr_error *error) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return tr_fail(error,
                       errno == ENOENT   ? TR_NOT_FOUND
                       : errno == EACCES ? TR_PERMISSION_DENIED
                                         : TR_UNAVAILABLE,
                       "%.200s: %s", path, strerror(errno));
    tr_status status = read_bytes(file, path, size_max, out, out_size, error);
    fclose(file);
    return status;
}

tr_status tr_text_file_read(const char *path, size_t size_max, char **out, size_t *out_size,
                            tr_error *error) {
    char *bytes = NULL;
    size_t size = 0;
    tr_status status = tr_bytes_file_read(path, size_max, &bytes, &size, error);
    return status ? status : give_text(path, bytes, size, out, out_size, error);
}
