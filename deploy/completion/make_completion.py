#!/usr/bin/env python3
"""Writes a bash completion script from the programs' help.

    make_completion.py OUT TROUPE TROUPE_TRAIN TROUPED
"""

import re
import subprocess
import sys


def says(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def options_in(text):
    """Options, and those of them that take no value: nothing in capitals follows."""
    found = sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text)))
    with_value = {name for name, _ in re.findall(r"(--[a-z][a-z-]*[a-z])[ =]([A-Z])", text)}
    return found, with_value


def commands_of(program):
    return [line.split()[0] for line in says(program, "help").splitlines() if re.match(r"  [a-z][a-z-]+ {2,}\S", line)
            and not line.startswith("  help")] + ["help"]


def case_lines(program, everywhere):
    lines = []
    for name in commands_of(program):
        words = commands_of(program) if name == "help" else options_in(says(program, "help", name))[0] + everywhere
        lines.append(f"        {name}) words='{' '.join(words)}' ;;")
    return "\n".join(lines)


TEMPLATE = """# bash completion for troupe, troupe-train and trouped; made from their --help

# The first word that is no option and no value of one: the command.
_troupe_command() {{
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${{COMP_WORDS[i]}} in
            --host|--port|--timeout) ((i++)) ;;
            -*) ;;
            *) echo "${{COMP_WORDS[i]}}"; return ;;
        esac
    done
}}

_troupe_reply() {{
    COMPREPLY=($(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}

_troupe() {{
    local words=''
    case $(_troupe_command) in
        '') words='{troupe_commands} {troupe_options}' ;;
{troupe_cases}
    esac
    _troupe_reply "$words"
}}

_troupe_train() {{
    local words=''
    case $(_troupe_command) in
        '') words='{train_commands}' ;;
{train_cases}
    esac
    _troupe_reply "$words"
}}

_trouped() {{
    _troupe_reply '{trouped_options}'
}}

complete -o bashdefault -o default -F _troupe troupe
complete -o bashdefault -o default -F _troupe_train troupe-train
complete -o bashdefault -o default -F _trouped trouped
"""


def main():
    out, troupe, train, trouped = sys.argv[1:5]
    overview = options_in(says(troupe, "help"))[0]
    with open(out, "w") as file:
        file.write(TEMPLATE.format(
            troupe_commands=" ".join(commands_of(troupe)), troupe_options=" ".join(overview),
            troupe_cases=case_lines(troupe, ["--json"]),
            train_commands=" ".join(commands_of(train)), train_cases=case_lines(train, []),
            trouped_options=" ".join(options_in(says(trouped, "--help"))[0])))


main()
