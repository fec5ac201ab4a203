"""Adds the modules that protoc makes from the schema: one per noun, with its types. A wheel with a library (deploy/build-wheel.sh) is
for that library's processor and any Python 3."""

import glob
import os
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, "..", "..", "proto")


class BuildWithSchema(build_py):
    def run(self) -> None:
        super().run()
        files = sorted(glob.glob(os.path.join(SCHEMA, "troupe", "*.proto")))
        if not files:
            raise SystemExit(f"setup: no schema in {SCHEMA}: install from the project's tree")
        out = self.build_lib
        try:
            subprocess.run(["protoc", f"-I{SCHEMA}", f"--python_out={out}", f"--pyi_out={out}", *files], check=True)
        except FileNotFoundError:
            raise SystemExit("setup: protoc is missing: install Debian's protobuf-compiler") from None


LIBRARY = os.path.join(HERE, "troupe", "libtroupe_simulation.so.0")
PLATFORMS = {62: "linux_x86_64", 183: "linux_aarch64"}  # by the machine of an ELF file
commands = {"build_py": BuildWithSchema}

if os.path.exists(LIBRARY):
    from wheel.bdist_wheel import bdist_wheel

    class WheelWithLibrary(bdist_wheel):
        def finalize_options(self) -> None:
            super().finalize_options()
            self.root_is_pure = False

        def get_tag(self) -> tuple:
            with open(LIBRARY, "rb") as file:
                machine = int.from_bytes(file.read(20)[18:], "little")
            if machine not in PLATFORMS:
                raise SystemExit(f"setup: {LIBRARY}: a library for machine {machine}: expected one of {list(PLATFORMS)}")
            return ("py3", "none", PLATFORMS[machine])

    commands["bdist_wheel"] = WheelWithLibrary

setup(cmdclass=commands)
