"""The clients' own test suites, each as a function that runs it and says what passed and what failed.

guregu/dynamo is published with its tests, so Go's proxy has them. The others have theirs in git only: a suite runs where its
variable names a checkout (docs/clients.md), of the version named here, with its own dependencies installed. Nothing is changed there.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import urllib.request
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
PYTHON_LIBRARIES = HERE.parents[2] / "build/clients/python"
SECONDS_MAX = 3600


class Outcome:
    def __init__(self):
        self.passed = []  # Names need not be unique.
        self.failed = []

    def add(self, name, has_passed):
        (self.passed if has_passed else self.failed).append(name)


def run(command, folder, environment):
    """The exit code says no more than the reports do, and some suites end with the count of their failures."""
    return subprocess.run(command, cwd=folder, env=os.environ | environment, timeout=SECONDS_MAX, capture_output=True, text=True)


def create_table(endpoint, description):
    request = urllib.request.Request(endpoint, json.dumps(description).encode(), {
        "X-Amz-Target": "DynamoDB_20120810.CreateTable", "Content-Type": "application/x-amz-json-1.0",
        "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
        "X-Amz-Date": "20260101T000000Z"})
    urllib.request.urlopen(request).close()


def electrodb(folder, endpoint, scratch):
    """One of its tables has a definition that no key uses, which AWS refuses: it is made without it, and its own set-up leaves it."""
    environment = {"LOCAL_DYNAMO_ENDPOINT": endpoint, "PREJOIN_REPORT": str(scratch / "report.json")}
    table = json.loads((folder / "test/definitions/localsecondaryindexes.json").read_text())
    keys = [*table["KeySchema"], *(key for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
                                   for index in table[kind] for key in index["KeySchema"])]
    used = {key["AttributeName"] for key in keys}
    table["AttributeDefinitions"] = [one for one in table["AttributeDefinitions"] if one["AttributeName"] in used]
    create_table(endpoint, table | {"TableName": "electro_localsecondaryindex"})
    run(["node", "test/init.js"], folder, environment)
    result = run(["node_modules/.bin/mocha", "-r", "ts-node/register/transpile-only", "--exit", "--timeout", "0", "--reporter", str(HERE / "mocha_report.cjs"),
                  "test/**.spec.*"], folder, environment)
    outcome = Outcome()
    if not (scratch / "report.json").exists():
        print(result.stdout[-2000:] + result.stderr[-2000:])
        return outcome
    for one in json.loads((scratch / "report.json").read_text()):
        outcome.add(one["name"], one["passed"])
    return outcome


def onetable(folder, endpoint, scratch):
    """Its set-up would start DynamoDB Local. Some tests write 250 items within jest's five seconds, which a busy machine may not."""
    nothing = str(HERE / "jest_nothing.cjs")
    report = scratch / "report.json"
    result = run(["node_modules/.bin/jest", "--globalSetup", nothing, "--globalTeardown", nothing, "--testTimeout", "60000", "--json",
                  "--outputFile", str(report)], folder, {"DYNAMODB_PORT": endpoint.rsplit(":", 1)[1]})
    outcome = Outcome()
    if not report.exists():
        print(result.stdout[-2000:] + result.stderr[-2000:])
        return outcome
    for file in json.loads(report.read_text())["testResults"]:
        for one in file["assertionResults"]:
            outcome.add(f"{pathlib.Path(file['name']).name}: {one['fullName']}", one["status"] == "passed")
    return outcome


def junit_reports(files):
    outcome = Outcome()
    for file in files:
        for case in xml.etree.ElementTree.parse(file).getroot().iter("testcase"):
            if case.find("skipped") is None:
                name = f"{case.get('classname').rsplit('.', 1)[-1]}.{case.get('name')}"
                outcome.add(name, case.find("failure") is None and case.find("error") is None)
    return outcome


