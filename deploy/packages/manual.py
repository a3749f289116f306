#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the manual pages of programs, from what the programs say with --help.

  manual.py OUT VERSION PROGRAM...          pages of section 1
  manual.py --settings OUT VERSION login-kiosk deployment.md

Each PROGRAM is run with --experimental-dump-help, which is its help as JSON. A command of it has a page of its own,
unless there is a program of that name. The page of the settings has their names from `config show`, and what each does
from the table in deployment.md; a setting that the table has not is an error. SOURCE_DATE_EPOCH dates the pages.
"""
import datetime
import json
import os
import re
import subprocess
import sys

DOCUMENTS = "/usr/share/doc/login-kiosk"
# The backend's package is installed without the kiosk's.
BACKEND = "login-kiosk-backend"
SETTINGS_READ = " ".join("""
A later source in this list wins: the kiosk's own choice, `config.yaml`, `config.d/*.yaml` in the order of
their names, environment variables, options. A file is YAML: maps of maps of single values, at most 16 KiB. A name
that is no setting is a mistake, and `login-kiosk run` refuses to begin with one. A point in a setting's name
stands for a map in the file, and `*` for a name that you choose. The variable of `store.key-file` is
`LOGIN_KIOSK_STORE_KEY_FILE`. `login-kiosk config show` prints every setting with its value and its source,
`login-kiosk config check` every fault.
""".split())


def fail(message, hint):
    sys.exit(f"manual: {message}\nhint: {hint}")


def roff(text):
    """Plain text as it is, for troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE)


