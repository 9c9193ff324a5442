"""recording.py SCRIPT: runs a generated script and puts the requests of each call into the line that the call prints."""

import json
import runpy
import sys

import botocore.client
import printing

requests = []
send = botocore.client.BaseClient._make_api_call


def record(client, operation, parameters):
    # The resource's client turns plain values into typed ones in place later, so the text is taken now.
    requests.append([operation, json.loads(json.dumps(parameters, default=str))])
    return send(client, operation, parameters)


def emit(line):
    print(json.dumps({"call": line["call"], "outcome": line.get("outcome"), "requests": requests}))
    requests.clear()


botocore.client.BaseClient._make_api_call = record
printing.emit = emit
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
