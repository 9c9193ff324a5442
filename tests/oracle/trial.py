"""Runs histories of requests on two servers and notes where their answers differ. A third may stand by: what it says decides where no rule does."""

import collections
import re

from compare import Outcome, difference
from judgements import Case, judge, leaves_other_items
from shrink import shrink
from tables import TABLES, creation

HISTORY_REQUESTS = 30


def signature(case):
    """What stands for a kind of disagreement: the same kind is shown once."""
    def brief(text):
        return re.sub(r"(index|key|attribute|token|value|keys|operand|path|name)s?[ :;'\"]*[\[\"'#:{(].*", "", text, flags=re.IGNORECASE)[:70]
    return (case.operation if case.kind != "capacity" else "", case.kind, case.ours.error, brief(case.ours.message), case.theirs.error,
            brief(case.theirs.message))


class Trial:
    def __init__(self, ours, theirs, third=None):
        self.clients = (ours, theirs) + ((third,) if third else ())
        self.judged = collections.Counter()
        self.open = {}  # By signature: how often, and a history that ends in it.
        self.requests = 0
        self.apart = False  # The last answers differed.

    def make_tables(self):
        for client in self.clients:
            for name in TABLES:
                client.post("DeleteTable", {"TableName": name})
                client.call("CreateTable", **creation(name))

    def clear(self):
        for client in self.clients:
            for name in client.call("ListTables")["TableNames"]:
                if name not in TABLES:
                    client.post("UpdateTable", {"TableName": name, "DeletionProtectionEnabled": False})
                    client.post("DeleteTable", {"TableName": name})
            for name, (keys, _) in TABLES.items():
                for item in client.scan_all(TableName=name, ConsistentRead=True):
                    if any(key and key[0] not in item for key in keys):
                        return self.make_tables()  # A peer has stored what no key deletes.
                    client.post("DeleteItem", {"TableName": name, "Key": {key[0]: item[key[0]] for key in keys if key}})

    def ask(self, operation, request):
        """The case, if the two answer differently."""
        ours, *others = (Outcome(operation, *client.post(operation, request)) for client in self.clients)
        kinds = [difference(ours, other) for other in others]
        self.apart = any(kind and kind != "capacity" for kind in kinds)
        return Case(operation, request, kinds[0], ours, others[0], seconded=self.seconds(operation, ours, others[1:])) if kinds[0] else None

    @staticmethod
    def seconds(operation, ours, third):
        """Whether the third says the same, but for what a rule has judged of it already."""
        def shown(outcome):
            return Outcome(operation, outcome.status, {name: value for name, value in outcome.answer.items() if name not in ("ItemCollectionMetrics", "ConsumedCapacity")})
        return bool(third) and difference(shown(ours), shown(third[0])) is None

    def run_history(self, requests):
        self.clear()
        history = []
        for _ in range(HISTORY_REQUESTS):
            operation, request = requests.next()
            history.append((operation, request))
            self.requests += 1
            case = self.ask(operation, request)
            if case:
                self.note(case, history)
            # From here on they hold different items.
            if self.apart or leaves_other_items(operation, request):
                return

    def note(self, case, history):
        found = judge(case)
        if found:
            self.judged[found] += 1
            return
        entry = self.open.setdefault(signature(case), [0, list(history)])
        entry[0] += 1

    def shows(self, wanted):
        """A function that says whether a history still ends in this kind of disagreement."""
        def check(history):
            self.clear()
            for operation, request in history[:-1]:
                self.ask(operation, request)
                if self.apart:
                    return False
            case = self.ask(*history[-1])
            return case is not None and judge(case) is None and signature(case) == wanted
        return check

    def shrunk(self, wanted):
        """The smallest history found, and the case at its end."""
        history = shrink(self.open[wanted][1], self.shows(wanted))
        self.clear()
        for operation, request in history[:-1]:
            self.ask(operation, request)
        return history, self.ask(*history[-1])
