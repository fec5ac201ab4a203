#include "draw/strip.h"

#include "proto/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- SVG: text and lines in pixels, y downwards --- */

static void svg_text(FILE *out, double x, double y, const char *text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" >", x, y);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '&' || *at == '<' || *at == '>' || *at == '"')
            fprintf(out, "&#%d;", *at);
        else
            fputc(*at < ' ' ? ' ' : *at, out);
    }
    fputs("</text>\n", out);
}

/* style: attributes. */
static void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style) {
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2,
            style);
}

/* --- figures --- */

/* Points of the page per metre, and the margins around a cell. */
static const double SCALE = 100, MARGIN = 12, LABEL_HEIGHT = 18;

enum { SIDE_MIDDLE, SIDE_LEFT, SIDE_RIGHT, SIDE_COUNT };
static const char *const COLOURS[SIDE_COUNT] = {"#333333", "#1f5fbf", "#c0392b"};

/* Far to near in the side view: left limbs are behind. */
static const int DRAW_ORDER[SIDE_COUNT] = {SIDE_LEFT, SIDE_MIDDLE, SIDE_RIGHT};

typedef struct point {
    double x, y;
} point;

/* A figure on its way to the page: x to the right of its root, y above the ground, m. */
typedef struct canvas {
    FILE *out; /* NULL: only the extent is wanted */
    const tr_strip_row *row;
    tr_vec3 centre;         /* the figure's root */
    double left, top;       /* of the cell's origin (its root on the ground) on the page */
    double low[2], high[2]; /* extent over all figures drawn: x, y */
} canvas;

static point project(canvas *c, tr_vec3 p) {
    tr_vec3 d = tr_vec3_to_heading(tr_vec3_sub(p, c->centre), c->row->heading_rad);
    point at = {c->row->view == TR_STRIP_SIDE ? d.x : d.y, p.z - c->row->ground_m};
    c->low[0] = fmin(c->low[0], at.x);
    c->high[0] = fmax(c->high[0], at.x);
    c->low[1] = fmin(c->low[1], at.y);
    c->high[1] = fmax(c->high[1], at.y);
    return (point){c->left + SCALE * at.x, c->top - SCALE * at.y};
}

static void draw_line(canvas *c, tr_vec3 a, tr_vec3 b, int side, double width) {
    point p = project(c, a), q = project(c, b);
    char style[64];
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"%.1f\"", COLOURS[side], width);
    if (c->out)
        svg_line(c->out, p.x, p.y, q.x, q.y, style);
}

static void draw_circle(canvas *c, tr_vec3 centre, double radius, int side) {
    project(c, tr_vec3_add(centre, tr_vec3_make(0, 0, radius)));
    point p = project(c, centre);
    if (c->out)
        fprintf(c->out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" stroke=\"%s\" fill=\"none\"/>\n", p.x,
                p.y, SCALE * radius, COLOURS[side]);
}

