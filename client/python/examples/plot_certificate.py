"""Draws a controller's certificate: how strong a push it survives, by direction, as an SVG file. Needs matplotlib.

The character is seen from above, its heading upwards; an angle is the direction of the force. A dot is a force that
was tried; its colour is the share of trials survived. An outline is the largest force up to which every force was
survived in that share of the trials.

    python3 plot_certificate.py --controller walk -o certificate.svg
"""

import argparse
import math
from typing import Any, Sequence, Tuple

from troupe import Client, TroupeError, requests
from troupe.replies import Certificate, Pushes

SHARES = (0.95, 0.5)


def survived(pushes: Pushes, share: float) -> float:
    """The largest force, N, up to which every force was survived in at least this share of the trials; else 0."""
    largest = 0.0
    for force, trials, stood in zip(pushes.force_n, pushes.trials, pushes.survived):
        if trials == 0 or stood < share * trials:
            break
        largest = force
    return largest


def outline(certificate: Certificate, share: float) -> Tuple[Sequence[float], Sequence[float]]:
    """Angles, rad, and forces, N, of a closed line: the first point is repeated at the end."""
    count = len(certificate.pushes)
    around = [*certificate.pushes, certificate.pushes[0]]
    angles = [2 * math.pi * place / count for place in range(count + 1)]
    return angles, [survived(pushes, share) for pushes in around]


def plotting() -> Any:
    try:
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError as error:
        raise SystemExit(f"plot_certificate: needs matplotlib, Debian's python3-matplotlib: {error}") from None
    return pyplot


def draw(pyplot: Any, certificate: Certificate, path: str) -> None:
    figure, axes = pyplot.subplots(figsize=(6, 6), subplot_kw={"projection": "polar"})
    axes.set_theta_zero_location("N")
    count = len(certificate.pushes)
    tried = [
        (2 * math.pi * pushes.direction / count, force, stood / trials)
        for pushes in certificate.pushes
        for force, trials, stood in zip(pushes.force_n, pushes.trials, pushes.survived)
        if trials > 0
    ]
    angle, force, share = zip(*tried)
    dots = axes.scatter(angle, force, c=share, cmap="RdYlGn", vmin=0, vmax=1, s=18, zorder=3)
    figure.colorbar(dots, label="share of trials survived", shrink=0.7, pad=0.12)
    for level, style in zip(SHARES, ("-", "--")):
        axes.plot(*outline(certificate, level), style, color="black", label=f"{level:.0%} survived")
    axes.set_rlabel_position(180 / count)
    axes.set_title(f"{certificate.controller}: pushes survived, N")
    axes.legend(loc="lower left", bbox_to_anchor=(-0.1, -0.12))
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--controller", default="walk")
    parser.add_argument("--back", type=int, default=0, help="0: the newest certificate, 1: the one before")
    parser.add_argument("-o", "--output", default="certificate.svg")
    given = parser.parse_args()

    pyplot = plotting()
    try:
        with Client(port=given.port) as client:
            certificate = client.ask(requests.get_certificate(given.controller, given.back))
    except TroupeError as error:
        raise SystemExit(f"plot_certificate: {error}") from None
    if not any(sum(pushes.trials) for pushes in certificate.pushes):
        raise SystemExit(f"plot_certificate: the certificate of {given.controller} has no pushes")
    draw(pyplot, certificate, given.output)
    for level in SHARES:
        forces = outline(certificate, level)[1]
        print(f"{level:.0%} survived: {min(forces):g} N in every direction, {max(forces):g} N in the best")


if __name__ == "__main__":
    main()
