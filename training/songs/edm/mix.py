"""The mix: stems rendered one by one with sidechain, filter sweeps, echo and a room."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from scipy import signal

from .. import synth
from ..synth import log_uniform, pick
from ..truth import SAMPLE_RATE
from .plan import Section
from .song import Event, Song

#: Range of the peak of each stem in the mix, dB.
STEM_LEVELS = {
    "kick": (-8, 0),
    "snare": (-12, -2),
    "hats": (-20, -4),
    "perc": (-22, -9),
    "bass": (-12, 0),
    "pad": (-18, -5),
    "stab": (-14, -3),
    "arp": (-18, -5),
    "lead": (-14, -3),
    "vocal": (-9, -2),
    "effects": (-18, -6),
}
#: What the bass may exceed the kick by, as a factor: beyond it labelled kicks can no longer be heard.
BASS_OVER_KICK = 1.4
DUCKED = ("bass", "pad", "stab", "arp", "lead")


class Sweep(NamedTuple):
    """A filter that moves through a section."""

    section: Section
    kind: str
    """low (pass) or high (pass)"""
    first: float
    last: float
    """Cutoffs, Hz."""


def sidechain(n: int, triggers: list[float], depth: float, release: float) -> np.ndarray:
    """Gain [n] that dips at each trigger and recovers in `release` seconds."""
    gain = np.ones(n, dtype=np.float32)
    dip = (1 - depth * (1 - np.linspace(0, 1, synth.samples(release))) ** 1.5).astype(np.float32)
    for time in triggers:
        start = int(time * SAMPLE_RATE)
        piece = gain[start : start + len(dip)]
        np.minimum(piece, dip[: len(piece)], out=piece)
    return gain


def sweep_sections(song: Song, plan: list[Sweep], stem: np.ndarray, darkest: float = 0.0) -> None:
    """Apply the planned filter sweeps to a stem in place; low-passes never close below `darkest` Hz."""
    for section, kind, first, last in plan:
        if kind == "low":
            first, last = max(first, darkest), max(last, darkest)
        a = synth.samples(song.grid.time(section.start))
        b = synth.samples(song.grid.time(section.end))
        stem[a:b] = synth.swept_filter(stem[a:b], np.geomspace(first, last, 32), 1.0, kind, block=512)


def plan_sweeps(song: Song) -> list[Sweep]:
    """Filter sweeps over builds, breaks, intros and outros."""
    plan, rng = [], song.rng
    for section in song.sections:
        if section.label in ("build", "break", "intro") and rng.random() < 0.45:
            plan.append(Sweep(section, "low", log_uniform(rng, 250, 900), log_uniform(rng, 5000, 16000)))
        elif section.label == "build" and rng.random() < 0.4:
            plan.append(Sweep(section, "high", 30.0, log_uniform(rng, 200, 700)))
        elif section.label == "outro" and rng.random() < 0.3:
            plan.append(Sweep(section, "low", 12000.0, log_uniform(rng, 250, 900)))
    return plan


def add_echo(stem: np.ndarray, delay: float, feedback: float) -> None:
    """Ping-pong echo on a stereo stem, in place."""
    n = synth.samples(delay)
    source = stem.copy()
    for tap in (1, 2, 3):
        if tap * n < len(stem):
            stem[tap * n :] += feedback**tap * (source[: -tap * n, ::-1] if tap % 2 else source[: -tap * n])


def mixed(song: Song, tail: float) -> np.ndarray:
    """Render all events stem by stem, [n, 2] with `tail` seconds after the last bar."""
    rng, n = song.rng, synth.samples(song.end + tail)
    by_stem: dict[str, list[Event]] = defaultdict(list)
    for event in song.events:
        by_stem[event.stem].append(event)
    triggers = list(song.truth.kicks)
    if rng.random() < 0.3:
        triggers = sorted({*triggers, *song.truth.beats})
    depth, release = rng.uniform(0, 0.95) * (rng.random() < 0.8), song.grid.beat * rng.uniform(0.3, 0.95)
    duck = sidechain(n, triggers, depth, release)[:, None] if depth > 0.1 else None
    sweeps, sweep_drums = plan_sweeps(song), rng.random() < 0.25
    echo = song.grid.beat * float(rng.choice([0.5, 0.75, 0.75, 1.0]))
    out, send = np.zeros((n, 2), dtype=np.float32), np.zeros(n, dtype=np.float32)
    levels = {name: 10 ** (rng.uniform(*decibels) / 20) for name, decibels in STEM_LEVELS.items()}
    levels["bass"] = min(levels["bass"], BASS_OVER_KICK * levels["kick"])
    for name, level in levels.items():
        wet = rng.uniform(0, 0.35)
        echoed = name in ("arp", "lead", "stab") and rng.random() < 0.4
        if name not in by_stem:
            continue
        stem = np.zeros((n, 2), dtype=np.float32)
        for event in by_stem[name]:
            synth.place(stem, event.sound, event.time, event.gain)
        if echoed:
            add_echo(stem, echo, 0.45)
        if name in DUCKED:
            sweep_sections(song, sweeps, stem)
            if duck is not None:
                stem *= duck
        elif sweep_drums and name in ("kick", "snare", "hats", "perc"):
            # Labelled drums stay audible behind the filter.
            sweep_sections(song, sweeps, stem, darkest=4500 if name == "hats" else 1000)
        for start, end in song.silences():
            if name != "vocal":
                stem[synth.samples(start) : synth.samples(end) - 64] = 0
        stem *= level / max(1e-6, float(np.abs(stem).max()))
        out += stem
        if name not in ("kick", "bass"):
            send += wet * stem.mean(axis=1)
    room = synth.space(rng, rng.uniform(0.5, 2.8))
    for channel in (0, 1):
        out[:, channel] += 0.5 * signal.oaconvolve(send, room[:, channel])[:n]
    return out


def add_lead_in(rng: np.random.Generator, audio: np.ndarray, seconds: float) -> None:
    """Faint noise (hiss or crackle) under the start of a song, in place."""
    n = min(len(audio), synth.samples(seconds + rng.uniform(0, 8)))
    hiss = rng.standard_normal((n, 2)).astype(np.float32)
    if rng.random() < 0.5:
        hiss *= rng.random((n, 1)) > 0.9995
    hiss *= np.linspace(1, 0, n, dtype=np.float32)[:, None]
    audio[:n] += synth.normalised(synth.lowpass(hiss, 7000), log_uniform(rng, 0.005, 0.06))


def finished(song: Song, audio: np.ndarray) -> np.ndarray:
    """The song's end (fade, hard stop or ringing out) and its level."""
    ending = pick(song.rng, ("ring", "ring", "fade", "stop"))
    end = synth.samples(song.end)
    if ending == "fade":
        start = synth.samples(song.grid.time(song.bars - int(pick(song.rng, (2, 4, 4)))))
        audio[start:end] *= np.linspace(1, 0.01, end - start, dtype=np.float32)[:, None] ** 1.5
        audio[end:] *= 0.001
    elif ending == "stop":
        audio[end:] = 0
    return synth.normalised(synth.faded_out(audio, 0.01), song.rng.uniform(0.5, 0.9))
