"""Electronic songs with exact truth: club tracks and beat-driven pop, composed and synthesised from a random seed.

The styles are chosen for what beat and section trackers get wrong: off-beat hats and basses louder than the kick,
four-on-the-floor without a backbeat, breaks without drums, stabs in threes over a beat in fours, swung sixteenths,
silence before the drop. Nothing is limited or encoded here; that is the work of production.

A song is planned from the outside in: style, grid, harmony, sections with their layers; then each part writes
`Event`s (a sound at a time on a stem) and, in the same place, what the truth says of them; last, `mixed` renders
the stems one by one with sidechain, filter sweeps and reverb.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy import signal

from . import synth, voice
from .synth import FmPatch, Patch, log_uniform, pick
from .truth import LABELS, SAMPLE_RATE, Interval, Truth, merged

# --- styles -----------------------------------------------------------------------------------------------------

#: Patterns are bars of sixteenths: x loud, o medium, - soft, . silent. Each groove lists alternatives per drum.
GROOVES: dict[str, dict[str, tuple[str, ...]]] = {
    "four": {
        "kick": ("x...x...x...x...",),
        "snare": ("....x.......x...", "....x.......x...", "....x.......x..-", "....x..-.-..x..."),
        "closed": ("x.x.x.x.x.x.x.x.", "x-o-x-o-x-o-x-o-", "--x---x---x---x-", "................", "-.x.-.x.-.x.-.x-"),
        "open": ("..x...x...x...x.", "..x...x...x...x.", "..x...x...x...x.", "................", "......x.......x."),
        "perc": ("................", "...x..x....x..x.", "x..x..x.x..x..x.", "...x......x..x..", ".x....x..x....x."),
    },
    "straight": {
        "kick": ("x.......x.......", "x.......x.x.....", "x.....x.x.......", "x...x...x...x..."),
        "snare": ("....x.......x...", "....x.......x..."),
        "closed": ("x.x.x.x.x.x.x.x.", "x-o-x-o-x-o-x-o-", "x...x...x...x..."),
        "open": ("................", "..............x.", "..x...x...x...x."),
        "perc": ("................", "......x.....x.x."),
    },
    "breakbeat": {
        "kick": ("x.x.......x.....", "x..x..x...x.....", "x.........xx....", "x......x..x....."),
        "snare": ("....x.......x...", "....x..-.-..x...", "....x..o....x..o"),
        "closed": ("x.x.x.x.x.x.x.x.", "x.xox.x.x.xox.x.", "xoxoxoxoxoxoxoxo"),
        "open": ("................", "..............x.", "......x........."),
        "perc": ("................", "...-..-....-..-."),
    },
    "drumnbass": {
        "kick": ("x.........x.....", "x.........x.....", "x.x.......x.....", "x.....x...x....."),
        "snare": ("....x.......x...", "....x.......x...", "....x..-.-..x..-"),
        "closed": ("x.x.x.x.x.x.x.x.", "x-x-x-x-x-x-x-x-", "x.xx.xx.x.xx.xx."),
        "open": ("................", "..x...x...x...x.", "......x.......x."),
        "perc": ("................", ".-.-.-.-.-.-.-.-"),
    },
    "jungle": {
        "kick": ("x.x.......xx....", "x.x.......x.....", "x.x....x..xx...."),
        "snare": ("....x..o.o..x..o", "....x..o.o....x.", "..o.x..x.o..x.ox"),
        "closed": ("x.x.x.x.x.x.x.x.", "xxx.xxx.xxx.xxx."),
        "open": ("................", "..........x....."),
        "perc": ("................", "..x...x...x...x."),
    },
    "twostep": {
        "kick": ("x.........x.....", "x.....x...x.....", "x.........x..x..", "x..x......x....."),
        "snare": ("....x.......x...", "....x.......x..o", "....x..-....x..."),
        "closed": ("x.xx..x.x.xx..xx", "..x-..xo..x-..xo", "x-xxx-xxx-xxx-xx"),
        "open": ("................", "..x...x...x...x.", "......x........."),
        "perc": ("................", "...x..x....x..x.", ".......o..o....o"),
    },
    "halfstep": {
        "kick": ("x.........x.....", "x...............", "x.....x.......x.", "x..x......x....."),
        "snare": ("........x.......", "........x.......", "........x......-"),
        "closed": ("x...x...x...x...", "x.x.x.x.x.x.x.x.", "x..x..x.x..x..x."),
        "open": ("................", "............x..."),
        "perc": ("................", "...x..x......x.."),
    },
    "trap": {
        "kick": ("x.....x...x.....", "x..x......x..x..", "x......x..x.....", "x.......x.x....."),
        "snare": ("....x.......x...", "....x.......x...", "....x.......x.o."),
        "closed": ("xxxxxxxxxxxxxxxx", "x.x.x.x.x.x.x.x.", "x-x-x-x-x-x-x-x-"),
        "open": ("................", "......x.........", "..............x."),
        "perc": ("................", "...o.....o....o."),
    },
    "dembow": {
        "kick": ("x...x...x...x...", "x.......x......."),
        "snare": ("...x..x....x..x.", "...x..x....x..x.", "...o..x....o..x."),
        "closed": ("x.x.x.x.x.x.x.x.", "................", "..x...x...x...x."),
        "open": ("................", "..............x."),
        "perc": ("................", "x..x..x.x..x..x."),
    },
    "boombap": {
        "kick": ("x......x..x.....", "x.x.......x..x..", "x.....x...x.....", "x..x....-.x....."),
        "snare": ("....x.......x...", "....x..-....x..-", "....x.......x..."),
        "closed": ("x.x.x.x.x.x.x.x.", "x.xox.x.x.x.x.xo", "x-x-x-x-x-x-x-x-"),
        "open": ("................", "......x.........", "..............x."),
        "perc": ("................", "..........o....."),
    },
    "soft": {
        "kick": ("x...............", "x.........x.....", "x...x...x...x..."),
        "snare": ("................", "........x.......", "....-.......-..."),
        "closed": ("................", "-...-...-...-...", "..-...-...-...-."),
        "open": ("................",),
        "perc": ("................", "...-..-.....-...", "......o.......o."),
    },
}

#: Bass bars of sixteenths: x root, o its octave, f the fifth.
BASSLINES: dict[str, tuple[str, ...]] = {
    "offbeat": ("..x...x...x...x.",),
    "rolling": (".xxx.xxx.xxx.xxx", ".xx..xx..xx..xx.", "..xx..xx..xx..xx"),
    "eighths": ("x.x.x.x.x.x.x.x.",),
    "octaves": ("x.o.x.o.x.o.x.o.", "x..ox..ox..ox..o"),
    "sixteenths": ("xxxxxxxxxxxxxxxx", "xxxoxxxoxxxoxxxo"),
    "long": ("x...............", "x.............x.", "x.......x......."),
    "tresillo": ("x..x..x.x..x..x.", "x..x..x.........", "x..x..x..x..x.x."),
    "funky": ("x..x..o...x.x.o.", "x.....x..xo...x.", "x.x...o..x..x.f.", "..x..xx...x.o.x."),
    "808": ("x.........x.....", "x.....x...x..x..", "x..........x....", "x......x........"),
    "acid": ("x.xo.xx.o.x.xfx.", "xx.xo.x.xx.o.xf.", "x..xo..xx.ox.x.o", "xoxx.xofx.xx.oxx"),
    "walking": ("x...f...o...f...", "x.....f.x...f.x."),
    "syncopated": ("x..x...x..x...x.", "...x..x....x..x.", "x.....x.....x..."),
}

#: Chord bars of sixteenths for stabs, keys and plucks; "threes" is written over the bar line instead.
STABS: tuple[str, ...] = (
    "..x...x...x...x.",
    "..x...x...x...x.",
    "x..x..x...x..x..",
    "x..x..x.x..x..x.",
    "x.....x.........",
    "...x.....x....x.",
    "x..x..x..x..x...",
    "..x..x..x..x..x.",
    "......x.......x.",
    "x.......x..x....",
    ".......x......x.",
    "threes",
    "threes",
)
#: Chord bars of songs, where keys keep more of the beat.
COMPING: tuple[str, ...] = (
    "x.......x.......",
    "x...x...x...x...",
    "x.....x...x.....",
    "x..x..x.x..x..x.",
    "x.x.x.x.x.x.x.x.",
    "..x...x...x...x.",
    "x......x........",
)


@dataclass(frozen=True)
class Style:
    """What a genre fixes; everything else is drawn per song."""

    tempo: tuple[float, float]
    """Range of the tempo a listener taps, BPM."""
    groove: str
    bass: tuple[str, ...]
    kicks: tuple[str, ...]
    form: str = "club"
    snares: tuple[str, ...] = ("clap", "snare", "layered", "noise")
    backbeat: float = 0.9
    """How often the style has a snare or clap at all."""
    swing: tuple[float, float] = (0.0, 0.0)
    """Delay of the odd sixteenths, in sixteenths; 1/3 is triplet swing."""
    looseness: float = 0.0
    """Spread of the drums about the grid, seconds."""
    sevenths: float = 0.2
    static: float = 0.1
    """How often one chord lasts for the whole song."""
    minor: float = 0.75


STYLES: dict[str, Style] = {
    "house": Style((118, 128), "four", ("offbeat", "funky", "syncopated", "eighths"), ("punchy", "clicky"), swing=(0, 0.25), sevenths=0.5),
    "deep house": Style((116, 125), "four", ("funky", "syncopated", "offbeat", "long"), ("soft", "punchy"), swing=(0, 0.3), sevenths=0.9, backbeat=0.7),
    "tech house": Style((122, 130), "four", ("funky", "rolling", "syncopated", "acid"), ("punchy", "clicky"), swing=(0, 0.25), static=0.5, backbeat=0.7),
    "french house": Style((112, 128), "four", ("octaves", "funky", "eighths"), ("punchy",), swing=(0, 0.2), sevenths=0.8, minor=0.6),
    "techno": Style((124, 150), "four", ("rolling", "sixteenths", "offbeat", "long", "acid"), ("hard", "boomy", "punchy"), static=0.6, backbeat=0.4),
    "trance": Style((130, 142), "four", ("offbeat", "rolling", "eighths"), ("punchy", "clicky"), backbeat=0.6),
    "progressive": Style((118, 128), "four", ("offbeat", "long", "eighths", "syncopated"), ("punchy", "soft"), backbeat=0.6),
    "electro": Style((120, 134), "four", ("funky", "syncopated", "sixteenths", "acid"), ("punchy", "hard")),
    "big room": Style((125, 132), "four", ("long", "offbeat", "eighths"), ("hard", "punchy"), backbeat=0.6),
    "hardstyle": Style((145, 162), "four", ("offbeat", "long"), ("hard",), backbeat=0.4),
    "psytrance": Style((136, 149), "four", ("rolling", "rolling", "acid"), ("clicky", "punchy"), static=0.6, backbeat=0.5),
    "eurodance": Style((126, 152), "four", ("offbeat", "octaves", "eighths"), ("punchy", "clicky"), form="either", sevenths=0.0),
    "disco": Style((108, 126), "four", ("octaves", "funky", "eighths"), ("punchy", "soft"), form="song", sevenths=0.6, minor=0.5, looseness=0.002),
    "dubstep": Style((136, 145), "halfstep", ("long", "syncopated", "tresillo"), ("punchy", "hard"), static=0.3),
    "trap": Style((64, 81), "trap", ("808",), ("boomy", "punchy"), form="either", backbeat=1.0),
    "drum & bass": Style((164, 179), "drumnbass", ("long", "syncopated", "eighths", "tresillo"), ("punchy", "clicky"), backbeat=1.0),
    "liquid drum & bass": Style((168, 178), "drumnbass", ("long", "funky", "syncopated"), ("punchy", "soft"), sevenths=0.8, backbeat=1.0, looseness=0.002),
    "jungle": Style((155, 172), "jungle", ("long", "808", "syncopated"), ("punchy", "soft"), backbeat=1.0, looseness=0.003),
    "breakbeat": Style((122, 142), "breakbeat", ("syncopated", "funky", "tresillo", "eighths"), ("punchy", "clicky"), backbeat=1.0),
    "uk garage": Style((126, 137), "twostep", ("syncopated", "funky", "long"), ("punchy", "soft"), swing=(0.12, 0.34), sevenths=0.7, backbeat=1.0, snares=("clap", "rim", "layered", "snare")),
    "future bass": Style((69, 81), "trap", ("long", "808"), ("punchy", "boomy"), sevenths=0.7, minor=0.5, backbeat=1.0),
    "synthwave": Style((80, 118), "straight", ("eighths", "sixteenths", "octaves"), ("punchy", "boomy"), form="song", snares=("snare", "noise", "layered")),
    "synth pop": Style((98, 129), "straight", ("eighths", "octaves", "syncopated", "walking"), ("punchy", "soft"), form="song", minor=0.5),
    "lo-fi": Style((68, 92), "boombap", ("long", "walking", "808", "funky"), ("soft", "boomy"), form="song", swing=(0.1, 0.34), looseness=0.006, sevenths=1.0, minor=0.5, snares=("snare", "rim", "layered")),
    "boom bap": Style((80, 99), "boombap", ("long", "funky", "808", "syncopated"), ("punchy", "boomy"), form="song", swing=(0.05, 0.34), looseness=0.004, sevenths=0.6, static=0.3, snares=("snare", "layered", "clap")),
    "reggaeton": Style((86, 112), "dembow", ("tresillo", "long", "808"), ("punchy", "boomy"), form="either", snares=("snare", "rim", "layered"), backbeat=1.0),
    "downtempo": Style((70, 118), "soft", ("long", "walking"), ("soft", "boomy"), form="either", sevenths=0.7, minor=0.6, static=0.2),
}

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

# --- the plan ---------------------------------------------------------------------------------------------------


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


class Sweep(NamedTuple):
    """A filter that moves through a section."""

    section: Section
    kind: str
    """low (pass) or high (pass)"""
    first: float
    last: float
    """Cutoffs, Hz."""


class Event(NamedTuple):
    """A sound on a stem."""

    stem: str
    time: float
    sound: np.ndarray
    gain: float


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


# --- instruments ------------------------------------------------------------------------------------------------


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


# --- the song ---------------------------------------------------------------------------------------------------

LOUDNESS = {"x": 1.0, "o": 0.65, "-": 0.35}
SILENT = "." * 16

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


def steps_of(pattern: str, grid: Grid) -> list[tuple[int, str]]:
    """The sounding steps of a bar's pattern."""
    return [(step, char) for step, char in enumerate(pattern[: grid.steps]) if char != "."]


