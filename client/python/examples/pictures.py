"""Saves pictures of an episode as PNG files: a character is pushed over.

    python3 pictures.py --controller walk --out pictures        # pictures/000.png, pictures/001.png and so on
"""

import argparse
import pathlib
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from troupe.envs import CharacterEnv

PUSH_N = (0, 260, 0)
PUSH_S = 0.2


def png(picture: NDArray[np.uint8]) -> bytes:
    """[height][width][3] as a file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--controller", default="walk")
    parser.add_argument("--count", type=int, default=40, help="pictures, one for each step of 50 ms")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("pictures"), help="folder, which is made")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with CharacterEnv(options.controller, render_mode="rgb_array", host=options.host, port=options.port) as env:
        env.reset(seed=1)
        still = np.zeros(env.action_space.shape, env.action_space.dtype)
        for i in range(options.count):
            (options.out / f"{i:03}.png").write_bytes(png(env.render()))
            if i == options.count // 4:
                env.push(PUSH_N, PUSH_S)
            if any(env.step(still)[2:4]):
                env.reset()


main()
