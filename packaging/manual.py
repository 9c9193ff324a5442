"""The man page and the completions, from the --help of the program itself."""

import datetime
import functools
import re
import subprocess

from deterministic import epoch, version

# Headings of a help text under which no verbs stand.
NO_VERBS = {"Options:", "Positionals:", "Example:", "Examples:"}

@functools.lru_cache(maxsize=None)
def help_of(program, *verb):
    """`program` is a path, or the words of a command."""
    return subprocess.run([*((program,) if isinstance(program, str) else program), *verb, "--help"], check=True, capture_output=True, text=True, timeout=60).stdout


def verbs_in(text):
    """[(verb, sentence)] of a help text: what it lists under `Subcommands:` or under the headings of its groups."""
    if "SUBCOMMAND" not in text.split("\n\n", 1)[0]:
        return []
    verbs, listing = [], False
    for line in text.splitlines():
        if re.match(r"\S.*:$", line):
            listing = line not in NO_VERBS
        elif listing and (found := re.match(r"  ([a-z][a-z-]*) +(\S.*)$", line)):
            verbs.append(found.groups())
    return verbs


def options_in(text):
    """Long options, in the order of the help."""
    return list(dict.fromkeys(re.findall(r"(?<![\w-])(--[a-z][a-z0-9-]*)", re.sub(r"^(?!  -).*$", "", text, flags=re.M))))


def commands(program):
    """{("serve",): options}, verbs below verbs included."""
    found = {}

    def visit(verb):
        text = help_of(program, *verb)
        found[verb] = options_in(text)
        for below, _ in verbs_in(text):
            visit((*verb, below))

    visit(())
    return found


def escaped(text):
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"), flags=re.M)


def man_page(program):
    date = datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc).strftime("%Y-%m-%d")
    lines = [f'.TH PREJOIN 1 "{date}" "prejoin {version()}" "User Commands"', ".SH NAME",
             "prejoin \\- a DynamoDB\\-compatible database and design bench", ".SH SYNOPSIS", ".B prejoin", ".I VERB", "[options]", ".SH VERBS"]
    for verb, sentence in verbs_in(help_of(program)):
        text = help_of(program, verb)
        lines += [".SS " + escaped(f"prejoin {verb}"), escaped(sentence), ".PP", ".nf", escaped(text.split("\n", 1)[1].strip("\n")), ".fi"]
    lines += [".SH EXIT STATUS", "0: success. 1: a negative result (findings, a failed proof, a refusal). 2: could not run.", ".SH ENVIRONMENT",
              ".TP", ".B NO_COLOR", "No colour on a terminal.", ".TP", ".B AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION",
              "Credentials and region of verbs that talk to an endpoint."]
    return "\n".join(lines) + "\n"


def bash_completion(program):
    found = commands(program)
    lines = ["# bash completion of prejoin", "_prejoin() {", '  local words="${COMP_WORDS[*]:1:COMP_CWORD-1}" current="${COMP_WORDS[COMP_CWORD]}" verb="" word',
             "  for word in $words; do case $word in -*) ;; *) verb=${verb:+$verb }$word ;; esac; done", "  local choices=", "  case $verb in"]
    for verb, options in sorted(found.items(), reverse=True):
        below = [name[-1] for name in found if name[:-1] == verb and name != verb]
        pattern = f'"{" ".join(verb)}"' + ("*" if verb and not below else "")
        lines.append(f'    {pattern}) choices="{" ".join(below + options)}" ;;')
    lines += ["  esac", '  COMPREPLY=($(compgen -W "$choices" -- "$current"))', "}", "complete -o default -F _prejoin prejoin"]
    return "\n".join(lines) + "\n"


def fish_completion(program):
    text = help_of(program)
    quoted = lambda words: "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"
    lines = ["# fish completion of prejoin"]
    for verb, sentence in verbs_in(text):
        lines.append(f"complete -c prejoin -n __fish_use_subcommand -f -a {verb} -d {quoted(sentence)}")
        for option in options_in(help_of(program, verb)):
            lines.append(f"complete -c prejoin -n '__fish_seen_subcommand_from {verb}' -l {option[2:]}")
    return "\n".join(lines) + "\n"


def zsh_completion(program):
    """zsh reads bash's completions."""
    return "#compdef prejoin\nautoload -U +X bashcompinit && bashcompinit\n" + bash_completion(program)
