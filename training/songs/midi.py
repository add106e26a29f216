"""Notes → standard MIDI file → sound by FluidSynth, and the truth that notes carry."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import mido
import numpy as np
from scipy.io import wavfile

from .truth import SAMPLE_RATE, Interval, Truth, merged

DRUM_CHANNEL = 9
KICKS = {35, 36}
SNARES = {37, 38, 39, 40}
HATS = {42, 44, 46, 51, 53, 59, 69, 70, 82}

SOUNDFONTS = {
    "fluid": "/usr/share/sounds/sf2/FluidR3_GM.sf2",
    "timgm": "/usr/share/sounds/sf2/TimGM6mb.sf2",
    "opl3": "/usr/share/sounds/sf2/OPL-3_FM_128M.sf2",
}


@dataclass
class Note:
    start: float
    """Seconds."""
    duration: float
    pitch: int
    velocity: int


@dataclass
class Part:
    program: int
    """General MIDI program 0..127; of the drum part, the kit."""
    notes: list[Note] = field(default_factory=list)
    is_drums: bool = False
    pan: int = 64
    volume: int = 100


def family_of(program: int) -> str | None:
    """Family head a General MIDI program counts for; None for voices, effects and percussion."""
    groups = (
        (8, "piano"), (16, "mallet"), (24, "organ"), (32, "guitar"), (40, "bass"), (52, "strings"), (56, None),
        (64, "brass"), (80, "reed"), (88, "lead"), (104, "pad"), (112, "guitar"), (128, None),
    )  # fmt: skip
    return next(name for end, name in groups if program < end)


def add_note_truth(truth: Truth, parts: list[Part]) -> None:
    """Fill drum hits and families of `truth` from the notes themselves."""
    spans: dict[str, list[Interval]] = {}
    hits: dict[str, set[float]] = {"kicks": set(), "snares": set(), "hats": set()}
    for part in parts:
        family = "drums" if part.is_drums else family_of(part.program)
        for note in part.notes:
            if family:
                tail = 0.3 if part.is_drums else note.duration
                spans.setdefault(family, []).append((note.start, note.start + tail))
            if part.is_drums:
                for name, pitches in (("kicks", KICKS), ("snares", SNARES), ("hats", HATS)):
                    if note.pitch in pitches:
                        hits[name].add(round(note.start, 4))
    truth.families = {name: merged(pairs, 0.6) for name, pairs in spans.items()}
    truth.kicks, truth.snares, truth.hats = (sorted(hits[name]) for name in ("kicks", "snares", "hats"))


def write_midi(parts: list[Part], path: Path) -> None:
    """One beat is one second and 10,000 ticks, so that any time is kept to 0.1 ms."""
    song = mido.MidiFile(ticks_per_beat=10000)
    tempo = mido.MidiTrack([mido.MetaMessage("set_tempo", tempo=1_000_000)])
    song.tracks.append(tempo)
    channels = [c for c in range(16) if c != DRUM_CHANNEL]
    for part in parts:
        channel = DRUM_CHANNEL if part.is_drums else channels.pop(0)
        events: list[tuple[float, int, mido.Message]] = []
        for note in part.notes:
            pitch, velocity = int(np.clip(note.pitch, 0, 127)), int(np.clip(note.velocity, 1, 127))
            start = max(0.0, note.start)
            events.append((start, 1, mido.Message("note_on", channel=channel, note=pitch, velocity=velocity)))
            events.append((start + note.duration, 0, mido.Message("note_off", channel=channel, note=pitch)))
        track = mido.MidiTrack()
        track.append(mido.Message("program_change", channel=channel, program=part.program))
        track.append(mido.Message("control_change", channel=channel, control=10, value=part.pan))
        track.append(mido.Message("control_change", channel=channel, control=7, value=part.volume))
        now = 0
        for time, _, message in sorted(events, key=lambda e: (e[0], e[1])):
            tick = round(time * 10000)
            track.append(message.copy(time=tick - now))
            now = tick
        song.tracks.append(track)
    song.save(path)


def read_midi(path: Path) -> list[Part]:
    """Parts of a MIDI file with times in seconds."""
    parts: dict[int, Part] = {}
    sounding: dict[tuple[int, int], Note] = {}
    programs: dict[int, int] = {}
    now = 0.0
    for message in mido.MidiFile(path):
        now += message.time
        if message.type == "program_change":
            programs[message.channel] = message.program
        elif message.type in ("note_on", "note_off"):
            key = (message.channel, message.note)
            begun = sounding.pop(key, None)
            if begun:
                begun.duration = now - begun.start
            if message.type == "note_on" and message.velocity > 0:
                note = Note(now, 0.1, message.note, message.velocity)
                sounding[key] = note
                program = programs.get(message.channel, 0)
                part = parts.setdefault(
                    message.channel * 128 + program, Part(program, is_drums=message.channel == DRUM_CHANNEL)
                )
                part.notes.append(note)
    return list(parts.values())


def render_midi(path: Path, soundfont: str, rng: np.random.Generator, scratch: Path) -> np.ndarray:
    """
    Play a MIDI file with one of SOUNDFONTS.

    Returns [n, 2] float32 at SAMPLE_RATE, peak as the synthesiser gives it.
    Raises subprocess.CalledProcessError when FluidSynth fails.
    """
    wav = scratch / "render.wav"
    reverb, chorus = rng.random() < 0.7, rng.random() < 0.5
    subprocess.run(
        [
            "fluidsynth", "-ni", "-q", "-g", "0.4", "-r", str(SAMPLE_RATE), "-T", "wav", "-O", "s16",
            "-R", str(int(reverb)), "-C", str(int(chorus)), "-o", "synth.dynamic-sample-loading=1",
            "-F", str(wav), SOUNDFONTS[soundfont], str(path),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    _, samples = wavfile.read(wav)
    wav.unlink()
    return samples.astype(np.float32) / 32768
