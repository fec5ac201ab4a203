/* Tables of columns: what each row of a table holds, and where its struct has it. Inserting,
 * selecting, reading, checking and the digest of every noun walk its table. Inside db/ only.
 *
 *     static const tr_table_column columns[] = {
 *         TR_COLUMNS_KEY(tr_clip_row),
 *         TR_COLUMN(tr_clip_row, TEXT, source),
 *         TR_COLUMN_WITH(tr_clip_row, INT, frame_count, .low = 1, .high = INT_MAX),
 *     };
 *     const tr_table tr_clip_columns = TR_TABLE(tr_clip_row, "clip", TR_NOUN_CLIP, columns);
 *
 * The digest covers the columns in their order: each as digest.h says for its kind. */
#pragma once

#include "db/store/query.h"

/* The type of the struct's member, and what is allowed. Numbers are within `low` to `high`, both
 * included; a double is above `low`. If both are 0, all values of the type are allowed. A value that
 * is not allowed is refused when it is stored and when it is read. */
typedef enum tr_column_kind {
    TR_COLUMN_ID,     /* tr_row_id of a row of `noun`; 0: NULL; its row's digest is added */
    TR_COLUMN_INT,    /* int, or an enum */
    TR_COLUMN_INT64,  /* int64_t, or uint64_t as the same bits */
    TR_COLUMN_BOOL,   /* bool */
    TR_COLUMN_DOUBLE, /* double, finite */
    TR_COLUMN_NAME,   /* char [size], a name (text.h) */
    TR_COLUMN_TEXT,   /* char [size], may be empty */
    TR_COLUMN_DIGEST, /* tr_digest */
    TR_COLUMN_BLOB,   /* tr_blob_view; read: valid until the next step */
    TR_COLUMN_BYTES   /* tr_blob_view of a text; never read */
} tr_column_kind;

/* What leaves the column out. */
enum { TR_NOT_INSERTED = 1, TR_NOT_SELECTED = 2, TR_NOT_DIGESTED = 4 };

typedef struct tr_table_column {
    const char *name;   /* in SQL */
    const char *select; /* an expression instead of the name; NULL: the name */
    const char *insert; /* an expression, where ? is the value; NULL: the value */
    double low, high;
    size_t offset, size; /* of the member */
    tr_column_kind kind;
    int left_out; /* TR_NOT_INSERTED ... */
    tr_noun noun; /* of an ID */
} tr_table_column;

/* TR_COLUMN(struct, kind, member); _WITH: with other members of tr_table_column, _AS: and with its name in
 * SQL. */
