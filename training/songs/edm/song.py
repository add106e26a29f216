"""A song while it is written: its plan, its sounds, and the events and truth gathered so far."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..synth import FmPatch, Patch
from ..truth import Interval, Truth
from .instruments import Kit
from .plan import Grid, Harmony, Section
from .styles import SILENT, Style


class Event(NamedTuple):
    """A sound on a stem."""

    stem: str
    time: float
    sound: np.ndarray
    gain: float


@dataclass
class Song:
    """A song while it is written: its plan, its sounds and the events and truth gathered so far."""

    rng: np.random.Generator
    name: str
    style: Style
    grid: Grid
    harmony: Harmony
    sections: list[Section]
    tuning: float
    kit: Kit
    patterns: dict[str, dict[str, str]]
    """Section label → drum → its bar of sixteenths."""
    truth: Truth
    events: list[Event] = field(default_factory=list)
    sounding: dict[str, list[Interval]] = field(default_factory=lambda: defaultdict(list))
    bass_notes: str = SILENT

    @property
    def bars(self) -> int:
        return self.sections[-1].end

    @property
    def end(self) -> float:
        """Second at which the last bar ends."""
        return self.grid.time(self.bars)

    def silences(self) -> list[Interval]:
        """The silent moments before drops."""
        spans = []
        for section in self.sections:
            if section.silence > 0:
                end = self.grid.time(section.end)
                spans.append((end - section.silence * self.grid.beat, end))
        return spans

    def audible(self, time: float) -> bool:
        """Whether an onset at this time is heard: inside the song and outside silences."""
        return time < self.end - 0.01 and not any(a - 0.005 <= time < b - 0.03 for a, b in self.silences())

    def hit(self, stem: str, sound: np.ndarray, bar: int, step: float, gain: float, onsets: list[float] | None) -> None:
        """A drum hit on the grid (a little off it in loose styles); `onsets` is the truth list it belongs to."""
        time = self.grid.time(bar, step)
        if self.style.looseness > 0:
            time = max(self.grid.offset, time + self.rng.normal(0, self.style.looseness))
        if not self.audible(time):
            return
        self.events.append(Event(stem, time, sound, gain * self.rng.uniform(0.88, 1.0)))
        self.sounding["drums"].append((time, time + 0.2))
        if onsets is not None:
            onsets.append(time)

    def note(self, stem: str, patch: Patch | FmPatch, pitch: float, bar: int, step: float, steps: float, gain: float) -> None:
        """A pitched note of `steps` sixteenths."""
        time, held = self.grid.time(bar, step), steps * self.grid.beat / 4
        if not self.audible(time):
            return
        self.events.append(Event(stem, time, patch.play(pitch, held), gain))
        self.sounding[patch.family].append((time, time + held + 0.5 * patch.release))
