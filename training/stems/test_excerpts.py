"""The stems are those of the songs they are made from. Run: python3 -m unittest training.stems.test_excerpts"""

import copy
import tempfile
import unittest
from pathlib import Path

import numpy as np

from ..songs.edm.compose import begin, label, write_parts
from ..songs.edm.mix import mixed
from ..songs.midi import Note, Part, render_midi, write_midi
from .excerpts import STEMS, mastered, mixed_apart, played_apart


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """Power of what two sounds differ in over the power of the first."""
    return float(np.sum((a - b) ** 2) / np.sum(a**2))


class Stems(unittest.TestCase):
    def test_electronic_stems_add_up_to_the_song_mixed_at_once(self):
        rng = np.random.default_rng(4)
        song = begin(rng, 50)
        write_parts(song)
        label(song)
        song.events = [event for event in song.events if event.stem != "effects"]
        events, state = song.events, copy.deepcopy(rng.bit_generator.state)
        at_once = mixed(song, 0.5)
        song.events, rng.bit_generator.state = events, state
        self.assertLess(difference(at_once, sum(mixed_apart(song).values())), 1e-6)

    def test_parts_of_a_band_add_up_to_what_it_plays_together(self):
        parts = [
            Part(0, [Note(beat / 2, 0.2, 36 + 2 * (beat % 2), 100) for beat in range(16)], is_drums=True),
            Part(33, [Note(beat, 0.9, 40, 90) for beat in range(8)]),
            Part(4, [Note(beat + 0.5, 0.4, 64, 80) for beat in range(8)], pan=30),
        ]
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder)
            write_midi(parts, scratch / "song.mid")
            at_once = render_midi(scratch / "song.mid", "timgm", np.random.default_rng(3), scratch)
            stems = played_apart(scratch / "song.mid", "timgm", 3, len(at_once), scratch)
        self.assertLess(difference(at_once, sum(stems.values())), 1e-4)

    def test_the_limiter_keeps_the_sum_of_the_stems_below_full_scale(self):
        rng = np.random.default_rng(1)
        song = {name: rng.normal(0, 0.5, (44100, 2)) for name in STEMS}
        self.assertLessEqual(np.abs(sum(mastered(rng, song).values())).max(), 1.0001)


if __name__ == "__main__":
    unittest.main()
