/* A chart on a page of SVG: a frame with axes, in which values are drawn. */
#ifndef TROUPE_DRAW_CHART_H
#define TROUPE_DRAW_CHART_H

#include "draw/svg.h"

/* left to height: the frame, pixels. first, last: along x. value_max: along y, from 0 */
typedef struct tr_chart {
    FILE *out;
    double left, top, width, height;
    double first, last, value_max;
} tr_chart;

/* Where a value lies on the page. */
double tr_chart_x(const tr_chart *chart, double at);
double tr_chart_y(const tr_chart *chart, double value);

/* Colours that differ, for curves and bars. */
const char *tr_chart_colour(int number);

void tr_chart_title(const tr_chart *chart, const char *title);

/* Lines across at round values. unit: behind the label at their left; NULL: no labels */
void tr_chart_values(const tr_chart *chart, const char *unit);

/* Labels at multiples of `every` along x, the last with the unit; lines: up from them */
void tr_chart_places(const tr_chart *chart, double every, bool lines, const char *unit);

/* A label below a place, and the name of what lies along x. */
void tr_chart_label(const tr_chart *chart, double x, const char *label);
void tr_chart_along(const tr_chart *chart, const char *name);

/* Straight lines through points [count]. */
void tr_chart_curve(const tr_chart *chart, const double *at, const double *value, int count,
                    const char *colour);

#endif
