"""Singing voices made by code: a source–filter singer, a second one on espeak-ng, and lines for them to sing.

Trackers and vocal detectors meet voices that scoop, breathe, hiss and come in off the beat; a sample-free singer
gives those with exact times. `sing` models the glottis (pulse, tilt, breath, jitter) and the vocal tract (gliding
resonances) and draws a new singer on every call. `espeak_line` has other artefacts, so that a network
cannot learn one synthesiser. Notes are (start seconds, duration seconds, MIDI pitch), ascending.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass

import numpy as np
from scipy import signal

from .synth import bandpass, hertz, log_uniform, normalised, pick, samples
from .truth import SAMPLE_RATE

Note = tuple[float, float, float]

STYLES = ("lead", "rap", "choir", "doubled")
PEAK = 0.7
#: Samples per control frame: pitch, level and formants are drawn at this rate.
HOP = 256
#: Silence that ends a phrase, seconds.
PHRASE_GAP = 0.25

#: Formants F1–F5 in Hz of an adult man; other voices scale them.
VOWELS: dict[str, tuple[float, float, float, float, float]] = {
    "a": (730, 1090, 2440, 3300, 4200),
    "ae": (660, 1720, 2410, 3350, 4250),
    "e": (530, 1840, 2480, 3400, 4300),
    "i": (280, 2250, 2950, 3500, 4400),
    "o": (500, 850, 2450, 3250, 4150),
    "u": (310, 870, 2250, 3200, 4100),
    "er": (490, 1350, 1690, 3200, 4150),
    "uh": (600, 1190, 2390, 3300, 4200),
}
NASAL = (270.0, 1050.0, 2300.0, 3200.0, 4100.0)
#: Resonances above F5 and their bandwidths, Hz; they hardly move, but without them a voice has no air.
UPPER = np.array([5200.0, 6300.0, 7600.0, 9000.0])
UPPER_WIDTHS = np.array([400.0, 600.0, 900.0, 1200.0])
#: Scale of the formants per voice size.
TRACT = {"male": (0.94, 1.06), "female": (1.1, 1.22), "child": (1.25, 1.4)}
CONSONANTS = ("none", "none", "plosive", "sibilant", "nasal", "breathy", "voiced fricative")


# --- the singer -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Singer:
    """What stays the same about a voice."""

    tract: float
    """Scale of the formants over an adult man's."""
    open_quotient: float
    tilt: float
    """Cutoff of the source's low-pass, Hz."""
    breath: float
    jitter: float
    """Random pitch movement, semitones."""
    shimmer: float
    vibrato_rate: float
    vibrato_depth: float
    """Semitones."""
    vibrato_delay: float
    glide: float
    """Seconds a change of pitch takes."""
    diction: float
    """Level of the consonants."""
    bandwidth: float
    """Scale of the formants' bandwidths."""

    @classmethod
    def draw(cls, rng: np.random.Generator, mean_pitch: float, speech: bool) -> Singer:
        """A singer fit for a line of this mean MIDI pitch."""
        sizes = ("male", "male", "female") if mean_pitch < 57 else ("female", "female", "male", "child")
        return cls(
            tract=rng.uniform(*TRACT[pick(rng, sizes)]),
            open_quotient=rng.uniform(0.45, 0.8),
            tilt=log_uniform(rng, 900, 6000),
            breath=log_uniform(rng, 0.01, 0.2),
            jitter=rng.uniform(0.03, 0.2),
            shimmer=rng.uniform(0.02, 0.15),
            vibrato_rate=rng.uniform(4.5, 6.5),
            vibrato_depth=0.0 if speech else rng.uniform(0, 0.8),
            vibrato_delay=rng.uniform(0.1, 0.5),
            glide=rng.uniform(0.02, 0.1),
            diction=rng.uniform(0.2, 1.0),
            bandwidth=rng.uniform(0.8, 1.5),
        )


def phrases_of(notes: list[Note]) -> list[list[Note]]:
    """Notes grouped where no pause is longer than `PHRASE_GAP`."""
    phrases: list[list[Note]] = []
    for note in notes:
        if phrases and note[0] - (phrases[-1][-1][0] + phrases[-1][-1][1]) < PHRASE_GAP:
            phrases[-1].append(note)
        else:
            phrases.append([note])
    return phrases


def wander(rng: np.random.Generator, count: int, frames: float) -> np.ndarray:
    """Smooth random movement [count] of about unit size that changes within `frames` frames."""
    knots = rng.standard_normal(int(count / frames) + 3)
    return np.interp(np.arange(count) / frames, np.arange(len(knots)), knots)


