"""boto3 reads each of the sixteen reasons into its own exceptions. The cases come from cases.py, by `tests/clients/run`."""

import os
import pathlib
import sys

import boto3
import botocore.config

RETRY_ONCE = botocore.config.Config(retries={"total_max_attempts": 1})


def request(client, table, operation, key, value):
    if operation == "get":
        return client.get_item(TableName=table, Key={"pk": {"S": key}}, ConsistentRead=True)
    if operation == "query":
        return client.query(TableName=table, IndexName="idx", KeyConditionExpression="s = :s", ExpressionAttributeValues={":s": {"S": value}})
    return client.put_item(TableName=table, Item={"pk": {"S": key}} | ({} if value == "-" else {"s": {"S": value}}))


def check(line):
    endpoint, table, operation, key, value, exception, reason, resource = line.split("\t")
    client = boto3.client("dynamodb", endpoint_url=endpoint, config=RETRY_ONCE)
    kind = getattr(client.exceptions, exception)
    for number in range(200):
        try:
            request(client, table, operation, f"k{number}" if key == "*" else key, f"s{number}" if value == "*" else value)
        except kind as error:
            reasons = error.response.get("ThrottlingReasons", error.response.get("throttlingReasons"))
            if {"reason": reason, "resource": resource} not in reasons:
                sys.exit(f"{reason}: got {reasons}")
            return
    sys.exit(f"{reason}: not throttled")


def main():
    lines = pathlib.Path(os.environ["REASONS"]).read_text().splitlines()
    for line in lines:
        check(line)
    print(f"boto3 {boto3.__version__}: {len(lines)} cases, {len({line.split()[6] for line in lines})} reasons")


main()