def gaps_of(pattern: str, grid: Grid) -> list[tuple[int, str, int]]:
    """The sounding steps with the distance to the next one (or the bar's end)."""
    found = steps_of(pattern, grid)
    ends = [step for step, _ in found[1:]] + [grid.steps]
    return [(step, char, end - step) for (step, char), end in zip(found, ends)]


def write_drums(song: Song, section: Section) -> None:
    """Kick, backbeat, hats and percussion, with dropped kicks and fills."""
    rng, truth, kit, patterns = song.rng, song.truth, song.kit, song.patterns[section.label]
    fill = pick(rng, ("none", "none", "snare", "toms", "no kick", "half kick"))
    ride = rng.random() < 0.2
    kickless = {section.start + int(rng.integers(section.bars))} if rng.random() < 0.25 else set()
    for bar in range(section.start, section.end):
        last = bar == section.end - 1
        if bar in section.sounding("kick") and bar not in kickless:
            limit = {"no kick": 0, "half kick": song.grid.steps // 2}.get(fill, 99) if last else 99
            for step, char in steps_of(patterns["kick"], song.grid):
                if step < limit:
                    song.hit("kick", kit.kick, bar, step, LOUDNESS[char], truth.kicks)
        if bar in section.sounding("snare"):
            for step, char in steps_of(patterns["snare"], song.grid):
                song.hit("snare", kit.snare, bar, step, LOUDNESS[char], truth.snares)
        if bar in section.sounding("hats"):
            write_hats(song, patterns, bar, ride)
        if bar in section.sounding("perc"):
            for step, char in steps_of(patterns["perc"], song.grid):
                song.hit("perc", kit.perc, bar, step, LOUDNESS[char], None)
        if last and bar in section.sounding("snare"):
            write_fill(song, bar, fill)


def write_hats(song: Song, patterns: dict[str, str], bar: int, ride: bool) -> None:
    """One bar of hats; in trap with rolls in thirty-seconds and triplets."""
    rng, truth = song.rng, song.truth
    for step, char in steps_of(patterns["closed"], song.grid):
        song.hit("hats", song.kit.closed, bar, step, 0.7 * LOUDNESS[char], truth.hats)
        if song.style.groove == "trap" and rng.random() < 0.12:
            for part in pick(rng, ((0.5,), (1 / 3, 2 / 3), (0.25, 0.5, 0.75))):
                song.hit("hats", song.kit.closed, bar, step + part, 0.5, truth.hats)
    sound = song.kit.ride if ride else song.kit.open
    for step, char in steps_of(patterns["open"], song.grid):
        song.hit("hats", sound, bar, step, LOUDNESS[char], truth.hats)


def write_fill(song: Song, bar: int, fill: str) -> None:
    """A fill over the end of a section's last bar."""
    length = int(pick(song.rng, (4, 4, 8)))
    for index, step in enumerate(range(song.grid.steps - length, song.grid.steps)):
        if fill == "snare" and song.rng.random() < 0.8:
            song.hit("snare", song.kit.snare, bar, step, 0.4 + 0.5 * index / length, song.truth.snares)
        elif fill == "toms" and song.rng.random() < 0.7:
            song.hit("perc", song.kit.toms[3 * index // length], bar, step, 0.9, None)


def write_roll(song: Song, section: Section) -> None:
    """A snare roll through a build whose rate doubles towards the end."""
    if song.rng.random() < 0.25:
        return
    bars = section.bars if song.rng.random() < 0.6 else section.bars // 2
    first = section.end - bars
    spacing = [4.0, 2.0, 1.0, 0.5] if song.grid.beat < 0.6 else [4.0, 2.0, 1.0, 1.0]
    total = bars * song.grid.steps
    position = 0.0
    while position < total:
        progress = position / total
        stage = 0 if progress < 0.5 else 1 if progress < 0.75 else 2 if progress < 0.875 else 3
        bar, step = divmod(position, song.grid.steps)
        song.hit("snare", song.kit.roll, first + int(bar), step, 0.25 + 0.6 * progress, song.truth.snares)
        position += spacing[stage]


def write_transitions(song: Song, section: Section) -> None:
    """Riser into the next section; crash, impact or down-lifter at this one's start."""
    rng, grid = song.rng, song.grid
    start, end = grid.time(section.start), grid.time(section.end)
    if "riser" in section.layers and section.end < song.bars:
        length = min(end - start, grid.bar * float(pick(rng, (1, 2, 4, 8)))) - section.silence * grid.beat
        rise_end = end - section.silence * grid.beat
        song.events.append(Event("effects", rise_end - length, synth.riser(rng, length), rng.uniform(0.4, 1)))
    if section.label in ("drop", "chorus") and rng.random() < 0.7 or rng.random() < 0.2:
        song.events.append(Event("effects", start, song.kit.crash, rng.uniform(0.4, 1)))
        song.sounding["drums"].append((start, start + 0.5))
    if section.label in ("drop", "break") and rng.random() < 0.4:
        song.events.append(Event("effects", start, synth.impact(rng), rng.uniform(0.4, 1)))
    if rng.random() < 0.15:
        song.events.append(Event("effects", start, synth.downlifter(rng, grid.bar), rng.uniform(0.3, 0.8)))


def write_bass(song: Song, section: Section, patch: Patch | FmPatch, gate: float) -> None:
    """The bass line on the chords' roots."""
    for bar in section.sounding("bass"):
        for step, char, gap in gaps_of(song.bass_notes, song.grid):
            degree = song.harmony.degree(song.grid, bar, step)
            root = song.harmony.pitch(degree, 36)
            pitch = root + {"x": 0, "o": 12, "f": 7}[char]
            song.note("bass", patch, pitch, bar, step, gap * gate, song.rng.uniform(0.85, 1))


def write_pad(song: Song, section: Section, patch: Patch, near: float) -> None:
    """Chords held until they change."""
    grid = song.grid
    for bar in section.sounding("pad"):
        degrees = [song.harmony.degree(grid, bar, step) for step in (0, grid.steps / 2)]
        pieces = [(0.0, float(grid.steps))] if degrees[0] == degrees[1] else [(0.0, grid.steps / 2), (grid.steps / 2, grid.steps / 2)]
        for (step, length), degree in zip(pieces, degrees):
            for pitch in song.harmony.chord(degree, near):
                song.note("pad", patch, pitch, bar, step, length, 1.0)


def write_stabs(song: Song, section: Section, patch: Patch | FmPatch, rhythm: str, gate: float, near: float) -> None:
    """Chord stabs in a bar's rhythm, or every three sixteenths regardless of the bar line."""
    grid = song.grid
    for bar in section.sounding("stab"):
        if rhythm == "threes":
            first = (bar - section.start) % 4 * grid.steps
            onsets = [(step, 3) for step in range(grid.steps) if (first + step) % 3 == 0]
        else:
            onsets = [(step, gap) for step, _, gap in gaps_of(rhythm, grid)]
        for step, gap in onsets:
            degree = song.harmony.degree(grid, bar, step)
            for pitch in song.harmony.chord(degree, near):
                song.note("stab", patch, pitch, bar, step, max(0.5, gap * gate), 1.0)


@dataclass(frozen=True)
class Arp:
    """A figure of chord tones that runs on through the bars, in its own metre."""

    every: int
    """Sixteenths between notes."""
    figure: tuple[int, ...]
    """Indices into the chord tones over two octaves."""
    near: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Arp:
        length = int(rng.choice([3, 3, 4, 4, 5, 6, 8]))
        shape = pick(rng, ("up", "down", "random"))
        figure = np.arange(length) if shape == "up" else np.arange(length)[::-1] if shape == "down" else rng.integers(0, 6, length)
        return cls(int(rng.choice([1, 1, 1, 2, 2, 3])), tuple(int(i) for i in figure), rng.uniform(58, 72))


def write_arp(song: Song, section: Section, patch: Patch | FmPatch, arp: Arp) -> None:
    """The arpeggio; its figure starts with the section and is not bound to the bar."""
    grid, count = song.grid, 0
    for bar in section.sounding("arp"):
        first = (bar - section.start) * grid.steps
        for step in range(grid.steps):
            if (first + step) % arp.every:
                continue
            chord = song.harmony.chord(song.harmony.degree(grid, bar, step), arp.near)
            index = arp.figure[count % len(arp.figure)]
            pitch = chord[index % len(chord)] + 12 * (index // len(chord))
            song.note("arp", patch, pitch, bar, step, 0.8 * arp.every, song.rng.uniform(0.75, 1))
            count += 1


def draw_hook(rng: np.random.Generator, steps: int) -> list[tuple[int, int, int]]:
    """A melody of two bars: (step, length, scale steps above the chord's root)."""
    onsets: list[int] = []
    position = int(rng.choice([0, 0, 0, 2, 3]))
    while position < 2 * steps:
        onsets.append(position)
        position += int(rng.choice([1, 2, 2, 3, 3, 4, 6, 8]))
    tone, hook = int(rng.choice([0, 2, 4])), []
    for onset, end in zip(onsets, [*onsets[1:], 2 * steps]):
        hook.append((onset, end - onset, tone))
        tone = int(np.clip(tone + rng.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3]), -3, 8))
    return hook


def write_lead(song: Song, section: Section, patch: Patch, hook: list[tuple[int, int, int]], near: float) -> None:
    """The hook, moved along with the chords, every second bar."""
    grid = song.grid
    for bar in section.sounding("lead"):
        half = (bar - section.start) % 2
        for onset, length, tone in hook:
            if onset // grid.steps != half:
                continue
            step = onset % grid.steps
            root = song.harmony.degree(grid, bar, step)
            octaves, degree = divmod(root + tone, len(song.harmony.scale))
            base = song.harmony.pitch(root, near) - song.harmony.scale[root]
            pitch = base + song.harmony.scale[degree] + 12 * octaves
            song.note("lead", patch, pitch, bar, step, 0.9 * length, 1.0)


def write_vocals(song: Song) -> None:
    """A sung or rapped line through the sections with vocals, by one singer."""
    rng, grid = song.rng, song.grid
    low = int(rng.integers(50, 66))
    scale = [p + song.tuning / 100 for p in song.harmony.scale_between(low, low + 13)]
    notes: list[tuple[float, float, float]] = []
    for section in song.sections:
        bars = section.sounding("vocal")
        if len(bars):
            end = grid.time(bars[-1] + 1) - section.silence * grid.beat
            notes += voice.sung_line(rng, grid.time(bars[0]), end, grid.beat, scale)
    if notes:
        line = voice.sing(rng, notes, song.end)
        song.events.append(Event("vocal", 0.0, line, 1.0))
        song.truth.vocals = merged([(start, start + length) for start, length, _ in notes], gap=0.5)


# --- the mix ----------------------------------------------------------------------------------------------------


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


# --- composing --------------------------------------------------------------------------------------------------


def draw_patterns(rng: np.random.Generator, style: Style, tempo: float) -> dict[str, dict[str, str]]:
    """The drums' bars per section label: one groove with small changes, at times half-time in breaks and bridges."""
    groove = GROOVES[style.groove]
    main = {drum: pick(rng, choices) for drum, choices in groove.items()}
    if main["closed"] == main["open"] == SILENT and style.groove != "soft":
        main["open"] = "..x...x...x...x."
    patterns = {}
    for name in LABELS:
        patterns[name] = {drum: pick(rng, groove[drum]) if rng.random() < 0.2 else bar for drum, bar in main.items()}
        if name in ("break", "bridge") and tempo > 105 and rng.random() < 0.25:
            patterns[name] = {drum: pick(rng, choices) for drum, choices in GROOVES["halfstep"].items()}
    return patterns


def begin(rng: np.random.Generator, seconds: float) -> Song:
    """Draw the plan of a song: style, grid, harmony, sections, layers, drum sounds."""
    name = pick(rng, tuple(STYLES))
    style = STYLES[name]
    tempo = float(rng.uniform(*style.tempo))
    if rng.random() < 0.3:
        tempo = float(round(tempo))
    three = style.form != "club" and style.groove in ("straight", "soft") and rng.random() < 0.08
    offset = 0.0 if rng.random() < 0.2 else float(rng.uniform(0, 2))
    grid = Grid(offset, 60 / tempo, 3 if three else 4, float(rng.uniform(*style.swing)))
    form = pick(rng, ("club", "song")) if style.form == "either" else style.form
    sections = plan_form(rng, form, (seconds - offset) / grid.bar)
    has = {"kick", "hats", "bass"} | some(rng, TONAL_LAYERS, 2, 4)
    has |= {"snare"} if rng.random() < style.backbeat else set()
    has |= {"perc"} if rng.random() < 0.5 else set()
    has |= {"vocal"} if rng.random() < 0.25 else set()
    plan_layers(rng, sections, has)
    harmony = Harmony.draw(rng, style)
    patterns = draw_patterns(rng, style, tempo)
    tuning = float(rng.uniform(-30, 30)) if rng.random() < 0.3 else 0.0
    truth = Truth("edm", name, tempo, grid.beats_per_bar, harmony.key)
    return Song(rng, name, style, grid, harmony, sections, tuning, Kit.draw(rng, style), patterns, truth)


def write_parts(song: Song) -> None:
    """Draw the instruments and write every section."""
    rng, tuning = song.rng, song.tuning
    line = pick(rng, song.style.bass)
    song.bass_notes = pick(rng, BASSLINES[line])
    bass, bass_gate = bass_patch(rng, song.name, line, tuning, song.grid.beat), rng.uniform(0.5, 0.98)
    pad, pad_near = pad_patch(rng, tuning), rng.uniform(55, 66)
    stab, stab_gate, stab_near = chord_patch(rng, tuning), rng.uniform(0.25, 0.95), rng.uniform(56, 69)
    rhythms = COMPING if song.style.form == "song" else STABS
    stab_rhythms = [pick(rng, rhythms), pick(rng, rhythms)]
    arp = Arp.draw(rng)
    arp_patch = pluck_patch(rng, tuning) if rng.random() < 0.7 else lead_patch(rng, tuning)
    lead, lead_near = lead_patch(rng, tuning), rng.uniform(67, 77)
    hook = draw_hook(rng, song.grid.steps)
    for section in song.sections:
        write_drums(song, section)
        if "roll" in section.layers:
            write_roll(song, section)
        write_transitions(song, section)
        write_bass(song, section, bass, bass_gate)
        write_pad(song, section, pad, pad_near)
        write_stabs(song, section, stab, stab_rhythms[int(rng.random() < 0.25)], stab_gate, stab_near)
        write_arp(song, section, arp_patch, arp)
        write_lead(song, section, lead, hook, lead_near)
    write_vocals(song)


def label(song: Song) -> None:
    """Fill in what the plan already knows: beats, downbeats, sections, drops; bring the lists in order."""
    grid, truth = song.grid, song.truth
    truth.downbeats = [grid.time(bar) for bar in range(song.bars)]
    truth.beats = [grid.time(bar, 4 * beat) for bar in range(song.bars) for beat in range(grid.beats_per_bar)]
    truth.sections = [(grid.time(section.start), section.label) for section in song.sections]
    truth.drops = [
        grid.time(section.start)
        for before, section in zip(song.sections, song.sections[1:])
        if section.label == "drop" and before.label in ("build", "break")
    ]
    for times in (truth.kicks, truth.snares, truth.hats):
        times[:] = distinct(times)


def distinct(times: list[float]) -> list[float]:
    """Ascending times; hits closer than 10 ms count once."""
    out: list[float] = []
    for time in sorted(times):
        if not out or time - out[-1] > 0.01:
            out.append(time)
    return out


def compose_edm(rng: np.random.Generator, seconds: float = 110) -> tuple[np.ndarray, Truth]:
    """A new electronic song of about `seconds`: stereo float32 [n, 2] at 44.1 kHz, and its truth."""
    song = begin(rng, seconds)
    write_parts(song)
    label(song)
    audio = mixed(song, tail=float(rng.uniform(0.3, 3)))
    if rng.random() < 0.3:
        add_lead_in(rng, audio, song.grid.offset)
    audio = finished(song, audio)
    limit = len(audio) / SAMPLE_RATE
    song.truth.families = {
        family: [(start, min(end, limit)) for start, end in merged(spans, gap=max(0.25, 1.1 * song.grid.beat))]
        for family, spans in sorted(song.sounding.items())
    }
    return audio, song.truth
