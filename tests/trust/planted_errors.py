#!/usr/bin/env python3
"""Plants ten errors in the cost model and reports which of them the random models find.

The tree stays as it is. Changed copies of the sources hold all ten errors, each switched on by its name in the environment. They are
compiled as the build compiles the sources and linked in front of the library: four compilations and one link. `EstimatesOfRandomModels`
must agree without an error and differ with each.

    planted_errors.py BUILD [NAME ...] [--models N] [--seed N]

BUILD is a build folder, such as build/release, in which model_test is up to date.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The name, the file below src/model, the line, what is right in it, and the error.
PLANTED = [
    ("transactions_cost_once", "cost/write_cost.cc", "constexpr double kTransactionFactor = 2;", "2", "1"),
    ("locks_are_free", "cost/write_cost.cc", "constexpr double kLockUnits = 1;", "1", "0"),
    ("moved_index_entry_is_one_write", "cost/write_cost.cc", "      return before + after;", "before + after", "after"),
    ("sizes_do_not_vary", "plan/expected_units.cc",
     "  return units + ExpectedSteps(bytes, std::sqrt(variance_), kStep);", "std::sqrt(variance_)", "0.0"),
    ("sparse_index_holds_all_rows", "plan/section_rows.cc",
     "      rows *= figures_.Presence(access.plan.item_entity, {name});",
     "figures_.Presence(access.plan.item_entity, {name})", "1.0"),
    ("ranges_keep_all_rows", "plan/section_rows.cc",
     "      rows *= ShareOfRange(i, condition);", "ShareOfRange(i, condition)", "1.0"),
    ("optional_attributes_are_always_there", "plan/entry_bytes.cc",
     "             Presence(entity, {stored}, certain);", "Presence(entity, {stored}, certain)", "1.0"),
    ("fetched_items_are_read_strongly", "plan/plan_estimate.cc",
     "            rows * ItemReadUnits(sizes, request.consistent));", "request.consistent", "true"),
    ("large_parents_are_asked_for_as_often_as_small_ones", "plan/skew/skew_cases.cc",
     "        next.weight *= by.groups[i].ranks * (by.met_evenly ? 1 / by.values : by.groups[i].share);",
     "(by.met_evenly ? 1 / by.values : by.groups[i].share)", "1 / by.values"),
    ("indexes_hold_all_rows", "cost/cost.cc",
     "    const double count = figures.Count(entity) * figures.PresenceIn(entity, view);",
     "figures.PresenceIn(entity, view)", "1.0"),
]
SWITCH = "PLANTED_ERROR"
# In front of what is compiled.
PREAMBLE = f"""#include <cstdlib>
#include <string_view>
static bool IsPlanted(std::string_view name) {{
  const char* planted = std::getenv("{SWITCH}");
  return planted != nullptr && name == planted;
}}
"""


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"planted_errors.py: {shlex.join(command)[:200]} … failed\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


class Build:
    """The commands by which the build folder compiles and links."""

    def __init__(self, folder):
        self.folder = folder
        self.compiled = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        link = run(["ninja", "-t", "commands", "tests/model_test"], folder).splitlines()[-1]
        self.link = shlex.split(link.removeprefix(": &&").removesuffix("&& :"))

    def unit_of(self, source):
        """The file that the build compiles for a source: itself, or one that includes it with others."""
        for entry in self.compiled:
            file = pathlib.Path(entry["file"])
            if "pj_model.dir" not in entry["command"]:
                continue
            if file == source or ("Unity" in file.parts and f'"{source}"' in file.read_text(encoding="utf-8")):
                return entry, file
        sys.exit(f"planted_errors.py: nothing compiles {source}")

    def with_errors(self, texts, scratch):
        """A model_test in which the texts stand for their sources."""
        units = {}
        for source, text in texts.items():
            entry, file = self.unit_of(source)
            units.setdefault(file, [entry, file.read_text(encoding="utf-8") if file != source else f'#include "{source}"\n'])
            changed = scratch / f"{len(units)}_{source.name}"
            changed.write_text(text, encoding="utf-8")
            units[file][1] = units[file][1].replace(f'"{source}"', f'"{changed}"')
        objects = []
        for number, (entry, text) in enumerate(units.values()):
            unit = scratch / f"unit_{number}.cc"
            unit.write_text(PREAMBLE + text, encoding="utf-8")
            objects.append(str(unit.with_suffix(".o")))
            command = shlex.split(entry["command"])
            command[command.index("-o") + 1] = objects[-1]
            command[command.index(entry["file"])] = str(unit)
            run(command, entry["directory"])
        link = list(self.link)
        at = link.index("-o")
        link[at + 1] = str(scratch / "model_test")
        link[at:at] = objects
        run(link, self.folder)
        return scratch / "model_test"


def difference(program, error, models, seed):
    """What the random models find first: a seed and a figure; nothing where all agree."""
    environment = dict(os.environ, PREJOIN_RANDOM_BRIEF="1") | {SWITCH: error}
    if models:
        environment |= {"PREJOIN_RANDOM_ESTIMATES": str(models), "PREJOIN_RANDOM_SEED": str(seed)}
    done = subprocess.run([program, "--gtest_fail_fast", "--gtest_filter=Seeds/EstimatesOfRandomModels.*"],
                          env=environment, capture_output=True, text=True, check=False)
    if "AgreeWithTheMeasurement" not in done.stdout or done.returncode not in (0, 1):
        sys.exit(f"planted_errors.py: the random models did not run\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    if done.returncode == 0:
        return None
    found = re.search(r"^seed (\d+)$.*?! (.*?)$", done.stdout, re.MULTILINE | re.DOTALL)
    return f"seed {found[1]}: {' '.join(found[2].split())}" if found else "a difference"


def planted_texts():
    """The sources with all errors in them."""
    texts = {}
    for name, file, line, right, wrong in PLANTED:
        source = ROOT / "src/model" / file
        text = texts.get(source) or source.read_text(encoding="utf-8")
        if text.count(line + "\n") != 1 or line.count(right) != 1:
            sys.exit(f"planted_errors.py: {name}: {file} does not have one line {line.strip()}")
        planted = line.replace(right, f'(IsPlanted("{name}") ? {wrong} : {right})').replace("constexpr", "const")
        texts[source] = text.replace(line + "\n", planted + "\n")
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--models", type=int, default=0, help="this many models instead of the twenty of the test")
    parser.add_argument("--seed", type=int, default=27_000)
    arguments = parser.parse_args()
    unknown = set(arguments.names) - {one[0] for one in PLANTED}
    if unknown:
        sys.exit(f"planted_errors.py: no error is named {', '.join(sorted(unknown))}")
    names = [one[0] for one in PLANTED if not arguments.names or one[0] in arguments.names]
    missed = 0
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        program = Build(arguments.build.resolve()).with_errors(planted_texts(), pathlib.Path(folder))
        clean = difference(program, "", arguments.models, arguments.seed)
        if clean:
            sys.exit(f"planted_errors.py: the models differ without an error, {clean}")
        for name in names:
            begun = time.monotonic()
            found = difference(program, name, arguments.models, arguments.seed)
            print(f"{name}: {'found, ' + found if found else 'MISSED'} ({time.monotonic() - begun:.0f} s)", flush=True)
            missed += found is None
    print(f"{len(names) - missed} of {len(names)} planted errors found")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