def pynamodb(folder, endpoint, scratch):
    report = scratch / "report.xml"
    files = sorted(str(file.relative_to(folder)) for file in (folder / "tests/integration").glob("*test*.py"))
    result = run(["python3", "-m", "pytest", "-q", f"--junitxml={report}", *files], folder,
                 {"PYNAMODB_INTEGRATION_TEST_DDB_URL": endpoint, "PYTHONPATH": str(PYTHON_LIBRARIES)})
    if not report.exists():
        print(result.stdout[-2000:] + result.stderr[-2000:])
        return Outcome()
    return junit_reports([report])


def guregu(_, endpoint, scratch):
    result = run(["go", "test", "-count=1", "-json", "github.com/guregu/dynamo/v2"], HERE.parent / "guregu", {
        "DYNAMO_TEST_ENDPOINT": endpoint, "DYNAMO_TEST_REGION": "us-east-1", "DYNAMO_TEST_TABLE": "GureguOwn-%"})
    outcome = Outcome()
    for line in result.stdout.splitlines():
        event = json.loads(line)
        if event.get("Test") and event["Action"] in ("pass", "fail"):
            outcome.add(event["Test"], event["Action"] == "pass")
    if not outcome.passed:
        print(result.stdout[-2000:] + result.stderr[-2000:])
    return outcome


def enhanced_client(classpath, endpoint, scratch):
    """Its tests start servers of their own through two classes of DynamoDB Local: ours of those names start ours."""
    classes = scratch / "classes"
    subprocess.run(["javac", "-d", str(classes), *map(str, (HERE / "local_server").glob("*.java"))], check=True)
    run(["mvn", "-q", "-B", "dependency:copy", "-Dartifact=org.junit.platform:junit-platform-console-standalone:1.10.3",
         f"-DoutputDirectory={scratch}"], scratch, {})
    launcher = next(scratch.glob("junit-platform-console-*.jar"))
    result = run(["java", "-cp", os.pathsep.join([str(classes), str(launcher), classpath]), "org.junit.platform.console.ConsoleLauncher",
                  "execute", "--select-package", "software.amazon.awssdk.enhanced.dynamodb.functionaltests", "--reports-dir", str(scratch),
                  "--details", "none", "--disable-banner"], scratch, {})
    reports = list(scratch.glob("TEST-*.xml"))
    if not reports:
        print(result.stdout[-2000:] + result.stderr[-2000:])
    return junit_reports(reports)


# Name: what runs it, the variable that says where it is, options of the server, its port (0: any).
SUITES = {
    "electrodb": (electrodb, "ELECTRODB_DIR", (), 8000),  # One of its files has that port in it.
    "onetable": (onetable, "ONETABLE_DIR", (), 0),
    "pynamodb": (pynamodb, "PYNAMODB_DIR", ("--separate-regions",), 0),
    "guregu": (guregu, None, (), 0),
    "enhanced-client": (enhanced_client, "ENHANCED_CLIENT_CLASSPATH", None, 0),  # Starts its own servers.
}


def is_known(name, known):
    return any(name.startswith(line[:-1]) if line.endswith("*") else name == line for line in known)


def run_suite(name, endpoint):
    """Prints the result; true if every failure is one that docs/clients.md explains."""
    function, variable, _, _ = SUITES[name]
    where = os.environ[variable] if variable else ""
    with tempfile.TemporaryDirectory(prefix="prejoin-clients-") as scratch:
        place = where if name == "enhanced-client" else pathlib.Path(where).resolve()
        outcome = function(place, endpoint, pathlib.Path(scratch))
    file = HERE / "known" / f"{name}.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    known = [line for line in lines if line and not line.startswith("# ")]
    unknown = sorted(one for one in outcome.failed if not is_known(one, known))
    count = len(outcome.passed) + len(outcome.failed)
    print(f"{name}, its own suite: {len(outcome.passed)} of {count} passed, {len(outcome.failed) - len(unknown)} known failures", flush=True)
    for one in unknown:
        print(f"  FAILED {one}", flush=True)
    return not unknown and count > 0
