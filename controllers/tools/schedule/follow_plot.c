#include "tools/schedule/follow_plot.h"

#include "draw/svg.h"

#include <math.h>
#include <stdio.h>

/* Pixels. */
enum { LEFT = 150, TOP = 60, MARGIN = 20, SIDE = 690, LABEL = 9 };
static const double CELL_MOST = 24;

typedef struct plot {
    FILE *out;
    const tr_scheduler *scheduler;
    const int64_t *follows;
    double cell;
    int64_t most; /* of one pair */
} plot;

static int64_t count_of(const plot *p, int from, int to) {
    const tr_scheduler *s = p->scheduler;
    return p->follows[s->entry[from] * s->sheet.outline.entry_count + s->entry[to]];
}

static bool is_in_sequence(const tr_scheduler *scheduler, int from, int to) {
    const tr_scheduler_state done = {.entry = scheduler->entry[from], .decides = true};
    int action[TR_SCHEDULER_ACTION_MAX];
    int count = tr_scheduler_sequence(scheduler, &done, action);
    bool in_sequence = count == 0;
    for (int i = 0; i < count; i++)
        in_sequence |= action[i] % scheduler->entry_count == to;
    return in_sequence;
}

/* A line before each skill, and its name at the left, below that of the one before. */
static void draw_skills(const plot *p) {
    const tr_driver_sheet *sheet = &p->scheduler->sheet;
    const char *line = "stroke=\"#d9d9d9\" stroke-width=\"0.8\"";
    double end = p->scheduler->entry_count * p->cell;
    double label = 0;
    for (int i = 0, last = -1; i < p->scheduler->entry_count; i++) {
        int skill = sheet->entry[p->scheduler->entry[i]].skill;
        double at = i * p->cell;
        if (skill == last)
            continue;
        tr_svg_line(p->out, LEFT, TOP + at, LEFT + end, TOP + at, line);
        tr_svg_line(p->out, LEFT + at, TOP, LEFT + at, TOP + end, line);
        label = fmax(TOP + at + LABEL, label + LABEL);
        tr_svg_text(p->out, LEFT - 6, label, "font-size=\"9\" text-anchor=\"end\"",
                    sheet->skill[skill].name);
        last = skill;
    }
}

/* The area of a dot grows with the logarithm of its count. */
static void draw_dot(const plot *p, int from, int to) {
    int64_t count = count_of(p, from, to);
    if (count == 0)
        return;
    double share = log1p((double)count) / log1p((double)p->most);
    tr_svg_circle(p->out, LEFT + (to + 0.5) * p->cell, TOP + (from + 0.5) * p->cell,
                  0.5 * p->cell * sqrt(share), "fill=\"%s\"",
                  is_in_sequence(p->scheduler, from, to) ? "#0b3d91" : "#c77700");
}

static void draw_title(const plot *p, const char *title) {
    int64_t all = 0, jumps = 0;
    char text[160];
    for (int i = 0; i < p->scheduler->entry_count; i++)
        for (int j = 0; j < p->scheduler->entry_count; j++) {
            all += count_of(p, i, j);
            jumps += is_in_sequence(p->scheduler, i, j) ? 0 : count_of(p, i, j);
        }
    tr_svg_text(p->out, MARGIN, 22, "font-size=\"13\" font-weight=\"bold\"", title);
    snprintf(
        text, sizeof text,
        "%lld choices; rows: the fragment before; columns: the one chosen after it; orange: out "
        "of sequence, %lld",
        (long long)all, (long long)jumps);
    tr_svg_text(p->out, MARGIN, 40, "font-size=\"11\"", text);
}

tr_status tr_follow_plot(const char *path, const char *title, const tr_scheduler *scheduler,
                         const int64_t *follows, tr_error *error) {
    tr_svg_page page;
    int count = scheduler->entry_count;
    plot p = {.scheduler = scheduler,
              .follows = follows,
              .cell = fmin(CELL_MOST, (double)(SIDE - LEFT) / count),
              .most = 1};
    double height = TOP + count * p.cell + MARGIN;
    tr_status status = tr_svg_begin(&page, SIDE + MARGIN, height, "", error);
    if (status)
        return status;
    p.out = page.out;
    for (int i = 0; i < count * count; i++)
        p.most = count_of(&p, i / count, i % count) > p.most ? count_of(&p, i / count, i % count)
                                                             : p.most;
    draw_title(&p, title);
    draw_skills(&p);
    for (int i = 0; i < count * count; i++)
        draw_dot(&p, i / count, i % count);
    return tr_svg_end(&page, path, error);
}
