#include "tools/measure/svg.h"

#include "learn/samcon/whole_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

tr_status tr_svg_begin(tr_svg_page *page, int width, int height, tr_error *error) {
    *page = (tr_svg_page){0};
    page->out = open_memstream(&page->text, &page->size);
    if (!page->out)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a page");
    fprintf(page->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" font-family=\"sans-serif\" fill=\"%s\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            width, height, width, height, TR_SVG_INK, width, height);
    return TR_OK;
}

tr_status tr_svg_end(tr_svg_page *page, const char *path, tr_error *error) {
    fputs("</svg>\n", page->out);
    bool whole = !ferror(page->out);
    whole = fclose(page->out) == 0 && whole;
    tr_status status = whole ? tr_whole_file_write(path, page->text, page->size, error)
                             : tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: out of memory", path);
    free(page->text);
    return status;
}

void tr_svg_text(FILE *out, double x, double y, const char *style, const char *text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '&' || *at == '<' || *at == '>')
            fprintf(out, "&#%d;", *at);
        else
            fputc(*at, out);
    }
    fputs("</text>\n", out);
}

void tr_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style) {
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2,
            style);
}

double tr_svg_step(double range) {
    double step = pow(10, floor(log10(range / 4)));
    return range / step > 20 ? 5 * step : range / step > 8 ? 2 * step : step;
}
