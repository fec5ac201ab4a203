#include "draw/svg.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

tr_status tr_svg_begin(tr_svg_page *page, double width, double height, const char *style,
                       tr_error *error) {
    *page = (tr_svg_page){0};
    page->out = open_memstream(&page->text, &page->size);
    if (!page->out)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a page");
    fprintf(page->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.6g %.6g\" font-family=\"sans-serif\" fill=\"%s\" %s>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            width, height, width, height, TR_SVG_INK, style);
    return TR_OK;
}

tr_status tr_svg_take(tr_svg_page *page, char **out_text, size_t *out_size) {
    fputs("</svg>\n", page->out);
    bool whole = !ferror(page->out);
    whole = fclose(page->out) == 0 && whole;
    if (!whole) {
        free(page->text);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out_text = page->text;
    *out_size = page->size;
    return TR_OK;
}

void tr_svg_text(FILE *out, double x, double y, const char *style, const char *text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '&' || *at == '<' || *at == '>' || *at == '"')
            fprintf(out, "&#%d;", *at);
        else
            fputc(*at < ' ' ? ' ' : *at, out);
    }
    fputs("</text>\n", out);
}

void tr_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style) {
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2,
            style);
}

/* The attributes, and the element's end. */
static void end_element(FILE *out, const char *style, va_list values) {
    fputc(' ', out);
    vfprintf(out, style, values);
    fputs("/>\n", out);
}

void tr_svg_circle(FILE *out, double x, double y, double radius, const char *style, ...) {
    va_list values;
    va_start(values, style);
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\"", x, y, radius);
    end_element(out, style, values);
    va_end(values);
}

void tr_svg_path_begin(FILE *out) {
    fputs("<path d=\"", out);
}

void tr_svg_path_to(FILE *out, bool first, double x, double y) {
    fprintf(out, "%c%.1f %.1f ", first ? 'M' : 'L', x, y);
}

void tr_svg_path_end(FILE *out, const char *style, ...) {
    va_list values;
    va_start(values, style);
    fputc('"', out);
    end_element(out, style, values);
    va_end(values);
}
