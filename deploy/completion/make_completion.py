#!/usr/bin/env python3
"""Writes a bash completion script from the programs' help. For troupe it also completes names that the daemon knows.

    make_completion.py OUT TROUPE TROUPE_TRAIN TROUPED
"""

import os
import re
import subprocess
import sys


def says(program, *words):
    emulator = os.environ.get("EMULATOR", "").split()  # for another processor
    return subprocess.run([*emulator, program, *words], capture_output=True, text=True, check=True).stdout


def options_in(text):
    """Options, and those of them that take no value: nothing in capitals follows."""
    found = sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text)))
    with_value = {name for name, _ in re.findall(r"(--[a-z][a-z-]*[a-z])[ =]([A-Z])", text)}
    return found, with_value


def commands_of(program):
    return [line.split()[0] for line in says(program, "help").splitlines() if re.match(r"  [a-z][a-z-]+ {2,}\S", line)
            and not line.startswith("  help")] + ["help"]


# What the daemon knows that can stand for a word of the usage, or for the value of an option.
KINDS = {"WORLD": "worlds", "ENTITY": "entities", "CONTROLLER": "controllers", "TARGET": "matches",
         "NAME=VALUE": "parameters", "FILE": "recordings", "--model": "models", "--toward": "entities", "--body": "bodies",
         "lineage NAME": "controllers", "steer --skill": "skills", "restore FILE": "-", "snapshot FILE": "-"}
LISTS = ["models", "clips", "controllers", "runs", "recordings"]  # commands that list, or show one by NAME


def choices_in(text):
    """The words of "real-time (default), stepped or fast"."""
    found = re.fullmatch(r"(?:[^:]*: )?([a-z-]+(?: \(default\))?(?:, [a-z-]+(?: \(default\))?)*) or ([a-z-]+)", text)
    return [*re.findall(r"[a-z-]+", found[1].replace("(default)", "")), found[2]] if found else []


def kind_of(command, word, text):
    """What stands for a word: a kind, or choices between commas; "-": nothing that is known."""
    if word == "NAME" and command in LISTS:
        return command
    kind = KINDS.get(f"{command} {word}", KINDS.get(word, ""))
    return kind or ",".join(choices_in(text)) or "-"


def values_of(command, text):
    """The kinds of the places after a command, and of the values of its options: "--model=models"."""
    rows = re.findall(r"^  (\[?[A-Z]\S*|--[a-z-]+ [A-Z]\S*)(?: \.\.\.)?\s+(\S.*)", text, re.M)
    places = [kind_of(command, word.strip("[]"), note) for word, note in rows if not word.startswith("--")]
    named = [(word.split()[0], kind_of(command, word.split()[0], note)) for word, note in rows if word.startswith("--")]
    return places, [f"{option}={kind}" for option, kind in named]


def case_lines(program, everywhere, values=False):
    lines = []
    for name in commands_of(program):
        words = commands_of(program) if name == "help" else options_in(says(program, "help", name))[0] + everywhere
        line = f"        {name}) words='{' '.join(words)}'"
        if values and name != "help":
            places, options = values_of(name, says(program, "help", name))
            line += f" places='{' '.join(places)}' options='{' '.join(options)}'"
        lines.append(line + " ;;")
    return "\n".join(lines)


TEMPLATE = r"""# bash completion for troupe, troupe-train and trouped; made from their --help

# The first word that is no option and no value of one into `command`, and its place into `command_at`.
_troupe_command() {{
    for ((command_at = 1; command_at < COMP_CWORD; command_at++)); do
        case ${{COMP_WORDS[command_at]}} in
            --host|--hosts|--port|--timeout) command_at=$((command_at + 1)) ;;
            -*) ;;
            *) command=${{COMP_WORDS[command_at]}}; return ;;
        esac
    done
}}

_troupe_reply() {{
    COMPREPLY=($(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}" || true))
}}

# The words after the command that are no options into `given`. $1: the options that take values.
_troupe_given() {{
    local i
    for ((i = command_at + 1; i < COMP_CWORD; i++)); do
        case ${{COMP_WORDS[i]}} in
            -*) [[ " $1" != *" ${{COMP_WORDS[i]}}="* ]] || i=$((i + 1)) ;;
            *) given+=("${{COMP_WORDS[i]}}") ;;
        esac
    done
}}

# The texts under a key of what the daemon answers to a command, a line each.
_troupe_ask() {{
    "${{COMP_WORDS[@]:0:command_at}}" --timeout 1 "${{@:2}}" --json 2>/dev/null |
        grep -oE "\"($1)\":\"[^\"\\\\]+\"" | cut -d '"' -f 4
}}

# Column $1 of the character that was given, of: 10 its model, 14 its controller.
_troupe_character() {{
    "${{COMP_WORDS[@]:0:command_at}}" --timeout 1 state "${{given[0]}}" --json 2>/dev/null |
        grep -oE '"entity":[0-9]+,"label":"[^"]*","model":"[^"]*","controller":"[^"]*"' |
        while IFS= read -r row; do
            case $row in
                '"entity":'"${{given[1]}}",*|*',"label":"'"${{given[1]}}"'","model":'*) cut -d '"' -f "$1" <<<"$row" ;;
            esac
        done
}}

# What may stand in a place of this kind, a line each.
_troupe_values() {{
    case $1 in
        -) ;;
        worlds|models|clips|controllers|runs|recordings) _troupe_ask name "$1" ;;
        matches) _troupe_ask match match list ;;
        entities) _troupe_ask 'label|name' state "${{given[0]}}" ;;
        bodies) _troupe_ask name models "$(_troupe_character 10)" | tail -n +2 ;; # its own name is the first
        skills) _troupe_ask skill controllers "$(_troupe_character 14)" ;;
        parameters) _troupe_ask parameter controllers "$(_troupe_character 14)" | sed 's/$/=/' ;;
        *) tr , '\n' <<<"$1" ;;
    esac
}}

# Offers those of a kind that begin with the current word. Names are quoted: they may hold any character.
_troupe_offer() {{
    local value
    while IFS= read -r value; do
        [[ $value != "${{COMP_WORDS[COMP_CWORD]}}"* ]] || COMPREPLY+=("$(printf %q "$value")")
    done < <(_troupe_values "$1" 2>/dev/null | sort -u)
    [[ $1 != parameters ]] || compopt -o nospace 2>/dev/null || true
}}

_troupe() {{
    local command='' command_at=1 words='' places='' options='' kind='' option given=()
    _troupe_command
    case $command in
        '') words='{troupe_commands} {troupe_options}' ;;
{troupe_cases}
    esac
    COMPREPLY=()
    if [[ $command && ${{COMP_WORDS[COMP_CWORD]}} != -* ]]; then
        _troupe_given "$options"
        kind=$(cut -d ' ' -f $((${{#given[@]}} + 1)) <<<"$places")
        [[ $kind || $places != *parameters ]] || kind=parameters
        for option in $options; do
            [[ $option != "${{COMP_WORDS[COMP_CWORD - 1]}}="* ]] || kind=${{option#*=}}
        done
        _troupe_offer "${{kind:--}}"
    fi
    [[ ${{#COMPREPLY[@]}} -gt 0 ]] || _troupe_reply "$words"
}}

_troupe_train() {{
    local command='' command_at words=''
    _troupe_command
    case $command in
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
            troupe_cases=case_lines(troupe, ["--json"], values=True),
            train_commands=" ".join(commands_of(train)), train_cases=case_lines(train, []),
            trouped_options=" ".join(options_in(says(trouped, "--help"))[0])))


main()
