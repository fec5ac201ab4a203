"""Adds the modules that protoc makes from the schema: one per noun, with its types."""

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


setup(cmdclass={"build_py": BuildWithSchema})
