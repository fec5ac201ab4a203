#include "tools/clips/import_arguments.h"

#include "motion/retarget/import_options.h"

#include <assert.h>
#include <string.h>

tr_import_arguments tr_import_arguments_default(void) {
    return (tr_import_arguments){.import = tr_import_default()};
}

static tr_status take(void *context, const tr_option_value *value, tr_error *error) {
    tr_import *import = context;
    tr_error why = {0};
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++)
        if (strcmp(TR_IMPORT_OPTIONS[i].name, value->option) == 0 &&
            !tr_import_set(import, &TR_IMPORT_OPTIONS[i], value->text, &why))
            return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "--%s", why.message);
}

size_t tr_import_arguments_list(tr_import_arguments *arguments, tr_option *table) {
    tr_import *im = &arguments->import;
    const tr_option own[] = {
        {"from", TR_OPTION_COUNT, &im->first, 0, TR_CLIP_FRAME_MAX},
        {"to", TR_OPTION_COUNT, &im->last, 0, TR_CLIP_FRAME_MAX},
        {"skeleton", TR_OPTION_TEXT, &im->clip.skeleton, 0, 0},
        {"asf", TR_OPTION_TEXT, &im->clip.asf_path, 0, 0},
        {"licence", TR_OPTION_TEXT, &im->licence, 0, 0},
        {"origin", TR_OPTION_TEXT, &im->origin, 0, 0},
    };
    size_t count = sizeof own / sizeof *own;
    assert(count + TR_IMPORT_OPTION_COUNT <= TR_IMPORT_ARGUMENTS_MAX);
    memcpy(table, own, sizeof own);
    arguments->take = (tr_option_call){take, im};
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++) {
        const tr_import_option *o = &TR_IMPORT_OPTIONS[i];
        if (!o->value)
            continue;
        bool flag = o->kind == TR_IMPORT_FLAG;
        table[count++] =
            (tr_option){o->name, flag ? TR_OPTION_FLAG : TR_OPTION_CALL,
                        flag ? (void *)((char *)im + o->offset) : (void *)&arguments->take, 0, 0};
    }
    return count;
}

void tr_import_arguments_explain(FILE *out, bool planned) {
    fputs("  --from A --to B      frames of the clip, counted from 0, both included (all)\n", out);
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++) {
        const tr_import_option *o = &TR_IMPORT_OPTIONS[i];
        char usage[40];
        if (!o->value || (o->planned && !planned))
            continue;
        snprintf(usage, sizeof usage, "--%s%s%s", o->name, *o->value ? " " : "", o->value);
        fprintf(out, "  %-20s %s\n", usage, o->help);
    }
    fputs("  --skeleton S         joint map, by name or path (detected)\n"
          "  --asf FILE           skeleton of an AMC (the .asf beside it)\n"
          "  --licence T --origin T   provenance, kept in the motion\n",
          out);
}
