"""A loopback stand-in for the model's API, so that the real `claude` runs with no account, network or cost.

A courier's prompt is answered by the current `Conduct`; everything else as the prompt says:

* `think`           does not answer before `StubModel.release`: the session is busy meanwhile;
* `runshell CMD`    asks for the Bash tool with CMD: in manual mode the session waits for its user;
* `background CMD`  asks for the same in the background;
* `reply TEXT`      answers TEXT;
* anything else     answers "ok".
"""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

Block = dict[str, Any]
"""One block of an answer's content."""

_NAME: Final = re.compile(r"name is exactly `(.*?)`", re.DOTALL)
_BODY: Final = re.compile(r"^---BEGIN MESSAGE (\w+)---\n(.*)\n---END MESSAGE \1---", re.DOTALL | re.MULTILINE)
_USAGE: Final = {"input_tokens": 10, "output_tokens": 5}
_LONGEST_THOUGHT: Final = 60.0  # seconds; a test that forgets to release the model still ends


@dataclass(frozen=True, slots=True)
class Order:
    """What a courier's prompt asks of the model, and how far it has come."""

    name: str
    text: str
    results: tuple[str, ...]
    """The tool results so far, as JSON."""
    think: Callable[[], None]
    """Blocks until the model is released."""


Conduct = Callable[[Order], Block]
"""How the model behaves as a courier: the next block of its answer."""


def obey(order: Order) -> Block:
    """List the sessions, send the text as it is, report it: what the prompt asks for."""
    match len(order.results):
        case 0:
            return tool_call("ListAgents")
        case 1 if order.name not in order.results[0]:
            return say("NOT_FOUND")
        case 1:
            return tool_call("SendMessage", to=order.name, summary="relayed", message=order.text)
        case _:
            return say("SENT")


def say(text: str) -> Block:
    """Return a block of plain answer."""
    return {"type": "text", "text": text}


def tool_call(tool: str, **arguments: str | bool) -> Block:
    """Return a block that calls a tool."""
    return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:20]}", "name": tool, "input": arguments}


@dataclass(frozen=True, slots=True)
class ApiFailure:
    """An error that every request is answered with."""

    status: int
    kind: str
    message: str

    def body(self) -> bytes:
        """Return it as the API spells it."""
        return json.dumps({"type": "error", "error": {"type": self.kind, "message": self.message}}).encode()


class StubModel:
    """The server and its behaviour, which a test may change while sessions run."""

    def __init__(self) -> None:
        self.conduct: Conduct = obey
        self.failure: ApiFailure | None = None
        self.thinking = threading.Event()
        """Set while a request waits for the release."""
        self._released = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def release(self) -> None:
        """Let what thinks now, or is about to, answer; later thoughts wait again."""
        assert self.thinking.wait(_LONGEST_THOUGHT), "nothing asked the model to think"
        self._let_go()

    def think(self) -> None:
        """Block until the release."""
        released = self._released
        self.thinking.set()
        released.wait(_LONGEST_THOUGHT)

    def reset(self) -> None:
        """Behave well again."""
        self.conduct, self.failure = obey, None
        self._let_go()

    def close(self) -> None:
        """Stop listening."""
        self._let_go()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: dict[str, Any]) -> Block:
        """Return the one block of the answer to a request."""
        messages = request.get("messages", [])
        prompts = [_text_of(message) for message in messages if message["role"] == "user"]
        ordered = next((prompt for prompt in prompts if _NAME.search(prompt) and _BODY.search(prompt)), None)
        if ordered is not None:
            return self.conduct(self._order(ordered, messages))
        return self._chat(_latest_prompt(messages), {tool.get("name") for tool in request.get("tools", [])})

    def _let_go(self) -> None:
        self._released.set()
        self._released = threading.Event()
        self.thinking.clear()

    def _order(self, prompt: str, messages: list[dict[str, Any]]) -> Order:
        name, body = _NAME.search(prompt), _BODY.search(prompt)
        assert name
        assert body
        return Order(name[1], body[2], tuple(_tool_results(messages)), self.think)

    def _chat(self, prompt: str, tools: set[str]) -> Block:
        if re.search(r"^think$", prompt, re.MULTILINE):
            self.think()
        asked = re.search(r"^(runshell|background|reply) (.+)$", prompt, re.MULTILINE)
        if asked and asked[1] != "reply" and "Bash" in tools:
            in_background = asked[1] == "background"
            return tool_call("Bash", command=asked[2], description="as asked", run_in_background=in_background)
        return say(asked[2] if asked else "ok")


def _text_of(message: dict[str, Any]) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content if block.get("type") == "text")


def _latest_prompt(messages: list[dict[str, Any]]) -> str:
    latest: list[str] = []
    for message in reversed(messages):
        if message["role"] == "assistant":
            break
        latest.insert(0, _text_of(message))
    return "\n".join(latest)


def _tool_results(messages: list[dict[str, Any]]) -> list[str]:
    blocks = [
        block
        for message in messages
        if message["role"] == "user" and isinstance(message["content"], list)
        for block in message["content"]
    ]
    return [json.dumps(block, ensure_ascii=False) for block in blocks if block.get("type") == "tool_result"]


def _stream(model: str, block: Block) -> bytes:
    """Spell one block as the API's event stream."""
    is_text = block["type"] == "text"
    start = {"type": "text", "text": ""} if is_text else {**block, "input": {}}
    delta = (
        {"type": "text_delta", "text": block["text"]}
        if is_text
        else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    )
    message: Block = {
        "id": f"msg_{uuid.uuid4().hex[:20]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _USAGE,
    }
    stop = {"stop_reason": "end_turn" if is_text else "tool_use", "stop_sequence": None}
    events: list[Block] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": _USAGE},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed in the middle of an answer is no error of the server's."""


def _handler_for(model: StubModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._answer(b"")

        def do_GET(self) -> None:
            self._answer(b'{"data":[]}')

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if "/v1/messages" not in self.path:
                self._answer(b"{}")
            elif "count_tokens" in self.path:
                self._answer(b'{"input_tokens":10}')
            elif model.failure:
                self._answer(model.failure.body(), status=model.failure.status)
            else:
                request = json.loads(body)
                self._answer(_stream(request.get("model", ""), model.answer(request)), kind="text/event-stream")

        def _answer(self, body: bytes, *, status: int = 200, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    return Handler
