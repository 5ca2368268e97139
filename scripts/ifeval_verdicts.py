#!/usr/bin/env python3
"""Writes what the official checker of IFEval says of responses, for `steadfast-measure ifeval` to be held against.

    python3 scripts/ifeval_verdicts.py DIR/ifeval -o DIR/ifeval/verdicts.jsonl

The folder holds `input_data.jsonl` (`prompt`, `instruction_id_list`, `kwargs`) and files `*response*.jsonl` (`prompt`, `response`). The
checker is that of google-research, as the package lm_eval from PyPI carries it; it needs lm_eval (`pip install --no-deps lm_eval`
will do), langdetect, immutabledict, packaging and nltk with its `punkt_tab` data; langdetect's seed is fixed. A line is a response with a
verdict for each instruction, strict, as the checker itself writes them: {"prompt", "response", "instruction_id_list",
"follow_all_instructions", "follow_instruction_list"}.
"""

import argparse
import importlib.util
import json
import sys
import types
from pathlib import Path


def checker():
    """The module of instructions, without the rest of the package, which would want much more."""
    found = importlib.util.find_spec("lm_eval")
    folder = Path(next(iter(found.submodule_search_locations))) / "tasks" / "ifeval"
    for name in ("lm_eval", "lm_eval.tasks", "lm_eval.tasks.ifeval"):
        module = types.ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules[name] = module
    for name in ("instructions_util", "instructions", "instructions_registry"):
        spec = importlib.util.spec_from_file_location(f"lm_eval.tasks.ifeval.{name}", folder / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        setattr(sys.modules["lm_eval.tasks.ifeval"], name, module)
        spec.loader.exec_module(module)
    import langdetect

    langdetect.DetectorFactory.seed = 0
    # Newer versions of nltk have the same rules under another name.
    import nltk

    util = sys.modules["lm_eval.tasks.ifeval.instructions_util"]
    util._get_sentence_tokenizer = lambda: nltk.tokenize.PunktTokenizer("english")
    return sys.modules["lm_eval.tasks.ifeval.instructions_registry"].INSTRUCTION_DICT


def lines(path: Path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    instructions = checker()
    asks = {row["prompt"]: row for path in sorted(args.folder.glob("*input*.jsonl")) for row in lines(path)}
    written = right = judged = 0
    with args.output.open("w", encoding="utf-8") as out:
        for path in sorted(args.folder.glob("*response*.jsonl")):
            for row in lines(path):
                ask = asks.get(row["prompt"])
                if ask is None:
                    continue
                verdicts = []
                for name, arguments in zip(ask["instruction_id_list"], ask["kwargs"]):
                    instruction = instructions[name](name)
                    given = {key: value for key, value in arguments.items() if value is not None}
                    instruction.build_description(**given)
                    wants = instruction.get_instruction_args()
                    if wants and "prompt" in wants:
                        instruction.build_description(prompt=row["prompt"])
                    response = row["response"]
                    verdicts.append(bool(response.strip() and instruction.check_following(response)))
                judged += len(verdicts)
                right += sum(verdicts)
                written += 1
                line = {
                    "prompt": row["prompt"],
                    "response": row["response"],
                    "instruction_id_list": ask["instruction_id_list"],
                    "follow_all_instructions": all(verdicts),
                    "follow_instruction_list": verdicts,
                }
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(f"{written} responses, {right} of {judged} instructions followed ({right / max(judged, 1):.4f})", file=sys.stderr)
    return 0 if written else 1


if __name__ == "__main__":
    sys.exit(main())