static int compare_points(const void *a, const void *b) {
    const point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Twice the area of the triangle, positive when a, b, c turn left. */
static double turn_of(point a, point b, point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Convex hull of n <= 8 points (Andrew's monotone chain); out: [2 n]. Returns its size. */
static int hull(point *points, int n, point *out) {
    qsort(points, (size_t)n, sizeof *points, compare_points);
    int size = 0;
    for (int pass = 0; pass < 2; pass++) {
        int begin = size;
        for (int k = 0; k < n; k++) {
            point p = points[pass ? n - 1 - k : k];
            while (size - begin >= 2 && turn_of(out[size - 2], out[size - 1], p) <= 0)
                size--;
            out[size++] = p;
        }
        size--;
    }
    return size;
}

static void draw_box(canvas *c, const tr_geom *geom, tr_vec3 centre, tr_quat rot, int side) {
    point corners[8], outline[16];
    for (int i = 0; i < 8; i++) {
        tr_vec3 local = {i & 1 ? geom->size.x : -geom->size.x, i & 2 ? geom->size.y : -geom->size.y,
                         i & 4 ? geom->size.z : -geom->size.z};
        corners[i] = project(c, tr_vec3_add(centre, tr_quat_rotate(rot, local)));
    }
    int count = hull(corners, 8, outline);
    if (!c->out)
        return;
    fputs("<path d=\"", c->out);
    for (int i = 0; i < count; i++)
        fprintf(c->out, "%c%.1f %.1f ", i == 0 ? 'M' : 'L', outline[i].x, outline[i].y);
    fprintf(c->out, "Z\" stroke=\"%s\" fill=\"%s\" fill-opacity=\"0.15\"/>\n", COLOURS[side],
            COLOURS[side]);
}

static void draw_geom(canvas *c, const tr_geom *geom, const tr_body_state *body, tr_vec3 origin,
                      int side) {
    tr_vec3 centre = tr_vec3_add(origin, tr_quat_rotate(body->rot, geom->pos));
    tr_quat rot = tr_quat_mul(body->rot, geom->rot);
    if (geom->kind == TR_GEOM_BOX) {
        draw_box(c, geom, centre, rot, side);
    } else if (geom->kind == TR_GEOM_SPHERE) {
        draw_circle(c, centre, geom->size.x, side);
    } else {
        tr_vec3 half = tr_quat_rotate(rot, tr_vec3_make(0, 0, geom->size.y + 0.5 * geom->size.x));
        draw_line(c, tr_vec3_sub(centre, half), tr_vec3_add(centre, half), side, 4);
    }
}

/* The side of a body: that on which it lies at rest, when it has another on the other side. */
static int side_of_body(const tr_model *model, int body) {
    if (model->body[body].mirror == body)
        return SIDE_MIDDLE;
    double y = 0;
    for (int i = body; i > 0; i = model->body[i].parent)
        y += model->body[i].pos.y;
    return y >= 0 ? SIDE_LEFT : SIDE_RIGHT;
}

static void draw_pose(canvas *c, const tr_model *model, const tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    c->centre = pose->root_pos;
    for (int k = 0; k < SIDE_COUNT; k++)
        for (int i = 0; i < model->geom_count; i++) {
            int body = model->geom[i].body, side = side_of_body(model, body);
            if (side == DRAW_ORDER[k])
                draw_geom(c, &model->geom[i], &bodies[body],
                          tr_body_origin(model, body, &bodies[body]), side);
        }
}

static int side_of_joint(const tr_clip *clip, const tr_skeleton *skeleton, int joint) {
    for (int side = 0; side < 2; side++) {
        int arm = tr_skeleton_joint(skeleton, clip, (tr_part)(TR_PART_LEFT_SHOULDER + side));
        int leg = tr_skeleton_joint(skeleton, clip, (tr_part)(TR_PART_LEFT_HIP + side));
        if (tr_clip_hangs(clip, joint, arm) || tr_clip_hangs(clip, joint, leg))
            return side == 0 ? SIDE_LEFT : SIDE_RIGHT;
    }
    return SIDE_MIDDLE;
}

static void draw_frame(canvas *c, const tr_clip *clip, const tr_skeleton *skeleton, int frame) {
    int hips = tr_skeleton_joint(skeleton, clip, TR_PART_HIPS);
    c->centre = tr_clip_pos(clip, frame, hips < 0 ? 0 : hips);
    for (int k = 0; k < SIDE_COUNT; k++)
        for (int i = 1; i < clip->joint_count; i++) {
            int parent = clip->joints[i].parent, side = side_of_joint(clip, skeleton, i);
            if (side != DRAW_ORDER[k] || !tr_skeleton_draws(skeleton, clip, i) ||
                !tr_skeleton_draws(skeleton, clip, parent))
                continue;
            draw_line(c, tr_clip_pos(clip, frame, parent), tr_clip_pos(clip, frame, i), side, 2);
        }
}

static void draw_figure(canvas *c, int i) {
    const tr_strip_row *row = c->row;
    if (row->model)
        draw_pose(c, row->model, &row->poses[i]);
    else
        draw_frame(c, row->clip, row->skeleton, row->frames[i]);
}

/* ---- Layout ---- */

/* Where the cells of a strip are: one width for all, a height for each row. */
typedef struct layout {
    double cell_width, cell_left; /* left: from the cell's edge to its origin */
    double row_height[TR_STRIP_ROW_MAX], row_above[TR_STRIP_ROW_MAX];
    double width, height;
} layout;

static layout lay_out(const tr_strip *strip) {
    layout l = {0};
    double low = 0, high = 0;
    int figures = 1;
    for (int i = 0; i < strip->row_count; i++) {
        canvas c = {.row = &strip->rows[i]};
        for (int k = 0; k < c.row->figure_count; k++)
            draw_figure(&c, k);
        low = fmin(low, c.low[0]);
        high = fmax(high, c.high[0]);
        l.row_above[i] = LABEL_HEIGHT + SCALE * c.high[1];
        l.row_height[i] = l.row_above[i] - SCALE * c.low[1] + MARGIN;
        l.height += l.row_height[i];
        figures = c.row->figure_count > figures ? c.row->figure_count : figures;
    }
    l.cell_width = SCALE * (high - low) + MARGIN;
    l.cell_left = -SCALE * low + 0.5 * MARGIN;
    l.width = figures * l.cell_width + 2 * MARGIN;
    l.height += 2 * LABEL_HEIGHT + 2 * MARGIN;
    return l;
}

static void write_row(FILE *out, const tr_strip_row *row, const layout *l, double top,
                      double above) {
    double ground = top + above;
    canvas c = {.out = out, .row = row, .top = ground};
    svg_line(out, MARGIN, ground, l->width - MARGIN, ground, "stroke=\"#999999\"");
    svg_text(out, MARGIN, top + LABEL_HEIGHT - 5, row->label ? row->label : "");
    for (int i = 0; i < row->figure_count; i++) {
        c.left = MARGIN + i * l->cell_width + l->cell_left;
        draw_figure(&c, i);
    }
}

static void write_times(FILE *out, const tr_strip *strip, const layout *l) {
    int figures = 0;
    for (int i = 0; i < strip->row_count; i++)
        if (strip->rows[i].figure_count > figures)
            figures = strip->rows[i].figure_count;
    for (int i = 0; i < figures && strip->time_step_s > 0; i++) {
        char time[32];
        snprintf(time, sizeof time, "%.2f s", i * strip->time_step_s);
        svg_text(out, MARGIN + i * l->cell_width + l->cell_left - 12, l->height - MARGIN, time);
    }
}

static bool is_valid(const tr_strip *strip) {
    if (strip->row_count < 1 || strip->row_count > TR_STRIP_ROW_MAX)
        return false;
    for (int i = 0; i < strip->row_count; i++) {
        const tr_strip_row *row = &strip->rows[i];
        if (row->figure_count < 1 || row->figure_count > TR_STRIP_FIGURE_MAX)
            return false;
        if (row->model ? !row->poses : !row->clip || !row->skeleton || !row->frames)
            return false;
        for (int k = 0; !row->model && k < row->figure_count; k++)
            if (row->frames[k] < 0 || row->frames[k] >= row->clip->frame_count)
                return false;
    }
    return true;
}

tr_status tr_strip_print(const tr_strip *strip, char **out_text, size_t *out_size) {
    if (!is_valid(strip))
        return TR_INVALID_ARGUMENT;
    layout l = lay_out(strip);
    FILE *out = open_memstream(out_text, out_size);
    if (!out)
        return TR_RESOURCE_EXHAUSTED;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.6g %.6g\" font-family=\"sans-serif\" fill=\"#222222\" "
            "font-size=\"12\" stroke-linecap=\"round\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            l.width, l.height, l.width, l.height);
    svg_text(out, MARGIN, LABEL_HEIGHT, strip->title ? strip->title : "");
    double top = LABEL_HEIGHT + MARGIN;
    for (int i = 0; i < strip->row_count; i++) {
        write_row(out, &strip->rows[i], &l, top, l.row_above[i]);
        top += l.row_height[i];
    }
    write_times(out, strip, &l);
    fputs("</svg>\n", out);
    bool whole = !ferror(out);
    if (fclose(out) == 0 && whole)
        return TR_OK;
    free(*out_text);
    return TR_RESOURCE_EXHAUSTED;
}

tr_status tr_strip_save(const tr_strip *strip, const char *path, tr_error *error) {
    char *text;
    size_t size;
    tr_status status = tr_strip_print(strip, &text, &size);
    if (status)
        return tr_fail_if(error, status, "%.200s: strip", path);
    status = tr_sink_write(path, text, size, error);
    free(text);
    return status;
}
