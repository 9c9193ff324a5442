"""Generated policies: what the generated functions send is allowed by their own policy, and nothing else is.

The requests are those that the Python code really sends; the decisions are those of src/access (gen_script decide).
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))
sys.path.insert(0, str(ROOT / "tests" / "gen"))

import boto3  # noqa: E402
import scripted_models  # noqa: E402
import server_process  # noqa: E402

MODELS = ["d02", "d03", "d04", "d07", "d08", "d09", "d10", "p02", "p11", "f01", "s01", "s03", "w04"]
ACTIONS = {"Get": "GetItem", "Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
NEVER = ["Scan", "DeleteTable", "UpdateTable", "PartiQLSelect", "BatchWriteItem", "DescribeTable"]
Request = collections.namedtuple("Request", "action resource keys")


def arn(table, index=""):
    return f"arn:aws:dynamodb:us-east-1:000000000000:table/{table}" + (f"/index/{index}" if index else "")


def plain(value):
    return str(value)


def requests_of(operation, parameters, keys_of):
    """What IAM is asked about one call: the action, the resource and the partition keys."""
    if operation == "Query":
        name, value = re.match(r"\(?(\S+) = (:\w+)", parameters["KeyConditionExpression"]).groups()
        assert name
        yield Request("Query", arn(parameters["TableName"], parameters.get("IndexName", "")),
                      (plain(parameters["ExpressionAttributeValues"][value]),))
    elif operation == "BatchGetItem":
        for table, asked in parameters["RequestItems"].items():
            yield Request("BatchGetItem", arn(table), tuple(plain(key[keys_of[table]]) for key in asked["Keys"]))
    elif operation == "TransactWriteItems":
        for item in parameters["TransactItems"]:
            (kind, inner), = item.items()
            yield Request(ACTIONS[kind], arn(inner["TableName"]),
                          (plain((inner.get("Key") or inner["Item"])[keys_of[inner["TableName"]]]),))
    else:
        assert operation in ACTIONS.values(), operation
        table = parameters["TableName"]
        yield Request(operation, arn(table), (plain((parameters.get("Key") or parameters["Item"])[keys_of[table]]),))


def first_part(key):
    return key.split("#")[0] if "#" in key else ""


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class IamTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def record(self, model):
        """Runs the script of a model; the requests of each function, and its policies."""
        folder = self.folder / model.stem
        subprocess.run([os.environ["GEN_SCRIPT"], str(model), "7", "24", str(folder), "python"], check=True)
        subprocess.run([server_process.binary(), "gen", str(model), "--to", "iam", "-o", str(folder / "iam")], check=True,
                       stderr=subprocess.DEVNULL)
        with server_process.ServerProcess() as server:
            environment = {**os.environ, "AWS_ENDPOINT_URL": server.endpoint, "AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x",
                           "AWS_SECRET_ACCESS_KEY": "x", "PYTHONPATH": str(ROOT / "tests/gen")}
            subprocess.run([server_process.binary(), "apply", str(model), "--endpoint", server.endpoint], check=True,
                           stdout=subprocess.DEVNULL)
            client = boto3.client("dynamodb", endpoint_url=server.endpoint, region_name="us-east-1", aws_access_key_id="x",
                                            aws_secret_access_key="x")
            keys_of = {name: client.describe_table(TableName=name)["Table"]["KeySchema"][0]["AttributeName"]
                       for name in client.list_tables()["TableNames"]}
            done = subprocess.run(["/usr/bin/python3", str(ROOT / "tests/gen/recording.py"), str(folder / "python/script.py")],
                                  env=environment, check=False, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        sent = collections.defaultdict(set)
        for line in map(json.loads, done.stdout.splitlines()):
            if line["call"].startswith("put "):  # The script's own, of an item that a key function has made.
                continue
            name = ("write_" if line["outcome"] else "read_") + snake(line["call"])
            for operation, parameters in line["requests"]:
                sent[name].update(requests_of(operation, parameters, keys_of))
        return sent, {path.stem: path for path in (folder / "iam").iterdir()}

    def decide(self, questions):
        """Which of (policy, request, tag) are allowed."""
        if not questions:
            return []
        lines = []
        for policy, request, tag in questions:
            keys = ["dynamodb:LeadingKeys=" + key for key in request.keys]
            lines.append("\t".join([str(policy), "dynamodb:" + request.action, request.resource, *keys,
                                    *([f"aws:PrincipalTag/{tag[0]}={tag[1]}"] if tag else [])]))
        done = subprocess.run([os.environ["GEN_SCRIPT"], "decide"], input="\n".join(lines) + "\n", check=True, capture_output=True, text=True)
        answers = [line == "allowed" for line in done.stdout.splitlines()]
        self.assertEqual(len(answers), len(questions))
        return answers

    def tag_for(self, policy, request):
        """The tenant whose caller may send the request: what stands in its keys where the policy has the tag."""
        found = set()
        for pattern in re.findall(r'"([^"]*\$\{aws:PrincipalTag/[^"]*)"', policy.read_text()):
            name = re.search(r"PrincipalTag/(\w+)", pattern).group(1)
            shape = "(.+?)".join(".*".join(map(re.escape, part.split("*"))) for part in re.split(r"\$\{[^}]*\}", pattern))
            for key in request.keys:
                match = re.fullmatch(shape, key)
                if match and "#" not in match.group(1):
                    found.add((name, match.group(1)))
        self.assertLessEqual(len(found), 1, "a request for two tenants")
        return found.pop() if found else None

    def test_each_function_may_do_what_it_does_and_nothing_else(self):
        for model in scripted_models.model_paths(MODELS, self.folder):
            with self.subTest(model=model.name):
                sent, policies = self.record(model)
                self.assertTrue(sent)
                everything = sorted(set().union(*sent.values()))
                for name, own in sorted(sent.items()):
                    policy = policies[name]
                    tags = {request: self.tag_for(policy, request) for request in everything}
                    asked = sorted(own)
                    for request, allowed in zip(asked, self.decide([(policy, one, tags[one]) for one in asked])):
                        self.assertTrue(allowed, f"{name} may not {request}")
                    tagged = [one for one in asked if tags[one]]
                    for request, allowed in zip(tagged, self.decide([(policy, one, (tags[one][0], "another")) for one in tagged])):
                        self.assertFalse(allowed, f"{name}: another tenant may {request}")
                    self.refuses_everything_else(name, policy, own, [one for one in everything if one not in own], tags)

    def refuses_everything_else(self, name, policy, own, others, tags):
        kinds = {(one.action, one.resource, first_part(key)) for one in own for key in one.keys}
        actions = {(one.action, one.resource) for one in own}
        for request, allowed in zip(others, self.decide([(policy, one, tags[one]) for one in others])):
            if allowed:
                for key in request.keys:
                    self.assertIn((request.action, request.resource, first_part(key)), kinds, f"{name} may {request}")
        strange = [one._replace(action=action) for one in sorted(own)[:3] for action in NEVER]
        strange += [one._replace(resource=arn("Another")) for one in sorted(own)[:3]]
        strange += [one._replace(action=action) for one in sorted(own)[:3] for action in ACTIONS.values()
                    if (action, one.resource) not in actions]
        strange += [one._replace(keys=("ANOTHER#1",)) for one in sorted(own)[:3] if all(map(first_part, one.keys))]
        for request, allowed in zip(strange, self.decide([(policy, one, tags.get(one)) for one in strange])):
            self.assertFalse(allowed, f"{name} may {request}")

    def test_a_write_without_a_function_has_a_policy_too(self):
        model = ROOT / "examples/models/w04_guests.prejoin"
        done = subprocess.run([server_process.binary(), "gen", str(model), "--to", "iam", "-o", str(self.folder)], check=True,
                              capture_output=True, text=True)
        self.assertNotIn("no function", done.stderr)
        policies = {path.stem: path for path in self.folder.iterdir()}
        self.assertLessEqual({"write_join", "write_register", "write_new_address", "write_undo", "write_cancel"}, set(policies))
        lock, person, party, guest = "UNIQUE#Person#email#a@b", "PERSON#ada", "PARTY#p1", "PARTY#p1"
        wanted = {("write_register", "PutItem", person), ("write_register", "PutItem", lock),
                  ("write_new_address", "UpdateItem", person), ("write_new_address", "PutItem", lock), ("write_new_address", "DeleteItem", lock),
                  ("write_join", "PutItem", guest), ("write_join", "UpdateItem", party),
                  ("write_undo", "UpdateItem", party),
                  ("write_cancel", "DeleteItem", party), ("write_cancel", "Query", party)}
        refused = {("write_register", "DeleteItem", lock), ("write_new_address", "DeleteItem", party), ("write_undo", "PutItem", party),
                   ("write_join", "UpdateItem", person), ("write_cancel", "DeleteItem", person)}
        for questions, expected in ((sorted(wanted), True), (sorted(refused), False)):
            asked = [(policies[name], Request(action, arn("Parties"), (key,)), None) for name, action, key in questions]
            for question, allowed in zip(questions, self.decide(asked)):
                self.assertEqual(allowed, expected, question)

    def test_the_policy_that_tenants_are_proved_with_decides_alike(self):
        """What `prove --as-tenant` enforces, which is what `access policy from-model` writes, allows a function's request to a tenant if and
        only if the function's own policy allows it because of the tenant."""
        for model in scripted_models.model_paths(["d08"], self.folder):
            sent, policies = self.record(model)
            done = subprocess.run([server_process.binary(), "access", "policy", "from-model", str(model)], check=True, capture_output=True, text=True)
            proved = self.folder / "tenant.json"
            proved.write_text(done.stdout)
            # The proof is with the same text.
            shown = subprocess.run([server_process.binary(), "prove", str(model), "--as-tenant"], check=True, capture_output=True, text=True).stdout
            for key in re.findall(r'"([^"]*PrincipalTag/tenant[^"]*)"', done.stdout):
                self.assertIn(key, shown)
            questions = [(policies[name], request, self.tag_for(policies[name], request)) for name, own in sorted(sent.items()) for request in sorted(own)]
            tenants = sorted({tag for _, _, tag in questions if tag}) + [("tenant", "another")]
            self.assertGreater(len(tenants), 2)
            asked = [(policy, request, tenant, bool(tag)) for policy, request, tag in questions for tenant in tenants]
            by_function = self.decide([(policy, request, tenant) for policy, request, tenant, _ in asked])
            by_proof = self.decide([(proved, request, tenant) for _, request, tenant, _ in asked])
            for (policy, request, tenant, is_tenants), one, other in zip(asked, by_function, by_proof):
                self.assertEqual(one and is_tenants, other, f"{policy.name}, {request}, {tenant}")
            self.assertGreater(sum(by_proof), 10)
            self.assertGreater(len(by_proof) - sum(by_proof), 10)


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # boto3 leaves its sockets open.
