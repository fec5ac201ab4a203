/* The options of an import on a command line: those of motion/retarget/import_options.h and of the
 * clip's file, for every command that imports. */
#ifndef TROUPE_TOOLS_IMPORT_ARGUMENTS_H
#define TROUPE_TOOLS_IMPORT_ARGUMENTS_H

#include "motion/retarget/import.h"
#include "tools/frame/options.h"

#include <stdio.h>

enum { TR_IMPORT_ARGUMENTS_MAX = 40 };

/* What the rows of the table point to; must outlive the parsing. Start from
 * tr_import_arguments_default. */
typedef struct tr_import_arguments {
    tr_import import;
    tr_option_call take;
} tr_import_arguments;

tr_import_arguments tr_import_arguments_default(void);

/* Writes the rows into table, [TR_IMPORT_ARGUMENTS_MAX]; returns how many they are. */
size_t tr_import_arguments_list(tr_import_arguments *arguments, tr_option *table);

/* A line of help for each; without those that a plan chooses, unless `planned`. */
void tr_import_arguments_explain(FILE *out, bool planned);

#endif
