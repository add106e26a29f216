"""Puts a singer over a finished accompaniment."""

from __future__ import annotations

import numpy as np

from .theory import Key
from .truth import SAMPLE_RATE, Truth, merged
from .voice import espeak_line, sing, sung_line

SUNG_LABELS = {"verse": 0.9, "chorus": 0.95, "bridge": 0.7, "drop": 0.2, "break": 0.5, "intro": 0.05, "outro": 0.3}


def with_singer(rng: np.random.Generator, audio: np.ndarray, truth: Truth, key: Key) -> np.ndarray:
    """
    The song [n, 2] with a voice over most verses and choruses; `truth.vocals` says where.

    The voice is between 6 dB below and 4 dB above the accompaniment.
    """
    beat = 60 / truth.tempo
    base = 48 if rng.random() < 0.5 else 57
    scale = [base + (key.tonic + s - base) % 12 for s in key.steps]
    ends = [start for start, _ in truth.sections[1:]] + [truth.beats[-1]]
    notes: list[tuple[float, float, float]] = []
    for (start, label), end in zip(truth.sections, ends, strict=True):
        if end - start > 4 and rng.random() < SUNG_LABELS.get(label, 0):
            notes += sung_line(rng, start, end, beat, scale)
    if not notes:
        return audio
    singer = espeak_line if rng.random() < 0.25 else sing
    voice = singer(rng, notes, len(audio) / SAMPLE_RATE)
    n = min(len(voice), len(audio))
    sounding = np.abs(voice) > 1e-3
    loudness = np.sqrt(np.mean(audio**2)) / (np.sqrt(np.mean(voice[sounding] ** 2)) + 1e-9)
    left, right = 1 - max(0, -pan_of(rng)), 1 - max(0, pan_of(rng))
    gain = loudness * 10 ** (rng.uniform(-6, 4) / 20)
    mixed = audio.copy()
    mixed[:n] += (gain * voice[:n, None] * np.array([left, right])).astype(np.float32)
    truth.vocals = merged([(start, start + duration) for start, duration, _ in notes], 0.4)
    return mixed


def pan_of(rng: np.random.Generator) -> float:
    return float(rng.uniform(-0.2, 0.2))
