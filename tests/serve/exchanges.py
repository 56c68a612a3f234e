# SPDX-License-Identifier: MIT
"""What was asked of `otherwise serve` and answered, held against doc/serve.schema.json."""
import json
import re
from pathlib import Path

from served import Failed, expect

DOC = Path(__file__).resolve().parent.parent.parent / "doc"


def load_schema():
    """serve.schema.json with the schema that it refers to, which has an $id, among its definitions."""
    schema = json.loads((DOC / "serve.schema.json").read_text())
    schema["definitions"]["explanation"] = json.loads((DOC / "explanation.schema.json").read_text())
    return schema


def parse(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def check_exchanges(exchanges):
    """Those with addresses of the API.  Each address has to be among them, answered."""
    try:
        import jsonschema
    except ImportError:
        print("python3-jsonschema is not installed: answers are not held against doc/serve.schema.json")
        return
    schema = load_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    validator, answered = jsonschema.Draft7Validator(schema), set()
    addresses = schema["properties"]["address"]["enum"]
    for method, path, body, status, text in exchanges:
        address = f"{method} {re.sub('^/api/rows/.*', '/api/rows/N', path.partition('?')[0])}"
        if address not in addresses:
            continue
        exchange = {"address": address, "status": status, "reply": parse(text)}
        if body is not None:
            exchange["request"] = parse(body)
        wrong = next(validator.iter_errors(exchange), None)
        if wrong is not None:
            best = jsonschema.exceptions.best_match([wrong])
            raise Failed(f"{address} {body!r:.200}: {status} {text!r:.300}\nat {list(best.absolute_path)}: {best.message:.500}")
        if status == 200:
            answered.add(address)
    expect(answered == set(addresses), f"never answered: {set(addresses) - answered}")
