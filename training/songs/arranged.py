"""
Songs whose form is meant to be heard: bands that grow into a chorus and thin out around it, and club tracks of full
length.

The bands of `band.py` draw what a section plays from its label alone; here every section has a level, and who plays,
how hard and how densely follows from it. How much louder a chorus is than a verse, whether it has other chords, whether
an intro is bare or full and whether it is sung is drawn for each song, so that no single one of these tells a label.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .band import STYLES, Arrangement, Clock, Score, Style
from .edm.compose import compose_edm
from .midi import SOUNDFONTS, add_note_truth, render_midi, write_midi
from .production import compress
from .theory import Key, draw_key, draw_progression
from .truth import Truth
from .vocals import with_singer

Form = list[tuple[str, int, float]]
"""(label, bars, level 0..1)"""

BARS = {
    "intro": (2, 4, 4, 8, 8),
    "verse": (8, 8, 8, 12, 16, 16),
    "chorus": (4, 6, 8, 8, 8, 12, 16),
    "bridge": (4, 8, 8, 16),
    "break": (4, 4, 8),
    "outro": (2, 4, 4, 8),
}
MIDDLES = (
    "verse chorus verse chorus bridge chorus",
    "verse chorus verse chorus",
    "verse chorus verse chorus chorus",
    "verse chorus verse chorus break chorus",
    "verse verse chorus verse chorus",
    "verse verse chorus verse chorus bridge chorus",
    "verse verse chorus bridge chorus",
    "verse chorus bridge chorus",
    "verse bridge verse chorus",
    "verse verse bridge verse",
    "verse chorus break verse chorus",
    "verse chorus bridge verse chorus",
    "chorus verse chorus verse chorus",
    "chorus verse chorus bridge chorus",
    "verse verse bridge chorus",
    "verse chorus verse bridge chorus chorus",
    "verse chorus verse",
    "verse verse verse chorus",
)
LONGEST_SECONDS = 160


def compose_with_form(rng: np.random.Generator, kind: str, scratch: Path) -> tuple[np.ndarray, Truth]:
    """
    One song of one to two and a half minutes, mastered: stereo float32 [n, 2], and its truth.

    `kind` is "songs", bands and club tracks, or "grooves", club tracks with a groove before the drop.
    """
    if kind == "grooves" or rng.random() < 0.42:
        audio, truth = compose_edm(rng, float(rng.uniform(75, 140)), "groove" if kind == "grooves" else None)
        # What a listener calls a drop may also follow an intro without a build.
        truth.drops = [
            start
            for (_, before), (start, label) in zip(truth.sections, truth.sections[1:])
            if label == "drop" and before != "drop"
        ]
        return mastered(rng, audio), truth
    audio, truth, key = compose_arranged(rng, scratch)
    if rng.random() < {"piano solo": 0.0, "strings": 0.05, "chiptune": 0.0}.get(truth.style, 0.6):
        audio = with_singer(rng, audio, truth, key)
    return mastered(rng, audio), truth


def mastered(rng: np.random.Generator, audio: np.ndarray) -> np.ndarray:
    """Peak at most 1; three songs of five compressed, which takes loudness from a chorus."""
    audio = audio / (np.max(np.abs(audio)) + 1e-9)
    audio = compress(rng, audio) if rng.random() < 0.6 else audio
    return (audio / (np.max(np.abs(audio)) + 1e-9) * rng.uniform(0.4, 0.98)).astype(np.float32)


def compose_arranged(rng: np.random.Generator, scratch: Path) -> tuple[np.ndarray, Truth, Key]:
    """A band that plays by levels: stereo float32 [n, 2], its truth and its key."""
    style = STYLES[rng.integers(len(STYLES))]
    tempo = float(np.exp(rng.uniform(*np.log(style.tempi))))
    key = draw_key(rng, style.minor)
    form = draw_levels(rng, draw_sections(rng, style.beats * 60 / tempo))
    clock = Clock(rng, style, [(label, bars) for label, bars, _ in form], tempo, style.beats)
    band = LevelledArrangement(rng, style, key, clock)
    parts = band.play_levels(form)
    truth = Truth("arranged", style.name, tempo, style.beats, key.name)
    bars = sum(count for _, count, _ in form)
    truth.beats = [clock.at(i) for i in range(bars * style.beats)]
    truth.downbeats = truth.beats[:: style.beats]
    truth.tempo = float(60 / np.median(np.diff(truth.beats)))
    first = 0
    for label, count, _ in form:
        truth.sections.append((clock.at(first * style.beats), label))
        first += count
    add_note_truth(truth, parts)
    midi = scratch / "song.mid"
    write_midi(parts, midi)
    audio = render_midi(midi, str(rng.choice(list(SOUNDFONTS))), rng, scratch)
    if rng.random() < 0.15:
        fade_out(audio, clock.at((bars - form[-1][1]) * style.beats))
    return audio, truth, key


def draw_sections(rng: np.random.Generator, bar_seconds: float) -> list[tuple[str, int]]:
    """A form of at most LONGEST_SECONDS; like-named sections are mostly of one length."""
    for _ in range(100):
        labels = str(rng.choice(MIDDLES)).split()
        labels = ["intro"] * (rng.random() < 0.85) + labels + ["outro"] * (rng.random() < 0.8)
        usual = {label: int(rng.choice(BARS[label])) for label in BARS}
        form = [(label, int(rng.choice(BARS[label])) if rng.random() < 0.2 else usual[label]) for label in labels]
        seconds = bar_seconds * sum(bars for _, bars in form)
        if 60 < seconds < LONGEST_SECONDS:
            return form
    return [(label, min(bars, 4)) for label, bars in form]


def draw_levels(rng: np.random.Generator, form: list[tuple[str, int]]) -> Form:
    """How full each section is. Most choruses are fuller than their verses, a few are not."""
    verse = rng.uniform(0.35, 0.7)
    chorus = float(np.clip(verse + rng.normal(0.27, 0.13), 0.2, 1))
    level = {
        "verse": verse,
        "chorus": chorus,
        "intro": verse + rng.normal(-0.25, 0.2) if rng.random() < 0.75 else chorus,
        "outro": verse + rng.normal(-0.25, 0.2) if rng.random() < 0.7 else chorus,
        "bridge": verse + rng.normal(-0.22, 0.12) if rng.random() < 0.6 else rng.uniform(verse, chorus + 0.05),
        "break": rng.uniform(0.0, 0.2),
    }
    growth = rng.uniform(0, 0.08)
    seen: dict[str, int] = {}
    out: Form = []
    for label, bars in form:
        times = seen.get(label, 0)
        seen[label] = times + 1
        out.append((label, bars, float(np.clip(level[label] + growth * times + rng.normal(0, 0.03), 0.02, 1))))
    return out


def fade_out(audio: np.ndarray, start: float) -> None:
    """Down to silence from a time in seconds on."""
    first = min(len(audio) - 1, int(start * 44100))
    audio[first:] *= np.linspace(1, 0, len(audio) - first)[:, None] ** 1.5


class LevelledArrangement(Arrangement):
    """A band whose players come in at levels of their own."""

    def __init__(self, rng: np.random.Generator, style: Style, key: Key, clock: Clock):
        super().__init__(rng, style, key, clock)
        self.has_pad = rng.random() < 0.7
        self.has_lead = rng.random() < 0.7
        self.from_level = {
            "drums": rng.uniform(0.12, 0.4),
            "bass": rng.uniform(0.08, 0.35),
            "comp": rng.uniform(-0.1, 0.15),
            "pad": rng.uniform(0.3, 0.9),
            "hats": rng.uniform(0.15, 0.5),
            "crash": rng.uniform(0.5, 0.9),
        }
        self.pad_is_for_quiet = rng.random() < 0.3
        self.dynamics = rng.uniform(0.1, 0.5)
        self.same_harmony = rng.random() < 0.35
        self.lead_labels = {
            label for label, share in (("verse", 0.7), ("chorus", 0.85), ("bridge", 0.5), ("intro", 0.2)) if rng.random() < share
        }
        self.level = 0.5

    def play_levels(self, form: Form) -> list:
        """All parts of the song; parts without a note are left out."""
        scores: dict[str, Score] = {}
        tunes: dict[str, np.random.SeedSequence] = {}
        home = draw_progression(self.rng, self.key)
        first = 0
        for i, (label, bars, level) in enumerate(form):
            score = scores.get(label)
            if score is None:
                score = scores[label] = Score(self.rng, self, label)
                if label in ("intro", "outro", "verse") or (self.same_harmony and label == "chorus"):
                    score.progression = home
                tunes[label] = np.random.SeedSequence(int(self.rng.integers(1 << 31)))
            self.level = level
            self.set_players(score, label, level)
            # The tune of a section is the same whenever it comes; who plays it is not quite.
            rest, self.rng = self.rng, np.random.default_rng(tunes[label])
            following = form[i + 1] if i + 1 < len(form) else None
            self.play_section(score, first, bars, has_fill=following is not None and following[0] != label and level > 0.3)
            self.rng = rest
            first += bars
        return [p for p in (self.drums, self.bass, self.comp, self.lead, self.pad) if p.notes]

    def set_players(self, score: Score, label: str, level: float) -> None:
        """Who plays at this level."""
        on = {name: level >= threshold for name, threshold in self.from_level.items()}
        score.plays_drums = self.has_drums and on["drums"]
        score.plays_bass = on["bass"]
        score.plays_comp = on["comp"] or not (score.plays_drums or score.plays_bass)
        score.plays_pad = self.has_pad and (on["pad"] != self.pad_is_for_quiet or label in ("break", "bridge"))
        score.plays_lead = self.has_lead and label in self.lead_labels
        score.enters_late = label == "intro" and score.plays_drums and level < 0.5

    def play_drums(self, score: Score, start: float, bar: int) -> None:
        kept = score.drums
        if self.level < self.from_level["hats"]:
            score.drums = {drum: pattern for drum, pattern in kept.items() if drum in (36, 38, 37, 39)}
        super().play_drums(score, start, bar)
        if self.level > self.from_level["crash"] and bar % 4 == 0:
            self.strike(self.drums, "drums", start, 1, 49, 95)
        score.drums = kept

    def strike(self, part, player: str, beat: float, beats: float, pitch: int, velocity: int) -> None:
        softer = 1 - self.dynamics * (1 - self.level)
        super().strike(part, player, beat, beats, pitch, int(velocity * softer))
