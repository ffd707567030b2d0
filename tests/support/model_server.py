"""A language-model server in the test's own process that answers as told and misbehaves on purpose."""

import json
import threading
from collections import Counter, deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollcall.llm import Client

Answer = Callable[[dict[str, Any]], Any]


class ModelServer:
    """Answers by `answer(body)`; each request first uses up one of the misbehaviours in `script`.

    A misbehaviour is "drop", "half", "hang", "malformed", "refuse", "long", "empty", or (status, headers,
    message). `asked` counts the prompts that were answered properly.
    """

    def __init__(self, answer: Answer = lambda body: ["Ann"], script: list[Any] = ()):  # type: ignore[assignment]
        self.answer = answer
        self.script = deque(script)
        self.asked: Counter[str] = Counter()
        self.received: list[dict[str, Any]] = []
        self.most_at_once = self._at_once = 0
        self.lock = threading.Lock()
        self.released = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer.lock:
                    outer.received.append(body)
                    outer._at_once += 1
                    outer.most_at_once = max(outer.most_at_once, outer._at_once)
                    act = outer.script.popleft() if outer.script else None
                try:
                    outer.respond(self, body, act)
                except BrokenPipeError:
                    pass
                finally:
                    with outer.lock:
                        outer._at_once -= 1

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def respond(self, to: BaseHTTPRequestHandler, body: dict[str, Any], act: Any) -> None:
        if act == "drop":
            to.close_connection = True
        elif act == "hang":
            self.released.wait(30)
        elif act == "half":
            to.send_response(200)
            to.send_header("Content-Type", "application/json")
            to.send_header("Content-Length", "5000")
            to.end_headers()
            to.wfile.write(b'{"choices": [{"mess')
            to.close_connection = True
        elif act == "malformed":
            self._send(to, 200, b'{"choices": [{"message": {"content": "[\\"Ann')
        elif act == "empty":
            self._send(to, 200, b"{}")
        elif isinstance(act, tuple):
            status, headers, message = act
            self._send(to, status, json.dumps({"error": {"message": message}}).encode(), headers)
        else:
            self._send(to, 200, json.dumps(self._completion(body, act)).encode())

    def _completion(self, body: dict[str, Any], act: Any) -> dict[str, Any]:
        said = self.answer(body)
        message: dict[str, Any] = {"role": "assistant"}
        finish, logprobs = "stop", None
        if isinstance(said, dict):
            message["content"], logprobs = said["text"], said.get("logprobs")
        else:
            message["content"] = said if isinstance(said, str) else json.dumps(said)
        if act == "refuse":
            message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
        elif act == "long":
            message["content"], finish = message["content"][:-3], "length"
        with self.lock:
            self.asked[body["messages"][-1]["content"]] += 1
        return {
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": logprobs}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }

    @staticmethod
    def _send(to: BaseHTTPRequestHandler, status: int, content: bytes, headers: dict[str, str] = {}) -> None:  # noqa: B006
        to.send_response(status)
        to.send_header("Content-Type", "application/json")
        to.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            to.send_header(name, value)
        to.end_headers()
        to.wfile.write(content)


def client_of(server: ModelServer, **options: Any) -> "Client":
    """A client that asks a server once, without a second try."""
    from rollcall.llm import Client, Retries

    return Client(server.url, retries=Retries(attempts=1), timeout=20, **options)
