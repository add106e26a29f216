"""The notes of the bands agree with their labels: a label that drifts teaches the network to be late."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from . import band, mma
from .click import compose_click
from .midi import Part
from .truth import SAMPLE_RATE, Truth


def distance_to_grid(times: np.ndarray, beats: np.ndarray) -> np.ndarray:
    """Signed distance of each time to the nearest beat, in beats, -0.5..0.5."""
    numbers = np.interp(times, beats, np.arange(len(beats)))
    return numbers - np.round(numbers)


class Bands(unittest.TestCase):
    def notes_of(self, module, seed: int) -> tuple[np.ndarray, Truth]:
        """Starts of all notes of a song and its truth; nothing is played."""
        kept: list[Part] = []

        def keep(truth: Truth, parts: list[Part]) -> None:
            kept.extend(parts)

        compose = module.compose_band if module is band else module.compose_mma
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(module, "render_midi", lambda *_: np.zeros((1, 2), np.float32)),
            mock.patch.object(module, "add_note_truth", keep),
        ):
            _, truth, _ = compose(np.random.default_rng(seed), 70, Path(folder))
        starts = np.array([note.start for part in kept for note in part.notes])
        return starts[starts < truth.beats[-1]], truth

    def test_notes_near_a_beat_are_on_it_from_the_first_bar_to_the_last(self):
        for module in (band, mma):
            for seed in range(25):
                starts, truth = self.notes_of(module, seed)
                beats = np.array(truth.beats)
                for half in (starts < beats[len(beats) // 2], starts >= beats[len(beats) // 2]):
                    near = distance_to_grid(starts[half], beats)
                    near = near[np.abs(near) < 0.12]
                    if len(near) > 20:
                        late = np.median(near) * np.median(np.diff(beats))
                        self.assertLess(abs(late), 0.02, f"{module.__name__} {seed} {truth.style}")

    def test_bars_hold_the_beats_their_metre_says(self):
        for seed in range(25):
            _, truth = self.notes_of(band, seed)
            self.assertEqual(truth.downbeats, truth.beats[:: truth.beats_per_bar])

    def test_sections_begin_on_downbeats(self):
        for seed in range(25):
            _, truth = self.notes_of(band, seed)
            for start, _ in truth.sections:
                self.assertLess(min(abs(start - t) for t in truth.downbeats), 1e-6)


class Clicks(unittest.TestCase):
    def test_sound_begins_at_each_beat(self):
        for seed in range(10):
            audio, truth = compose_click(np.random.default_rng(seed), 20)
            level = np.abs(audio[:, 0])
            for beat in truth.beats[1:-1]:
                at = int(beat * SAMPLE_RATE)
                self.assertGreater(level[at : at + 441].max(), 0.02)


if __name__ == "__main__":
    unittest.main()
