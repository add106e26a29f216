"""
Render the training songs: `python3 -m training.render --out DIR --songs N [--seed 1] [--part 0/2]`.

Song i is drawn from (seed, i) alone, so that parts may run side by side and a run may be taken up again.
Written per song: `ID.json` (truth), `ID.f16` (the network's input as the product itself hears it), and with `--audio`
`ID.wav`. With `--forms` the songs are those the form is learned from (training/forms): written are `ID.json` and
`ID.bars.json`, the bars as the product hears them.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np
from scipy.io import wavfile

from .songs.arranged import compose_with_form
from .songs.band import compose_band
from .songs.click import compose_click
from .songs.edm.compose import compose_edm
from .songs.midi import SOUNDFONTS
from .songs.mma import compose_mma
from .songs.production import produce
from .songs.truth import SAMPLE_RATE, Truth
from .songs.vocals import with_singer

ROOT = Path(__file__).parent.parent
NODE = ROOT / "node_modules/.bin/node"


def compose(rng: np.random.Generator, scratch: Path) -> tuple[np.ndarray, Truth]:
    """One song, from one of the generators."""
    seconds = float(rng.uniform(55, 100))
    kind = rng.choice(["band", "mma", "edm", "click"], p=[0.42, 0.24, 0.31, 0.03])
    if kind == "edm":
        return compose_edm(rng, seconds)
    if kind == "click":
        return compose_click(rng, seconds / 2)
    audio, truth, key = (compose_band if kind == "band" else compose_mma)(rng, seconds, scratch)
    sung = {"piano solo": 0.0, "strings": 0.05, "chiptune": 0.0}.get(truth.style, 0.45)
    if rng.random() < sung:
        audio = with_singer(rng, audio, truth, key)
    return audio, truth


def render(
    index: int, seed: int, out: Path, scratch: Path, hear: subprocess.Popen[str], keeps_audio: bool, forms: str | None
) -> None:
    rng = np.random.default_rng([seed, index])
    # What codecs and rooms do is heard within a bar, not from section to section.
    audio, truth = compose_with_form(rng, forms, scratch) if forms else produce(rng, *compose(rng, scratch), scratch)
    name = f"{seed}-{index:05d}"
    wav = out / f"{name}.wav" if keeps_audio else scratch / "song.wav"
    wavfile.write(wav, SAMPLE_RATE, (np.clip(audio, -1, 1) * 32767).astype(np.int16))
    assert hear.stdin and hear.stdout
    hear.stdin.write(f"{wav}\t{out / name}{'.bars.json' if forms else '.f16'}\n")
    hear.stdin.flush()
    if hear.stdout.readline().strip() != "done":
        raise RuntimeError("the feature extractor gave up")
    truth.write(out / f"{name}.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--songs", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="0/1", help="K/N: only songs whose number leaves K when divided by N")
    parser.add_argument("--audio", action="store_true", help="keep the songs themselves, for fit.ts")
    parser.add_argument("--forms", choices=("songs", "grooves"), help="songs whose form is learned, kept as bars")
    options = parser.parse_args()
    part, parts = (int(n) for n in options.part.split("/"))
    options.out.mkdir(parents=True, exist_ok=True)
    missing = [path for path in SOUNDFONTS.values() if not Path(path).exists()]
    if missing:
        sys.exit(f"soundfonts missing: {', '.join(missing)}; see training/README.md for the packages")
    listener = "training/forms/hear.ts" if options.forms else "training/hear.ts"
    hear = subprocess.Popen(
        [str(NODE), str(ROOT / listener)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with tempfile.TemporaryDirectory() as folder:
        for index in range(part, options.songs, parts):
            if (options.out / f"{options.seed}-{index:05d}.json").exists():
                continue
            try:
                render(index, options.seed, options.out, Path(folder), hear, options.audio, options.forms)
            except (subprocess.CalledProcessError, ValueError):
                # A groove MMA cannot play is one song fewer, not the end of the run.
                traceback.print_exc()
    hear.terminate()


if __name__ == "__main__":
    main()
