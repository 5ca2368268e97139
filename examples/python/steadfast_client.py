"""A client of `steadfast serve`, of the standard library alone.

    import steadfast_client
    server = steadfast_client.Client("http://127.0.0.1:8787")
    answer = server.post("/api/audit", {"prompt": prompt, "report": report})
    print(answer["usable_as_is"])

What the server refuses is raised as `Refused`, which has what its problem body says. A server that has too much to do is asked again
after the time that it names, a few times.
"""

import json
import time
import urllib.error
import urllib.parse
import urllib.request

ATTEMPTS = 4
WAIT_SECONDS_MAX = 30


class Refused(Exception):
    """A problem (RFC 9457): `kind` is the last part of its type, `detail` what is wrong, `hint` what to do, or None."""

    def __init__(self, problem):
        super().__init__(problem.get("detail", "the server gave no reason"))
        self.problem = problem
        self.status = problem.get("status")
        self.kind = problem.get("type", "").rpartition("/")[2]
        self.detail = problem.get("detail", "")
        self.hint = problem.get("hint")
        self.request_id = problem.get("instance")


class Client:
    def __init__(self, url, key=None, timeout_seconds=150):
        """`key` is what `steadfast key create` made, for a server that asks for one."""
        self.url, self.key, self.timeout_seconds = url.rstrip("/"), key, timeout_seconds

    def get(self, path, **query):
        return self._ask("GET", path, query)

    def post(self, path, body, **query):
        return self._ask("POST", path, query, json.dumps(body).encode(), "application/json")

    def post_bytes(self, path, body, media, **query):
        """A zip archive (`application/zip`), or JSON lines (`application/x-ndjson`)."""
        return self._ask("POST", path, query, body, media)

    def delete(self, path):
        return self._ask("DELETE", path, {})

    def rows(self, path, member, **query):
        """All rows of a list, page by page."""
        while True:
            page = self.get(path, **query)
            yield from page[member]
            query["cursor"] = page.get("next_cursor")
            if query["cursor"] is None:
                return

    def _ask(self, method, path, query, body=None, media=None):
        url = self.url + path
        if query:
            url += "?" + urllib.parse.urlencode(query, doseq=True)
        headers = {"Accept": "application/json"}
        if media:
            headers["Content-Type"] = media
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        for attempt in range(1, ATTEMPTS + 1):
            request = urllib.request.Request(url, body, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout_seconds) as reply:
                    content = reply.read()
                    return json.loads(content) if content else None
            except urllib.error.HTTPError as error:
                with error:
                    problem = problem_of(error)
                    wait = error.headers.get("Retry-After", "")
                if problem.get("type") not in ("/problems/busy", "/problems/too-many-requests") or attempt == ATTEMPTS or not wait.isdigit():
                    raise Refused(problem) from None
                time.sleep(min(int(wait), WAIT_SECONDS_MAX))
        raise AssertionError("the last attempt returns or raises")


def problem_of(error):
    try:
        problem = json.loads(error.read())
    except ValueError:
        problem = None
    # What stands between may answer in a form of its own.
    return problem if isinstance(problem, dict) else {"status": error.code, "detail": str(error.reason)}
