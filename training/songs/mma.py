"""Songs accompanied by MMA (Musical MIDI Accompaniment, Debian `mma`): a hundred styles, a thousand grooves."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np

from .midi import SOUNDFONTS, Part, add_note_truth, read_midi, render_midi, write_midi
from .theory import PITCH_NAMES, Key, draw_form, draw_key, draw_progression
from .truth import Truth

LIBRARY = Path("/usr/share/mma/lib/stdlib")

#: Styles of songs that judge the analysis stay out of training, and so do clicks and empty grooves.
LEFT_OUT = {"50srock", "jazzwaltz", "mambo", "metronome", "metronome3", "metronome6", "metronome68", "none", "stdpats"}

#: Word in a style's name → tempo range in BPM of the notated beat; the first that fits counts.
TEMPI = (
    ("ballad128", (50, 80)), ("ballad68", (110, 190)), ("ballad", (54, 90)), ("slowblues", (50, 80)),
    ("slowbolero", (70, 100)), ("slow", (55, 95)), ("fastwaltz", (150, 204)), ("fastjazzwaltz", (150, 204)),
    ("viene", (140, 200)), ("waltz", (84, 170)), ("bebop", (150, 204)), ("fast", (150, 204)), ("mellow", (70, 120)),
    ("lullaby", (60, 100)), ("hymn", (60, 110)), ("nite", (60, 110)), ("evans", (60, 130)), ("polka", (110, 150)),
    ("samba", (90, 190)), ("merengue", (110, 180)), ("salsa", (150, 204)), ("son", (120, 190)), ("bluegrass", (110, 200)),
    ("quickstep", (150, 204)), ("charleston", (150, 204)), ("ragtime", (80, 190)), ("dixie", (110, 200)),
    ("swing", (100, 200)), ("jive", (130, 180)), ("trance", (124, 142)), ("bolero", (80, 120)), ("tango", (90, 140)),
    ("ska", (110, 180)), ("chacha", (100, 136)), ("rhumba", (90, 140)), ("beguine", (90, 140)), ("calypso", (100, 190)),
    ("desert", (80, 130)), ("gypsy", (100, 200)), ("68", (110, 200)), ("54", (110, 190)), ("rb", (70, 115)),
    ("128", (56, 110)), ("march", (100, 132)), ("jazz", (80, 190)),
)  # fmt: skip


@cache
def styles() -> dict[str, tuple[int, list[str]]]:
    """Style → (beats per bar, names of its grooves that run on)."""
    found: dict[str, tuple[int, list[str]]] = {}
    for path in sorted(LIBRARY.glob("*.mma")):
        if path.stem in LEFT_OUT:
            continue
        text = path.read_text(errors="replace")
        beats = re.search(r"^\s*Time\s+(\d+)", text, re.M | re.I)
        names = re.findall(r"^\s*DefGroove\s+(\S+)", text, re.M | re.I)
        running = [n for n in names if not re.search(r"(End|Intro|Fill)\d*$", n, re.I)]
        if beats and running:
            found[path.stem] = (int(beats[1]), running)
    return found


def compose_mma(rng: np.random.Generator, seconds: float, scratch: Path) -> tuple[np.ndarray, Truth, Key]:
    """
    A song in one of the library's styles: groove variants change with the section.

    Returns stereo [n, 2] float32, its truth and its key. Raises subprocess.CalledProcessError where MMA refuses.
    """
    names = sorted(styles())
    style = names[rng.integers(len(names))]
    beats_per_bar, grooves = styles()[style]
    low, high = next((span for word, span in TEMPI if word in style), (84, 160))
    tempo = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    key = draw_key(rng, 0.4)
    form = draw_form(rng, seconds, beats_per_bar * 60 / tempo)

    # MMA keeps whole BPM only and cuts the rest off without a word: it plays at a whole tempo and is stretched below.
    whole = round(tempo)
    lines = [f"Tempo {whole}", f"RndSeed {int(rng.integers(1 << 30))}"]
    parts_of = {label: (draw_progression(rng, key), grooves[rng.integers(len(grooves))]) for label, _ in form}
    sections: list[tuple[float, str]] = []
    chords: list[int] = []
    bar_seconds = beats_per_bar * 60 / tempo
    for label, bars in form:
        progression, groove = parts_of[label]
        sections.append((len(chords) * bar_seconds, label))
        lines.append(f"Groove {groove}")
        for bar in range(bars):
            degree = progression[bar % len(progression)]
            chords.append(degree)
            lines.append(f"{len(chords)} {chord_name(rng, key, degree)}")
    script, midi = scratch / "song.mma", scratch / "song.mid"
    script.write_text("\n".join(lines) + "\n")
    subprocess.run(["mma", str(script), "-f", str(midi)], check=True, capture_output=True)

    parts = read_midi(midi)
    for note in (note for part in parts for note in part.notes):
        note.start *= whole / tempo
        note.duration *= whole / tempo
    truth = Truth("mma", style, tempo, beats_per_bar, key.name, sections=sections)
    end = len(chords) * bar_seconds
    beat = 60 / tempo
    if beats_per_bar == 6 and tempo > 204:
        truth.tempo, truth.beats_per_bar, beat = tempo / 3, 2, 180 / tempo
    truth.beats = [i * beat for i in range(round(end / beat))]
    truth.downbeats = truth.beats[:: truth.beats_per_bar]
    humanise(rng, parts, float(rng.choice([0, 0, 4, 8])) / 1000)
    add_note_truth(truth, parts)
    write_midi(parts, midi)
    return render_midi(midi, str(rng.choice(list(SOUNDFONTS))), rng, scratch), truth, key


def chord_name(rng: np.random.Generator, key: Key, degree: int) -> str:
    """MMA's name of the chord on a degree, some with a seventh."""
    root, third, fifth = key.chord(degree)
    is_minor = (third - root) % 12 == 3
    suffix = "dim" if (fifth - root) % 12 == 6 else "m" if is_minor else ""
    if rng.random() < 0.2 and suffix != "dim":
        suffix += "7"
    return PITCH_NAMES[root] + suffix


def humanise(rng: np.random.Generator, parts: list[Part], spread: float) -> None:
    """Move every note by a normal error of `spread` seconds."""
    for part in parts:
        for note in part.notes:
            note.start = max(0.0, note.start + float(rng.normal(0, spread)))
