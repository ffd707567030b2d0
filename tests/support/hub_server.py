"""A hub of datasets in the test's own process."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class HubServer:
    """As much of the Hugging Face hub as an upload needs."""

    def __init__(self) -> None:
        self.committed: list[str] = []
        self.tokens: set[str | None] = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                self.reply({"id": "me/towns", "sha": "0" * 40, "siblings": []})

            def do_POST(self) -> None:
                outer.tokens.add(self.headers["Authorization"])
                content = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path.endswith("/api/repos/create"):
                    self.reply(
                        {"url": f"{outer.url}/datasets/me/towns", "id": "me/towns", "name": "me/towns"}
                    )
                elif "/preupload/" in self.path:
                    named = [
                        {**one, "uploadMode": "regular", "shouldIgnore": False}
                        for one in json.loads(content)["files"]
                    ]
                    self.reply({"files": named})
                elif "/commit/" in self.path:
                    lines = [json.loads(line) for line in content.splitlines()]
                    outer.committed += [one["value"]["path"] for one in lines if one["key"] == "file"]
                    self.reply(
                        {
                            "success": True,
                            "commitOid": "1" * 40,
                            "commitUrl": f"{outer.url}/datasets/me/towns/commit/{'1' * 40}",
                        }
                    )
                else:
                    self.reply({})

            def reply(self, value: object) -> None:
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "HubServer":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
