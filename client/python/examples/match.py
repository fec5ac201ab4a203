"""Fights a match: starts a batch of bouts from a description, follows it, and prints how many each team won.

The description is a file in JSON with the fields of Match (proto/troupe/match.proto), as duel.json beside this program.
Progress goes to standard error, the statistics with their 95 % intervals to standard output.

    python3 match.py duel.json --bouts 200 --seed 3
"""

import argparse
import os
import sys

from google.protobuf import json_format

from troupe import Client, TroupeError, match_pb2, requests
from troupe.matches import MatchDetail, MatchProgress, MatchState

DUEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "duel.json")


def description(path: str, given: argparse.Namespace) -> match_pb2.Match:
    """The file's match, with the changes of the command line."""
    try:
        with open(path) as file:
            match = json_format.Parse(file.read(), match_pb2.Match())
    except (OSError, UnicodeDecodeError, json_format.ParseError) as error:
        raise SystemExit(f"match: {path}: {error}") from None
    for name in ("name", "bouts", "seed"):
        if getattr(given, name) is not None:
            setattr(match, name, getattr(given, name))
    return match


def line(step: MatchProgress) -> str:
    wins = ", ".join(f"{team} {won}" for team, won in zip(step.info.teams, step.wins))
    return f"{step.info.bouts_done} of {step.info.bouts}: {wins}, drawn {step.draws}, void {step.voids}"


def report(detail: MatchDetail) -> None:
    print("team,wins,win_rate,win_rate_low,win_rate_high,score,score_low,score_high")
    for team in detail.teams:
        rates = (team.win_rate, team.win_rate_low, team.win_rate_high)
        score = (team.score.mean, team.score.low, team.score.high)
        print(f"{team.name},{team.wins}", *(f"{value:.4g}" for value in rates + score), sep=",")
    print(f"# {detail.info.bouts_done} bouts, drawn {detail.draws}, void {detail.voids}, {detail.ticks.mean:.0f} ticks a bout")
    print(f"# results {detail.results_hash:016x}: equal for equal results, to the bit")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default=DUEL, help="the description; default duel.json")
    parser.add_argument("--port", type=int, default=7400)
    parser.add_argument("--name", help="name instead of the file's; names are unique in the catalogue")
    parser.add_argument("--bouts", type=int)
    parser.add_argument("--seed", type=int)
    given = parser.parse_args()

    try:
        match = description(given.file, given)
    except ValueError as error:
        parser.error(str(error))
    try:
        with Client(port=given.port) as client:
            client.ask(requests.start_match(match))
            for step in client.progress(match.name):
                print(line(step), file=sys.stderr)
            detail = client.ask(requests.get_match(match.name, size=1))
    except TroupeError as error:
        raise SystemExit(f"match: {error}") from None
    report(detail)
    if detail.info.state != MatchState.DONE:
        raise SystemExit(f"match: {detail.info.state.name.lower()}: {detail.info.reason}")


if __name__ == "__main__":
    main()
