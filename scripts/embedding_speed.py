#!/usr/bin/env python3
"""Compares the embedder's speed with onnxruntime and sentence-transformers, in one run, and prints the table of docs/embedding.md.

    pip install sentence-transformers onnxruntime onnx
    cargo build --release -p steadfast-embed --examples
    scripts/embedding_speed.py MODEL_FOLDER [ROUNDS]

MODEL_FOLDER holds all-MiniLM-L6-v2 as sentence-transformers reads it. Each embedder is a process of its own, pinned to one
processor or to two, with as many threads. They are asked in turn, round by round, so that what else the machine does meets
all alike; the figures are medians over the rounds, the ratios medians of the ratio in each round. onnxruntime and torch are
given word pieces that are made beforehand; ours makes them of the text, which counts.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["HF_HUB_OFFLINE"] = "1"

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
EXAMPLE = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release/examples/embedding_speed")

# Words that are one word piece each.
WORDS = """time people year way day man thing woman life child world school state family student group country problem hand part
place case week company system program question work government number night point home water room mother area money story fact
month lot right study book eye job word business issue side kind head house service friend father power hour game line""".split()


def text(pieces, first=0):
    """A text of so many word pieces, with those that mark beginning and end."""
    return " ".join(WORDS[(first + 7 * word) % len(WORDS)] for word in range(pieces - 2))


# What is measured: texts, and how often in one round.
TASKS = {"short": ([text(12)], 20), "long": ([text(128)], 5), "batch": ([text(32, first) for first in range(256)], 1)}


def bert(torch, folder):
    """The model in plain torch, in the form that onnxruntime's optimiser knows."""
    from safetensors.torch import load_file

    weights = load_file(os.path.join(folder, "model.safetensors"))

    class Bert(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name, tensor in weights.items():
                self.register_buffer(name.replace(".", "_"), tensor)

        def tensor(self, name):
            return getattr(self, name.replace(".", "_"))

        def dense(self, name, rows):
            return torch.matmul(rows, self.tensor(name + ".weight").t()) + self.tensor(name + ".bias")

        def norm(self, name, rows):
            return torch.nn.functional.layer_norm(
                rows, (384,), self.tensor(name + ".weight"), self.tensor(name + ".bias"), 1e-12
            )

        def forward(self, pieces, mask):
            length = pieces.shape[1]
            rows = self.tensor("embeddings.word_embeddings.weight")[pieces]
            rows = rows + self.tensor("embeddings.token_type_embeddings.weight")[0]
            rows = self.norm("embeddings.LayerNorm", rows + self.tensor("embeddings.position_embeddings.weight")[:length])
            hidden = (1.0 - mask[:, None, None, :].float()) * -10000.0
            for layer in range(6):
                name = f"encoder.layer.{layer}."
                split = lambda x: x.view(x.shape[0], x.shape[1], 12, 32).permute(0, 2, 1, 3)
                query, key, value = (split(self.dense(name + "attention.self." + part, rows)) for part in ("query", "key", "value"))
                scores = torch.matmul(query, key.transpose(-1, -2)) / 32**0.5 + hidden
                context = torch.matmul(torch.softmax(scores, -1), value).permute(0, 2, 1, 3).contiguous()
                context = self.dense(name + "attention.output.dense", context.view(rows.shape[0], rows.shape[1], 384))
                rows = self.norm(name + "attention.output.LayerNorm", context + rows)
                between = torch.nn.functional.gelu(self.dense(name + "intermediate.dense", rows))
                rows = self.norm(name + "output.LayerNorm", self.dense(name + "output.dense", between) + rows)
            weight = mask[:, :, None].float()
            return torch.nn.functional.normalize((rows * weight).sum(1) / weight.sum(1), dim=1)

    return Bert().eval()


def export(folder, to):
    import torch

    some = torch.ones(2, 8, dtype=torch.long)
    axes = {"pieces": {0: "batch", 1: "length"}, "mask": {0: "batch", 1: "length"}}
    names = {"input_names": ["pieces", "mask"], "output_names": ["vectors"]}
    torch.onnx.export(bert(torch, folder), (some, some), to, dynamic_axes=axes, dynamo=False, opset_version=17, **names)


def worker(kind, folder, threads, onnx):
    """Answers as the example does: the seconds of loading, then those of each list of texts."""
    import numpy
    from tokenizers import Tokenizer

    begun = time.perf_counter()
    if kind == "onnxruntime":
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
        run = lambda pieces: session.run(None, {"pieces": pieces, "mask": numpy.ones_like(pieces)})[0]
    else:
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(threads)
        model = SentenceTransformer(folder, device="cpu")

        def run(pieces):
            with torch.no_grad():
                pieces = torch.from_numpy(pieces)
                features = {"input_ids": pieces, "attention_mask": torch.ones_like(pieces)}
                return model(features)["sentence_embedding"].numpy()

    print(time.perf_counter() - begun, flush=True)
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    for line in sys.stdin:
        if line == "memory\n":
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, flush=True)
            continue
        pieces = numpy.array([it.ids for it in tokenizer.encode_batch(json.loads(line))], dtype="i8")
        begun = time.perf_counter()
        # In parts of 32 texts, as sentence-transformers does; all at once is slower.
        vectors = numpy.concatenate([run(pieces[at : at + 32]) for at in range(0, len(pieces), 32)])
        assert abs((vectors * vectors).sum(axis=1) - 1).max() < 1e-5
        print(time.perf_counter() - begun, flush=True)


