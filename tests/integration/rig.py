"""Makes small rigs for tests: a skinned humanoid in glTF (.glb) or FBX (text), in any naming, pose, unit and axes."""
import json
import math
import struct

# A figure of 1.7 m in T pose: part: (parent, offset from it), x to the left, y up, z ahead, m.
PARTS = {
    "hips": (None, (0, 0.95, 0)), "spine": ("hips", (0, 0.10, 0)), "spine2": ("spine", (0, 0.15, 0)),
    "chest": ("spine2", (0, 0.12, 0)), "neck": ("chest", (0, 0.16, 0)), "head": ("neck", (0, 0.08, 0.01)),
    "head_end": ("head", (0, 0.2, 0)),
}
for side, sign in (("left", 1), ("right", -1)):
    PARTS |= {
        side + "_clavicle": ("chest", (sign * 0.03, 0.11, 0)),
        side + "_shoulder": (side + "_clavicle", (sign * 0.14, 0, 0)),
        side + "_elbow": (side + "_shoulder", (sign * 0.28, 0, 0)),
        side + "_wrist": (side + "_elbow", (sign * 0.25, 0, 0)),
        side + "_fingers": (side + "_wrist", (sign * 0.09, 0, 0)),
        side + "_hip": ("hips", (sign * 0.09, -0.05, 0)),
        side + "_knee": (side + "_hip", (0, -0.42, 0.01)),
        side + "_ankle": (side + "_knee", (0, -0.40, -0.01)),
        side + "_toe": (side + "_ankle", (0, -0.06, 0.13)),
        side + "_toe_end": (side + "_toe", (0, 0, 0.07)),
    }
RADIUS = {"hips": 0.13, "spine": 0.12, "spine2": 0.125, "chest": 0.14, "neck": 0.06, "head": 0.1, "clavicle": 0.06,
          "shoulder": 0.048, "elbow": 0.04, "wrist": 0.035, "hip": 0.075, "knee": 0.052, "ankle": 0.045, "toe": 0.03}
WORDS = ["hips", "spine", "spine2", "chest", "neck", "head", "head_end", "clavicle", "shoulder", "elbow", "wrist", "fingers",
         "hip", "knee", "ankle", "toe", "toe_end"]


def _names(middle, sided):
    """Names by part; a name of both sides has {s} where the side goes, as (left, right) in the last word."""
    sides = sided.pop()
    names = dict(zip(WORDS[:7], middle))
    for word, name in zip(WORDS[7:], sided):
        for side, text in zip(("left", "right"), sides):
            names[f"{side}_{word}"] = name.replace("{s}", text)
    return names


NAMES = {
    "mixamo": _names(["mixamorig:" + n for n in ("Hips", "Spine", "Spine1", "Spine2", "Neck", "Head", "HeadTop_End")],
                     ["mixamorig:{s}" + n for n in ("Shoulder", "Arm", "ForeArm", "Hand", "HandMiddle1", "UpLeg", "Leg", "Foot",
                                                    "ToeBase", "Toe_End")] + [("Left", "Right")]),
    "vrm": _names(["J_Bip_C_" + n for n in ("Hips", "Spine", "Chest", "UpperChest", "Neck", "Head")] + ["HeadEnd"],
                  ["J_Bip_{s}_" + n for n in ("Shoulder", "UpperArm", "LowerArm", "Hand", "Middle1", "UpperLeg", "LowerLeg", "Foot",
                                              "ToeBase", "ToeEnd")] + [("L", "R")]),
    "unreal": _names(["pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head", "head_end"],
                     [n + "_{s}" for n in ("clavicle", "upperarm", "lowerarm", "hand", "middle_01", "thigh", "calf", "foot", "ball",
                                           "ball_end")] + [("l", "r")]),
    "blender": _names(["hips", "spine", "spine.001", "chest", "neck", "head", "head_end"],
                      [n + ".{s}" for n in ("shoulder", "upper_arm", "forearm", "hand", "finger", "thigh", "shin", "foot", "toe",
                                            "toe_end")] + [("L", "R")]),
    "unity": _names(["Hips", "Spine", "Chest", "UpperChest", "Neck", "Head", "HeadEnd"],
                    ["{s}" + n for n in ("Shoulder", "UpperArm", "LowerArm", "Hand", "MiddleProximal", "UpperLeg", "LowerLeg", "Foot",
                                         "Toes", "ToesEnd")] + [("Left", "Right")]),
}