def smoothed(curve: np.ndarray, frames: float) -> np.ndarray:
    """A control curve [k] or [k, m] averaged over `frames` frames, its ends held."""
    width = max(1, int(frames)) | 1
    if width == 1:
        return curve
    window = np.hanning(width + 2)[1:-1]
    pads = ((width // 2, width // 2),) + ((0, 0),) * (curve.ndim - 1)
    window = (window / window.sum()).reshape(-1, *([1] * (curve.ndim - 1)))
    return signal.convolve(np.pad(curve, pads, "edge"), window, mode="valid")


@dataclass
class Controls:
    """What the singer does, per control frame of a phrase."""

    pitch: np.ndarray
    """MIDI, [k]."""
    level: np.ndarray
    """[k]"""
    breath: np.ndarray
    """Level of aspiration, [k]."""
    formants: np.ndarray
    """Hz, [k, 5]."""


def frame(seconds: float) -> int:
    """Control frame of a time."""
    return int(round(seconds * SAMPLE_RATE / HOP))


def plan_phrase(
    rng: np.random.Generator, singer: Singer, notes: list[Note], sounds: list[str], length: float, speech: bool
) -> Controls:
    """Pitch, level and formants of a phrase whose note times count from its own start."""
    count = frame(length) + 1
    pitch, level = np.full(count, notes[0][2]), np.zeros(count)
    breath, formants = np.full(count, singer.breath), np.zeros((count, 5))
    vibrato, nasal = np.zeros(count), np.zeros(count, dtype=bool)
    t = np.arange(count) * HOP / SAMPLE_RATE
    vowels = list(VOWELS.values())
    formants[:] = pick(rng, vowels)
    for index, ((start, held, midi), sound) in enumerate(zip(notes, sounds)):
        a, b = frame(start), min(count, max(frame(start + held), frame(start) + 2))
        pitch[a:] = midi
        inside = (t[a:b] - start) / max(held, 0.02)
        if speech:
            pitch[a:b] -= rng.uniform(0.5, 5) * inside
        elif index == 0 or rng.random() < 0.2:
            scoop = rng.uniform(0, 2.5) if rng.random() < 0.6 else 0.0
            pitch[a:b] -= scoop * np.exp(-(t[a:b] - start) / 0.06)
        grown = np.clip((t[a:b] - start - singer.vibrato_delay) / 0.3, 0, 1)
        vibrato[a:b] = grown * singer.vibrato_depth
        loud = rng.uniform(0.7, 1.0)
        level[a:b] = loud * (1 - (0.6 if speech else 0.25) * inside**2)
        formants[a:] = pick(rng, vowels)
        if not speech and held > 0.4 and rng.random() < 0.4:
            formants[(a + b) // 2 :] = pick(rng, vowels)
        if sound in ("plosive", "sibilant"):
            level[max(0, a - frame(0.05)) : a] = 0
        elif sound == "nasal":
            nasal[max(0, a - frame(0.06)) : a + 1] = True
        elif sound == "breathy":
            breath[max(0, a - frame(0.05)) : a + frame(0.03)] += 0.4
        elif sound == "voiced fricative":
            level[max(0, a - frame(0.05)) : a] *= 0.3
    formants = smoothed(formants, frame(rng.uniform(0.03, 0.1))) * singer.tract
    formants[nasal] = np.array(NASAL) * singer.tract
    level[nasal] = np.maximum(0.35, 0.5 * level[nasal])
    pitch = smoothed(pitch, 1 if speech else frame(singer.glide))
    pitch = pitch + vibrato * np.sin(2 * np.pi * singer.vibrato_rate * t + rng.uniform(0, 6.28))
    pitch += singer.jitter * wander(rng, count, 40) + 0.3 * singer.jitter * wander(rng, count, 3)
    level = smoothed(level, frame(0.02)) * (1 + singer.shimmer * wander(rng, count, 3))
    return Controls(pitch, np.maximum(0, level), breath, smoothed(formants, 5))


def glottal_source(rng: np.random.Generator, singer: Singer, controls: Controls, n: int) -> np.ndarray:
    """What the glottis sends into the tract: the slope of Rosenberg's flow pulses with aspiration, [n]."""
    at = np.arange(len(controls.pitch)) * HOP
    position = np.arange(n)
    frequency = np.interp(position, at, hertz(controls.pitch))
    phase = np.cumsum(frequency / SAMPLE_RATE) % 1.0
    opening, closing = singer.open_quotient * 0.67, singer.open_quotient * 0.33
    flow = np.where(
        phase < opening,
        0.5 - 0.5 * np.cos(np.pi * phase / opening),
        np.cos(0.5 * np.pi * np.minimum(1.0, (phase - opening) / closing)),
    )
    slope = np.diff(flow, prepend=flow[0]) * SAMPLE_RATE / (frequency * 8)
    pole = np.exp(-2 * np.pi * singer.tilt / SAMPLE_RATE)
    slope = signal.lfilter([1 - pole], [1, -pole], slope)
    level = np.interp(position, at, controls.level)
    aspiration = rng.standard_normal(n) * (0.3 + 0.7 * flow) * np.interp(position, at, controls.breath)
    return (slope + 0.3 * aspiration) * level


def vocal_tract(source: np.ndarray, formants: np.ndarray, singer: Singer) -> np.ndarray:
    """Klatt's cascade of resonators: five that glide by control frame and the fixed upper ones, [n]."""
    widths = singer.bandwidth * np.array([70.0, 90.0, 130.0, 200.0, 280.0]) * (1 + formants / 20000)
    fixed = np.ones((len(formants), 1))
    widths = np.hstack([widths, fixed * UPPER_WIDTHS])
    formants = np.hstack([formants, fixed * UPPER * singer.tract])
    radius = np.exp(-np.pi * widths / SAMPLE_RATE)
    a1 = -2 * radius * np.cos(2 * np.pi * formants / SAMPLE_RATE)
    a2 = radius**2
    sections = np.zeros((*formants.shape, 6))
    sections[..., 0], sections[..., 3] = 1 + a1 + a2, 1.0
    sections[..., 4], sections[..., 5] = a1, a2
    out, state = np.empty_like(source), np.zeros((formants.shape[1], 2))
    for index, start in enumerate(range(0, len(source), HOP)):
        current = sections[min(index, len(sections) - 1)]
        out[start : start + HOP], state = signal.sosfilt(current, source[start : start + HOP], zi=state)
    return out


def consonant_noise(rng: np.random.Generator, sound: str) -> np.ndarray:
    """The noise of a consonant, which ends where its vowel begins, [n] at peak about 1."""
    if sound == "plosive":
        n = samples(rng.uniform(0.008, 0.03))
        centre = log_uniform(rng, 500, 4500)
        return normalised(bandpass(rng.standard_normal(n), centre * 0.6, centre * 1.8) * np.exp(-np.arange(n) / (n / 4)))
    n = samples(rng.uniform(0.05, 0.14))
    low = rng.uniform(2000, 5500)
    return normalised(bandpass(rng.standard_normal(n), low, low * 1.9, 2) * np.hanning(n))


def breath_in(rng: np.random.Generator) -> np.ndarray:
    """The breath before a phrase, [n] at peak 1."""
    n = samples(rng.uniform(0.15, 0.35))
    return normalised(bandpass(rng.standard_normal(n), 700, rng.uniform(3000, 7000)) * np.hanning(n) ** 0.7)


def add(buffer: np.ndarray, sound: np.ndarray, start: int) -> None:
    """Add a mono sound into a mono buffer; what lies outside is cut off."""
    skip = max(0, -start)
    n = min(len(sound) - skip, len(buffer) - start - skip)
    if n > 0:
        buffer[start + skip : start + skip + n] += sound[skip : skip + n]


def sing_phrase(
    rng: np.random.Generator, singer: Singer, notes: list[Note], sounds: list[str], out: np.ndarray, speech: bool
) -> None:
    """Add one phrase to a mono buffer."""
    lead = 0.1
    first = notes[0][0] - lead
    local = [(start - first, held, midi) for start, held, midi in notes]
    length = local[-1][0] + local[-1][1] + 0.1
    controls = plan_phrase(rng, singer, local, sounds, length, speech)
    source = glottal_source(rng, singer, controls, samples(length))
    voiced = vocal_tract(source, controls.formants, singer)
    voiced /= max(1e-9, float(np.sqrt(np.mean(voiced**2)))) * 5
    add(out, voiced, int(first * SAMPLE_RATE))
    for (start, _, _), sound in zip(notes, sounds):
        if sound in ("plosive", "sibilant", "voiced fricative"):
            noise = consonant_noise(rng, sound) * singer.diction * rng.uniform(0.15, 0.5)
            add(out, noise, int(start * SAMPLE_RATE) - len(noise))
    if rng.random() < 0.5:
        inhaled = breath_in(rng) * rng.uniform(0.01, 0.12)
        add(out, inhaled, int((notes[0][0] - 0.1) * SAMPLE_RATE) - len(inhaled))


def spoken_syllables(rng: np.random.Generator, notes: list[Note]) -> list[Note]:
    """Notes split into syllables of 3–7 a second about one pitch, for rap."""
    base, out = float(np.median([midi for _, _, midi in notes])) - rng.uniform(3, 9), []
    for start, held, _ in notes:
        count = max(1, int(round(held * rng.uniform(3, 7))))
        for index in range(count):
            length = held / count
            out.append((start + index * length, length * rng.uniform(0.6, 0.95), base + rng.normal(0, 1.3)))
    return out


def one_take(
    rng: np.random.Generator, singer: Singer, notes: list[Note], sounds: list[str], n: int, speech: bool = False
) -> np.ndarray:
    """One singer's rendering of a line, [n]; takes of the same line differ a little in time and pitch."""
    out = np.zeros(n)
    position = 0
    for phrase in phrases_of(notes):
        sing_phrase(rng, singer, phrase, sounds[position : position + len(phrase)], out, speech)
        position += len(phrase)
    return out


def other_take(rng: np.random.Generator, notes: list[Note], spread: float) -> list[Note]:
    """The same notes as another singer would time and tune them; all shift together, so phrases stay whole."""
    late = rng.normal(0, spread)
    return [(max(0.0, start + late), held, midi + rng.normal(0, 0.12)) for start, held, midi in notes]


def sing(rng: np.random.Generator, notes: list[Note], seconds: float, style: str | None = None) -> np.ndarray:
    """A line sung by a new singer: mono float32 [seconds * SAMPLE_RATE], peak 0.7 (silence without notes)."""
    n = samples(seconds)
    notes = [note for note in notes if note[0] < seconds]
    if not notes:
        return np.zeros(n, dtype=np.float32)
    style = style or str(rng.choice(STYLES, p=[0.6, 0.15, 0.1, 0.15]))
    if style not in STYLES:
        raise ValueError(f"unknown style {style!r}; styles are {', '.join(STYLES)}")
    speech = style == "rap"
    if speech:
        notes = spoken_syllables(rng, notes)
    mean_pitch = float(np.mean([midi for _, _, midi in notes]))
    singer = Singer.draw(rng, mean_pitch, speech)
    sounds = [pick(rng, CONSONANTS) for _ in notes]
    out = one_take(rng, singer, notes, sounds, n, speech)
    if style == "doubled":
        out += rng.uniform(0.4, 1) * one_take(rng, singer, other_take(rng, notes, 0.02), sounds, n)
    elif style == "choir":
        for _ in range(2):
            other = Singer.draw(rng, mean_pitch, False)
            out += one_take(rng, other, other_take(rng, notes, 0.03), sounds, n)
    return normalised(out, PEAK)


# --- the second singer ------------------------------------------------------------------------------------------

ESPEAK = "espeak-ng"
ESPEAK_RATE = 22050
ONSETS = ("b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "sh", "st", "br", "tr", "")
NUCLEI = ("ah", "ay", "ee", "oh", "oo", "eye", "ow", "air", "or", "u")
CODAS = ("", "", "n", "m", "l", "s", "t", "ng", "nd")
ACCENTS = ("en", "en-us", "en-gb-scotland", "de", "fr", "es", "it", "pt-br", "sv", "nl")
VARIANTS = ("", "+m1", "+m3", "+m7", "+f1", "+f2", "+f4", "+croak", "+whisper")
WORDS = ("love", "night", "fire", "heart", "alone", "forever", "tonight", "baby", "dance", "falling", "light", "shadow")


def spoken(word: str, voice: str, pitch: int, speed: int) -> np.ndarray:
    """A word said by espeak-ng, [n] at `ESPEAK_RATE`, without the silence around it."""
    command = [ESPEAK, "-v", voice, "-p", str(pitch), "-s", str(speed), "--stdout", word]
    wave = subprocess.run(command, check=True, capture_output=True).stdout
    sound = np.frombuffer(wave[44 : 44 + (len(wave) - 44) // 2 * 2], dtype="<i2") / 32768.0
    loud = np.flatnonzero(np.abs(sound) > 0.02)
    return sound[loud[0] : loud[-1] + 1] if len(loud) else sound


def pitch_of(sound: np.ndarray) -> float | None:
    """MIDI pitch of a voiced sound at `ESPEAK_RATE` by autocorrelation; None where it is not periodic."""
    middle = sound[len(sound) // 4 : len(sound) // 4 + 4096]
    if len(middle) < 1024:
        return None
    spectrum = np.fft.rfft(middle - middle.mean(), 2 * len(middle))
    correlation = np.fft.irfft(np.abs(spectrum) ** 2)
    low, high = ESPEAK_RATE // 500, ESPEAK_RATE // 70
    lag = low + int(np.argmax(correlation[low:high]))
    if correlation[lag] < 0.3 * correlation[0]:
        return None
    return float(69 + 12 * np.log2(ESPEAK_RATE / lag / 440))


def fitted(sound: np.ndarray, midi: float, held: float) -> np.ndarray:
    """A word resampled towards a pitch (by half an octave at most) and cut to a duration, [n] at `SAMPLE_RATE`."""
    said = pitch_of(sound)
    shift = 0.0 if said is None else (midi - said + 6) % 12 - 6
    step = ESPEAK_RATE / SAMPLE_RATE * 2 ** (shift / 12)
    at = np.arange(0, len(sound) - 1, step)
    out = np.interp(at, np.arange(len(sound)), sound)[: samples(held)]
    fade = min(len(out), samples(0.02))
    out[-fade:] *= np.linspace(1, 0, fade)
    return out


def espeak_line(rng: np.random.Generator, notes: list[Note], seconds: float) -> np.ndarray:
    """Words said by espeak-ng on the notes, with one random voice: mono float32, peak 0.7.

    Raises RuntimeError where espeak-ng is not installed.
    """
    if shutil.which(ESPEAK) is None:
        raise RuntimeError(f"{ESPEAK} is not installed; on Debian: apt install {ESPEAK}")
    speaker = pick(rng, ACCENTS) + pick(rng, VARIANTS)
    pitch, speed = int(rng.integers(20, 90)), int(rng.integers(90, 200))
    texts = [pick(rng, ONSETS) + pick(rng, NUCLEI) + pick(rng, CODAS) for _ in range(8)]
    texts += [pick(rng, WORDS) for _ in range(6)]
    vocabulary: dict[str, np.ndarray] = {}
    out = np.zeros(samples(seconds))
    for start, held, midi in notes:
        text = pick(rng, texts)
        if text not in vocabulary:
            vocabulary[text] = spoken(text, speaker, pitch, speed)
        if len(vocabulary[text]) > 1:
            add(out, fitted(vocabulary[text], midi, held) * rng.uniform(0.7, 1), int(start * SAMPLE_RATE))
    return normalised(out, PEAK)


# --- what to sing -----------------------------------------------------------------------------------------------


def sung_line(
    rng: np.random.Generator, start: float, end: float, beat_seconds: float, scale_midi: list[float]
) -> list[Note]:
    """A singable melody: phrases of 2–4 bars (of 4 beats) with rests, moving mostly by step over about an octave.

    `scale_midi` are the pitches allowed; only the lowest 13 semitones of them are used. Phrases repeat with
    other pitches, as verses do, and may begin before or after the beat.
    """
    pitches = [midi for midi in sorted(scale_midi) if midi <= min(scale_midi) + 13]
    rhythms = [draw_rhythm(rng, int(rng.choice([2, 2, 4])) * 4) for _ in range(2)]
    notes: list[Note] = []
    time, place = start, int(rng.integers(len(pitches)))
    while time < end - 2 * beat_seconds:
        rhythm, beats = rhythms[int(rng.random() < 0.35)]
        for onset, length in rhythm:
            begin = time + onset * beat_seconds
            held = min(length * beat_seconds, end - begin)
            if held < 0.08:
                break
            place = int(np.clip(place + rng.choice([-3, -2, -1, -1, 0, 0, 1, 1, 2, 4]), 0, len(pitches) - 1))
            notes.append((float(begin), float(held), float(pitches[place])))
        time += beats * beat_seconds
    return notes


def draw_rhythm(rng: np.random.Generator, beats: int) -> tuple[list[tuple[float, float]], int]:
    """A phrase's (onset, length) in beats, with a rest at its end, and the beats it takes in all."""
    rest = float(rng.choice([1, 1.5, 2, 3]))
    lengths = np.array([0.25, 0.5, 0.5, 0.75, 1.0, 1.5, 2.0])
    weights = rng.dirichlet(np.ones(len(lengths)))
    position, rhythm = float(rng.choice([0, 0, 0.5, 1, 0.25])), []
    while position < beats - rest:
        length = float(rng.choice(lengths, p=weights))
        length = min(length, beats - rest - position)
        rhythm.append((position, length * (1.0 if rng.random() < 0.7 else 0.8)))
        position += length
    held, last = rhythm[-1]
    rhythm[-1] = (held, max(last, min(1.0, rest)))
    return rhythm, beats