class Embedder:
    def __init__(self, command, processors):
        command = ["taskset", "-c", processors, *command]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.load = float(self.process.stdout.readline())

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def measure(self, task):
        texts, times = TASKS[task]
        line = json.dumps(texts)
        return statistics.median(self.ask(line) for _ in range(times))

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def compare(folder, onnx, rounds, threads, paths):
    processors = ",".join(str(it) for it in sorted(os.sched_getaffinity(0))[-threads:])
    this = [sys.executable, os.path.abspath(__file__)]
    commands = {
        "onnxruntime, fp32": [*this, "--worker", "onnxruntime", folder, str(threads), onnx],
        "sentence-transformers on torch": [*this, "--worker", "torch", folder, str(threads), onnx],
    }
    for path in paths:
        for precision in ("f32", "f16"):
            commands[f"ours, {path}, {precision}"] = [EXAMPLE, folder, precision, path, str(threads)]
    loads = {name: [] for name in commands}
    for _ in range(5):
        for name, command in commands.items():
            if name.startswith("ours"):
                embedder = Embedder(command, processors)
                loads[name].append(embedder.load)
                embedder.end()
    embedders = {name: Embedder(command, processors) for name, command in commands.items()}
    for name, embedder in embedders.items():
        loads[name].append(embedder.load)
        for task in TASKS:
            embedder.measure(task)
    found = {name: {task: [] for task in TASKS} for name in commands}
    for _ in range(rounds):
        for task in TASKS:
            for name, embedder in embedders.items():
                found[name][task].append(embedder.measure(task))
    first = found["onnxruntime, fp32"]
    print(f"\n| {threads} processor{'s' * (threads > 1)} | 12 pieces | 128 pieces | 256 texts of 32 | load | memory |")
    print("|---|---|---|---|---|---|")
    for name, embedder in embedders.items():
        cells = []
        for task in TASKS:
            seconds = statistics.median(found[name][task])
            ratio = statistics.median(a / b for a, b in zip(found[name][task], first[task]))
            if task == "batch":
                cells.append(f"{256 * 32 / seconds:,.0f} pieces/s ({1 / ratio:.2f}×)")
            else:
                cells.append(f"{seconds * 1e3:.2f} ms ({ratio:.2f})")
        load, memory = statistics.median(loads[name]) * 1e3, embedder.ask("memory") / 1e6
        print(f"| {name} | {' | '.join(cells)} | {load:,.0f} ms | {memory:,.0f} MB |", flush=True)
        embedder.end()


def main():
    if sys.argv[1] == "--worker":
        return worker(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])
    folder, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 15
    paths = sys.argv[3].split(",") if len(sys.argv) > 3 else ["avx512", "avx2", "portable"]
    with tempfile.TemporaryDirectory() as temporary:
        onnx = os.path.join(temporary, "model.onnx")
        # In a process of its own, so that what torch takes is given back.
        subprocess.run([sys.executable, os.path.abspath(__file__), "--export", folder, onnx], check=True, stderr=subprocess.DEVNULL)
        for threads in (1, 2):
            compare(folder, onnx, rounds, threads, paths)


if __name__ == "__main__":
    if sys.argv[1] == "--export":
        export(sys.argv[2], sys.argv[3])
    else:
        main()
