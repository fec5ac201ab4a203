#include "control/driver/driver_sheet.h"

#include "math/elementary.h"
#include "math/quat.h"

#include <stdlib.h>
#include <string.h>

int tr_driver_value_count(const tr_driver_parameter *parameter, int count) {
    int values = 0;
    for (int i = 0; i < count; i++)
        values += parameter[i].count;
    return values;
}

/* Makes room for one more element; arrays grow by powers of two. */
static tr_status grow(void **array, int count, int most, size_t size) {
    if (count >= most)
        return TR_RESOURCE_EXHAUSTED;
    if ((count & (count - 1)) != 0)
        return TR_OK;
    void *grown = realloc(*array, (count ? 2 * (size_t)count : 1) * size);
    if (!grown)
        return TR_RESOURCE_EXHAUSTED;
    *array = grown;
    return TR_OK;
}

tr_status tr_driver_sheet_add_skill(tr_driver_sheet *sheet, const tr_driver_skill *skill) {
    void *array = sheet->skill;
    tr_status status = grow(&array, sheet->skill_count, TR_DRIVER_SKILL_MAX, sizeof *skill);
    sheet->skill = array;
    if (!status)
        sheet->skill[sheet->skill_count++] = *skill;
    return status;
}

tr_status tr_driver_sheet_add_edge(tr_driver_sheet *sheet, const tr_driver_edge *edge) {
    void *array = sheet->edge;
    tr_status status = grow(&array, sheet->edge_count, TR_DRIVER_EDGE_MAX, sizeof *edge);
    sheet->edge = array;
    if (!status)
        sheet->edge[sheet->edge_count++] = *edge;
    return status;
}

tr_status tr_driver_sheet_add_point(tr_driver_sheet *sheet, const tr_driver_point *point) {
    void *array = sheet->point;
    tr_status status = grow(&array, sheet->point_count, TR_DRIVER_POINT_MAX, sizeof *point);
    sheet->point = array;
    if (!status)
        sheet->point[sheet->point_count++] = *point;
    return status;
}

int tr_driver_sheet_find_skill(const tr_driver_sheet *sheet, const char *name) {
    for (int i = 0; i < sheet->skill_count; i++)
        if (strcmp(sheet->skill[i].name, name) == 0)
            return i;
    return -1;
}

void tr_driver_sheet_deinit(tr_driver_sheet *sheet) {
    free(sheet->entry);
    free(sheet->skill);
    free(sheet->edge);
    free(sheet->point);
    *sheet = (tr_driver_sheet){0};
}

tr_displacement tr_displacement_join(tr_displacement first, tr_displacement then) {
    const double c = tr_cos(first.turn_rad), s = tr_sin(first.turn_rad);
    return (tr_displacement){first.ahead_m + c * then.ahead_m - s * then.aside_m,
                             first.aside_m + s * then.ahead_m + c * then.aside_m,
                             tr_angle_wrap(first.turn_rad + then.turn_rad)};
}
