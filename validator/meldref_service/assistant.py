"""The door for assistants: tools by the Model Context Protocol (`meldref mcp`).

Each tool asks the service one question; `quoted` tells the answer. No tool takes a folder, so that
none reads a file of the user's. It needs the extra `mcp`.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from typing import Any, Final

import anyio
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from meldref.core.meant import did_you_mean
from meldref.core.version import __version__
from meldref_service.described import SCHEMA, BadQuestion, questions, sentence, whole_schema
from meldref_service.quoted import TOOLS, Tool
from meldref_service.service import Service

INSTRUCTIONS: Final = """\
Referees games of the Rummy 500 family. Ask it for every verdict, and quote its sentence and its rule.

A card is a rank and a suit: 4c, Td, Jk (a joker), ? (not known). A position is an object such as
{"players": ["Ann", "Bob"], "hands": {"Ann": "4d 4h 9h"}, "table": {"m1": {"Bob": "5s 6s 7s"}},
"pile": "6s 4c Qs 7h"}; the pile goes from bottom to top, and what is left out is unknown. A move is
such as `take 4c; meld 4c 4d 4h; discard 9h`, `draw; discard 9h`, or `draw; lay 8s m1; discard 9h`."""


def arguments_of(tool: Tool) -> dict[str, Any]:
    """The schema of a tool's arguments: those of its question but the folder."""
    node = questions()[tool.question]["arguments"]
    properties = {name: part for name, part in node["properties"].items() if name != "folder"}
    return {**node, "properties": properties}


def call(service: Service, name: str, arguments: object) -> str:
    """What a tool tells.

    Raises:
        BadQuestion: there is no such tool, or it does not take these arguments.
    """
    tool = TOOLS.get(name)
    if tool is None:
        raise BadQuestion(f"there is no tool {name!r}{did_you_mean(name, [*TOOLS], '')}")
    given = {} if arguments is None else arguments
    wrong = next(SCHEMA.mismatches(given, arguments_of(tool)), None)
    if wrong is not None:
        raise BadQuestion(sentence(wrong), wrong.path)
    assert isinstance(given, dict)
    told = service.answer(tool.question, {**tool.defaults, **given})
    return "\n".join(tool.tell(told))


def make_server() -> Server[Any]:
    """A server with these tools, for any transport."""
    service = Service()
    shared = whole_schema()["$defs"]

    async def listed(context: ServerRequestContext[Any], asked: object) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    description=tool.does,
                    input_schema=_alone(arguments_of(tool), shared),
                    annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
                )
                for name, tool in TOOLS.items()
            ]
        )

    async def called(
        context: ServerRequestContext[Any], asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        text, is_error = reply(service, asked.name, asked.arguments)
        content = types.TextContent(type="text", text=text)
        return types.CallToolResult(content=[content], is_error=is_error)

    return Server(
        "meldref",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=listed,
        on_call_tool=called,
    )


def reply(service: Service, name: str, arguments: object) -> tuple[str, bool]:
    """What a tool tells, as text that can be sent; and whether it is an error."""
    try:
        text, is_error = call(service, name, arguments), False
    except BadQuestion as wrong:
        text, is_error = str(wrong), True
    except Exception as fault:  # noqa: BLE001  whoever serves others goes on after a fault of its own
        traceback.print_exc(file=sys.stderr)
        text, is_error = f"this is a fault of meldref's own: {type(fault).__name__}", True
    return text.encode("utf-8", "replace").decode(), is_error


def _alone(node: Any, shared: Mapping[str, Any]) -> Any:
    """A part of a schema that refers to no other part."""
    if isinstance(node, dict):
        if "$ref" in node:
            return _alone(shared[node["$ref"].rpartition("/")[2]], shared)
        return {key: _alone(part, shared) for key, part in node.items()}
    return [_alone(part, shared) for part in node] if isinstance(node, list) else node


async def _serve() -> None:
    async with stdio_server() as (received, sent):
        server = make_server()
        await server.run(received, sent, server.create_initialization_options())


def serve() -> None:
    """Answers an assistant on standard input and output until that ends."""
    anyio.run(_serve)
