/* The keeper of assimp. A joint is a node of the scene's tree; its rotation counts from the rest
 * pose, so that the zero pose of the clip is that in which the mesh was bound. */
#include "motion/clips/loader.h"
#include "motion/clips/scene.h"

#include "math/hash.h"
#include "proto/text_file.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODE_MAX = 4096 };

/* A node: its place in the tree, and its joint (-1: none). */
typedef struct tree_node {
    const struct aiNode *node;
    const struct aiNodeAnim *track;
    int parent, joint;
    bool wanted;
    struct aiMatrix4x4 rest; /* to the world */
} tree_node;

typedef struct scene {
    const char *path;
    tr_error *error;
    const struct aiScene *ai;
    tr_clip *clip;
    int node_count;
    tree_node node[NODE_MAX];
} scene;

static tr_status fail_memory(const scene *s) {
    return tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "%.200s: out of memory", s->path);
}

/* ---- Transforms ---- */

static struct aiMatrix4x4 multiply(struct aiMatrix4x4 a, struct aiMatrix4x4 b) {
    aiMultiplyMatrix4(&a, &b);
    return a;
}

static tr_vec3 place_of(const struct aiMatrix4x4 *m) {
    return tr_vec3_make((double)m->a4, (double)m->b4, (double)m->c4);
}

static tr_vec3 apply(const struct aiMatrix4x4 *m, struct aiVector3D v) {
    aiTransformVecByMatrix4(&v, m);
    return tr_vec3_make((double)v.x, (double)v.y, (double)v.z);
}

/* The rotation of a matrix that may scale too. */
static tr_quat turn_of(const struct aiMatrix4x4 *m) {
    tr_vec3 x = {(double)m->a1, (double)m->b1, (double)m->c1},
            y = {(double)m->a2, (double)m->b2, (double)m->c2};
    x = tr_vec3_normalize_or(x, tr_vec3_make(1, 0, 0));
    tr_vec3 z = tr_vec3_normalize_or(tr_vec3_cross(x, y), tr_vec3_make(0, 0, 1));
    tr_mat3 r = tr_mat3_from_columns(x, tr_vec3_cross(z, x), z);
    return tr_quat_from_mat3(&r);
}

/* ---- The tree ---- */

static int find_node(const scene *s, const char *name) {
    for (int i = 0; i < s->node_count; i++)
        if (strcmp(s->node[i].node->mName.data, name) == 0)
            return i;
    return -1;
}

/* Parents precede children: nodes are taken level by level. */
static tr_status list_nodes(scene *s) {
    s->node[s->node_count++] = (tree_node){.node = s->ai->mRootNode,
                                           .parent = -1,
                                           .joint = -1,
                                           .rest = s->ai->mRootNode->mTransformation};
    for (int i = 0; i < s->node_count; i++)
        for (unsigned k = 0; k < s->node[i].node->mNumChildren; k++) {
            const struct aiNode *child = s->node[i].node->mChildren[k];
            if (s->node_count == NODE_MAX)
                return tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "%.200s: more than %d nodes",
                               s->path, NODE_MAX);
            s->node[s->node_count++] =
                (tree_node){.node = child,
                            .parent = i,
                            .joint = -1,
                            .rest = multiply(s->node[i].rest, child->mTransformation)};
        }
    return TR_OK;
}

static void want(scene *s, int node) {
    for (; node >= 0 && !s->node[node].wanted; node = s->node[node].parent)
        s->node[node].wanted = true;
}

/* Bones and what moves; in a file without either, every node. The ends of limbs hang from bones and
 * hold no mesh. */
