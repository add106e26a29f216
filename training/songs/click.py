"""Pulses alone: metronomes, single drums and loops of percussion, so that the plainest beat is heard as what it is."""

from __future__ import annotations

import numpy as np
from scipy import signal

from .truth import SAMPLE_RATE, Truth


def compose_click(rng: np.random.Generator, seconds: float) -> tuple[np.ndarray, Truth]:
    """
    One or two sounds struck on every beat at 52 to 210 BPM: stereo [n, 2] float32 and its truth.

    Where a bar is heard (an accent, or a second sound), its downbeats are labelled; else every fourth beat
    would be a guess, and there are none.
    """
    tempo = float(rng.uniform(52, 210))
    beats_per_bar = int(rng.choice([3, 4, 4, 4, 5, 6]))
    is_accented = rng.random() < 0.5
    step = 60 / tempo
    first = float(rng.uniform(0, 1))
    drift = rng.normal(0, rng.choice([0, 0, 0.004]), int(seconds / step))
    truth = Truth("click", "click", tempo, beats_per_bar if is_accented else 1, "")
    out = np.zeros(int((seconds + 1.5) * SAMPLE_RATE))
    plain, accent = struck(rng), struck(rng)
    for i, error in enumerate(drift):
        t = max(0.0, first + i * step + error)
        truth.beats.append(t)
        is_first = is_accented and i % beats_per_bar == 0
        sound = accent if is_first else plain
        at = int(t * SAMPLE_RATE)
        out[at : at + len(sound)] += sound * (1.0 if is_first or not is_accented else 0.6) * rng.uniform(0.85, 1)
        if is_first:
            truth.downbeats.append(t)
    truth.sections = [(truth.beats[0], "verse")]
    return np.stack([out, out], axis=1).astype(np.float32), truth


def struck(rng: np.random.Generator) -> np.ndarray:
    """A click, blip, thump or burst of noise that dies away within 10 to 150 ms."""
    decay = float(np.exp(rng.uniform(np.log(0.003), np.log(0.04))))
    t = np.arange(int(0.25 * SAMPLE_RATE)) / SAMPLE_RATE
    envelope = np.exp(-t / decay)
    kind = rng.choice(["noise", "tone", "thump"])
    if kind == "noise":
        low = float(np.exp(rng.uniform(np.log(80), np.log(6000))))
        b, a = signal.butter(1, [low, min(20000, low * rng.uniform(2, 8))], "band", fs=SAMPLE_RATE)
        return 0.8 * signal.lfilter(b, a, rng.normal(0, 1, len(t))) * envelope
    hz = rng.uniform(45, 120) * (1 + 3 * np.exp(-t / 0.01)) if kind == "thump" else np.full(len(t), rng.uniform(300, 3000))
    return 0.8 * np.sin(2 * np.pi * np.cumsum(hz) / SAMPLE_RATE) * envelope
