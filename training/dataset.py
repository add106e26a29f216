"""Rendered songs as arrays: what the network hears and what it should answer, 50 frames a second."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .songs.truth import FAMILIES

FRAME_RATE = 50
BANDS = 64
HOPS_PER_FRAME = 2
#: Frame f spans hops 2f and 2f + 1, centred on f / FRAME_RATE plus this, seconds.
FRAME_OFFSET = 0.005

HITS = ("kick", "snare", "hat")
#: Outputs of the network in order.
HEADS = ("beat", "downbeat", "boundary", "vocal", *HITS, *FAMILIES)
#: How much each head's loss counts.
HEAD_WEIGHTS = {"beat": 1.0, "downbeat": 1.0, "boundary": 0.6, "vocal": 0.35, "kick": 0.25, "snare": 0.25, "hat": 0.25}
FAMILY_WEIGHT = 0.06
BOUNDARY_REACH = 0.5
"""Seconds either side of a section's start that count as boundary, falling linearly."""


@dataclass
class Song:
    name: str
    input: np.ndarray
    """[frames, HOPS_PER_FRAME, BANDS] float16"""
    target: np.ndarray
    """[frames, heads] float16, 0..1"""


def load_songs(folder: Path, limit: int | None = None) -> list[Song]:
    """Every song of a folder with both its truth and its input, in order of name."""
    songs = []
    for path in sorted(folder.glob("*.json"))[:limit]:
        heard = path.with_suffix(".f16")
        if not heard.exists():
            continue
        hops = np.fromfile(heard, np.float16).reshape(-1, BANDS)
        frames = len(hops) // HOPS_PER_FRAME
        truth = json.loads(path.read_text())
        songs.append(
            Song(path.stem, hops[: frames * 2].reshape(frames, HOPS_PER_FRAME, BANDS), target_of(truth, frames))
        )
    return songs


def target_of(truth: dict, frames: int) -> np.ndarray:
    """What each head should answer per frame: [frames, heads]."""
    target = np.zeros((frames, len(HEADS)), np.float32)
    column = {name: i for i, name in enumerate(HEADS)}
    for head, times in (("beat", "beats"), ("downbeat", "downbeats"), ("kick", "kicks"), ("snare", "snares"), ("hat", "hats")):
        mark(target[:, column[head]], truth[times])
    for start, _ in truth["sections"][1:]:
        spread(target[:, column["boundary"]], start)
    fill(target[:, column["vocal"]], truth["vocals"])
    for family, intervals in truth["families"].items():
        if family in column:
            fill(target[:, column[family]], intervals)
    return target.astype(np.float16)


def mark(curve: np.ndarray, times: list[float]) -> None:
    """1 at the frame of each time and 0.5 beside it, since a frame is coarser than a beat."""
    at = np.round((np.asarray(times) - FRAME_OFFSET) * FRAME_RATE).astype(int) if times else np.zeros(0, int)
    for shift, value in ((-1, 0.5), (1, 0.5), (0, 1.0)):
        frames = at + shift
        frames = frames[(frames >= 0) & (frames < len(curve))]
        curve[frames] = np.maximum(curve[frames], value)


def spread(curve: np.ndarray, time: float) -> None:
    frames = np.arange(len(curve))
    distance = np.abs(frames / FRAME_RATE + FRAME_OFFSET - time)
    np.maximum(curve, np.clip(1 - distance / BOUNDARY_REACH, 0, 1), out=curve)


def fill(curve: np.ndarray, intervals: list[tuple[float, float]]) -> None:
    for start, end in intervals:
        curve[max(0, round(start * FRAME_RATE)) : max(0, round(end * FRAME_RATE))] = 1


def draw_batch(
    rng: np.random.Generator, songs: list[Song], size: int, frames: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Excerpts of random songs, some played faster or slower, some with another tone.

    Returns input [size, 2, frames, BANDS], target [size, heads, frames] and a mask [size, frames] of 1 inside songs.
    """
    inputs = np.zeros((size, HOPS_PER_FRAME, frames, BANDS), np.float32)
    targets = np.zeros((size, len(HEADS), frames), np.float32)
    masks = np.zeros((size, frames), np.float32)
    for row in range(size):
        song = songs[rng.integers(len(songs))]
        speed = float(rng.uniform(0.87, 1.15)) if rng.random() < 0.5 else 1.0
        span = int(frames * speed) + 2
        start = int(rng.integers(max(1, len(song.input) - span + 1)))
        heard, answer = song.input[start : start + span], song.target[start : start + span]
        heard, answer = stretched(heard, answer, speed, frames)
        n = len(heard)
        inputs[row, :, :n] = retoned(rng, heard.transpose(1, 0, 2))
        targets[row, :, :n] = answer.T
        masks[row, :n] = 1
    return inputs, targets, masks


def stretched(heard: np.ndarray, answer: np.ndarray, speed: float, frames: int) -> tuple[np.ndarray, np.ndarray]:
    """At most `frames` frames of a song played at `speed`: spectra interpolated, marks moved with them."""
    heard, answer = heard.astype(np.float32), answer.astype(np.float32)
    if speed == 1.0:
        return heard[:frames], answer[:frames]
    hops = heard.reshape(-1, BANDS)
    count = min(frames, int(len(heard) / speed))
    at = np.arange(count * HOPS_PER_FRAME) * speed
    at = np.clip(at, 0, len(hops) - 1.001)
    low = at.astype(int)
    share = (at - low)[:, None].astype(np.float32)
    hops = hops[low] * (1 - share) + hops[low + 1] * share
    moved = np.zeros((count, answer.shape[1]), np.float32)
    centre = np.minimum(((np.arange(len(answer)) + 0.25) / speed - 0.25).round().astype(int), count)
    inside = centre < count
    np.maximum.at(moved, centre[inside], answer[inside])
    if speed < 1:
        # A slower song has frames that no frame of the answer falls on; spans must not tear there.
        hit = np.zeros(count, bool)
        hit[centre[inside]] = True
        for f in np.flatnonzero(~hit):
            moved[f] = np.minimum(moved[max(0, f - 1)], moved[min(count - 1, f + 1)])
    return hops.reshape(count, HOPS_PER_FRAME, BANDS), moved


def retoned(rng: np.random.Generator, heard: np.ndarray) -> np.ndarray:
    """
    Another room and loudspeaker: a smooth tilt of up to about ±10 dB where there is sound, another loudness, and bands
    that are lost. Sounds made by a few synthesisers must not be known by their exact spectrum.
    """
    if rng.random() < 0.8:
        bend = np.interp(np.arange(BANDS), np.linspace(0, BANDS - 1, 6), rng.normal(0, 0.55, 6)).astype(np.float32)
        heard = np.maximum(heard * np.float32(rng.uniform(0.85, 1.15)) + bend * np.minimum(heard, 1), 0)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        width = int(rng.integers(2, 9))
        at = int(rng.integers(0, BANDS - width))
        heard = heard.copy()
        heard[..., at : at + width] = 0
    return heard
