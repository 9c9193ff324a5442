#!/usr/bin/python3
"""Verbs that read a model from standard input, one behind the other: from SQL to a proved design, and on from there."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["PREJOIN_BINARY"]
SQL = pathlib.Path(__file__).parent.parent / "draft/sql"
SCHEMAS = ["shop", "school", "issues"]


def run(*words, stdin=None, cwd=None):
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=60, check=False, input=stdin, cwd=cwd)


def imported(schema, *options):
    return run("import-model", SQL / f"{schema}.sql", *options).stdout


class Pipes(unittest.TestCase):
    def test_sql_becomes_a_proved_design(self):
        for schema in SCHEMAS:
            with self.subTest(schema=schema):
                result = run("design", "-", stdin=imported(schema))
                self.assertEqual(result.returncode, 0, result)
                self.assertIn("Proved by execution on", result.stdout)
                self.assertNotIn("Not supported", result.stdout)
                # The answer comes first. A schema says nothing about rates, so the report ends with what it took for them.
                self.assertTrue(result.stdout.startswith("Monthly cost: $"), result.stdout)
                self.assertIn("\nDefaults used (not stated in the model)\n", result.stdout)

    def test_rates_of_a_query_log_are_not_assumed(self):
        model = imported("shop", "--queries", SQL / "shop_queries.sql")
        self.assertIn("rate 40/s", model)
        result = run("design", "-", "--json", stdin=model)
        self.assertEqual(result.returncode, 0, result)
        found = json.loads(result.stdout)
        self.assertTrue(found["designs"][0]["proved"])
        rated = model.split("rate 40/s")[0].rsplit("pattern ", 1)[1].split()[0]
        self.assertFalse([line for line in found["assumed"] if rated in line], found["assumed"])

    def test_a_design_goes_on_to_every_other_verb(self):
        with tempfile.TemporaryDirectory() as folder:
            designed = run("design", "-", "--write", stdin=imported("school"), cwd=folder)
            self.assertEqual(designed.returncode, 0, designed)
            self.assertIn("Proved by execution", designed.stderr)
            self.assertEqual(os.listdir(folder), [], "there is no file to write to")
            model = designed.stdout
            self.assertIn("table ", model)
            for verb in ("check", "cost", "explain", "advise", "chart", "fmt"):
                with self.subTest(verb=verb):
                    result = run(verb, "-", stdin=model)
                    self.assertEqual(result.returncode, 0, result)
                    self.assertTrue(result.stdout)
            self.assertEqual(run("fmt", "-", stdin=model).stdout, model)
            self.assertEqual(run("prove", "-", "--scale", "200", stdin=model).returncode, 0)
            self.assertEqual(run("gen", "-", "--to", "markdown", "-o", folder, stdin=model).returncode, 0)
            self.assertEqual(len(os.listdir(folder)), 1)
            # With its own design as it is, another search finds nothing cheaper.
            again = json.loads(run("design", "-", "--json", stdin=model).stdout)
            self.assertAlmostEqual(again["moneyBefore"], again["designs"][0]["money"], 2)

    def test_an_import_says_what_comes_next(self):
        self.assertIn("next: prejoin design", run("import-model", SQL / "shop.sql").stderr)

    def test_an_import_for_programs(self):
        result = run("import-model", SQL / "shop.sql", "--json")
        found = json.loads(result.stdout)
        self.assertEqual(found["source"], imported("shop"))
        orders = next(one for one in found["entities"] if one["name"] == "Orders")
        self.assertEqual(orders["key"], ["order_id"])
        self.assertIn("Customer.customer_id", [one.get("references") for one in orders["attributes"]])
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as items:
            items.write(b"".join(b'{"Item":{"PK":{"S":"USER#%d"},"SK":{"S":"PROFILE"},"name":{"S":"n%d"}}}\n' % (i, i) for i in range(20)))
            items.flush()
            inferred = run("infer", "--from", items.name, "--json")
            self.assertEqual(inferred.returncode, 0, inferred)
            table, = json.loads(inferred.stdout)["tables"]
            self.assertEqual(table["items"][0]["keys"]["PK"], '"USER#{userId}"')

    def test_a_model_that_cannot_be_read_is_named(self):
        for verb in ("design", "check", "cost", "prove", "explain", "advise", "fmt"):
            result = run(verb, "-", stdin="entiti A {")
            self.assertNotEqual(result.returncode, 0, verb)
            self.assertIn("did you mean `entity`", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
