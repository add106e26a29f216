"""What happens to a song between the band and the listener: room, tone, compression, a lossy codec, silence before."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
from scipy import signal
from scipy.io import wavfile

from .truth import SAMPLE_RATE, Truth

#: Codec → extension and FFmpeg's options; a bit rate is drawn for each song.
CODECS = {
    "mp3": ("mp3", ["-c:a", "libmp3lame"], (96, 256)),
    "aac": ("m4a", ["-c:a", "aac"], (96, 192)),
    "vorbis": ("ogg", ["-c:a", "libvorbis"], (96, 192)),
    "opus": ("webm", ["-c:a", "libopus"], (64, 160)),
}


def produce(rng: np.random.Generator, audio: np.ndarray, truth: Truth, scratch: Path) -> tuple[np.ndarray, Truth]:
    """
    Master a song: [n, 2] float32 in, the same out with peak at most 1, and its truth moved with it.

    Each treatment is drawn on its own, so that clean songs remain.
    """
    if rng.random() < 0.4:
        audio = reverberate(rng, audio)
    if rng.random() < 0.7:
        audio = equalise(rng, audio)
    if rng.random() < 0.25:
        audio = narrow(rng, audio)
    audio = audio / (np.max(np.abs(audio)) + 1e-9)
    if rng.random() < 0.6:
        audio = compress(rng, audio)
    audio, truth = lead_in(rng, audio, truth)
    if rng.random() < 0.15:
        audio = audio + rng.normal(0, 10 ** (rng.uniform(-70, -46) / 20), audio.shape)
    audio = np.clip(audio * rng.uniform(0.3, 0.98), -1, 1).astype(np.float32)
    if rng.random() < 0.4:
        audio = through_codec(rng, audio, scratch)
    return audio, truth


def reverberate(rng: np.random.Generator, audio: np.ndarray) -> np.ndarray:
    """A room of 0.3 to 1.6 s: noise that decays exponentially, low-passed, 12 ms after the direct sound."""
    seconds = rng.uniform(0.3, 1.6)
    n = int(seconds * SAMPLE_RATE)
    decay = 10 ** (-3 * np.arange(n) / n)
    tail = rng.normal(0, 1, (n, 2)) * decay[:, None]
    b, a = signal.butter(1, rng.uniform(2000, 9000), fs=SAMPLE_RATE)
    tail = signal.lfilter(b, a, tail, axis=0)
    tail /= np.sqrt(np.sum(tail**2, axis=0))
    wet = signal.oaconvolve(audio, tail, axes=0)[: len(audio)]
    late = int(0.012 * SAMPLE_RATE)
    mixed = audio.copy()
    mixed[late:] += rng.uniform(0.1, 0.6) * wet[:-late]
    return mixed


def equalise(rng: np.random.Generator, audio: np.ndarray) -> np.ndarray:
    """A low shelf, a high shelf and a bell of up to ±9 dB each."""
    for kind, low, high in (("low", 60, 300), ("high", 2500, 9000), ("bell", 200, 5000)):
        gain = 10 ** (np.clip(rng.normal(0, 4), -9, 9) / 20)
        frequency = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        if kind == "bell":
            b, a = signal.iirpeak(frequency, rng.uniform(0.5, 2), fs=SAMPLE_RATE)
        else:
            b, a = signal.butter(1, frequency, "low" if kind == "low" else "high", fs=SAMPLE_RATE)
        audio = audio + (gain - 1) * signal.lfilter(b, a, audio, axis=0)
    return audio


def narrow(rng: np.random.Generator, audio: np.ndarray) -> np.ndarray:
    """Scale the side signal: mono at 0, wide above 1."""
    mid, side = audio.mean(axis=1), (audio[:, 0] - audio[:, 1]) / 2
    side = side * rng.choice([0, 0.3, 1.4])
    return np.stack([mid + side, mid - side], axis=1)


def compress(rng: np.random.Generator, audio: np.ndarray) -> np.ndarray:
    """Follow the level over 10 ms, hold back what is above the threshold with a slow release, then clip softly."""
    drive = 10 ** (rng.uniform(0, 12) / 20)
    audio = audio * drive
    hop = SAMPLE_RATE // 200
    n = len(audio) // hop
    level = np.abs(audio[: n * hop]).max(axis=1).reshape(n, hop).max(axis=1)
    release = np.exp(-1 / (200 * rng.uniform(0.05, 0.4)))
    held = signal.lfilter([1 - release], [1, -release], level)
    envelope = np.maximum(level, held)
    threshold, ratio = rng.uniform(0.2, 0.8), rng.uniform(1.5, 8)
    gain = np.maximum(envelope / threshold, 1) ** (1 / ratio - 1)
    curve = np.interp(np.arange(len(audio)), np.arange(n) * hop, gain)
    return np.tanh(audio * curve[:, None])


def lead_in(rng: np.random.Generator, audio: np.ndarray, truth: Truth) -> tuple[np.ndarray, Truth]:
    """Silence before the song in two songs of three; in a few, the song is already running."""
    fate = rng.random()
    if fate < 0.6:
        seconds = float(rng.exponential(0.6))
        return np.concatenate([np.zeros((int(seconds * SAMPLE_RATE), 2)), audio]), truth.shifted(
            int(seconds * SAMPLE_RATE) / SAMPLE_RATE
        )
    if fate < 0.75:
        cut = int(rng.uniform(0.1, 6) * SAMPLE_RATE)
        return audio[cut:], truth.shifted(-cut / SAMPLE_RATE)
    return audio, truth


def through_codec(rng: np.random.Generator, audio: np.ndarray, scratch: Path) -> np.ndarray:
    """Encode and decode again; FFmpeg removes the encoder's delay, so the times stay true."""
    extension, options, (low, high) = CODECS[str(rng.choice(list(CODECS)))]
    plain, coded = scratch / "plain.wav", scratch / f"coded.{extension}"
    wavfile.write(plain, SAMPLE_RATE, (audio * 32767).astype(np.int16))
    rate = ["-b:a", f"{int(rng.integers(low, high))}k"]
    quiet = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
    subprocess.run([*quiet, "-i", str(plain), *options, *rate, str(coded)], check=True)
    decoded = subprocess.run(
        [*quiet, "-i", str(coded), "-f", "f32le", "-ar", str(SAMPLE_RATE), "-ac", "2", "-"], check=True, capture_output=True
    ).stdout
    plain.unlink()
    coded.unlink()
    out = np.frombuffer(decoded, np.float32).reshape(-1, 2)
    return out[: len(audio)].copy()
