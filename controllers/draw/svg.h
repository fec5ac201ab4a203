/* A page of SVG: text and lines in pixels, y downwards, written whole or not at all. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TR_SVG_INK "#222222" /* the default colour */

typedef struct tr_svg_page {
    FILE *out; /* where elements are written */
    char *text;
    size_t size;
} tr_svg_page;

/* A white page. style: attributes of all of it, e.g. "font-size=\"12\"". TR_RESOURCE_EXHAUSTED: no
 * memory; then there is nothing to end. */
tr_status tr_svg_begin(tr_svg_page *page, double width, double height, const char *style,
                       tr_error *error) TR_NODISCARD;

/* The page as text, for the caller to free(). On failure there is nothing to free. */
tr_status tr_svg_take(tr_svg_page *page, char **out_text, size_t *out_size) TR_NODISCARD;

/* style: attributes, e.g. "font-size=\"11\" text-anchor=\"middle\"". */
void tr_svg_text(FILE *out, double x, double y, const char *style, const char *text);
void tr_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style);

/* The style is a format of printf. */
void tr_svg_circle(FILE *out, double x, double y, double radius, const char *style, ...)
    __attribute__((format(printf, 5, 6)));

/* Between these two the caller writes the path's data, in SVG's letters. */
void tr_svg_path_begin(FILE *out);
void tr_svg_path_end(FILE *out, const char *style, ...) __attribute__((format(printf, 2, 3)));

/* To a point of a path in straight lines: a move to its first one. */
void tr_svg_path_to(FILE *out, bool first, double x, double y);
