"""The director's browser inside the guest.

``at_the_desk.py NAME PASSWORD [REQUEST]``: REQUEST is the JSON of an action of the desk.
Prints the state of the desk after it.
"""

from __future__ import annotations

import http.client
import json
import ssl
import sys
from typing import Any

context = ssl.create_default_context()
# The browser warns once: the certificate is the hub's own.
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
desk = http.client.HTTPSConnection("127.0.0.1", 8443, timeout=120, context=context)
headers = {"Content-Type": "application/json", "X-Truco": "1"}


def ask(method: str, path: str, document: object = None) -> Any:  # noqa: ANN401
    body = None if document is None else json.dumps(document)
    desk.request(method, path, body, headers)
    answer = desk.getresponse()
    text = answer.read().decode()
    if answer.status != 200:
        sys.exit(f"{path}: {answer.status} {text}")
    if cookie := answer.getheader("set-cookie"):
        headers["Cookie"] = cookie.partition(";")[0]
    return json.loads(text)


name, password, *requests = sys.argv[1:]
ask("POST", "/desk/login", {"name": name, "password": password})
for request in requests:
    ask("POST", "/desk/act", json.loads(request))
json.dump(ask("GET", "/desk/state"), sys.stdout)
