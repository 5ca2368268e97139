#!/usr/bin/env python3
"""Searches by bm25s or chromadb, timed as `cargo xtask bench` asks: `search_speed.py bm25s|chromadb FOLDER`.

FOLDER and the lines that are read and written are those of crates/instruments/pick/examples/search_speed.rs: the seconds of indexing, then for each
line of standard input the seconds of all queries, or the memory. chromadb is in memory, with its own index (HNSW, which may miss some of the best) and cosines; it
gets the vectors, so that no model is part of its times.
"""

import os
import resource
import sys
import time

os.environ["ANONYMIZED_TELEMETRY"] = "False"

DIMENSIONS = 384
BEST = 10
# chromadb takes no more at once.
BATCH = 5000


def lines(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read().splitlines()


def words(folder):
    import bm25s

    documents, queries = lines(folder, "documents.txt"), lines(folder, "queries.txt")
    begun = time.perf_counter()
    index = bm25s.BM25(k1=3.0, b=0.9)
    index.index(bm25s.tokenize(documents, stopwords="en", show_progress=False), show_progress=False)
    seconds = time.perf_counter() - begun

    def run():
        for query in queries:
            words = bm25s.tokenize([query], stopwords="en", show_progress=False)
            index.retrieve(words, k=BEST, show_progress=False)

    return seconds, run


def vectors(folder):
    import chromadb
    import numpy

    rows = {}
    for name in ("documents", "queries"):
        rows[name] = numpy.fromfile(os.path.join(folder, name + ".f32"), dtype="<f4").reshape(-1, DIMENSIONS)
    begun = time.perf_counter()
    client = chromadb.EphemeralClient()
    collection = client.create_collection("bench", metadata={"hnsw:space": "cosine"}, embedding_function=None)
    ids = [str(number) for number in range(len(rows["documents"]))]
    for at in range(0, len(ids), BATCH):
        collection.add(ids=ids[at : at + BATCH], embeddings=rows["documents"][at : at + BATCH])
    seconds = time.perf_counter() - begun

    def run():
        for row in rows["queries"]:
            collection.query(query_embeddings=[row], n_results=BEST, include=["distances"])

    return seconds, run


def main():
    seconds, run = {"bm25s": words, "chromadb": vectors}[sys.argv[1]](sys.argv[2])
    print(seconds, flush=True)
    for line in sys.stdin:
        if line == "memory\n":
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, flush=True)
            continue
        begun = time.perf_counter()
        run()
        print(time.perf_counter() - begun, flush=True)


main()
