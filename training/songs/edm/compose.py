"""Electronic songs with exact truth: club tracks and beat-driven pop, composed and synthesised from a random seed.

The styles are chosen for what beat and section trackers get wrong: off-beat hats and basses louder than the kick,
four-on-the-floor without a backbeat, breaks without drums, stabs in threes over a beat in fours, swung sixteenths,
silence before the drop. Nothing is limited or encoded here; that is the work of production.

A song is planned from the outside in: style, grid, harmony, sections with their layers; then each part writes
`Event`s (a sound at a time on a stem) and, in the same place, what the truth says of them; last, `mixed` renders
the stems one by one with sidechain, filter sweeps and reverb.
"""

from __future__ import annotations

import numpy as np

from ..synth import pick
from ..truth import LABELS, SAMPLE_RATE, Truth, merged
from .instruments import Kit, bass_patch, chord_patch, lead_patch, pad_patch, pluck_patch
from .mix import add_lead_in, finished, mixed
from .parts import (
    Arp,
    draw_hook,
    write_arp,
    write_bass,
    write_drums,
    write_lead,
    write_pad,
    write_roll,
    write_stabs,
    write_transitions,
    write_vocals,
)
from .plan import TONAL_LAYERS, Grid, Harmony, plan_form, plan_layers, some
from .song import Song
from .styles import BASSLINES, COMPING, GROOVES, SILENT, STABS, STYLES, Style


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


def begin(rng: np.random.Generator, seconds: float, form: str | None = None) -> Song:
    """Draw the plan of a song: style, grid, harmony, sections, layers, drum sounds; the form is the style's own unless given."""
    name = pick(rng, tuple(STYLES))
    style = STYLES[name]
    tempo = float(rng.uniform(*style.tempo))
    if rng.random() < 0.3:
        tempo = float(round(tempo))
    three = style.form != "club" and style.groove in ("straight", "soft") and rng.random() < 0.08
    offset = 0.0 if rng.random() < 0.2 else float(rng.uniform(0, 2))
    grid = Grid(offset, 60 / tempo, 3 if three else 4, float(rng.uniform(*style.swing)))
    form = form or (pick(rng, ("club", "song")) if style.form == "either" else style.form)
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


def compose_edm(rng: np.random.Generator, seconds: float = 110, form: str | None = None) -> tuple[np.ndarray, Truth]:
    """A new electronic song of about `seconds`: stereo float32 [n, 2] at 44.1 kHz, and its truth."""
    song = begin(rng, seconds, form)
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
