"""Checks that electronic songs and their truth agree. Run in training/: python3 -m unittest songs.test_edm"""

from __future__ import annotations

import unittest

import numpy as np

from . import synth, voice
from .edm.compose import begin, compose_edm, label, write_parts
from .truth import FAMILIES, LABELS, SAMPLE_RATE, Truth

SEEDS = (1, 2, 3)
SECONDS = 45


def ascending(times: list[float]) -> bool:
    return all(a < b for a, b in zip(times, times[1:]))


class ComposeEdm(unittest.TestCase):
    songs: list[tuple[np.ndarray, Truth]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.songs = [compose_edm(np.random.default_rng(seed), SECONDS) for seed in SEEDS]

    def test_audio_is_finite_stereo_of_moderate_peak(self) -> None:
        for audio, _ in self.songs:
            self.assertEqual(audio.dtype, np.float32)
            self.assertEqual(audio.shape[1], 2)
            self.assertTrue(np.isfinite(audio).all())
            self.assertTrue(0.4 < float(np.abs(audio).max()) <= 0.91)

    def test_truth_is_sorted_and_inside_the_audio(self) -> None:
        for audio, truth in self.songs:
            length = len(audio) / SAMPLE_RATE
            for times in (truth.beats, truth.downbeats, truth.drops, truth.kicks, truth.snares, truth.hats):
                self.assertTrue(ascending(times))
                self.assertTrue(all(0 <= time <= length for time in times))
            for spans in (truth.vocals, *truth.families.values()):
                self.assertTrue(all(0 <= start < end for start, end in spans))
                self.assertTrue(ascending([edge for span in spans for edge in span]))

    def test_downbeats_are_beats_and_sections_and_drops_start_on_them(self) -> None:
        for _, truth in self.songs:
            beats, downbeats = set(truth.beats), set(truth.downbeats)
            self.assertTrue(downbeats <= beats)
            self.assertTrue({start for start, _ in truth.sections} <= downbeats)
            self.assertTrue(set(truth.drops) <= {start for start, name in truth.sections if name == "drop"})

    def test_names_are_known(self) -> None:
        for _, truth in self.songs:
            self.assertTrue({name for _, name in truth.sections} <= set(LABELS))
            self.assertTrue(set(truth.families) <= set(FAMILIES))

    def test_the_same_seed_gives_the_same_song(self) -> None:
        again, truth = compose_edm(np.random.default_rng(SEEDS[0]), SECONDS)
        self.assertTrue(np.array_equal(again, self.songs[0][0]))
        self.assertEqual(truth, self.songs[0][1])

    def test_kicks_sound_where_they_are_labelled(self) -> None:
        for seed in SEEDS:
            song = begin(np.random.default_rng(seed), SECONDS)
            write_parts(song)
            label(song)
            stem = np.zeros((synth.samples(song.end + 2), 2), dtype=np.float32)
            for event in song.events:
                if event.stem == "kick":
                    synth.place(stem, event.sound, event.time, event.gain)
            rises = [rise_at(stem[:, 0], time) for time in song.truth.kicks]
            self.assertGreater(float(np.mean(np.array(rises) > 1)), 0.95)


class Kick(unittest.TestCase):
    def test_every_character_sounds_within_five_milliseconds(self) -> None:
        rng = np.random.default_rng(5)
        for character in ("punchy", "soft", "clicky", "hard", "boomy"):
            low = np.abs(synth.lowpass(synth.kick(rng, character), 250))
            self.assertLess(float(np.argmax(low > 0.2 * low.max())) / SAMPLE_RATE, 0.005, character)


class Voice(unittest.TestCase):
    def test_a_singer_sounds_on_the_notes_and_rests_between_phrases(self) -> None:
        notes = [(0.5, 0.5, 60.0), (1.0, 0.5, 62.0), (3.0, 1.0, 64.0)]
        for style in voice.STYLES:
            line = voice.sing(np.random.default_rng(7), notes, 5.0, style)
            self.assertEqual(len(line), 5 * SAMPLE_RATE)
            self.assertAlmostEqual(float(np.abs(line).max()), voice.PEAK, places=3)
            level = lambda a, b: float(np.sqrt(np.mean(line[int(a * SAMPLE_RATE) : int(b * SAMPLE_RATE)] ** 2)))  # noqa: E731, B023
            self.assertGreater(level(0.6, 1.4), 10 * level(1.8, 2.4), style)
            self.assertGreater(level(3.2, 3.8), 10 * level(4.4, 5.0), style)

    def test_a_line_stays_in_its_time_and_scale(self) -> None:
        scale = [60.0, 62.0, 63.0, 65.0, 67.0, 68.0, 70.0, 72.0]
        notes = voice.sung_line(np.random.default_rng(3), 10.0, 40.0, 0.5, scale)
        self.assertTrue(notes)
        self.assertTrue(ascending([start for start, _, _ in notes]))
        self.assertTrue(all(10 <= start and start + held <= 40.001 and midi in scale for start, held, midi in notes))
        self.assertTrue(all(a[0] + a[1] <= b[0] + 1e-6 for a, b in zip(notes, notes[1:])))


def rise_at(sound: np.ndarray, time: float) -> float:
    """Energy of the 30 ms after a time over the energy of the 30 ms before it."""
    middle, width = int(time * SAMPLE_RATE), int(0.03 * SAMPLE_RATE)
    before = float(np.sum(sound[max(0, middle - width) : middle] ** 2)) + 1e-9
    return float(np.sum(sound[middle : middle + width] ** 2)) / before


if __name__ == "__main__":
    unittest.main()
