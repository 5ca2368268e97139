#!/usr/bin/env python3
"""Drives `steadfast` against a real model server: llama.cpp's, with a model of random weights that is made here.

What such a model says is nonsense; the protocol, the stream, the grammar that holds it to a schema, the counts of tokens and the reading of the reply are
real. It needs two packages, in an environment of their own:

    python3 -m venv venv && venv/bin/pip install xllamacpp gguf
    cargo build
    venv/bin/python scripts/chat_real_server.py target/debug/steadfast

`chat check` goes through one whole exchange, in both protocols that the server speaks, is recorded, and is replayed without the server. In Anthropic's protocol
llama.cpp passes over the schema, so a model of random weights writes noise up to its bound: that this ends as a reply that cannot be used, after one attempt and with
its tokens counted, is what is looked for there. What stands behind `--` is
run as a command of `steadfast` with the model set for every role, each argument as it is:

    venv/bin/python scripts/chat_real_server.py target/debug/steadfast -- audit --judge both prompt.txt report.md
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import gguf
import numpy
import xllamacpp

CONTEXT_TOKENS = 32_768
VOCABULARY, WIDTH, HEADS, LAYERS, INNER = 259, 64, 4, 2, 128
TEMPLATE = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\\n' }}{% endfor %}assistant: "


def write_model(path):
    """A llama of two layers with random weights. Its words are the 256 bytes, so that it can say anything."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("random")
    writer.add_context_length(CONTEXT_TOKENS)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(VOCABULARY)
    words = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256
    writer.add_tokenizer_model("llama")
    writer.add_token_list(words)
    writer.add_token_scores([0.0] * VOCABULARY)
    writer.add_token_types(kinds)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)
    random = numpy.random.default_rng(0)

    def weights(*shape):
        return (random.standard_normal(shape) * 0.05).astype(numpy.float32)

    ones = numpy.ones(WIDTH, numpy.float32)
    writer.add_tensor("token_embd.weight", weights(VOCABULARY, WIDTH))
    writer.add_tensor("output_norm.weight", ones)
    writer.add_tensor("output.weight", weights(VOCABULARY, WIDTH))
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        writer.add_tensor(block + "attn_norm.weight", ones)
        writer.add_tensor(block + "ffn_norm.weight", ones)
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            writer.add_tensor(f"{block}{part}.weight", weights(WIDTH, WIDTH))
        writer.add_tensor(block + "ffn_gate.weight", weights(INNER, WIDTH))
        writer.add_tensor(block + "ffn_up.weight", weights(INNER, WIDTH))
        writer.add_tensor(block + "ffn_down.weight", weights(WIDTH, INNER))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def serve(path):
    """The server of llama.cpp, in this process."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.port = 0
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.n_gpu_layers = 0
    parameters.warmup = False
    parameters.verbosity = 0
    return xllamacpp.Server(parameters)


def run(binary, arguments, folder, variables, working=None):
    """Runs the program; says how, and what it printed."""
    print(f"$ steadfast {' '.join(arguments)}", flush=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STEADFAST")}
    environment.update(variables, XDG_CACHE_HOME=str(folder / "cache"), XDG_STATE_HOME=str(folder / "state"))
    end = subprocess.run([binary, *arguments], cwd=working or folder, env=environment, capture_output=True, text=True)
    print(end.stdout + end.stderr + f"exit status {end.returncode}\n", flush=True)
    return end


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("steadfast", type=Path, help="the program")
    parser.add_argument("command", nargs="*", help="behind `--`: a command of it to run with the model")
    arguments = parser.parse_args()
    binary = arguments.steadfast.resolve()
    failed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_model(folder / "random.gguf")
        server = serve(folder / "random.gguf")
        url = server.listening_address
        for kind in ("openai", "anthropic"):
            variables = {"STEADFAST_CHAT_URL": url, "STEADFAST_CHAT_MODEL": "random", "STEADFAST_CHAT_KIND": kind}
            end = run(binary, ["chat", "check", "--json", "--chat-record", f"{kind}.jsonl"], folder, variables)
            check = json.loads(end.stdout) if end.stdout else {}
            if not check:
                failed.append(f"{kind}: nothing was checked")
                continue
            model = check["models"][0]
            noise = ("the reply was not finished", "the reply is not of the form that was asked for")
            if not check["usable"] and not (kind == "anthropic" and model["failure"].startswith(noise)):
                failed.append(f"{kind}: {model['failure']}")
            if not (model["prompt_tokens"] and model["reply_tokens"]):
                failed.append(f"{kind}: tokens were not counted")
            print(f"recorded: {(folder / f'{kind}.jsonl').read_text()}")
            again = run(binary, ["chat", "check", "--json", "--chat-replay", f"{kind}.jsonl"], folder, variables)
            replayed = json.loads(again.stdout)["models"][0] if again.stdout else {}
            if replayed.get("reply_tokens") != model["reply_tokens"]:
                failed.append(f"{kind}: what was replayed is not what was recorded")
        if arguments.command:
            variables = {"STEADFAST_CHAT_URL": url, "STEADFAST_CHAT_MODEL": "random"}
            end = run(binary, arguments.command, folder, variables, working=Path.cwd())
            if end.returncode in (2, 4):
                failed.append(f"`{' '.join(arguments.command)}` ended with {end.returncode}")
    print("\n".join(failed) if failed else "all as it should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
