"""Joins doxygen's two pages of a Markdown file: links to the empty page of the file lead to the page of its text, and the
empty ones are removed. Links to members of structs that doxygen shows elsewhere lead to the struct's page.
Usage: join_pages.py SOURCE TAGFILE HTML"""

import pathlib
import re
import sys
import xml.etree.ElementTree as tree


def pages_of_files(source: pathlib.Path, tags: tree.Element, folder: pathlib.Path) -> dict[str, str]:
    """By the page of a Markdown file that of its text."""
    found = {}
    for file in tags.iterfind("compound[@kind='file']"):
        path = pathlib.Path(file.findtext("path"), file.findtext("name"))
        if path.suffix != ".md":
            continue
        name = re.sub(r"\W", "_", str(path.relative_to(source).with_suffix(""))) if path.is_relative_to(source) else path.stem
        pages = ["index"] if path == source / "README.md" else ["md_" + name, path.stem]
        text = next((page for page in pages if (folder / (page + ".html")).exists()), None)
        if text is None:
            raise SystemExit(f"{path}: doxygen made no page of its text; expected one of {', '.join(pages)}")
        found[file.findtext("filename")] = text + ".html"
    return found


def drop_lost_places(folder: pathlib.Path) -> None:
    """Of a link within the site to a place that its page does not have, keeps the page."""
    places = {page.name: set(re.findall(r'(?:id|name)="([^"]*)"', page.read_text())) for page in folder.glob("*.html")}
    link = re.compile(r'href="([\w.-]+\.html)#([^"]*)"')
    for page in folder.glob("struct*.html"):
        text = page.read_text()
        kept = link.sub(lambda match: match[0] if match[2] in places.get(match[1], ()) else f'href="{match[1]}"', text)
        if kept != text:
            page.write_text(kept)


def main(source: str, tagfile: str, html: str) -> None:
    folder = pathlib.Path(html)
    pages = pages_of_files(pathlib.Path(source), tree.parse(tagfile).getroot(), folder)
    empty = re.compile("|".join(re.escape(name) for name in sorted(pages, key=len, reverse=True)))
    for page in [*folder.glob("*.html"), *folder.glob("search/*.js")]:
        text = page.read_text()
        joined = empty.sub(lambda match: pages[match[0]], text)
        if joined != text:
            page.write_text(joined)
    for name in pages:
        (folder / name).unlink(missing_ok=True)
    drop_lost_places(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
