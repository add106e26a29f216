"""The plan of a song from the outside in: grid, harmony, sections and which layers sound in them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..synth import pick
from .styles import Style

FORMS: dict[str, tuple[str, ...]] = {
    "club": (
        "intro build drop break build drop outro",
        "intro drop break build drop outro",
        "intro build drop break drop outro",
        "intro break build drop break build drop outro",
        "intro drop drop break build drop",
        "break build drop break build drop",
        "intro break drop outro",
        "build drop break build drop outro",
        "intro drop break drop outro",
    ),
    "song": (
        "intro verse chorus verse chorus bridge chorus outro",
        "intro verse chorus verse chorus outro",
        "verse chorus verse chorus bridge chorus",
        "intro verse verse chorus verse chorus outro",
        "intro chorus verse chorus bridge chorus outro",
        "verse chorus break verse chorus outro",
        "intro verse bridge verse outro",
    ),
    # A groove that is not yet the drop: what a listener takes for one until the real one comes.
    "groove": (
        "intro verse break build drop break build drop outro",
        "intro verse build drop verse break build drop outro",
        "intro verse break drop break drop outro",
        "intro verse drop break drop outro",
        "intro build drop verse break build drop outro",
        "intro verse break build drop outro",
        "intro verse verse break build drop break drop outro",
        "verse break build drop verse drop outro",
    ),
}
BARS = {
    "intro": (4, 8, 8, 16),
    "verse": (8, 8, 16),
    "chorus": (8, 8, 16),
    "build": (4, 8, 8),
    "drop": (8, 16, 16),
    "break": (8, 8, 8, 16, 16, 32),
    "bridge": (4, 8, 8),
    "outro": (4, 8, 8, 16),
}


@dataclass(frozen=True)
class Grid:
    """Where bars and sixteenths lie in time."""

    offset: float
    beat: float
    beats_per_bar: int
    swing: float

    @property
    def steps(self) -> int:
        """Sixteenths in a bar."""
        return 4 * self.beats_per_bar

    @property
    def bar(self) -> float:
        """Length of a bar, seconds."""
        return self.beat * self.beats_per_bar

    def time(self, bar: int, step: float = 0.0) -> float:
        """Second of a (fractional) sixteenth; odd sixteenths come late by the swing."""
        late = self.swing if step % 2 == 1 else 0.0
        return self.offset + bar * self.bar + (step + late) * self.beat / 4


@dataclass
class Section:
    """A stretch of bars, and which layer sounds from where to where in it (bars counted in the song)."""

    label: str
    start: int
    bars: int
    layers: dict[str, tuple[int, int]] = field(default_factory=dict)
    silence: float = 0.0
    """Beats of silence at the end."""

    @property
    def end(self) -> int:
        return self.start + self.bars

    def sounding(self, layer: str) -> range:
        """The bars in which a layer plays."""
        return range(*self.layers.get(layer, (0, 0)))


TONICS = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
MODES = {
    "minor": ((0, 2, 3, 5, 7, 8, 10), (0, 2, 3, 5, 7, 8, 10), (0, 2, 3, 5, 7, 8, 11), (0, 2, 3, 5, 7, 9, 10), (0, 1, 3, 5, 7, 8, 10)),
    "major": ((0, 2, 4, 5, 7, 9, 11), (0, 2, 4, 5, 7, 9, 11), (0, 2, 4, 5, 7, 9, 10)),
}
PROGRESSIONS = {
    "minor": ((0, 5, 2, 6), (0, 6, 5, 6), (0, 3, 5, 4), (5, 6, 0, 0), (0, 2, 5, 6), (0, 0, 5, 6), (0, 3), (5, 3, 0, 6), (0, 5, 3, 4)),
    "major": ((0, 4, 5, 3), (5, 3, 0, 4), (0, 5, 3, 4), (3, 4, 5, 0), (1, 4, 0, 5), (0, 3), (0, 2, 3, 4), (3, 0, 4, 5)),
}


@dataclass
class Harmony:
    """Key and chords. Chords are held in slots of half a bar, repeated through the song."""

    tonic: int
    quality: str
    scale: tuple[int, ...]
    slots: list[int]
    """Scale degree of the chord in each half bar."""
    size: int
    """Notes in a chord."""
    early: bool
    """Chords arrive an eighth before their bar."""

    @classmethod
    def draw(cls, rng: np.random.Generator, style: Style) -> Harmony:
        quality = "minor" if rng.random() < style.minor else "major"
        if rng.random() < style.static:
            degrees = [0]
        elif rng.random() < 0.7:
            degrees = list(pick(rng, PROGRESSIONS[quality]))
        else:
            degrees = [0, *(int(d) for d in rng.choice([1, 2, 3, 4, 5, 6], 3))]
        if len(degrees) == 4 and rng.random() < 0.3:
            degrees = degrees + degrees[:3] + [int(rng.integers(7))]
        halves = int(rng.choice([1, 2, 2, 2, 2, 4]))
        return cls(
            int(rng.integers(12)),
            quality,
            pick(rng, MODES[quality]),
            [degree for degree in degrees for _ in range(halves)],
            4 if rng.random() < style.sevenths else 3,
            bool(rng.random() < 0.15),
        )

    @property
    def key(self) -> str:
        return f"{TONICS[self.tonic]} {self.quality}"

    def degree(self, grid: Grid, bar: int, step: float) -> int:
        """Scale degree of the chord that sounds at a sixteenth of a bar."""
        ahead = 2 if self.early and step >= grid.steps - 2 else 0
        half = int(2 * bar + (step + ahead) // (grid.steps / 2))
        return self.slots[half % len(self.slots)]

    def pitch(self, degree: int, near: float) -> int:
        """MIDI pitch of a scale degree, in the octave centred on `near`."""
        pitch = self.tonic + self.scale[degree % len(self.scale)]
        return int(pitch + 12 * np.round((near - pitch) / 12))

    def chord(self, degree: int, near: float) -> list[int]:
        """MIDI pitches of a close voicing about `near`."""
        return sorted(self.pitch(degree + 2 * k, near) for k in range(self.size))

    def scale_between(self, low: int, high: int) -> list[int]:
        """The scale's MIDI pitches in a range, ascending."""
        classes = {(self.tonic + s) % 12 for s in self.scale}
        return [p for p in range(low, high + 1) if p % 12 in classes]


