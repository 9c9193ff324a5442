"""What must hold after a kill and a restart. Every function returns a list of sentences, empty if all is well."""

import math

import load


def by_key(items):
    return {(item["pk"]["S"], item["sk"]["S"]): item for item in items}


def check_writer(writer, table):
    """The partition is what was acknowledged, or that with the request in flight: as a whole, never a part of it."""
    found = {key[1]: item for key, item in table.items() if key[0] == writer.partition}
    if found == writer.items:
        return []
    if writer.in_flight is not None:
        acknowledged = dict(writer.items)
        writer.apply(writer.in_flight)
        with_flight = writer.items
        writer.items = acknowledged
        if found == with_flight:
            return []
    problems = []
    for sort_key in sorted(set(found) | set(writer.items)):
        if found.get(sort_key) != writer.items.get(sort_key):
            problems.append(f"{writer.partition} {sort_key}: acknowledged {brief(writer.items.get(sort_key))}, "
                            f"found {brief(found.get(sort_key))}, in flight {brief((writer.in_flight or {}).get(sort_key))}")
    return problems


def brief(item):
    return {name: value for name, value in item.items() if name != "payload"} if item else item


def check_counters(writers, table, before):
    problems = []
    for which in range(load.COUNTERS):
        least = before[which] + sum(writer.counted[which] for writer in writers)
        most = least + sum(writer.counting == which for writer in writers)
        found = int(table["COUNTER", str(which)]["n"]["N"])
        if not least <= found <= most:
            problems.append(f"counter {which} is {found}; acknowledged {least}, with those in flight {most}")
    return problems


def check_transfers(writers, table, before):
    """The ledger holds every acknowledged transfer and none that was refused, and the balances are what the ledger says."""
    problems = []
    ledger = {key[1]: item for key, item in table.items() if key[0] == writers[0].ledger}
    acknowledged = set().union(*(writer.transfers for writer in writers))
    in_flight = {writer.transferring for writer in writers} - {None}
    for line in sorted(acknowledged - set(ledger)):
        problems.append(f"transfer {line} was acknowledged and is not in the ledger")
    for line in sorted(set(ledger) - acknowledged - in_flight):
        problems.append(f"transfer {line} is in the ledger and was never under way or was refused")
    expected = list(before)
    for entry in ledger.values():
        expected[int(entry["giver"]["N"])] -= int(entry["amount"]["N"])
        expected[int(entry["taker"]["N"])] += int(entry["amount"]["N"])
    found = [int(table["ACCOUNT", str(which)]["balance"]["N"]) for which in range(load.ACCOUNTS)]
    if found != expected:
        problems.append(f"balances are {found}; the ledger gives {expected}: half a transaction")
    return problems


def check_stream(table, consumer):
    """Every record once, each item's in order, and together they make the table."""
    problems = []
    for key in sorted(set(table) | set(consumer.items)):
        if table.get(key) != consumer.items.get(key):
            problems.append(f"stream, {key}: table {brief(table.get(key))}, stream {brief(consumer.items.get(key))}")
    return problems


def check_expired(writers, table, consumer):
    """All items whose time is over are gone, and it was time to live that took them."""
    problems = [f"{key[1]} should have expired" for key in table if key[0] == load.EXPIRING]
    deleted = {key[1] for key in consumer.by_service}
    acknowledged = set().union(*(writer.expiring for writer in writers))
    for sort_key in sorted(acknowledged - deleted):
        problems.append(f"{sort_key} was acknowledged and expired, and the stream shows no delete of it by the service")
    if {key[0] for key in consumer.by_service} - {load.EXPIRING}:
        problems.append("time to live deleted an item that has no time")
    return problems


def check_restored(before, found):
    """A restored table is what the table was when its backup was made."""
    problems = []
    for key in sorted(set(before) | set(found)):
        if before.get(key) != found.get(key):
            problems.append(f"backup, {key}: was {brief(before.get(key))}, restored {brief(found.get(key))}")
    return problems


def check_indexes(table, global_items, local_items):
    """Each index holds exactly the items that have its key, with exactly its projection."""
    expected_global = {key: item for key, item in table.items() if "gpk" in item and "gsk" in item}
    expected_local = {key: projected(item) for key, item in table.items() if "lsk" in item}
    return compare_index("global", expected_global, global_items) + compare_index("local", expected_local, local_items)


def check_extra_index(table, items):
    expected = {key: projected(item) for key, item in table.items() if "lsk" in item and "version" in item}
    return compare_index("extra", expected, items)


def check_vectors(table, partition, results, index="vectors"):
    """A search that asks for all of a partition finds each item that has a vector, once, as it is, nearest to nothing first."""
    expected = {key: {name: item[name] for name in ("pk", "sk", "version") if name in item}
                for key, item in table.items() if key[0] == partition and "e" in item}
    problems = compare_index(index, expected, [result["Item"] for result in results])
    scores = [result["Score"] for result in results]
    if scores != sorted(scores):
        problems.append(f"{index} index, {partition}: the scores are not in order: {scores}")
    for result in results:
        key = (result["Item"]["pk"]["S"], result["Item"]["sk"]["S"])
        length = math.sqrt(sum(int(part["N"]) ** 2 for part in table.get(key, {}).get("e", {"L": []})["L"]))
        if abs(result["Score"] - length) > 1e-5:
            problems.append(f"{index} index, {key}: the score is {result['Score']}, the item's {length}")
    return problems


def projected(item):
    return {name: item[name] for name in ("pk", "sk", "lsk", "version") if name in item}


def compare_index(name, expected, found_items):
    problems = []
    found = by_key(found_items)
    if len(found) != len(found_items):
        problems.append(f"the {name} index holds an item twice")
    for key in sorted(set(expected) | set(found)):
        if expected.get(key) != found.get(key):
            problems.append(f"{name} index, {key}: table {brief(expected.get(key))}, index {brief(found.get(key))}")
    return problems
