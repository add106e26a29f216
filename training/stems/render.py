"""
Render the excerpts: `python3 -m training.stems.render --out DIR --excerpts N [--seed 1]`.

Excerpt i is drawn from (seed, i) alone. Written per excerpt: `ID.f32`, see hear.ts.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import traceback
from pathlib import Path

import numpy as np

from ..render import NODE, ROOT
from .excerpts import STEMS, draw_excerpt


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--excerpts", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    hear = subprocess.Popen(
        [str(NODE), str(ROOT / "training/stems/hear.ts")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert hear.stdin and hear.stdout
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for index in range(options.excerpts):
            out = options.out / f"{options.seed}-{index:05d}.f32"
            if out.exists():
                continue
            try:
                stems = draw_excerpt(np.random.default_rng([options.seed, index]), scratch)
            except (subprocess.CalledProcessError, ValueError):
                # A groove MMA cannot play is one excerpt fewer, not the end of the run.
                traceback.print_exc()
                continue
            for name in STEMS:
                stems[name].astype("<f4").tofile(scratch / f"{name}.f32")
            hear.stdin.write(f"{scratch}\t{out}\n")
            hear.stdin.flush()
            if hear.stdout.readline().strip() != "done":
                raise RuntimeError("the feature extractor gave up")
            print(out.name, flush=True)
    hear.terminate()


if __name__ == "__main__":
    main()
