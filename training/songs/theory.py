"""Keys, chords and forms: what the composers of the training songs draw from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

PITCH_NAMES = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
MAJOR = (0, 2, 4, 5, 7, 9, 11)
MINOR = (0, 2, 3, 5, 7, 8, 10)

#: Degrees (0 = tonic) of progressions, one chord a bar; each list is repeated to fill a section.
PROGRESSIONS = {
    "major": (
        (0, 4, 5, 3), (0, 5, 3, 4), (0, 3, 4, 4), (0, 3, 0, 4), (5, 3, 0, 4), (0, 0, 3, 4), (0, 2, 3, 4),
        (0, 4, 3, 3), (3, 4, 0, 0), (0, 5, 1, 4), (1, 4, 0, 0), (0, 0, 0, 0, 3, 3, 0, 0, 4, 3, 0, 4),
        (0, 0, 3, 3), (0, 4, 5, 2, 3, 0, 3, 4), (3, 0, 4, 5), (0, 1, 3, 0),
    ),
    "minor": (
        (0, 5, 2, 6), (0, 3, 4, 0), (0, 6, 5, 4), (0, 5, 3, 4), (0, 0, 5, 6), (0, 3, 6, 2), (0, 6, 5, 6),
        (0, 0, 3, 3), (0, 2, 6, 3), (0, 5, 0, 4), (5, 6, 0, 0), (0, 0, 0, 0), (0, 0, 6, 6), (0, 3, 5, 4),
    ),
}


@dataclass(frozen=True)
class Key:
    tonic: int
    """Pitch class, 0 = C."""
    scale: str
    """ "major" or "minor"."""

    @property
    def name(self) -> str:
        return f"{PITCH_NAMES[self.tonic]} {self.scale}"

    @property
    def steps(self) -> tuple[int, ...]:
        return MAJOR if self.scale == "major" else MINOR

    def chord(self, degree: int, size: int = 3) -> list[int]:
        """Pitch classes of the chord on a degree, stacked in thirds; the fifth degree of minor is major."""
        steps = self.steps
        tones = [(self.tonic + steps[(degree + 2 * i) % 7]) % 12 for i in range(size)]
        if self.scale == "minor" and degree == 4:
            tones[1] = (self.tonic + 11) % 12
        return tones


def draw_key(rng: np.random.Generator, minor_share: float = 0.45) -> Key:
    return Key(int(rng.integers(12)), "minor" if rng.random() < minor_share else "major")


def draw_progression(rng: np.random.Generator, key: Key) -> list[int]:
    choices = PROGRESSIONS[key.scale]
    return list(choices[rng.integers(len(choices))])


def voiced(tones: list[int], lowest: int) -> list[int]:
    """MIDI pitches of the chord's tones in close position, all at or above `lowest`."""
    return sorted(lowest + (tone - lowest) % 12 for tone in tones)


#: Forms of songs with verse and chorus; numbers are bars.
FORMS = (
    (("intro", 4), ("verse", 8), ("chorus", 8), ("verse", 8), ("chorus", 8), ("bridge", 8), ("chorus", 8), ("outro", 4)),
    (("intro", 8), ("verse", 16), ("chorus", 8), ("verse", 8), ("chorus", 8), ("outro", 4)),
    (("verse", 8), ("chorus", 8), ("verse", 8), ("chorus", 8), ("bridge", 4), ("chorus", 16)),
    (("intro", 4), ("verse", 8), ("verse", 8), ("chorus", 8), ("break", 4), ("verse", 8), ("chorus", 8), ("outro", 8)),
    (("intro", 4), ("verse", 12), ("verse", 12), ("chorus", 12), ("verse", 12), ("outro", 4)),
    (("intro", 2), ("verse", 8), ("chorus", 8), ("break", 8), ("chorus", 8), ("outro", 2)),
    (("chorus", 4), ("verse", 8), ("chorus", 8), ("verse", 8), ("bridge", 8), ("chorus", 8), ("outro", 4)),
)


def draw_form(rng: np.random.Generator, seconds: float, bar_seconds: float) -> list[tuple[str, int]]:
    """(label, bars) of a song of about `seconds`: a form cut, or repeated from its second section, to fit."""
    form = list(FORMS[rng.integers(len(FORMS))])
    wanted = max(12, round(seconds / bar_seconds))
    out: list[tuple[str, int]] = []
    total = 0
    while total < wanted:
        for label, bars in form if not out else form[1:]:
            if total >= wanted:
                break
            out.append((label, bars))
            total += bars
    if out[-1][0] != "outro" and rng.random() < 0.6:
        out[-1] = ("outro", out[-1][1])
    return out
