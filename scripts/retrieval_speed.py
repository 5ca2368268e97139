#!/usr/bin/env python3
"""Compares the time of a whole pick with that of retrieval alone by sentence-transformers, bm25s and faiss, in one run.

    pip install sentence-transformers bm25s faiss-cpu
    cargo bench -p steadfast-store --bench vault --no-run
    scripts/retrieval_speed.py BENCH MODEL_FOLDER PROMPTS VAULT_FILE [ROUNDS]

BENCH is the program that `cargo bench` built. MODEL_FOLDER holds all-MiniLM-L6-v2 as sentence-transformers reads it. VAULT_FILE is made by BENCH
where it is not there, and left. Both are asked in turn, round by round, in a process that is warm; times are milliseconds for each of the tasks of
examples/pick/tasks.jsonl, embedding included: the medians over the rounds of p50 and p95. The peer searches one vector for each prompt (faiss
IndexFlatIP, exact) and its words (bm25s), and neither fuses nor plans; ours picks: several vectors for each prompt, metadata, duplicates, the chain.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time

os.environ["HF_HUB_OFFLINE"] = "1"

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def tasks():
    with open(os.path.join(ROOT, "examples/pick/tasks.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line)["query"] for line in lines]


def prompts(count):
    """Texts put together of sentences of the shipped prompts, as the bench has them."""
    sentences = []
    for folder, _, files in sorted(os.walk(os.path.join(ROOT, "vault"))):
        for name in sorted(files):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                sentences += [part for part in re.split(r"(?<=[.\n])", file.read()) if len(part) > 30]
    state = 7
    for at in range(count):
        parts = []
        for _ in range(6):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            parts.append(sentences[(state >> 33) % len(sentences)].strip())
        yield " ".join(parts) + f" ({at})"


class Peer:
    def __init__(self, folder, count):
        import bm25s
        import faiss
        import numpy
        from sentence_transformers import SentenceTransformer

        self.bm25s, self.model = bm25s, SentenceTransformer(folder, device="cpu")
        texts = list(prompts(count))
        self.words = bm25s.BM25()
        self.words.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
        # Vectors around those of tasks: what they are changes no time.
        real = self.model.encode(tasks(), normalize_embeddings=True)
        chance = numpy.random.default_rng(7)
        rows = real[chance.integers(len(real), size=count)]
        rows = rows + 0.5 * (real[chance.integers(len(real), size=count)] - real[chance.integers(len(real), size=count)])
        rows /= numpy.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
        self.vectors = faiss.IndexFlatIP(rows.shape[1])
        self.vectors.add(rows.astype("float32"))

    def round(self):
        times = []
        for task in tasks():
            begun = time.perf_counter()
            vector = self.model.encode([task], normalize_embeddings=True, show_progress_bar=False)
            self.vectors.search(vector, 80)
            words = self.bm25s.tokenize([task], stopwords="en", show_progress=False)
            self.words.retrieve(words, k=80, show_progress=False)
            times.append(1e3 * (time.perf_counter() - begun))
        times.sort()
        return times[len(times) // 2], times[int(len(times) * 0.95)]


def ours(bench, count, vault):
    out = subprocess.run([bench, "--prompts", str(count), "--vault", vault], capture_output=True, text=True, check=True).stdout
    found = {name: (float(a), float(b)) for name, a, b in re.findall(r"  (.*): p50 ([\d.]+) ms, p95 ([\d.]+) ms", out)}
    return found["pick"], found["of it the embedding"]


def main():
    bench, folder, count, vault = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 3
    ours(bench, count, vault)
    peer = Peer(folder, count)
    peer.round()
    rows = []
    for _ in range(rounds):
        pick, embedding = ours(bench, count, vault)
        rows.append([*peer.round(), *pick, *embedding])
    names = ["peer p50", "peer p95", "pick p50", "pick p95", "our embedding p50", "our embedding p95"]
    for name, values in zip(names, zip(*rows)):
        print(f"{count} prompts, {name}: {statistics.median(values):.2f} ms")
    print(f"{count} prompts, pick p95 / peer p95: {statistics.median(row[3] / row[1] for row in rows):.2f}")


main()