def inline(markdown):
    """A cell of a table, or a line of help: code is bold, links are their words."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub(r"(?<![\w/.-])docs/(?=[\w/-]+\.md)", DOCUMENTS + "/", text)
    parts = re.split(r"`([^`]*)`", text)
    return "".join(f"\\fB{roff(part)}\\fR" if index % 2 else roff(part) for index, part in enumerate(parts))


def paragraphs(text):
    """Paragraphs stand between empty lines; a line of help that ends early ends in the page, too."""
    blocks = re.split(r"\n\s*\n", text.strip())
    filled = ["\n.br\n".join(inline(" ".join(line.split())) for line in block.split("\n")) for block in blocks]
    return "\n.PP\n".join(filled)


def title(name, section, version, abstract):
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or datetime.datetime.now().timestamp())
    day = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d")
    summary = abstract[:1].lower() + abstract[1:].rstrip(".") if abstract else ""
    return [
        f'.TH "{roff(name.upper())}" "{section}" "{day}" "login\\-kiosk {version}" "login\\-kiosk"',
        ".nh", ".SH NAME", f"{roff(name)} \\- {inline(summary)}",
    ]


def spelling(argument):
    """The form of an argument: its names, and the word for its value."""
    value = f"\\fI{roff(argument.get('valueName') or 'value')}\\fR"
    if argument["kind"] == "positional":
        return value
    names = sorted(argument["names"], key=lambda name: name["kind"] != "short")
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    written = ", ".join(f"\\fB{roff(dashes[name['kind']] + name['name'])}\\fR" for name in names)
    return written if argument["kind"] == "flag" else f"{written} {value}"


def shown(command):
    """The arguments of a command, without the two options that every command of every program has."""
    return [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]
            and not {"help", "version"} & {name["name"] for name in argument.get("names", [])}]


def children(command):
    return [child for child in command.get("subcommands", [])
            if child["shouldDisplay"] and child["commandName"] != "help"]


def synopsis(words, command):
    line = [f"\\fB{roff(' '.join(words))}\\fR"]
    if children(command) and not shown(command):
        return line[0] + " \\fIcommand\\fR ..."
    for argument in shown(command):
        if argument["kind"] != "positional":
            preferred = dict(argument, names=[argument["preferredName"]])
            word = spelling(preferred)
        else:
            word = spelling(argument)
        word += " ..." if argument["isRepeating"] else ""
        line.append(f"[{word}]" if argument["isOptional"] else word)
    return " ".join(line)


def options(command):
    lines = []
    for argument in shown(command):
        text = [argument.get("abstract") or ""]
        if argument.get("discussion"):
            text.append(argument["discussion"])
        if argument.get("defaultValue") is not None:
            text.append(f"Default: {argument['defaultValue']}.")
        if argument.get("allValues") and not all(value in text[0] for value in argument["allValues"]):
            text.append(f"One of {', '.join(argument['allValues'])}.")
        lines += [".TP", spelling(argument), inline(" ".join(" ".join(text).split()))]
    return lines


def see_also(names):
    return [".SH SEE ALSO", ",\n".join(f"\\fB{roff(name)}\\fR({section})" for name, section in names)]


def page(words, command, version, related):
    """The page of a program or of one of its commands, whose own commands stand in it."""
    lines = title("-".join(words), 1, version, command.get("abstract") or "")
    lines += [".SH SYNOPSIS", synopsis(words, command)]
    nested = children(command)
    for child in nested if len(words) > 1 else []:
        lines += [".br", synopsis(words + [child["commandName"]], child)]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", paragraphs(command["discussion"])]
    if shown(command):
        lines += [".SH OPTIONS"] + options(command)
        lines += [".TP", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "Show help information."]
    if nested and len(words) == 1:
        lines.append(".SH COMMANDS")
        for child in nested:
            lines += [".TP", f"\\fB{roff('-'.join(words + [child['commandName']]))}\\fR(1)",
                      inline(child.get("abstract") or "")]
    elif nested:
        for child in nested:
            heading = " ".join(words + [child["commandName"]])
            lines += [f'.SH "{roff(heading.upper())}"', inline(child.get("abstract") or "")]
            if child.get("discussion"):
                lines += [".PP", paragraphs(child["discussion"])]
            lines += options(child)
    lines += [".SH EXIT STATUS",
              "0 when all went well; otherwise a code of", "\\fBsysexits\\fR(3)",
              "or from 80 on an end that only a login knows.",
              f"\\fI{DOCUMENTS}/commands.md\\fR has them all."]
    lines += see_also(related)
    return "\n".join(lines) + "\n"


def help_of(program):
    try:
        said = subprocess.run(
            [program, "--experimental-dump-help"], check=True, capture_output=True, text=True, timeout=60)
        return json.loads(said.stdout)["command"]
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        fail(f"{program} does not tell its help: {error}", "see whether it runs on this machine")


def program_pages(out, version, programs):
    names = [os.path.basename(program) for program in programs]
    for program, name in zip(programs, names):
        command = help_of(program)
        others = [(other, 1) for other in names if other != name] + [("login-kiosk-settings", 5)]
        pages = {name: page([name], command, version, others)}
        for child in children(command):
            own = f"{name}-{child['commandName']}"
            if own not in names:
                related = [(name, 1), ("login-kiosk-settings", 5)]
                pages[own] = page([name, child["commandName"]], child, version, related)
        for own, text in pages.items():
            with open(os.path.join(out, own + ".1"), "w", encoding="utf-8") as file:
                if name == BACKEND:
                    text = re.sub(r"(/usr/share/doc/login(\\?)-kiosk)/", r"\1\2-backend/", text)
                file.write(text)


def rows(path):
    """The table of the settings, as lists of cells."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    begin = next((index for index, line in enumerate(lines) if line.startswith("| Setting |")), None)
    if begin is None:
        fail(f"{path} has no table that begins with '| Setting |'", "name docs/deployment.md")
    for line in lines[begin + 2:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def names_in(cell):
    """The settings that a first cell names: `.path` after `keypads.*.usb` is `keypads.*.path`."""
    names = re.findall(r"`([^`]*)`", cell)
    group = names[0].rpartition(".")[0]
    return [group + name if name.startswith(".") else name for name in names]


def settings_page(out, version, program, document):
    said = subprocess.run([program, "config", "show", "--config", "/nonexistent", "--state", "/nonexistent"],
                          capture_output=True, text=True, timeout=60)
    known = [line.split()[0] for line in said.stdout.splitlines() if line.strip()]
    if not known:
        fail(f"{program} names no settings", "name a login-kiosk that runs on this machine")
    told, lines = set(), title("login-kiosk-settings", 5, version, "settings of a login kiosk")
    lines += [".SH SYNOPSIS", "\\fI/etc/login\\-kiosk/config.yaml\\fR", ".br",
              "\\fI/etc/login\\-kiosk/config.d/*.yaml\\fR", ".SH DESCRIPTION", paragraphs(SETTINGS_READ),
              ".SH SETTINGS"]
    for setting, option, meaning, otherwise in rows(document):
        names = names_in(setting)
        if "and more" in setting:
            group = names[0].rpartition(".")[0] + "."
            names = [name for name in known if name.startswith(group)]
        told.update(names)
        lines += [".TP", ", ".join(f"\\fB{roff(name)}\\fR" for name in names),
                  inline(meaning[:1].upper() + meaning[1:]) + "."]
        if option:
            lines += [f"Option: {inline(option)}."]
        if otherwise:
            lines += [f"Default: {inline(otherwise)}."]
    missing, unknown = sorted(set(known) - told), sorted(told - set(known))
    if missing or unknown:
        fail(f"settings that {document} does not tell: {missing}; that are none: {unknown}",
             "correct the table 'Settings'")
    lines += [".SH EXAMPLE", ".nf", "source: camera:/dev/login\\-kiosk/camera", "camera:", "  controls:",
              "    power_line_frequency: 50", "keypads:", "  door: {driver: evdev, usb: \"1a2c:4c5e\"}", ".fi"]
    lines += see_also([("login-kiosk", 1), ("login-kiosk-config", 1)])
    lines += [".PP", f"\\fI{DOCUMENTS}/deployment.md\\fR and the pages beside it that are named above."]
    with open(os.path.join(out, "login-kiosk-settings.5"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) == 5 and arguments[0] == "--settings":
        settings_page(*arguments[1:])
    elif len(arguments) >= 3 and not arguments[0].startswith("-"):
        program_pages(arguments[0], arguments[1], arguments[2:])
    else:
        sys.exit(__doc__)
