"""The parts of a song: each writes its sounds, and in the same place what the truth says of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import synth, voice
from ..synth import FmPatch, Patch, pick
from ..truth import merged
from .plan import Grid, Section
from .song import Event, Song

LOUDNESS = {"x": 1.0, "o": 0.65, "-": 0.35}


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
