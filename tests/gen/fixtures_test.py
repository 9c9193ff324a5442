#!/usr/bin/python3
"""The fixtures of `gen --to pytest|vitest|go-test|junit`, in the frameworks themselves: a test reads the sample through generated code and
writes, and the next one finds the sample as it was.

fixtures_test.py FRAMEWORK…: of node, pytest, vitest, jest, go, junit. All but node take their framework from a package registry (kept in
build/), so `make test` runs node and `make test-gen` all.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))

import packages  # noqa: E402
import scripted_models  # noqa: E402
import server_process  # noqa: E402

TOOLS = ROOT / "build"

PYTEST = """
import pytest
from prejointest import db, prejoin

from school import AlreadyExists, Enrollment, courses, enrol

ROW = Enrollment(student_id="a91", course_id="new", grade=None)


@pytest.mark.parametrize("round", [1, 2])
def test_each_has_the_sample(db, round):
    assert len(courses(db, student="a91").enrollments) == 2
    enrol(db, ROW)
    assert len(courses(db, student="a91").enrollments) == 3
    with pytest.raises(AlreadyExists):
        enrol(db, ROW)
"""

TYPESCRIPT = """
%s
import { startPrejoin } from "./prejoin.js";
import type { Prejoin } from "./prejoin.js";
import { courses, enrol } from "./school/index.js";

const counted = async (server: Prejoin) => (await courses(server.db, { student: "a91" })).enrollments.length;
const check = (found: number, wanted: number) => {
  if (found !== wanted) throw new Error(`${String(found)} instead of ${String(wanted)}`);
};

let server: Prejoin;
beforeEach(async () => {
  server = await startPrejoin();
});
afterEach(() => server.stop());

for (const round of [1, 2]) {
  test(`each has the sample, round ${String(round)}`, async () => {
    check(await counted(server), 2);
    await enrol(server.db, { studentId: "a91", courseId: "new" });
    check(await counted(server), 3);
  });
}
"""

GO = """package school_test

import (
  "context"
  "errors"
  "testing"

  "generated/prejointest"
  "generated/school"
)

func TestEachHasTheSample(t *testing.T) {
  for range 2 {
    t.Run("round", func(t *testing.T) {
      ctx, client := context.Background(), school.New(prejointest.Start(t))
      enrolled := func() int {
        answer, err := client.Courses(ctx, school.CoursesArgs{Student: "a91"})
        if err != nil {
          t.Fatal(err)
        }
        return len(answer.Enrollments)
      }
      row := school.Enrollment{StudentID: "a91", CourseID: "new"}
      if before, err := enrolled(), client.Enrol(ctx, row); before != 2 || err != nil || enrolled() != 3 {
        t.Fatal(before, err, enrolled())
      }
      if err := client.Enrol(ctx, row); !errors.Is(err, school.ErrAlreadyExists) {
        t.Fatal(err)
      }
    })
  }
}
"""

JUNIT = """package school;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import school.prejointest.PrejoinExtension;

@ExtendWith(PrejoinExtension.class)
class SampleTest {
  @RepeatedTest(2)
  void eachHasTheSample(DynamoDbClient db) {
    var patterns = new Patterns(db);
    var row = new Enrollment("a91", "new", null);
    assertEquals(2, patterns.courses("a91").enrollments().size());
    new Writes(db).enrol(row);
    assertEquals(3, patterns.courses("a91").enrollments().size());
    assertThrows(WriteRefused.AlreadyExists.class, () -> new Writes(db).enrol(row));
  }
}
"""


def gen(target, folder):
    with tempfile.TemporaryDirectory() as scratch:
        model = scripted_models.readme_model(pathlib.Path(scratch))
        subprocess.run([server_process.binary(), "gen", str(model), "--to", target, "-o", str(folder)], check=True)


def run(command, folder, wanted, **environment):
    """The framework must have run both rounds, not merely have ended well."""
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True,
                          env={**os.environ, "PREJOIN": str(pathlib.Path(server_process.binary()).resolve()), **environment})
    said = done.stdout + done.stderr
    assert done.returncode == 0 and wanted in said, said


def test_pytest(folder):
    gen("python", folder / "school")
    gen("pytest", folder)
    (folder / "test_sample.py").write_text(PYTEST)
    run([str(packages.python_tools(TOOLS) / "pytest"), "-p", "no:cacheprovider", "-q"], folder, "2 passed")


def typescript(folder, head, modules):
    gen("typescript", folder / "src/school")
    gen("vitest", folder / "src")
    (folder / "src/sample.test.ts").write_text(TYPESCRIPT % head)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(modules)
    shutil.copy(ROOT / "tests/gen/tsconfig.json", folder)
    subprocess.run(["node", "node_modules/typescript/bin/tsc", "-p", "."], cwd=folder, check=True)


def test_node(folder):
    typescript(folder, 'import { afterEach, beforeEach, test } from "node:test";', ROOT / "tests/gen/node_modules")
    run(["node", "--test", "built/src/sample.test.js"], folder, "pass 2")


def test_vitest(folder):
    typescript(folder, 'import { afterEach, beforeEach, test } from "vitest";', packages.npm_tools(TOOLS, packages.VITEST) / "node_modules")
    run(["node", "node_modules/vitest/vitest.mjs", "run", "--dir", "src"], folder, "2 passed")


def test_jest(folder):
    typescript(folder, 'import { afterEach, beforeEach, test } from "@jest/globals";', packages.npm_tools(TOOLS, packages.VITEST) / "node_modules")
    run(["node", "--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--rootDir", "built", "--transform", "{}"], folder, "2 passed")


def test_go(folder):
    gen("go", folder / "school")
    gen("go-test", folder / "prejointest")
    (folder / "school/sample_test.go").write_text(GO)
    for name in ("go.mod", "go.sum"):
        shutil.copy(ROOT / "tests/gen/go" / name, folder)
    subprocess.run(["go", "vet", "./..."], cwd=folder, check=True)
    run(["go", "test", "-count=1", "-v", "./..."], folder, "--- PASS: TestEachHasTheSample/round#01")


def test_junit(folder):
    jars = packages.java_jars(TOOLS)
    gen("java", folder / "main/school")
    gen("junit", folder / "test")
    (folder / "test/java/school/SampleTest.java").write_text(JUNIT)
    sources = sorted(map(str, folder.rglob("*.java")))
    subprocess.run(["javac", "-Xlint:all", "-Werror", "-proc:none", "-cp", f"{jars}/*", "-d", "classes", *sources], cwd=folder, check=True)
    command = ["java", "-cp", f"classes:test/resources:{jars}/*", "org.junit.platform.console.ConsoleLauncher", "execute", "--scan-classpath", "classes"]
    run(command, folder, "2 tests successful")


def main():
    assert sys.argv[1:]
    for framework in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            globals()["test_" + framework](pathlib.Path(folder))
            print(f"{framework}: both tests passed")


if __name__ == "__main__":
    main()
