/* The options of an import on a command line: those of motion/retarget/import_options.h and of the
 * clip's file, for every command that imports. */
#pragma once

#include "motion/retarget/import.h"
#include "tools/frame/argument_list.h"

/* Adds their rows; offset: of the import in the command's values. planned: shows those too that a plan
 * chooses; otherwise they are taken, to be refused by name. */
void tr_import_arguments_list(tr_argument_list *list, unsigned offset, bool planned);
