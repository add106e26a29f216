"""The sounds of one song: patches drawn for bass, chords, pads and leads, and a drum kit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import synth
from ..synth import FmPatch, Patch, log_uniform, pick
from .styles import Style


def bass_patch(rng: np.random.Generator, style_name: str, line: str, tuning: float, beat: float) -> Patch | FmPatch:
    """A bass: sub, 808, reese, acid, growl, plucked or FM."""
    common = {"family": "bass", "tuning": tuning, "seed": int(rng.integers(1 << 30))}
    if line == "808":
        return Patch(wave="sine", attack=0.002, decay=log_uniform(rng, 0.3, 1.5), sustain=0.3, glide=rng.uniform(3, 18), cutoff=18000, drive=rng.uniform(0, 4), **common)
    if style_name in ("dubstep", "future bass", "drum & bass", "electro") and rng.random() < 0.6:
        rate = float(rng.choice([1, 2, 3, 4, 1.5])) / beat
        return Patch(wave=pick(rng, ("saw", "pulse")), voices=3, detune=rng.uniform(10, 40), sub=rng.uniform(0.2, 0.7), cutoff=rng.uniform(120, 300), sweep=rng.uniform(2, 4.5), wobble=rate, resonance=rng.uniform(0.8, 3), sustain=1.0, drive=rng.uniform(0.5, 3), **common)
    kind = "acid" if line == "acid" else pick(rng, ("sub", "reese", "acid", "pluck", "pluck", "fm", "pulse"))
    if kind == "sub":
        return Patch(wave=pick(rng, ("sine", "triangle")), cutoff=1500, sustain=0.9, drive=rng.uniform(0, 1.5), release=0.05, **common)
    if kind == "reese":
        return Patch(voices=3, detune=rng.uniform(15, 45), sub=0.5, cutoff=log_uniform(rng, 300, 1500), sustain=1.0, attack=0.005, drive=rng.uniform(0, 2), **common)
    if kind == "acid":
        return Patch(wave=pick(rng, ("saw", "pulse")), cutoff=log_uniform(rng, 150, 700), sweep=rng.uniform(1.5, 4), sweep_decay=rng.uniform(0.05, 0.25), resonance=rng.uniform(3, 10), drive=rng.uniform(0.5, 4), release=0.02, **common)
    if kind == "fm":
        common.pop("seed")
        return FmPatch(ratio=float(rng.choice([1, 2, 0.5, 3])), index=rng.uniform(1, 5), index_decay=rng.uniform(0.05, 0.3), decay=0.4, sustain=0.5, release=0.04, **common)
    wave = "pulse" if kind == "pulse" else "saw"
    return Patch(wave=wave, sub=rng.uniform(0, 0.8), cutoff=log_uniform(rng, 150, 800), sweep=rng.uniform(1, 3.5), sweep_decay=rng.uniform(0.04, 0.2), decay=rng.uniform(0.1, 0.5), sustain=rng.uniform(0.2, 0.8), release=0.04, **common)


def chord_patch(rng: np.random.Generator, tuning: float) -> Patch | FmPatch:
    """What plays stabs and comping: electric piano, organ-like or detuned synth, pluck."""
    seed = int(rng.integers(1 << 30))
    kind = pick(rng, ("keys", "keys", "synth", "synth", "pluck", "house organ"))
    if kind == "keys":
        return FmPatch("piano", ratio=float(rng.choice([1, 1, 2, 14, 3])), index=rng.uniform(0.6, 2.5), index_decay=rng.uniform(0.1, 0.6), decay=rng.uniform(0.4, 1.5), sustain=0.15, tuning=tuning)
    if kind == "house organ":
        return FmPatch("organ", ratio=2.0, index=rng.uniform(0.8, 2), index_decay=0.2, index_floor=0.5, decay=0.3, sustain=0.6, release=0.04, tuning=tuning)
    if kind == "pluck":
        return pluck_patch(rng, tuning)
    return Patch("pad", voices=int(rng.integers(2, 6)), detune=rng.uniform(5, 25), width=rng.uniform(0.2, 1), cutoff=log_uniform(rng, 500, 4000), sweep=rng.uniform(0.5, 3), sweep_decay=rng.uniform(0.05, 0.3), decay=rng.uniform(0.1, 0.5), sustain=rng.uniform(0.1, 0.7), release=rng.uniform(0.04, 0.25), tuning=tuning, seed=seed)


def pluck_patch(rng: np.random.Generator, tuning: float) -> Patch | FmPatch:
    """A short bright sound: a plucked synth or an FM bell."""
    if rng.random() < 0.35:
        return FmPatch("mallet", ratio=float(rng.choice([3.5, 2.76, 4, 7])), index=rng.uniform(0.5, 2.5), index_decay=rng.uniform(0.05, 0.3), decay=rng.uniform(0.15, 0.6), sustain=0.0, release=0.1, tuning=tuning)
    return Patch("mallet", wave=pick(rng, ("saw", "pulse", "triangle")), voices=int(rng.integers(1, 4)), detune=rng.uniform(3, 15), width=rng.uniform(0.1, 0.9), cutoff=log_uniform(rng, 400, 2000), sweep=rng.uniform(1.5, 4), sweep_decay=rng.uniform(0.03, 0.15), decay=rng.uniform(0.08, 0.3), sustain=0.05, release=0.1, tuning=tuning, seed=int(rng.integers(1 << 30)))


def pad_patch(rng: np.random.Generator, tuning: float) -> Patch:
    """Held chords: detuned saws behind a low-pass, or synthetic strings."""
    family = "strings" if rng.random() < 0.2 else "pad"
    cutoff = rng.uniform(3000, 7000) if family == "strings" else log_uniform(rng, 400, 5000)
    return Patch(family, wave=pick(rng, ("saw", "saw", "pulse", "triangle")), voices=int(rng.integers(3, 6)), detune=rng.uniform(6, 25), width=rng.uniform(0.5, 1), attack=log_uniform(rng, 0.01, 0.5), sustain=0.9, release=rng.uniform(0.1, 0.6), cutoff=cutoff, resonance=rng.uniform(0.6, 1.2), tuning=tuning, seed=int(rng.integers(1 << 30)))


def lead_patch(rng: np.random.Generator, tuning: float) -> Patch:
    """A melody's voice: supersaw, square or saw."""
    voices = int(rng.choice([1, 2, 5, 7]))
    return Patch("lead", wave=pick(rng, ("saw", "saw", "pulse", "triangle")), voices=voices, detune=rng.uniform(8, 35), width=rng.uniform(0.3, 1) if voices > 1 else 0.0, attack=log_uniform(rng, 0.002, 0.04), sustain=rng.uniform(0.4, 1), release=rng.uniform(0.05, 0.3), cutoff=log_uniform(rng, 1500, 14000), sweep=rng.uniform(0, 1.5), drive=rng.uniform(0, 1), tuning=tuning, seed=int(rng.integers(1 << 30)))


@dataclass
class Kit:
    """One song's drum sounds, each rendered once."""

    kick: np.ndarray
    snare: np.ndarray
    roll: np.ndarray
    closed: np.ndarray
    open: np.ndarray
    ride: np.ndarray
    crash: np.ndarray
    perc: np.ndarray
    toms: list[np.ndarray]

    @classmethod
    def draw(cls, rng: np.random.Generator, style: Style) -> Kit:
        backbeat = synth.snare(rng, pick(rng, style.snares))
        perc = synth.blip(rng) if rng.random() < 0.6 else synth.tom(rng, rng.uniform(180, 420))
        return cls(
            synth.kick(rng, pick(rng, style.kicks)),
            backbeat,
            backbeat if rng.random() < 0.5 else synth.snare(rng, "noise"),
            synth.shaker(rng) if rng.random() < 0.25 else synth.hat(rng, False),
            synth.hat(rng, True),
            synth.ride(rng),
            synth.crash(rng),
            perc,
            [synth.tom(rng, pitch) for pitch in (220, 160, 110)],
        )