static void choose_nodes(scene *s) {
    bool any = false;
    for (unsigned m = 0; m < s->ai->mNumMeshes; m++)
        for (unsigned b = 0; b < s->ai->mMeshes[m]->mNumBones; b++) {
            want(s, find_node(s, s->ai->mMeshes[m]->mBones[b]->mName.data));
            any = true;
        }
    for (int i = 0; i < s->node_count; i++)
        if (s->node[i].track || !any)
            want(s, i);
    for (int i = 1; any && i < s->node_count; i++) {
        const tree_node *n = &s->node[i];
        bool is_end = n->node->mNumChildren == 0 && n->node->mNumMeshes == 0;
        if (is_end && n->parent > 0 && s->node[n->parent].wanted)
            s->node[i].wanted = true;
    }
}

static tr_status make_joints(scene *s) {
    for (int i = 0; i < s->node_count; i++) {
        tree_node *n = &s->node[i];
        if (!n->wanted)
            continue;
        int above = n->parent < 0 ? -1 : s->node[n->parent].joint;
        n->joint = tr_clip_add_joint(s->clip, n->node->mName.data, above);
        if (n->joint < 0)
            return tr_fail(s->error, TR_RESOURCE_EXHAUSTED,
                           "%.200s: more than %d bones, the last '%.60s': export without bones of "
                           "the face and of fingers",
                           s->path, TR_CLIP_JOINT_MAX, n->node->mName.data);
        tr_vec3 pos = place_of(&n->rest);
        s->clip->joints[n->joint].offset =
            n->parent < 0 ? pos : tr_vec3_sub(pos, place_of(&s->node[n->parent].rest));
    }
    return TR_OK;
}

/* ---- The animation ---- */

/* The number of the key at or before a time, and the share of the way to the next. key: keys of `size`
 * bytes, each of which begins with its time */
static unsigned key_at(const void *key, size_t size, unsigned count, double time,
                       double *out_share) {
#define TIME(i) (*(const double *)((const char *)key + (i)*size))
    unsigned at = 0;
    while (at + 1 < count && TIME(at + 1) <= time)
        at++;
    double span = at + 1 < count ? TIME(at + 1) - TIME(at) : 0;
    *out_share = span > 0 ? fmin(fmax((time - TIME(at)) / span, 0), 1) : 0;
#undef TIME
    return at;
}

