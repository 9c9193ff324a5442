#!/usr/bin/env python3
"""Plants ten errors in the cost model, one at a time, and reports which of them the random models find.

Each error is one line of a copy of the sources. The copy is built with the preset `release` and ccache, so that an error costs the
files that it touches and a link. `EstimatesOfRandomModels` must agree without an error and differ with each.

    planted_errors.py SCRATCH [NAME ...] [--jobs N] [--models N] [--seed N]
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ["CMakeLists.txt", "CMakePresets.json", "cmake", "include", "src", "tests", "examples", "bench", "packaging", "studio", "docs", "scripts"]

# The name, the file below src/model, the line as it is, and the line with the error.
PLANTED = [
    ("transactions_cost_once", "cost/write_cost.cc",
     "constexpr double kTransactionFactor = 2;", "constexpr double kTransactionFactor = 1;"),
    ("locks_are_free", "cost/write_cost.cc",
     "constexpr double kLockUnits = 1;", "constexpr double kLockUnits = 0;"),
    ("moved_index_entry_is_one_write", "cost/write_cost.cc", "      return before + after;", "      return after;"),
    ("sizes_do_not_vary", "plan/expected_units.cc",
     "  return units + ExpectedSteps(bytes, std::sqrt(variance_), kStep);", "  return units + ExpectedSteps(bytes, 0, kStep);"),
    ("sparse_index_holds_all_rows", "plan/section_rows.cc",
     "      rows *= figures_.Presence(access.plan.item_entity, {name});", "      rows *= 1;"),
    ("ranges_keep_all_rows", "plan/section_rows.cc",
     "      rows *= ShareOfRange(i, condition);", "      rows *= 1;"),
    ("optional_attributes_are_always_there", "plan/entry_bytes.cc",
     "             Presence(entity, {stored}, certain);", "             1;"),
    ("fetched_items_are_read_strongly", "plan/plan_estimate.cc",
     "            rows * ItemReadUnits(sizes, request.consistent));", "            rows * ItemReadUnits(sizes, true));"),
    ("large_parents_are_asked_for_as_often_as_small_ones", "plan/skew/skew_cases.cc",
     "        next.weight *= by.groups[i].ranks * (by.met_evenly ? 1 / by.values : by.groups[i].share);",
     "        next.weight *= by.groups[i].ranks / by.values;"),
    ("indexes_hold_all_rows", "cost/cost.cc",
     "    const double count = figures.Count(entity) * figures.PresenceIn(entity, view);",
     "    const double count = figures.Count(entity);"),
]


def copy_sources(scratch):
    scratch.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        target = scratch / name
        if (ROOT / name).is_dir():
            subprocess.run(["cp", "-a", "--update", "-T", str(ROOT / name), str(target)], check=True)
        else:
            shutil.copy2(ROOT / name, target)


def build(scratch, jobs):
    steps = [["cmake", "--build", "build/release", f"-j{jobs}", "--target", "model_test"]]
    if not (scratch / "build/release/build.ninja").exists():
        steps.insert(0, ["cmake", "--preset", "release"])
    for step in steps:
        done = subprocess.run(step, cwd=scratch, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"planted_errors.py: {' '.join(step)} failed\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def differs(scratch, models, seed):
    """True if the random models find a difference."""
    environment = dict(os.environ, PREJOIN_RANDOM_BRIEF="1")
    if models:
        environment |= {"PREJOIN_RANDOM_ESTIMATES": str(models), "PREJOIN_RANDOM_SEED": str(seed)}
    done = subprocess.run([scratch / "build/release/tests/model_test", "--gtest_fail_fast",
                           "--gtest_filter=Seeds/EstimatesOfRandomModels.*"],
                          env=environment, capture_output=True, text=True, check=False)
    if "AgreeWithTheMeasurement" not in done.stdout or done.returncode not in (0, 1):
        sys.exit(f"planted_errors.py: the random models did not run\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--models", type=int, default=0, help="so many models instead of the twenty of the test")
    parser.add_argument("--seed", type=int, default=27_000)
    arguments = parser.parse_args()
    planted = [one for one in PLANTED if not arguments.names or one[0] in arguments.names]
    scratch = arguments.scratch.resolve()
    if scratch == ROOT or not planted:
        sys.exit("planted_errors.py: nothing to do")
    copy_sources(scratch)
    build(scratch, arguments.jobs)
    if differs(scratch, arguments.models, arguments.seed):
        sys.exit("planted_errors.py: the models differ without an error")
    missed = []
    for name, file, line, error in planted:
        path = scratch / "src/model" / file
        text = path.read_text(encoding="utf-8")
        if text.count(line + "\n") != 1:
            sys.exit(f"planted_errors.py: {file} does not have one line {line.strip()}")
        path.write_text(text.replace(line + "\n", error + "\n"), encoding="utf-8")
        try:
            build(scratch, arguments.jobs)
            found = differs(scratch, arguments.models, arguments.seed)
        finally:
            path.write_text(text, encoding="utf-8")
        print(f"{name}: {'found' if found else 'MISSED'}", flush=True)
        missed += [] if found else [name]
    print(f"{len(planted) - len(missed)} of {len(planted)} planted errors found")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