def plan_form(rng: np.random.Generator, form: str, bars_wanted: float) -> list[Section]:
    """Sections from a believable form whose length is near `bars_wanted`."""
    close: list[list[tuple[str, int]]] = []
    best: list[tuple[str, int]] = []
    for _ in range(200):
        labels = pick(rng, FORMS[form]).split()
        bars = [int(pick(rng, BARS[label])) for label in labels]
        if bars_wanted < 40:
            bars = [max(4, n // 2) for n in bars]
        plan = list(zip(labels, bars))
        total = sum(bars)
        if abs(total - bars_wanted) < 0.1 * bars_wanted:
            close.append(plan)
        if not best or abs(total - bars_wanted) < abs(sum(n for _, n in best) - bars_wanted):
            best = plan
    chosen = pick(rng, close) if close else best
    sections, start = [], 0
    for label, bars in chosen:
        sections.append(Section(label, start, bars))
        start += bars
    return sections


DRUM_LAYERS = ("kick", "snare", "hats", "perc")
TONAL_LAYERS = ("pad", "stab", "arp", "lead")


def some(rng: np.random.Generator, options: tuple[str, ...], least: int, most: int) -> set[str]:
    """A random subset of a size in [least, most]."""
    count = min(len(options), int(rng.integers(least, most + 1)))
    return {str(name) for name in rng.choice(options, count, replace=False)}


def layers_of(rng: np.random.Generator, label: str, has: set[str]) -> set[str]:
    """Which layers a section of this label plays, out of those the song has."""
    tonal = tuple(name for name in TONAL_LAYERS if name in has)
    drums = set(DRUM_LAYERS)
    if label in ("intro", "outro"):
        chosen = pick(
            rng,
            (
                {"kick", "hats"},
                drums,
                drums | {"bass"},
                some(rng, tonal, 1, 2),
                some(rng, tonal, 1, 2) | {"hats"},
                some(rng, tonal, 1, 2) | {"kick"},
                drums | some(rng, tonal, 1, 1),
                {"bass"} | some(rng, tonal, 1, 1),
            ),
        )
    elif label == "build":
        chosen = some(rng, tonal, 1, 3) | {"roll", "riser"}
        chosen |= pick(rng, ({"kick"}, {"kick", "hats"}, {"kick", "snare", "hats", "bass"}, set(), {"hats"}))
    elif label in ("drop", "chorus"):
        chosen = drums | {"bass"} | some(rng, tonal, 1, len(tonal))
    elif label == "verse":
        chosen = {"kick", "snare", "hats", "bass"} | some(rng, tonal, 1, 2)
        chosen -= pick(rng, (set(), set(), {"hats"}, {"snare"}, {"bass"}))
    else:
        chosen = some(rng, tonal, 1, 3)
        chosen |= pick(rng, (set(), set(), set(), set(), set(), {"bass"}, {"hats"}, {"snare", "hats"}, drums))
        if rng.random() < 0.35:
            chosen.add("riser")
    return set(chosen)


def plan_layers(rng: np.random.Generator, sections: list[Section], has: set[str]) -> None:
    """Fill in the layers of each section; like-named sections mostly sound alike."""
    remembered: dict[str, set[str]] = {}
    for section, following in zip(sections, [*sections[1:], None]):
        chosen = layers_of(rng, section.label, has)
        if section.label in remembered and rng.random() < 0.6:
            chosen = remembered[section.label]
        remembered[section.label] = chosen
        if "vocal" in has and rng.random() < {"verse": 0.9, "chorus": 0.9, "drop": 0.5, "break": 0.6, "bridge": 0.6}.get(section.label, 0.15):
            chosen = chosen | {"vocal"}
        gradual = section.label in ("intro", "outro", "break", "build") and rng.random() < 0.6
        for layer in sorted(chosen & (has | {"roll", "riser"})):
            first, last = section.start, section.end
            if gradual and len(chosen) > 1 and rng.random() < 0.4 and section.bars >= 8:
                turn = section.start + int(pick(rng, (section.bars // 2, section.bars // 4 * 3, section.bars // 4)))
                first, last = (first, turn) if section.label == "outro" else (turn, last)
            section.layers[layer] = (first, last)
        if following and following.label == "drop" and section.label in ("build", "break"):
            section.silence = float(rng.choice([0, 0, 0, 0.5, 1]))
