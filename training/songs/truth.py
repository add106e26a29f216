"""What is known about a rendered song by construction; all times are seconds from its first sample."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

SAMPLE_RATE = 44100

#: Instrument families of the `families` head, in the order of its outputs.
FAMILIES = ("drums", "bass", "piano", "organ", "guitar", "strings", "brass", "reed", "lead", "pad", "mallet")

#: Labels a section may carry, as in the contract of the song analysis.
LABELS = ("intro", "verse", "chorus", "build", "drop", "break", "bridge", "outro")

Interval = tuple[float, float]


@dataclass
class Truth:
    """The labels of one song. Lists are ascending; intervals are (start, end) and do not overlap."""

    generator: str
    style: str
    tempo: float
    beats_per_bar: int
    key: str
    """ "F# minor"; "" where the song has none."""
    beats: list[float] = field(default_factory=list)
    downbeats: list[float] = field(default_factory=list)
    sections: list[tuple[float, str]] = field(default_factory=list)
    """(start, label)"""
    drops: list[float] = field(default_factory=list)
    vocals: list[Interval] = field(default_factory=list)
    kicks: list[float] = field(default_factory=list)
    snares: list[float] = field(default_factory=list)
    """Snares and claps."""
    hats: list[float] = field(default_factory=list)
    """Hats, rides and shakers."""
    families: dict[str, list[Interval]] = field(default_factory=dict)
    """Family → where it sounds."""

    def shifted(self, seconds: float) -> Truth:
        """The same song, begun `seconds` later; what would begin before 0 is left out."""
        moved = lambda times: [t + seconds for t in times if t + seconds >= 0]  # noqa: E731
        spans = lambda pairs: [(max(0.0, a + seconds), b + seconds) for a, b in pairs if b + seconds > 0]  # noqa: E731
        return Truth(
            self.generator,
            self.style,
            self.tempo,
            self.beats_per_bar,
            self.key,
            moved(self.beats),
            moved(self.downbeats),
            [(max(0.0, t + seconds), label) for t, label in self.sections],
            moved(self.drops),
            spans(self.vocals),
            moved(self.kicks),
            moved(self.snares),
            moved(self.hats),
            {name: spans(pairs) for name, pairs in self.families.items()},
        )

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), separators=(",", ":")))


def merged(intervals: list[Interval], gap: float = 0.25) -> list[Interval]:
    """Union of intervals; those closer than `gap` seconds become one."""
    out: list[Interval] = []
    for start, end in sorted(intervals):
        if out and start - out[-1][1] <= gap:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out
