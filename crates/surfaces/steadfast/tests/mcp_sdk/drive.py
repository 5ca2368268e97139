"""Drives `steadfast mcp` or `steadfast serve` with the official Python SDK, and prints what came of it as JSON.

usage: drive.py REVISION CALLS.json COMMAND...|URL

CALLS.json is a list of [tool, arguments]. The SDK itself holds every result without an error against the tool's output schema;
arguments are held against its input schema here.
"""

import asyncio
import json
import os
import sys

import jsonschema
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

# How the SDK comes to a revision: one has a handshake, for the other it asks the server what it speaks.
MODES = {"2025-11-25": "legacy", "2026-07-28": "auto"}
PINNED = "2026-07-28"
SECONDS_MAX = 120


def server(command):
    if command[0].startswith("http://"):
        return command[0]
    # The SDK starts a server with a few variables alone; where the model lies is among what it leaves out.
    kept = {name: value for name, value in os.environ.items() if name in ("STEADFAST_MODELS", "XDG_CACHE_HOME")}
    return StdioServerParameters(command=command[0], args=command[1:], env=kept)


def unstored(structured):
    """A result without what differs from run to run: a selection's name also stands for the vault as it was, which feedback changes."""
    differs = ("run", "trace_id") if "selected_prompts" in (structured or {}) else ("run",)
    return {name: value for name, value in (structured or {}).items() if name not in differs}


async def read(client, link):
    """All that a link of a result leads to."""
    contents = (await client.read_resource(link.uri)).contents
    return [json.loads(content.text) for content in contents]


async def drive(revision, calls, command):
    async with Client(server(command), mode=MODES[revision], read_timeout_seconds=SECONDS_MAX) as client:
        listed = await client.list_tools()
        schemas = {tool.name: tool.input_schema for tool in listed.tools}
        for tool in listed.tools:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        results = []
        for tool, arguments in calls:
            jsonschema.validate(arguments, schemas[tool])
            result = await client.call_tool(tool, arguments)
            results.append(
                {
                    "tool": tool,
                    "is_error": result.is_error,
                    "structured": result.structured_content,
                    "text": [block.text for block in result.content if block.type == "text"],
                    "linked": [await read(client, block) for block in result.content if block.type == "resource_link"],
                }
            )
        unknown = None
        try:
            await client.call_tool("no_such_tool", {})
        except MCPError as error:
            unknown = error.error.code
        # At once, and each with an answer of its own.
        together = await asyncio.gather(*(client.call_tool(tool, arguments) for tool, arguments in calls))
        runs = [result["structured"]["run"]["id"] for result in results if "run" in (result["structured"] or {})]
        runs += [it.structured_content["run"]["id"] for it in together if "run" in (it.structured_content or {})]
        info = client.server_info
        return {
            "revision": client.protocol_version,
            "server": {"name": info.name, "version": info.version} if info else None,
            "instructions": client.instructions,
            "tools": sorted(schemas),
            "resources": len((await client.list_resources()).resources),
            "templates": [it.uri_template for it in (await client.list_resource_templates()).resource_templates],
            "results": results,
            "unknown_tool": unknown,
            "runs": len(runs),
            "different_runs": len(set(runs)),
            "other_together": [
                before["tool"]
                for before, now in zip(results, together, strict=True)
                if unstored(before["structured"]) != unstored(now.structured_content)
            ],
        }


async def pinned(calls, command):
    """The first call by a client that asks nothing beforehand: every request of the newer revision stands alone."""
    tool, arguments = calls[0]
    async with Client(server(command), mode=PINNED, read_timeout_seconds=SECONDS_MAX) as client:
        result = await client.call_tool(tool, arguments)
        return {"revision": client.protocol_version, "structured": result.structured_content}


def main():
    revision, calls, *command = sys.argv[1:]
    with open(calls, encoding="utf-8") as file:
        calls = json.load(file)
    driven = asyncio.run(drive(revision, calls, command))
    driven["pinned"] = asyncio.run(pinned(calls, command))
    json.dump(driven, sys.stdout, ensure_ascii=False)


main()
