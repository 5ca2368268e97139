#!/usr/bin/env python3
"""Writes the reference values of the embedding tests, with sentence-transformers.

    pip install sentence-transformers
    scripts/embedding_reference.py MODEL_FOLDER
    scripts/embedding_reference.py MODEL_FOLDER --compare COMMAND ...

MODEL_FOLDER holds all-MiniLM-L6-v2 as sentence-transformers reads it (with modules.json and 1_Pooling). The first form writes to
`crates/foundation/embed/tests/data/`: `texts.json`, of which both sides make the same texts; `vectors.bin`, numbers of the vectors
of 500 texts as little-endian floats, all of every fifth and 32 of each other; `pieces.bin`, a checksum of the word pieces of
each of 10,000 texts. The second runs COMMAND, which reads a JSON list of texts and writes all numbers of their vectors
(`cargo run --release -p steadfast-embed --example embedding_vectors -- FOLDER f32 avx512`), and prints the largest difference
over all numbers of the 500 texts.

All texts are made here: of the words below, of ranges of characters, by a generator of random numbers that is fixed.
"""

import json
import os
import random
import struct
import subprocess
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

TEXTS = 500
PIECES_TEXTS = 10_000
FRAGMENTS = 1500
WIDTH = 384
# All numbers of the vector of each text whose index is a multiple of this, of the others so many, spread over the vector.
WHOLE_EVERY = 5
PART = 32

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "crates", "foundation", "embed", "tests", "data")

WORDS = """the a of to and in is that for it as was with be by on not he his but at are this have from or had an they which one you
were all her she there would their we him been has when who will no more if out so up said what its about than into them can only
other time new some could these two may first then do any like my now over such our man me even most made after also did many off
before must well back through years where much your way down should because long each just state people too mister good make world
still own see men work here get both between life being under never day same another know while last might us great old year come
since against go came right used take three deliver refund customer invoice schedule budget migrate database deploy rollback
kubernetes tokenizer embedding supercalifragilistic unbelievably restructuring heterogeneity photosynthesis""".split()

FIXED = [
    "", " ", "\n", "\t\t", "a", "Z", "7", ".", "-", "é", "ß", "İ", "ı", "中", "あ", "ア", "한", "ع", "א", "ह", "😀", "👩‍👩‍👧‍👦", "🇪🇺",
    "\u200b", "\ufeff", "\u0000", "\u0007\u0008", "\ufffd", "\u00a0", "\u2028", "\ue000", "́", "á̂", "a\u0000b", "a\u200db",
    "[CLS]", "[SEP]", "[PAD]", "[MASK]", "[UNK]", "[sep]", "[ SEP ]", "[[SEP]]", "a[SEP]b", "[SEP", "x [MASK] y [CLS] z",
    "Hello, world!", "HELLO WORLD", "don't can't won't", "e-mail: someone@example.org", "3.14159", "1,000,000.00 €", "$5 + £6 = ¥7",
    "≠ ≮ ≯ ∀ ∃ √2", "ﬁne ﬂow Æsop œuvre", "naïve café résumé Ångström", "Straße GROSSE", "ΑΒΓ αβγ ς Σ", "Привет, мир", "Ёлка й",
    "你好，世界。", "日本語のテキスト", "東京は大きい", "한국어 문장입니다", "مرحبا بالعالم", "שלום עולם", "नमस्ते दुनिया", "ไทยไม่มีช่องว่าง", "Tiếng Việt",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "Ａｂｃ１２３", "①②③", "½ ¼ ²", "\u1fef\u037e\u0387", "a\u0300\u0301b\u0327", "\u302a\u302e\u3099", "가각힣",
    "fn main() { println!(\"{}\", 1 << 3); }", "SELECT * FROM t WHERE id = 42;", "https://example.org/a/b?c=d&e=f#g",
    "{\"key\": [1, 2, {\"nested\": null}]}", "<p class=\"x\">text</p>", "C:\\path\\file.txt", "| a | b |\n|---|---|\n| 1 | 2 |",
    ("", "a", 99, ""), ("", "a", 100, ""), ("", "a", 101, ""), ("", "a", 5000, ""), ("", "ab ", 5000, ""), ("", ".", 300, ""),
    ("", "中", 254, ""), ("", "中", 255, ""), ("", "中", 300, ""),
    ("", "time ", 253, ""), ("", "time ", 254, ""), ("", "time ", 255, ""), ("", "time ", 256, ""), ("", "time ", 5000, ""),
    ("", "1234567890", 40, ""), ("", "🙂", 300, ""), ("", "\u0301", 3000, ""),
    ("x", "\u0301", 3000, "y"), ("", " ", 10_000, "end"), ("", "two words ", 2500, "and an end"), "\u00ad".join("hyphenation"), "tab\tnew\nline\rend", "a\u0085b\u000bc\u000cd",
]

