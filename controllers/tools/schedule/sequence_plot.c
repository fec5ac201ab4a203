#include "tools/schedule/sequence_plot.h"

#include "draw/svg.h"

#include <math.h>

/* Pixels. */
enum { LEFT = 150, TOP = 60, MARGIN = 20, WIDTH = 720, GAP = 24 };
static const double ROW_MOST = 14, BAND_MOST = 240;

typedef struct plot {
    FILE *out;
    const tr_scheduler *scheduler;
    double row, second; /* pixels */
} plot;

static int row_of(const tr_scheduler *scheduler, int entry) {
    int row = 0;
    while (row + 1 < scheduler->entry_count && scheduler->entry[row] < entry)
        row++;
    return row;
}

/* The name of each skill at its first row. */
static void draw_skills(const plot *p, double top) {
    const tr_driver_sheet *sheet = &p->scheduler->sheet;
    for (int i = 0, last = -1; i < p->scheduler->entry_count; i++) {
        const int skill = sheet->entry[p->scheduler->entry[i]].skill;
        if (skill == last)
            continue;
        tr_svg_line(p->out, LEFT, top + i * p->row, WIDTH, top + i * p->row,
                    "stroke=\"#d9d9d9\" stroke-width=\"0.8\"");
        tr_svg_text(p->out, LEFT - 6, top + (i + 0.8) * p->row,
                    "font-size=\"9\" text-anchor=\"end\"", sheet->skill[skill].name);
        last = skill;
    }
}

static void draw_band(const plot *p, const tr_sequence *s, double top) {
    const double height = p->scheduler->entry_count * p->row;
    const double end = LEFT + s->seconds * p->second;
    tr_svg_text(p->out, LEFT, top - 6, "font-size=\"11\"", s->title);
    draw_skills(p, top);
    for (int i = 0; i < s->count; i++) {
        const tr_sequence_choice *c = &s->choice[i];
        tr_svg_circle(p->out, LEFT + c->at_s * p->second,
                      top + (row_of(p->scheduler, c->entry) + 0.5) * p->row, 0.4 * p->row,
                      "fill=\"%s\"", c->out_of_sequence ? "#c77700" : "#0b3d91");
    }
    if (!s->held)
        tr_svg_line(p->out, end, top, end, top + height, "stroke=\"#b00020\" stroke-width=\"1.5\"");
}

tr_status tr_sequence_plot(const char *path, const char *title, const tr_scheduler *scheduler,
                           const tr_sequence *sequence, int count, tr_error *error) {
    tr_svg_page page;
    plot p = {.scheduler = scheduler, .row = fmin(ROW_MOST, BAND_MOST / scheduler->entry_count)};
    double longest = 0;
    for (int i = 0; i < count; i++)
        longest = fmax(longest, sequence[i].seconds);
    p.second = (WIDTH - LEFT - MARGIN) / fmax(longest, 1e-3);
    const double band = scheduler->entry_count * p.row + GAP;
    tr_status status = tr_svg_begin(&page, WIDTH + MARGIN, TOP + count * band + MARGIN, "", error);
    if (status)
        return status;
    p.out = page.out;
    tr_svg_text(p.out, MARGIN, 22, "font-size=\"13\" font-weight=\"bold\"", title);
    tr_svg_text(p.out, MARGIN, 40, "font-size=\"11\"",
                "rows: fragments; time to the right; orange: out of sequence; red: the fall");
    for (int i = 0; i < count; i++)
        draw_band(&p, &sequence[i], TOP + GAP + i * band);
    return tr_svg_end(&page, path, error);
}