static struct aiVector3D vector_at(const struct aiVectorKey *keys, unsigned count, double time,
                                   struct aiVector3D otherwise) {
    double share;
    if (count == 0)
        return otherwise;
    unsigned at = key_at(keys, sizeof *keys, count, time, &share),
             next = at + 1 < count ? at + 1 : at;
    struct aiVector3D a = keys[at].mValue, b = keys[next].mValue;
    float t = (float)share;
    return (struct aiVector3D){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static struct aiQuaternion turn_at(const struct aiQuatKey *keys, unsigned count, double time,
                                   struct aiQuaternion otherwise) {
    double share;
    if (count == 0)
        return otherwise;
    unsigned at = key_at(keys, sizeof *keys, count, time, &share),
             next = at + 1 < count ? at + 1 : at;
    struct aiQuaternion a = keys[at].mValue, b = keys[next].mValue;
    tr_quat q = tr_quat_slerp((tr_quat){(double)a.w, (double)a.x, (double)a.y, (double)a.z},
                              (tr_quat){(double)b.w, (double)b.x, (double)b.y, (double)b.z}, share);
    return (struct aiQuaternion){(float)q.w, (float)q.x, (float)q.y, (float)q.z};
}

static struct aiMatrix4x4 local_at(const tree_node *n, double time) {
    struct aiVector3D scale, pos;
    struct aiQuaternion turn;
    struct aiMatrix4x4 local;
    const struct aiNodeAnim *track = n->track;
    if (!track)
        return n->node->mTransformation;
    aiDecomposeMatrix(&n->node->mTransformation, &scale, &turn, &pos);
    scale = vector_at(track->mScalingKeys, track->mNumScalingKeys, time, scale);
    pos = vector_at(track->mPositionKeys, track->mNumPositionKeys, time, pos);
    turn = turn_at(track->mRotationKeys, track->mNumRotationKeys, time, turn);
    aiMatrix4FromScalingQuaternionPosition(&local, &scale, &turn, &pos);
    return local;
}

/* world: [node_count], scratch */
static void place_frame(scene *s, int frame, double time, bool moves, struct aiMatrix4x4 *world) {
    for (int i = 0; i < s->node_count; i++) {
        const tree_node *n = &s->node[i];
        if (!n->wanted)
            continue;
        world[i] = n->rest;
        if (moves)
            world[i] =
                n->parent < 0 ? local_at(n, time) : multiply(world[n->parent], local_at(n, time));
        size_t at = (size_t)frame * (size_t)s->clip->joint_count + (size_t)n->joint;
        s->clip->pos[at] = place_of(&world[i]);
        s->clip->rot[at] =
            tr_quat_normalize(tr_quat_mul(turn_of(&world[i]), tr_quat_conj(turn_of(&n->rest))));
    }
}

/* Frames for each second: as dense as the densest track, 10 to 240, and 30 without one. */
static double rate_of(const struct aiAnimation *animation, double length_s) {
    double rate = 0;
    for (unsigned i = 0; animation && i < animation->mNumChannels && length_s > 0; i++)
        rate = fmax(rate, (animation->mChannels[i]->mNumRotationKeys - 1.0) / length_s);
    return rate > 0 ? fmin(fmax(round(rate), 10), 240) : 30;
}

static tr_status read_frames(scene *s, const struct aiAnimation *animation) {
    double ticks = animation && animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 30;
    double length_s = animation ? animation->mDuration / ticks : 0,
           rate = rate_of(animation, length_s);
    double frames =
        isfinite(length_s) && length_s > 0 ? fmin(floor(length_s * rate + 0.5), 1e9) : 0;
    tr_status status = tr_clip_reserve_frames(s->clip, (int64_t)frames + 1, s->path, s->error);
    struct aiMatrix4x4 *world = calloc((size_t)s->node_count, sizeof *world);
    if (!status && !world)
        status = fail_memory(s);
    s->clip->dt_s = 1 / rate;
    for (int f = 0; !status && f < s->clip->frame_count; f++)
        place_frame(s, f, f * ticks / rate, animation != NULL, world);
    free(world);
    return status;
}

/* ---- The skin ---- */

static int joint_above(const scene *s, int node) {
    while (node >= 0 && s->node[node].joint < 0)
        node = s->node[node].parent;
    return node < 0 ? 0 : s->node[node].joint;
}

/* Linear blend skinning in the rest pose. weight: [vertices of the mesh], the largest so far. */
static void place_by_bones(const scene *s, const struct aiMesh *mesh, tr_skin *out, int first,
                           double *weight) {
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        const struct aiBone *bone = mesh->mBones[b];
        int node = find_node(s, bone->mName.data);
        if (node < 0)
            continue;
        struct aiMatrix4x4 move = multiply(s->node[node].rest, bone->mOffsetMatrix);
        for (unsigned k = 0; k < bone->mNumWeights; k++) {
            unsigned v = bone->mWeights[k].mVertexId;
            double share = (double)bone->mWeights[k].mWeight;
            int at = first + (int)v;
            out->pos[at] =
                tr_vec3_add_scaled(out->pos[at], share, apply(&move, mesh->mVertices[v]));
            if (share > weight[v]) {
                weight[v] = share;
                out->joint[at] = s->node[node].joint;
            }
        }
    }
}

static void add_areas(const struct aiMesh *mesh, tr_skin *out, int first) {
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const unsigned *corner = mesh->mFaces[f].mIndices;
        if (mesh->mFaces[f].mNumIndices != 3)
            continue;
        const tr_vec3 *p = out->pos + first;
        tr_vec3 normal = tr_vec3_cross(tr_vec3_sub(p[corner[1]], p[corner[0]]),
                                       tr_vec3_sub(p[corner[2]], p[corner[0]]));
        for (int k = 0; k < 3; k++)
            out->area[first + (int)corner[k]] += tr_vec3_length(normal) / 6;
    }
}