def _turn(q, v):
    w, x, y, z = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def _times(a, b):
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


def _about(axis, degrees):
    half = math.radians(degrees) / 2
    return (math.cos(half), *(math.sin(half) * a for a in axis))


def _add(a, b):
    return tuple(x + y for x, y in zip(a, b))


class Rig:
    """naming: of NAMES; arms_deg: below the horizontal (0: T pose, 45: A pose); unit: of the file, in metres; up: "y" or "z";
    head, legs: factors of size; frames: turn the bones' own axes, as modelling programs do; meshed: with a skin."""

    def __init__(self, naming="mixamo", arms_deg=0, unit=1.0, up="y", head=1.0, legs=1.0, frames=False, meshed=True):
        self.names, self.unit, self.head = NAMES[naming], unit, head
        self.parts = list(PARTS)
        axes = (1, 0, 0, 0) if up == "y" else _about((1, 0, 0), 90)  # y up to z up: ahead becomes -y
        self.local, self.rot, self.pos = {}, {}, {}
        world = {}
        for part in self.parts:
            parent, offset = PARTS[part]
            word = part.split("_", 1)[-1]
            factor = legs if word in ("knee", "ankle") else head if part == "head_end" else 1
            offset = tuple(factor * v for v in offset)
            if part == "hips":
                offset = (0, 0.13 + 0.82 * legs, 0)
            if word in ("elbow", "wrist", "fingers"):
                offset = _turn(_about((0, 0, 1), -arms_deg * (1 if part.startswith("left") else -1)), offset)
            place = offset if parent is None else _add(world[parent], offset)
            world[part] = place
            self.pos[part] = tuple(v / unit for v in _turn(axes, place))
            self.rot[part] = _about((0.6, 0, 0.8), 40 + 25 * len(part)) if frames else (1, 0, 0, 0)
        for part in self.parts:
            parent = PARTS[part][0]
            if parent is None:
                self.local[part] = (self.pos[part], self.rot[part])
                continue
            back = (self.rot[parent][0], *(-v for v in self.rot[parent][1:]))
            self.local[part] = (_turn(back, tuple(a - b for a, b in zip(self.pos[part], self.pos[parent]))),
                                _times(back, self.rot[part]))
        self.axes = axes
        self.points, self.weights, self.faces = [], [], []
        if meshed:
            self._flesh(world)

    def _flesh(self, world):
        """A closed tube around each bone, and a box for each foot."""
        for part in self.parts:
            word = part.split("_", 1)[-1]
            if word not in RADIUS:
                continue
            ends = [p for p in self.parts if PARTS[p][0] == part]
            tip = world[ends[0]] if ends else _add(world[part], (0, 0.1, 0))
            if part in ("hips", "chest"):
                tip = _add(world[part], (0, 0.12, 0))
            if word in ("ankle", "toe"):
                self._box(part, world[part], tip)
            else:
                self._tube(part, world[part], tip, RADIUS[word] * (self.head if part == "head" else 1))

    def _put(self, part, p):
        self.points.append(tuple(v / self.unit for v in _turn(self.axes, p)))
        self.weights.append(self.parts.index(part))
        return len(self.points) - 1

    def _tube(self, part, a, b, radius, sides=10, rings=6):
        along = tuple(y - x for x, y in zip(a, b))
        length = math.sqrt(sum(v * v for v in along))
        d = tuple(v / length for v in along)
        u = (0, 0, 1) if abs(d[2]) < 0.9 else (1, 0, 0)
        v = (d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0])
        wide = 1.25 if part in ("hips", "spine", "spine2", "chest") else 1.0  # trunks are wider than deep
        grid = []
        for r in range(rings + 1):
            ring = []
            for k in range(sides):
                angle = 2 * math.pi * k / sides
                c, s = radius * math.cos(angle), radius * math.sin(angle) * wide
                ring.append(self._put(part, tuple(a[i] + d[i] * length * r / rings + u[i] * c + v[i] * s for i in range(3))))
            grid.append(ring)
        for r in range(rings):
            for k in range(sides):
                n = (k + 1) % sides
                self.faces += [(grid[r][k], grid[r][n], grid[r + 1][n]), (grid[r][k], grid[r + 1][n], grid[r + 1][k])]

    def _box(self, part, a, b):
        """From 6 cm behind the joint to the next one, its sole at 8 cm below the ankle, as the figure stands."""
        low = a[1] - 0.08 if "ankle" in part else a[1] - 0.02
        back = a[2] - (0.06 if "ankle" in part else 0)
        corner = [[[self._put(part, (a[0] + x, y, z)) for z in (back, b[2])] for y in (low, a[1])] for x in (-0.045, 0.045)]
        for axis in range(3):
            for side in (0, 1):
                quad = []
                for i, j in ((0, 0), (0, 1), (1, 1), (1, 0)):
                    at = [i, j]
                    at.insert(axis, side)
                    quad.append(corner[at[0]][at[1]][at[2]])
                self.faces += [tuple(quad[:3]), (quad[0], quad[2], quad[3])]

    def matrix(self, part):
        """From the bone's frame to the world, by columns."""
        x, y, z = (_turn(self.rot[part], e) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
        return [*x, 0, *y, 0, *z, 0, *self.pos[part], 1]

    def inverse(self, part):
        back = (self.rot[part][0], *(-v for v in self.rot[part][1:]))
        x, y, z = (_turn(back, e) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
        return [*x, 0, *y, 0, *z, 0, *(-v for v in _turn(back, self.pos[part])), 1]

    # ---- glTF ----

    def save_glb(self, path, animation=None):
        """animation: {part: [(time_s, quaternion (w, x, y, z) that replaces its local one)]}."""
        views, accessors, blob = [], [], bytearray()

        def add(data, kind, component, count, **more):
            views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
            accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": count, "type": kind, **more})
            blob.extend(data + b"\0" * (-len(data) % 4))
            return len(accessors) - 1

        nodes = []
        for part in self.parts:
            pos, rot = self.local[part]
            node = {"name": self.names[part], "translation": list(pos), "rotation": [rot[1], rot[2], rot[3], rot[0]]}
            below = [self.parts.index(p) for p in self.parts if PARTS[p][0] == part]
            nodes.append(node | ({"children": below} if below else {}))
        scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes}
        if self.points:
            flat = [v for p in self.points for v in p]
            place = add(struct.pack(f"<{len(flat)}f", *flat), "VEC3", 5126, len(self.points),
                        min=[min(p[i] for p in self.points) for i in range(3)], max=[max(p[i] for p in self.points) for i in range(3)])
            joints = add(b"".join(struct.pack("<4B", w, 0, 0, 0) for w in self.weights), "VEC4", 5121, len(self.points))
            weights = add(struct.pack("<4f", 1, 0, 0, 0) * len(self.points), "VEC4", 5126, len(self.points))
            faces = add(b"".join(struct.pack("<3H", *f) for f in self.faces), "SCALAR", 5123, 3 * len(self.faces))
            binds = add(b"".join(struct.pack("<16f", *self.inverse(p)) for p in self.parts), "MAT4", 5126, len(self.parts))
            nodes.append({"name": "figure", "mesh": 0, "skin": 0})
            scene["scenes"][0]["nodes"].append(len(nodes) - 1)
            scene["skins"] = [{"joints": list(range(len(self.parts))), "inverseBindMatrices": binds}]
            scene["meshes"] = [{"primitives": [{"attributes": {"POSITION": place, "JOINTS_0": joints, "WEIGHTS_0": weights},
                                                "indices": faces}]}]
        if animation:
            channels, samplers = [], []
            for part, keys in animation.items():
                times = add(struct.pack(f"<{len(keys)}f", *(k[0] for k in keys)), "SCALAR", 5126, len(keys),
                            min=[keys[0][0]], max=[keys[-1][0]])
                turns = add(b"".join(struct.pack("<4f", q[1], q[2], q[3], q[0]) for _, q in keys), "VEC4", 5126, len(keys))
                channels.append({"sampler": len(samplers), "target": {"node": self.parts.index(part), "path": "rotation"}})
                samplers.append({"input": times, "output": turns, "interpolation": "LINEAR"})
            scene["animations"] = [{"channels": channels, "samplers": samplers}]
        scene |= {"accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(blob)}]}
        if not blob:
            for key in ("accessors", "bufferViews", "buffers"):
                del scene[key]
        text = json.dumps(scene).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        if blob:
            chunks += struct.pack("<II", len(blob), 0x004E4942) + bytes(blob)
        with open(path, "wb") as file:
            file.write(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)

    # ---- FBX, as text ----

    def save_fbx(self, path):
        def euler(q):
            """Rotation XYZ, degrees: first about x, then y, then z."""
            w, x, y, z = q
            return tuple(map(math.degrees, (math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
                                            math.asin(max(-1, min(1, 2 * (w * y - z * x)))),
                                            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))))

        def array(name, values):
            return f"{name}: *{len(values)} {{\na: {','.join(f'{v:.9g}' for v in values)}\n}}\n"

        def property_vec(name, v):
            return f'P: "{name}", "{name}", "", "A",{v[0]:.9g},{v[1]:.9g},{v[2]:.9g}\n'

        out = ["; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n",
               'GlobalSettings:  {\nVersion: 1000\nProperties70:  {\nP: "UpAxis", "int", "Integer", "",1\n'
               'P: "UpAxisSign", "int", "Integer", "",1\nP: "FrontAxis", "int", "Integer", "",2\nP: "FrontAxisSign", "int", "Integer", "",1\n'
               'P: "CoordAxis", "int", "Integer", "",0\nP: "CoordAxisSign", "int", "Integer", "",1\n'
               'P: "UnitScaleFactor", "double", "Number", "",1\n}\n}\n', "Objects:  {\n"]
        links = []
        for i, part in enumerate(self.parts):
            pos, rot = self.local[part]
            out.append(f'Model: {1000 + i}, "Model::{self.names[part]}", "LimbNode" {{\nVersion: 232\nProperties70:  {{\n'
                       + property_vec("Lcl Translation", pos) + property_vec("Lcl Rotation", euler(rot)) + "}\n}\n")
            out.append(f'NodeAttribute: {2000 + i}, "NodeAttribute::", "LimbNode" {{\nTypeFlags: "Skeleton"\n}}\n')
            parent = PARTS[part][0]
            links += [(1000 + i, 0 if parent is None else 1000 + self.parts.index(parent)), (2000 + i, 1000 + i)]
        if self.points:
            corners = [v for a, b, c in self.faces for v in (a, b, -c - 1)]
            out.append('Geometry: 3000, "Geometry::figure", "Mesh" {\n' + array("Vertices", [v for p in self.points for v in p])
                       + array("PolygonVertexIndex", corners) + "GeometryVersion: 124\n}\n")
            out.append('Model: 3001, "Model::figure", "Mesh" {\nVersion: 232\n}\nDeformer: 3002, "Deformer::", "Skin" {\nVersion: 101\n}\n')
            links += [(3001, 0), (3000, 3001), (3002, 3000)]
            for i, part in enumerate(self.parts):
                mine = [k for k, w in enumerate(self.weights) if w == i]
                if not mine:
                    continue
                out.append(f'Deformer: {4000 + i}, "SubDeformer::", "Cluster" {{\nVersion: 100\n' + array("Indexes", mine)
                           + array("Weights", [1.0] * len(mine)) + array("Transform", self.inverse(part))
                           + array("TransformLink", self.matrix(part)) + "}\n")
                links += [(4000 + i, 3002), (1000 + i, 4000 + i)]
        out.append("}\nConnections:  {\n" + "".join(f'C: "OO",{a},{b}\n' for a, b in links) + "}\n")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(out))