#define TR_COLUMN(Struct, its_kind, member) TR_COLUMN_WITH(Struct, its_kind, member, .select = NULL)
#define TR_COLUMN_WITH(Struct, its_kind, member, ...)                                              \
    TR_COLUMN_AS(Struct, its_kind, member, #member, __VA_ARGS__)
#define TR_COLUMN_AS(Struct, its_kind, member, sql, ...)                                           \
    {                                                                                              \
        .name = (sql), .offset = offsetof(Struct, member), .size = sizeof((Struct *)0)->member,    \
        .kind = TR_COLUMN_##its_kind, __VA_ARGS__                                                  \
    }
/* A column that is not stored: `expression` is selected. */
#define TR_COLUMN_FOUND(Struct, its_kind, member, expression, least, most)                         \
    TR_COLUMN_WITH(Struct, its_kind, member, .select = (expression), .low = (least),               \
                   .high = (most), .left_out = TR_NOT_INSERTED | TR_NOT_DIGESTED)
/* The first columns of the nouns: the key is not part of the content. */
#define TR_COLUMNS_KEY(Struct)                                                                     \
    TR_COLUMN_WITH(Struct, ID, id, .left_out = TR_NOT_INSERTED | TR_NOT_DIGESTED),                 \
        TR_COLUMN_WITH(Struct, NAME, name, .left_out = TR_NOT_DIGESTED),                           \
        TR_COLUMN_WITH(Struct, DIGEST, digest, .left_out = TR_NOT_DIGESTED)

enum { TR_ROW_SIZE_MAX = 1 << 14 };

typedef struct tr_table {
    const char *name;
    const char *version; /* "clip 1": begins the digest; NULL: rows have none, or another one */
    const char *joins;   /* after FROM and the name; NULL: none */
    const char *owner;   /* of the rows of another table: the column with the owner's id; NULL */
    const char *suffix;  /* after what is inserted; NULL: none */
    const char *order; /* in which all rows are verified, before their ids: "model, "; NULL: none */
    const tr_table_column *column;
    int column_count;
    int key_count; /* of a list (lists.h): so many first columns order it, and differ in each row */
    int most;      /* rows of a list */
    tr_noun noun;
    size_t size; /* of the struct */
    /* Checks what no column says alone; NULL: nothing. */
    tr_status (*check)(const void *row, tr_error *error);
    /* Reads what is kept in other tables; NULL: nothing. */
    tr_status (*complete)(tr_catalogue *catalogue, void *row, tr_error *error);
    /* Verifies a row of a noun (tr_rows_verify); NULL: its check and its digest are all. */
    tr_status (*verify)(tr_catalogue *catalogue, const void *row, tr_error *error);
} tr_table;

#define TR_TABLE(Struct, sql_name, its_noun, columns, ...)                                         \
    {                                                                                              \
        .name = (sql_name), .noun = (its_noun), .column = (columns),                               \
        .column_count = (int)(sizeof(columns) / sizeof *(columns)), .size = sizeof(Struct),        \
        __VA_ARGS__                                                                                \
    }

/* "SELECT columns FROM table joins rest", to be bound. */
tr_query tr_columns_select(tr_catalogue *catalogue, const tr_table *table, const char *rest,
                           tr_error *error);

/* Reads the query's row into a struct that was set to zero. */
void tr_columns_read(tr_query *query, const tr_table *table, void *row);

/* TR_INVALID_ARGUMENT: a value is outside what its column or the table's check allows. */
tr_status tr_columns_check(const tr_table *table, const void *row, tr_error *error) TR_NODISCARD;

/* Inserts [count] structs with their owner (0: the table has none), or one. */
tr_status tr_columns_insert_all(tr_catalogue *catalogue, const tr_table *table, tr_row_id owner,
                                const void *rows, int count, tr_error *error) TR_NODISCARD;
tr_status tr_columns_insert(tr_catalogue *catalogue, const tr_table *table, const void *row,
                            tr_row_id *out_id, tr_error *error) TR_NODISCARD;

/* Adds the content of a row. */
void tr_columns_digest(tr_catalogue *catalogue, const tr_table *table, const void *row,
                       tr_digest_writer *writer, tr_error *error);

/* By the key: negative, 0 or positive. */
int tr_columns_compare(const tr_table *table, const void *a, const void *b);

/* "run_metric: iteration 1, name 'cost': given twice" */
tr_status tr_columns_refuse_twice(const tr_table *table, const void *row,
                                  tr_error *error) TR_NODISCARD;

/* Turns -0 into 0, as SQLite does when it stores it. */
void tr_columns_clean(const tr_table *table, void *row);

/* The rows of a table in another catalogue, and what they become. */
typedef struct tr_row_copying {
    tr_catalogue *from, *to;
    tr_row_id id;     /* of the row, or of the owner of the rows, in `from` */
    const char *name; /* in `to`; NULL: the table has no names */
    tr_row_id owner;  /* in `to`; 0: the table has no owner */
    tr_error *error;
} tr_row_copying;

/* Copies rows that have been checked as they are stored, packed content too. References lead to the first
 * row of `to` with the same digest. */
tr_status tr_columns_copy(const tr_row_copying *copying, const tr_table *table) TR_NODISCARD;

/* The same by statements: `select` has the id, name and owner as ?1, ?2 and ?3, or the first of them, and
 * the columns of a row are the parameters of `insert`. */
tr_status tr_columns_copy_by(const tr_row_copying *copying, const char *select,
                             const char *insert) TR_NODISCARD;

/* The member of the column with that name. */
const void *tr_columns_member(const tr_table *table, const char *name, const void *row);
