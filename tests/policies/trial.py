"""Runs families of requests under random policies, compares, shrinks what differs, and prints it with a line that replays it."""

import argparse
import collections
import json
import multiprocessing
import random
import re
import shlex
import sys
import time

from account import READS, account_family, analyse_account, known_operations, trust_document
from bench import EVERYTHING, Bench, Refused, State
from evaluator import ACCOUNT, Malformed, Principal, documented, parse_policy
from generate import family
from generate_policy import PolicyMaker
from judge import judge, readings_of
from resources import operations
from shrink import shrink
from world import TABLES, table_arn

FAMILY = 8
PROD, TEST = table_arn("Prod"), table_arn("Test")
BOUNDARIES = [{"Version": "2012-10-17", "Statement": statements} for statements in (
    [{"Effect": "Allow", "Action": "dynamodb:*", "Resource": "*"}],
    [{"Effect": "Allow", "Action": "dynamodb:*", "Resource": [PROD, f"{PROD}/*"]}],
    [{"Effect": "Allow", "Action": ["dynamodb:Get*", "dynamodb:Batch*", "dynamodb:Query", "dynamodb:Describe*", "dynamodb:PartiQLSelect"], "Resource": "*"}],
    [{"Effect": "Allow", "Action": "*", "Resource": "*"}, {"Effect": "Deny", "Action": "dynamodb:*", "Resource": [TEST, f"{TEST}/index/*"]}],
    [{"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["green", "b*"]}}}],
    [{"Effect": "Allow", "NotAction": ["dynamodb:DeleteItem", "dynamodb:PartiQLDelete", "dynamodb:Restore*"], "Resource": "*"}],
    [{"Effect": "Allow", "Action": "*", "NotResource": [TEST, f"{TEST}/*"]}],
    [{"Effect": "Allow", "Action": "*", "Resource": "*"},
     {"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": {"StringLike": {"dynamodb:ReturnValues": "ALL_*"}}}])]
ANY_ROLE = {f"arn:aws:iam::{ACCOUNT}:role/{name}": [] for name in ("caller", "target")}
# They need no permission, so nothing denies them.
UNDECIDED = ("sts:GetCallerIdentity",)
MUTATING = ("Create", "Delete", "Update", "PutResource", "Tag", "Untag", "Restore", "Import", "Export", "Enable", "Disable")
ITEM_WRITES = ("UpdateItem", "DeleteItem", "PutItem")


# An update that sets an attribute to another one: from then on, values say where they came from and no longer where they stand.
COPIES = re.compile(r'"UpdateExpression": ?"SET \S+ = [^:]')


def changes_settings(operation):
    return operation.startswith(MUTATING) and operation not in ITEM_WRITES


def make_setup(rng, maker, requests):
    """The policies for a family, around what its requests ask."""
    checks = []
    for operation, text in requests:
        if ":" in operation:
            checks += analyse_account(operation, dict(json.loads(text)), Principal(f"arn:aws:iam::{ACCOUNT}:user/@SELF@"), ANY_ROLE, {}).checks
            continue
        for reading in readings_of(operation, text, {State.iterator(table): State.streams[table] for table in TABLES}):
            for part in reading.statements or [reading]:
                checks += part.checks
    policies = PolicyMaker(rng, checks)
    account = ":" in requests[0][0]
    # A user with a boundary cannot be made again once it has deleted itself.
    kind = rng.choices(("user", "bounded", "token", "role", "session"), (42, 0 if account else 15, 0 if account else 5, 18, 20))[0]
    setup = {"kind": {"bounded": "user", "session": "role"}.get(kind, kind), "identity": [policies.document()]}
    if setup["kind"] == "role" and rng.random() < 0.2:
        setup["tags"] = {"team": rng.choice(("blue", "green")), **({"tenant": "blue"} if rng.random() < 0.5 else {})}
    if rng.random() < 0.15:
        setup["identity"].append(policies.document())
    if kind == "bounded":
        setup["boundary"] = rng.choice(BOUNDARIES)
        if rng.random() < 0.5:
            setup["identity"] = [policies.wide()]
    if kind == "session":
        setup["session"] = policies.document()
        if rng.random() < 0.7:
            setup["identity"] = [EVERYTHING]
    if account:
        setup["trust"] = trust_document(rng)
    elif rng.random() < 0.2:
        principal = Principal(f"arn:aws:iam::{ACCOUNT}:user/@SELF@") if setup["kind"] != "role" else \
            Principal(f"arn:aws:sts::{ACCOUNT}:assumed-role/caller/trial", f"arn:aws:iam::{ACCOUNT}:role/caller")
        table = maker.table if rng.random() < 0.8 else rng.choice(TABLES)
        arn = State.streams[table] if any("Stream" in one or "Records" in one or "Shard" in one for one, _ in requests) and rng.random() < 0.6 else table_arn(table)
        setup["resource"] = {arn: policies.resource_document(arn, principal)}
    if rng.random() < 0.02:
        setup["identity"] = [policies.malformed()]
    return setup


def may_be_refused(setup):
    """Whether a document of the setup breaks the grammar, so that the server has to refuse it, or has a condition key that nobody documents,
    so that it may."""
    documents = [(one, "identity") for one in [*setup["identity"], *[setup[name] for name in ("boundary", "session") if setup.get(name)]]]
    documents += [(one, "resource") for one in (setup.get("resource") or {}).values()]
    documents += [(setup["trust"], "trust")] if setup.get("trust") else []
    try:
        return any(not documented(key) for document, kind in documents for one in parse_policy(document, kind) for _, key, _ in one.conditions)
    except Malformed:
        return True


class Trial:
    """One server, and the requests that are tried on it. `plant` falsifies answers, to show that the comparison notices."""

    def __init__(self, boundaries=BOUNDARIES, plant=None):
        self.bench = Bench(boundaries)
        self.plant, self.plants = plant, random.Random(1)
        self.account_operations = known_operations(lambda service, name: self.bench.client.form(
            self.bench.admin, service, [("Version", "2010-05-08" if service == "iam" else "2011-06-15"), ("Action", name)]))
        self.bench.prepare_account()

    def send(self, caller, operation, text):
        answer = self.bench.send(operation, text, caller.key)
        if self.plant and self.plants.random() < 0.1:
            if self.plant == "allow" and answer.denied:
                return self.bench.send(operation, text)
            if self.plant == "deny" and answer.status == 200:
                answer.status, answer.code, answer.text = 400, "AccessDeniedException", "{}"
            if self.plant == "act" and answer.denied:
                self.bench.send(operation, text)
        return answer

    def pair(self, caller, operation, text):
        text = self.bench.fill(text)
        answer = self.send(caller, operation, text)
        return answer, judge(self.bench, caller, operation, text, answer)

    def one(self, setup, operation, text):
        """The problem of a single pair, with what it changed, and the answer."""
        try:
            caller = self.bench.install(setup)
        except Refused as error:
            return ("" if may_be_refused(setup) else "policy refused"), str(error)
        except Malformed:
            return "policy accepted", ""
        answer, verdict = self.pair(caller, operation, text)
        problem = verdict.problem or self.after([(operation, answer, verdict)])
        return problem, str(answer)

    def after_account(self, done):
        """As after(), for requests to IAM and STS."""
        written = {arn for _, answer, verdict in done if answer.status == 200 for arn in verdict.written}
        changed = self.bench.account_changed(written)
        if changed or written:
            self.bench.prepare_account()
        return f"changed account: {json.dumps(changed)}" if changed else ""

    def after(self, done):
        """What requests changed that they must not have; then everything is put back."""
        if any(":" in operation for operation, _, _ in done):
            return self.after_account(done)
        written = {table for _, _, verdict in done for table in verdict.written}
        control = any(changes_settings(operation) for operation, _, _ in done)
        acted = any(changes_settings(operation) and answer.status == 200 for operation, answer, _ in done)
        problem = ""
        if control and not acted and self.bench.shared_changed():
            problem = "changed resource policy"
        # They may deny the administrator what follows.
        self.bench.put_shared({})
        changed = self.bench.changed()
        problem = problem or "".join(f"changed {table} " for table in changed if table not in written).strip()
        if control:
            differs = self.bench.settings_changed(written if acted else set())
            if differs and not problem:
                problem = f"changed settings of {next(iter(differs)) or 'the account'}"
            if acted or differs or problem:
                self.bench.restore_settings()
        for table in changed:
            self.bench.restore_items(table)
        return problem

    def family(self, seed, number, lead, tally):
        """Runs one family; yields (problem, setup, operation, text, answer)."""
        rng = random.Random(f"{seed}:{number}")
        maker, requests = account_family(rng, self.account_operations, lead, FAMILY) if ":" in lead else family(rng, State, lead, FAMILY)
        setup = make_setup(rng, maker, requests)
        try:
            caller = self.bench.install(setup)
        except Refused as error:
            tally["refused policies"] += 1
            if not may_be_refused(setup):
                yield "policy refused", setup, *requests[0], str(error)
            return
        except Malformed:
            yield "policy accepted", setup, *requests[0], ""
            self.bench.put_identity("User", "caller", [EVERYTHING])
            return
        done, problems = [], []
        for operation, text in requests:
            answer, verdict = self.pair(caller, operation, text)
            done.append((operation, answer, verdict))
            word = {True: "allowed", False: "denied", None: "open"}[verdict.decision]
            tally[operation, word] += 1
            tally["pairs"] += 1
            if answer.status == 200 and verdict.decision is True:
                tally[operation, "done"] += 1
            if verdict.problem:
                problems.append((verdict.problem, setup, operation, text, str(answer)))
            if answer.status == 200 and (changes_settings(operation) or COPIES.search(text) or
                                         ":" in operation and not operation.partition(":")[2].startswith(READS)):
                # What it changed, tags or a resource policy, would count for the requests after it.
                problem = self.after(done)
                if problem and not problems:
                    problems.append((problem, setup, operation, text, str(answer)))
                caller, done = self.bench.install(setup), []
        problem = self.after(done)
        # Shrinking installs other policies, so it waits for the end of the family.
        yield from problems
        if problem and not problems:
            for operation, text in requests:
                single, answer = self.one(setup, operation, text)
                if single.startswith("changed"):
                    yield single, setup, operation, text, answer
                    return
            yield problem, setup, "family", json.dumps(requests), ""


def replay_line(setup, operation, text):
    return f"tests/policies/run --replay {shlex.quote(json.dumps({**setup, 'operation': operation, 'text': text}, separators=(',', ':')))}"


def work(arguments, first, results):
    """A worker: its own server, every n-th family."""
    tally, seen = collections.Counter(), collections.Counter()
    families = -(-arguments.pairs // FAMILY)
    number, trial = first, None
    try:
        trial = Trial(plant=arguments.plant)
        leads = arguments.operations or sorted([*operations(), *trial.account_operations])
        tally.update({("lead", one): 0 for one in leads})
        for number in range(first, families, arguments.workers):
            # Strided by a prime, so that every worker sees every operation.
            lead = leads[number * 17 % len(leads)] if len(leads) % 17 else leads[number % len(leads)]
            for problem, setup, operation, text, answer in trial.family(arguments.seed, number, lead, tally):
                name = (problem.split(" of (")[0], operation)
                seen[name] += 1
                if seen[name] <= arguments.show and operation != "family":
                    setup, text, answer = shrink(trial, problem, setup, operation, text, answer)
                    results.put(("problem", problem, operation, text, answer, replay_line(setup, operation, text)))
    except BaseException as error:
        # A worker that ends early must say so, or the run would look shorter, not broken.
        seen[f"the tester failed: {type(error).__name__}: {error}", f"family {number}"] += 1
        raise
    finally:
        results.put(("end", tally, seen))
        if trial:
            trial.bench.close()


def replay(text):
    case = json.loads(text)
    operation, request = case.pop("operation"), case.pop("text")
    trial = Trial([case["boundary"]] if case.get("boundary") else [])
    try:
        problem, answer = trial.one(case, operation, request)
        filled = trial.bench.fill(request)
        for reading in [] if ":" in operation else readings_of(operation, filled, trial.bench.iterators()):
            print(f"reading: invalid={reading.invalid!r} open={reading.open}")
            for part in reading.statements or [reading]:
                for check in part.checks:
                    print(f"  {check.action} on {check.resource} {json.dumps(check.context)}")
    finally:
        trial.bench.close()
    print(f"{operation} {request}\nanswer: {answer}\n{problem or 'no problem'}")
    return 1 if problem else 0


def report(arguments, tally, seen, problems, seconds):
    for problem, operation, text, answer, line in problems:
        print(f"\n{problem}: {operation} {text}\n  answer: {answer}\n  replay: {line}")
    leads = sorted({one[1] for one in tally if one[0] == "lead"})
    if arguments.table:
        print("\noperation                                allowed (done)   denied     open")
        for operation in leads:
            print(f"{operation:40} {tally[operation, 'allowed']:7} {tally[operation, 'done']:6} {tally[operation, 'denied']:8} {tally[operation, 'open']:8}")
    print()
    for (problem, operation), count in sorted(seen.items()):
        print(f"{count:6} × {problem}: {operation}")
    words = {word: sum(count for name, count in tally.items() if name[1] == word) for word in ("allowed", "denied", "open", "done")}
    print(f"{tally['pairs']} pairs, seed {arguments.seed}: {words['allowed']} allowed ({words['done']} succeeded), {words['denied']} denied, "
          f"{words['open']} left open by the documentation; {tally['refused policies']} documents refused; {sum(seen.values())} disagreements; "
          f"{tally['pairs'] / seconds:.0f} pairs/s")
    # A run that never allows or never denies an operation has not tested it.
    idle = [operation for operation in leads if not tally[operation, "denied"] or not tally[operation, "allowed"]]
    idle = [operation for operation in idle if operation not in UNDECIDED]
    if tally["pairs"] >= 100 * len(leads) and idle:
        print(f"never both allowed and denied: {', '.join(idle)}")
        return 2
    return 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", type=int, default=2, help="shrink and print at most this many problems of a kind for each worker")
    parser.add_argument("--operations", nargs="*", help="lead operations; every one of the service model if not given")
    parser.add_argument("--table", action="store_true", help="print the counts of each operation")
    parser.add_argument("--replay", help="one pair, as printed by a run")
    parser.add_argument("--plant", choices=("allow", "deny", "act"), help="falsify one answer in ten: do what is denied, deny what is done, or "
                        "answer as denied what acts; the run then has to find some")
    arguments = parser.parse_args(arguments)
    if arguments.replay:
        return replay(arguments.replay)
    context = multiprocessing.get_context("fork")
    results, start = context.Queue(), time.monotonic()
    workers = [context.Process(target=work, args=(arguments, first, results)) for first in range(arguments.workers)]
    for worker in workers:
        worker.start()
    tally, seen, problems, running = collections.Counter(), collections.Counter(), [], len(workers)
    while running:
        kind, *rest = results.get()
        if kind == "problem":
            problems.append(rest)
        else:
            tally.update(rest[0])
            seen.update(rest[1])
            running -= 1
    for worker in workers:
        worker.join()
    broken = any(worker.exitcode for worker in workers)
    code = report(arguments, tally, seen, problems, time.monotonic() - start)
    if arguments.plant:
        wanted = {"allow": "wrong allow", "deny": "wrong deny", "act": "changed"}[arguments.plant]
        found = sum(count for (problem, _), count in seen.items() if problem.startswith(wanted))
        print(f"planted: {found} found as '{wanted}'")
        return 0 if found and not broken else 1
    return 1 if seen or broken else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