ALPHABETS = [
    [(0x20, 0x7E)], [(0x20, 0x7E)], [(0x61, 0x7A)], [(0x00, 0x1F), (0x61, 0x7A)], [(0xA0, 0x17F)], [(0x180, 0x24F), (0x1E00, 0x1EFF)],
    [(0x61, 0x66), (0x300, 0x36F)], [(0x370, 0x3FF), (0x1F00, 0x1FFF)], [(0x400, 0x52F)], [(0x590, 0x5FF)], [(0x600, 0x6FF)],
    [(0x900, 0x97F)], [(0xE00, 0xE7F)], [(0x1100, 0x11FF), (0xAC00, 0xAD00)], [(0x2000, 0x206F), (0x61, 0x66)], [(0x20A0, 0x22FF)],
    [(0x3000, 0x30FF)], [(0x4E00, 0x4F00)], [(0xF900, 0xFA6D)], [(0xFF00, 0xFFEF)], [(0x1F300, 0x1F64F)], [(0x20000, 0x20100)],
    [(0x2F800, 0x2F830)], [(0x00, 0xD7FF)], [(0xE000, 0x10FFFF)], [(0x1D400, 0x1D7FF)], [(0xFE00, 0xFE0F), (0x2600, 0x26FF)],
]


def fragment(rng):
    kind = rng.randrange(10)
    if kind < 5:
        word = rng.choice(WORDS)
        return rng.choice([word, word, word, word.capitalize(), word.upper(), word + rng.choice(".,;:!?'")])
    if kind == 5:
        return str(rng.randrange(10 ** rng.randrange(1, 12)))
    if kind == 6:
        return rng.choice(["[SEP]", "[CLS]", "[MASK]", "[UNK]", "[PAD]", "[", "]", "##ing", "_", "--", "...", "\u2014", "\u201c"])
    alphabet = rng.choice(ALPHABETS)
    codes = [rng.randint(*rng.choice(alphabet)) for _ in range(rng.randrange(1, 12))]
    # Half of a pair of surrogates is no character.
    return "".join(chr(code) for code in codes if not 0xD800 <= code <= 0xDFFF)


class Random:
    """Marsaglia's xorshift, so that the test can make the same texts."""

    def __init__(self, seed):
        self.state = (seed * 2654435761 + 1) % 2**32 or 1

    def below(self, count):
        x = self.state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.state = x
        return (x >> 8) % count


LENGTHS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 144]
JOINTS = [[" "], [" "], [" ", "", "\n"], [" ", "  ", "\t", "\u00a0", "-"], [""]]


def made(fragments, seed):
    rng = Random(seed)
    length, joints = LENGTHS[rng.below(len(LENGTHS))], JOINTS[rng.below(len(JOINTS))]
    return "".join(fragments[rng.below(len(fragments))] + joints[rng.below(len(joints))] for _ in range(length))


def fixed():
    """A text is a string, or a part that is repeated between two others."""
    for entry in FIXED:
        yield entry if isinstance(entry, str) else entry[0] + entry[1] * entry[2] + entry[3]


def checksum(pieces, truncated):
    """FNV-1a of the pieces' numbers and of whether there were more."""
    value = 0x811C9DC5
    for byte in struct.pack(f"<{len(pieces)}I", *pieces) + bytes([truncated]):
        value = (value ^ byte) * 0x01000193 % 2**32
    return value


def main():
    folder, options = sys.argv[1], sys.argv[2:]
    import numpy
    import torch
    from sentence_transformers import SentenceTransformer

    rng = random.Random(1)
    fragments = [fragment(rng) for _ in range(FRAGMENTS)]
    texts = list(fixed())
    texts += [made(fragments, seed) for seed in range(PIECES_TEXTS - len(texts))]
    torch.set_num_threads(1)
    model = SentenceTransformer(folder, device="cpu")
    model.max_seq_length = 256
    # One by one, so that no padding has a part in the sums.
    vectors = numpy.stack([model.encode([text], normalize_embeddings=True)[0] for text in texts[:TEXTS]])
    if options[:1] == ["--compare"]:
        given = json.dumps(texts[:TEXTS]).encode()
        output = subprocess.run(options[1:], input=given, stdout=subprocess.PIPE, check=True).stdout
        ours = numpy.frombuffer(output, dtype="<f4").reshape(vectors.shape)
        difference = abs(ours - vectors).max(axis=1)
        a, b = ours.astype("f8"), vectors.astype("f8")
        cosine = (a * b).sum(axis=1) / numpy.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
        print(f"largest difference {difference.max():.3g} (text {difference.argmax()}), least cosine {cosine.min():.9f}")
        return
    numbers = []
    for index, vector in enumerate(vectors):
        if index % WHOLE_EVERY == 0:
            numbers += vector.tolist()
        else:
            numbers += [vector[(7 * index + place * WIDTH // PART) % WIDTH] for place in range(PART)]
    sums = []
    for text in texts:
        pieces = model.tokenizer(text)["input_ids"]
        truncated = len(pieces) > 256
        if truncated:
            pieces = pieces[:255] + pieces[-1:]
        sums.append(checksum(pieces, truncated))
    with open(os.path.join(DATA, "vectors.bin"), "wb") as file:
        file.write(struct.pack(f"<{len(numbers)}f", *numbers))
    with open(os.path.join(DATA, "pieces.bin"), "wb") as file:
        file.write(struct.pack(f"<{len(sums)}I", *sums))
    with open(os.path.join(DATA, "texts.json"), "w", encoding="utf-8") as file:
        json.dump({"fixed": FIXED, "fragments": fragments}, file, ensure_ascii=False, indent=0)
        file.write("\n")


if __name__ == "__main__":
    main()
