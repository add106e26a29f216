"""Excerpts of songs as four stems that add up to the mix; from the same generators as the songs of the other network."""

from __future__ import annotations

import copy
from pathlib import Path

import mido
import numpy as np

from ..songs import production
from ..songs.band import compose_band
from ..songs.edm.compose import begin, label, write_parts
from ..songs.edm.mix import mixed
from ..songs.edm.song import Event, Song
from ..songs.midi import DRUM_CHANNEL, SOUNDFONTS, render_midi
from ..songs.mma import compose_mma
from ..songs.truth import SAMPLE_RATE
from ..songs.vocals import with_singer

STEMS = ("drums", "bass", "vocals", "other")
Stems = dict[str, np.ndarray]
"""Stem → [n, 2] float32."""

SECONDS = 26
#: General MIDI's basses, contrabass and tuba; a cello or a piano's left hand is no bass.
BASS_PROGRAMS = {*range(32, 40), 43, 58}
#: What the electronic songs call their stems; what is not named here is other.
EDM_STEMS = {"kick": "drums", "snare": "drums", "hats": "drums", "perc": "drums", "bass": "bass", "vocal": "vocals"}


def draw_excerpt(rng: np.random.Generator, scratch: Path) -> Stems:
    """An excerpt of SECONDS from one of the generators, mastered."""
    kind = rng.choice(["band", "mma", "edm"], p=[0.35, 0.25, 0.4])
    song = edm_stems(rng) if kind == "edm" else band_stems(rng, str(kind), scratch)
    return mastered(rng, cut(rng, song))


def edm_stems(rng: np.random.Generator) -> Stems:
    """An electronic song, stem by stem."""
    song = begin(rng, 50)
    write_parts(song)
    label(song)
    return mixed_apart(song)


def mixed_apart(song: Song) -> Stems:
    """What `mixed` makes of a song, stem by stem. A crash has its own level here, since risers do not count as drums."""
    groups: dict[str, list[Event]] = {name: [] for name in (*STEMS, "crash")}
    for event in song.events:
        is_crash = event.sound is song.kit.crash
        groups["crash" if is_crash else EDM_STEMS.get(event.stem, "other")].append(event)
    state = copy.deepcopy(song.rng.bit_generator.state)
    stems: Stems = {}
    for name, group in groups.items():
        # The same draws for each group: levels, ducking, sweeps, echo and room are those of one mix.
        song.rng.bit_generator.state = copy.deepcopy(state)
        song.events = group
        stems[name] = mixed(song, 0.5)
    stems["drums"] += stems.pop("crash")
    return stems


def band_stems(rng: np.random.Generator, kind: str, scratch: Path) -> Stems:
    """A band, stem by stem, and at times a singer."""
    mix, truth, key = (compose_band if kind == "band" else compose_mma)(rng, 40, scratch)
    soundfont, seed = str(rng.choice(list(SOUNDFONTS))), int(rng.integers(1 << 30))
    stems = played_apart(scratch / "song.mid", soundfont, seed, len(mix), scratch)
    band = sum(stems.values())
    is_sung = truth.style not in ("piano solo", "chiptune", "strings") and rng.random() < 0.6
    stems["vocals"] = with_singer(rng, band, truth, key) - band if is_sung else np.zeros_like(band)
    return stems


def played_apart(midi: Path, soundfont: str, seed: int, n: int, scratch: Path) -> Stems:
    """The parts of a MIDI file played one after another by one synthesiser, n samples each."""
    song = mido.MidiFile(midi)
    stems: Stems = {}
    for name in ("drums", "bass", "other"):
        part = mido.MidiFile(ticks_per_beat=song.ticks_per_beat)
        part.tracks = [track for track in song.tracks if stem_of(track) in (None, name)]
        path = scratch / f"{name}.mid"
        part.save(path)
        stems[name] = np.zeros((n, 2), np.float32)
        if len(part.tracks) > 1:
            sound = render_midi(path, soundfont, np.random.default_rng(seed), scratch)[:n]
            stems[name][: len(sound)] = sound
    return stems


def stem_of(track: mido.MidiTrack) -> str | None:
    """Which stem plays a track; None for the track without notes, which holds the tempo."""
    for message in track:
        if message.type == "program_change":
            if message.channel == DRUM_CHANNEL:
                return "drums"
            return "bass" if message.program in BASS_PROGRAMS else "other"
    return None


def cut(rng: np.random.Generator, song: Stems) -> Stems:
    """SECONDS from anywhere in a song."""
    n = SECONDS * SAMPLE_RATE
    start = int(rng.integers(max(1, len(song["drums"]) - n)))
    return {name: sound[start : start + n] for name, sound in song.items()}


def mastered(rng: np.random.Generator, song: Stems) -> Stems:
    """Other levels, a room, a tone and a limiter: what is linear is done to each stem, the limiter's gain to all alike."""
    song = {name: sound * 10 ** (rng.normal(0, 2.5) / 20) for name, sound in song.items()}
    if rng.random() < 0.25:
        song = alike(rng, production.reverberate, song)
    if rng.random() < 0.6:
        song = alike(rng, production.equalise, song)
    if rng.random() < 0.2:
        song = alike(rng, production.narrow, song)
    mix = sum(song.values())
    gain = rng.uniform(0.08, 0.3) / (np.sqrt(np.mean(mix**2)) + 1e-6)
    limited = np.tanh(gain * mix)
    held = np.where(np.abs(mix) > 1e-6, limited / np.where(mix == 0, 1, mix), gain)
    return {name: (sound * held).astype(np.float32) for name, sound in song.items()}


def alike(rng: np.random.Generator, treat, song: Stems) -> Stems:
    """One linear treatment of every stem, with the same draws."""
    seed = int(rng.integers(1 << 30))
    return {name: treat(np.random.default_rng(seed), sound) for name, sound in song.items()}
