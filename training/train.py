"""
Train the network: `python3 -m training.train --songs DIR --out network.pt [--steps 3600] [--seed 1]`.

The rate follows a cosine over the planned steps; what is kept is the running mean of the weights. Every song whose number
is a multiple of 20 is held out.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from .dataset import FAMILY_WEIGHT, HEAD_WEIGHTS, HEADS, Song, draw_batch, load_songs
from .network import Network

BATCH = 6
FRAMES = 2000
RATE = 3e-3
WARM_UP = 50
KEEP = 0.997
"""How much of the running mean of the weights stays at each step."""


def loss_of(logits: Tensor, target: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Binary cross-entropy: the weighted sum, and the mean per head [heads]."""
    weights = torch.tensor([HEAD_WEIGHTS.get(name, FAMILY_WEIGHT) for name in HEADS])
    each = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none") * mask[:, None]
    per_head = each.sum(dim=(0, 2)) / mask.sum()
    return (per_head * weights).sum(), per_head


def statistics(songs: list[Song]) -> tuple[Tensor, Tensor]:
    """Mean and deviation of each band over (a sample of) the songs: [BANDS] each."""
    sample = np.concatenate([song.input[::50].reshape(-1, song.input.shape[2]) for song in songs]).astype(np.float32)
    return torch.from_numpy(sample.mean(axis=0)), torch.from_numpy(sample.std(axis=0) + 1e-3)


def peaks_f(activation: np.ndarray, target: np.ndarray, threshold: float = 0.3) -> float:
    """F-measure of peaks above a threshold within ±3 frames of the marks (target = 1)."""
    peak = np.flatnonzero(
        (activation[1:-1] > threshold) & (activation[1:-1] >= activation[:-2]) & (activation[1:-1] > activation[2:])
    ) + 1  # fmt: skip
    true = np.flatnonzero(target > 0.9)
    hits, i, j = 0, 0, 0
    while i < len(peak) and j < len(true):
        if abs(peak[i] - true[j]) <= 3:
            hits, i, j = hits + 1, i + 1, j + 1
        elif peak[i] < true[j]:
            i += 1
        else:
            j += 1
    return 2 * hits / max(1, len(peak) + len(true))


@torch.no_grad()
def judge(network: Network, songs: list[Song]) -> str:
    """A line about the songs held out: loss per head, and how well peaks alone find beats."""
    network.eval()
    losses, beats, downbeats = [], [], []
    for song in songs:
        heard = torch.from_numpy(song.input.astype(np.float32)).permute(1, 0, 2)[None]
        target = torch.from_numpy(song.target.astype(np.float32)).T[None]
        logits = network(heard)
        losses.append(loss_of(logits, target, torch.ones(1, target.shape[2]))[1].numpy())
        answer = torch.sigmoid(logits)[0].numpy()
        beats.append(peaks_f(answer[0], song.target[:, 0]))
        downbeats.append(peaks_f(answer[1], song.target[:, 1], 0.2))
    per_head = " ".join(f"{name} {loss:.4f}" for name, loss in zip(HEADS[:7], np.mean(losses, axis=0)))
    return f"beat F {np.mean(beats):.3f} downbeat F {np.mean(downbeats):.3f} | {per_head}"


@torch.no_grad()
def follow(kept: Network, network: Network, keep: float) -> None:
    """Move the running mean towards the network; counters are copied."""
    for mean, now in zip(kept.state_dict().values(), network.state_dict().values()):
        if mean.is_floating_point():
            mean.mul_(keep).add_(now, alpha=1 - keep)
        else:
            mean.copy_(now)


def rate_at(step: int, steps: int, full: float, warm_up: int) -> float:
    """The rate at a step: a straight rise over `warm_up` steps, then half a cosine from `full` down to 2 % of it."""
    share = step / steps
    return full * min(1, (step + 1) / warm_up) * (0.02 + 0.98 * (0.5 + 0.5 * math.cos(math.pi * share)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--songs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    # Sums are then added in the same order whatever the number of cores, and a re-run repeats every digit.
    torch.set_num_threads(1)
    rng = np.random.default_rng(options.seed)
    songs = load_songs(options.songs)
    held_out = [song for song in songs if int(song.name.split("-")[1]) % 20 == 0]
    songs = [song for song in songs if int(song.name.split("-")[1]) % 20 != 0]
    print(f"{len(songs)} songs to learn from, {len(held_out)} held out", flush=True)

    network = Network(*statistics(songs))
    print(f"{sum(p.numel() for p in network.parameters())} parameters", flush=True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=5e-3)
    kept = copy.deepcopy(network)
    begun = time.monotonic()
    running = 0.0
    for step in range(options.steps):
        rate = rate_at(step, options.steps, RATE, WARM_UP)
        for group in optimiser.param_groups:
            group["lr"] = rate
        heard, target, mask = (torch.from_numpy(a) for a in draw_batch(rng, songs, BATCH, FRAMES))
        loss, _ = loss_of(network(heard), target, mask)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        follow(kept, network, min(KEEP, step / (step + 10)))
        running = loss.item() if step == 0 else 0.98 * running + 0.02 * loss.item()
        if step % 20 == 0:
            print(f"step {step} loss {running:.4f} {time.monotonic() - begun:.0f} s", flush=True)
        if step % 250 == 249 or step == options.steps - 1:
            print(f"step {step} held out: {judge(kept, held_out)}", flush=True)
            torch.save(kept.state_dict(), options.out)


if __name__ == "__main__":
    main()
