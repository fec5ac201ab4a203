#include "tools/clips/import_arguments.h"

#include "motion/retarget/import_options.h"

#include <string.h>

static tr_status take(void *context, const tr_option_value *value, tr_error *error) {
    tr_import *import = context;
    tr_error why = {0};
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++)
        if (strcmp(TR_IMPORT_OPTIONS[i].name, value->option) == 0 &&
            !tr_import_set(import, &TR_IMPORT_OPTIONS[i], value->text, &why))
            return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "--%s", why.message);
}

static const tr_argument of_clips[] = {
    {"--from A", TR_OPTION_COUNT, offsetof(tr_import, first),
     "first frame of the clip, counted from 0 (0)", 0, TR_CLIP_FRAME_MAX},
    {"--to B", TR_OPTION_COUNT, offsetof(tr_import, last), "last frame of the clip (all)", 0,
     TR_CLIP_FRAME_MAX},
    {"--skeleton S", TR_OPTION_TEXT, offsetof(tr_import, clip.skeleton),
     "joint map, by name or path (detected)"},
    {"--asf FILE", TR_OPTION_TEXT, offsetof(tr_import, clip.asf_path),
     "skeleton of an AMC (the .asf beside it)"},
    {"--licence T", TR_OPTION_TEXT, offsetof(tr_import, licence), "provenance, kept in the motion"},
    {"--origin T", TR_OPTION_TEXT, offsetof(tr_import, origin), "provenance, kept in the motion"},
};

void tr_import_arguments_list(tr_argument_list *list, unsigned offset, bool planned) {
    for (size_t i = 0; i < sizeof of_clips / sizeof *of_clips; i++) {
        tr_argument row = of_clips[i];
        row.offset += offset;
        tr_argument_list_add(list, &row, NULL, NULL);
    }
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++) {
        const tr_import_option *o = &TR_IMPORT_OPTIONS[i];
        const bool flag = o->kind == TR_IMPORT_FLAG;
        const tr_argument row = {.kind = flag ? TR_OPTION_FLAG : TR_OPTION_CALL,
                                 .offset = offset + (flag ? (unsigned)o->offset : 0),
                                 .help = o->planned && !planned ? NULL : o->help,
                                 .take = flag ? NULL : take};
        if (o->value)
            tr_argument_list_add(list, &row, o->name, o->value);
    }
}