static tr_status add_mesh(const scene *s, const struct aiMesh *mesh, int node, tr_skin *out) {
    double *weight = calloc(mesh->mNumVertices + 1, sizeof *weight);
    int first = out->count;
    if (!weight)
        return fail_memory(s);
    if (mesh->mNumBones > 0)
        place_by_bones(s, mesh, out, first, weight);
    else {
        for (unsigned v = 0; v < mesh->mNumVertices; v++) {
            out->pos[first + (int)v] = apply(&s->node[node].rest, mesh->mVertices[v]);
            out->joint[first + (int)v] = joint_above(s, node);
        }
    }
    add_areas(mesh, out, first);
    out->count += (int)mesh->mNumVertices;
    free(weight);
    return TR_OK;
}

static tr_status read_skin(const scene *s, tr_skin *out) {
    size_t count = 0;
    for (int i = 0; i < s->node_count; i++)
        for (unsigned m = 0; m < s->node[i].node->mNumMeshes; m++)
            count += s->ai->mMeshes[s->node[i].node->mMeshes[m]]->mNumVertices;
    if (count > TR_SCENE_VERTEX_MAX)
        return tr_fail(s->error, TR_RESOURCE_EXHAUSTED,
                       "%.200s: %zu vertices: at most %d; export a coarser mesh", s->path, count,
                       TR_SCENE_VERTEX_MAX);
    out->pos = calloc(count + 1, sizeof *out->pos);
    out->joint = calloc(count + 1, sizeof *out->joint);
    out->area = calloc(count + 1, sizeof *out->area);
    if (!out->pos || !out->joint || !out->area)
        return fail_memory(s);
    tr_status status = TR_OK;
    for (int i = 0; i < s->node_count; i++)
        for (unsigned m = 0; !status && m < s->node[i].node->mNumMeshes; m++)
            status = add_mesh(s, s->ai->mMeshes[s->node[i].node->mMeshes[m]], i, out);
    return status;
}

/* ---- The file ---- */

static tr_status read_scene(scene *s, tr_skin *out_skin) {
    const struct aiAnimation *animation = s->ai->mNumAnimations ? s->ai->mAnimations[0] : NULL;
    tr_status status = list_nodes(s);
    if (status)
        return status;
    for (unsigned i = 0; animation && i < animation->mNumChannels; i++) {
        int node = find_node(s, animation->mChannels[i]->mNodeName.data);
        if (node >= 0)
            s->node[node].track = animation->mChannels[i];
    }
    choose_nodes(s);
    status = make_joints(s);
    if (!status)
        status = read_frames(s, animation);
    return !status && out_skin ? read_skin(s, out_skin) : status;
}

/* Pivots of FBX would become nodes between the bones. */
static const struct aiScene *import(const char *path) {
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    const unsigned steps = aiProcess_Triangulate | aiProcess_ValidateDataStructure;
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
    const struct aiScene *found = aiImportFileExWithProperties(path, steps, NULL, properties);
    aiReleasePropertyStore(properties);
    return found;
}

tr_status tr_scene_read(const char *path, const tr_clip_options *options, tr_clip *clip,
                        tr_error *error) {
    scene *s = calloc(1, sizeof *s);
    char *bytes = NULL;
    size_t size = 0;
    if (!s)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: out of memory", path);
    s->path = path;
    s->error = error;
    s->clip = clip;
    tr_status status = tr_bytes_file_read(path, TR_CLIP_FILE_MAX, &bytes, &size, error);
    if (!status && !(s->ai = import(path)))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "%.200s: %.200s; export glTF 2.0 (.glb) or FBX of 2011 or later", path,
                         aiGetErrorString());
    if (!status)
        status = read_scene(s, options->skin);
    clip->hash = tr_hash_add(TR_HASH_START, bytes, size);
    if (s->ai)
        aiReleaseImport(s->ai);
    free(bytes);
    free(s);
    return status;
}
