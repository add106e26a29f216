"""
Train the mask network: `python3 -m training.stems.train --excerpts DIR --out stems.pt [--steps 2400] [--seed 1]`.

What is made small is the error of the separated stems themselves, in dB, exactly as a mask per component and band leaves it
(hear.ts measures what that needs). Every twentieth excerpt is held out.
"""

from __future__ import annotations

import argparse
import copy
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from ..train import follow, rate_at
from .network import BANDS, CHANNELS, COMPONENTS, REACH, STEMS, MaskNetwork

PAIRS = COMPONENTS * (COMPONENTS + 1) // 2
VALUES = CHANNELS + PAIRS + len(STEMS) * COMPONENTS + len(STEMS)
BATCH = 8
HOPS = 160
RATE = 4e-3
WARM_UP = 30
KEEP = 0.995
"""How much of the running mean of the weights stays at each step."""
SILENT = 0.01
"""Share of the mix below which a stem counts as silent."""
UNHEARD, BEARABLE = 0.003, 0.03
"""Share of the mix below which an error is not worth removing, from a stem that sounds and from a silent one. A silent one
must not count for more: where most songs have no voice, the surest way to be right is never to hear one."""
LEFT_OUT = 0.07
"""How often a stem is left out of a stretch."""
FLOOR = 1e-3
"""Of stem-input.ts: power below which a band counts as silent."""


def load(path: Path) -> np.ndarray:
    """[hops, BANDS, VALUES] float16, powers relative to the mean power of a band of the mix."""
    values = np.fromfile(path, np.float32).reshape(-1, BANDS, VALUES)
    power = values[..., -len(STEMS) :].sum(axis=-1).mean() + 1e-9
    values[..., CHANNELS:] /= power
    return values.astype(np.float16)


def draw_batch(rng: np.random.Generator, excerpts: list[np.ndarray]) -> Tensor:
    """[BATCH, hops, BANDS, VALUES]: stretches of random excerpts, mixed anew and with another tone."""
    stretches = []
    for _ in range(BATCH):
        excerpt = excerpts[rng.integers(len(excerpts))]
        start = int(rng.integers(max(1, len(excerpt) - HOPS + 1)))
        stretch = remixed(rng, excerpt[start : start + HOPS].astype(np.float32))
        tone = np.interp(np.arange(BANDS), np.linspace(0, BANDS - 1, 6), rng.normal(0, 0.5, 6)) + rng.normal(0, 0.7)
        stretch[..., 0] = np.log(FLOOR + np.exp(tone) * np.maximum(0, np.exp(stretch[..., 0]) - FLOOR))
        stretches.append(stretch)
    return torch.from_numpy(np.stack(stretches).astype(np.float32))


def remixed(rng: np.random.Generator, stretch: np.ndarray) -> np.ndarray:
    """
    A stretch with other levels of its stems, some of them left out.

    Powers are taken to add up, and what strikes or lasts to stay so: near enough to learn from many more mixes than were
    rendered. In each component a stem has the power by which it resembles the mix there.
    """
    at = CHANNELS + PAIRS
    gain = 10 ** (rng.normal(0, 4, len(STEMS)) / 10) * (rng.random(len(STEMS)) >= LEFT_OUT)
    products = stretch[..., at : at + len(STEMS) * COMPONENTS].reshape(*stretch.shape[:2], len(STEMS), COMPONENTS)
    own = np.maximum(products, 0) + 1e-9
    factor = np.einsum("hbsi,s->hbi", own, gain) / own.sum(axis=2)

    total = np.exp(stretch[..., 0])
    shares = stretch[..., 1:CHANNELS]
    power = np.maximum(total - FLOOR, 0)
    rest = np.maximum(power / total - shares.sum(axis=-1), 0)
    components = np.concatenate([shares, rest[..., None]], axis=-1) * total[..., None] * factor
    total = FLOOR + components.sum(axis=-1)
    out = stretch.copy()
    out[..., 0] = np.log(total)
    out[..., 1:CHANNELS] = components[..., : CHANNELS - 1] / total[..., None]
    root = np.sqrt(factor)
    pairs = [(i, j) for i in range(COMPONENTS) for j in range(i, COMPONENTS)]
    for n, (i, j) in enumerate(pairs):
        out[..., CHANNELS + n] *= root[..., i] * root[..., j]
    out[..., at : at + len(STEMS) * COMPONENTS] = (products * gain[:, None]).reshape(*stretch.shape[:2], -1)
    out[..., -len(STEMS) :] *= gain
    return out


def errors_of(masks: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Squared error and power of each stem in each excerpt, [excerpts, STEMS] both."""
    at = CHANNELS
    squares = values[..., at : at + PAIRS]
    at += PAIRS
    products = values[..., at : at + len(STEMS) * COMPONENTS].unflatten(-1, (len(STEMS), COMPONENTS))
    power = values[..., -len(STEMS) :].sum(dim=(1, 2))
    error = power.clone()
    pair = 0
    for i in range(COMPONENTS):
        error -= 2 * torch.einsum("eshb,ehbs->es", masks[:, i], products[..., i])
        for j in range(i, COMPONENTS):
            both = masks[:, i] * masks[:, j] * squares[:, None, :, :, pair]
            error += (1 if i == j else 2) * both.sum(dim=(2, 3))
            pair += 1
    return error.clamp(min=0), power


def loss_of(masks: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The mean of the errors in dB; SDR of each stem in each excerpt in dB, and whether it sounds there [excerpts, STEMS]."""
    error, power = errors_of(masks, values)
    total = power.sum(dim=1, keepdim=True) + 1e-3
    sounds = power > SILENT * total
    bearable = torch.where(sounds, UNHEARD * total, BEARABLE * total)
    decibels = 10 * torch.log10((error + bearable) / (power + bearable))
    return decibels.mean(), 10 * torch.log10((power + 1e-9) / (error + 1e-9)), sounds


@torch.no_grad()
def judge(network: MaskNetwork, excerpts: list[np.ndarray]) -> str:
    """SDR in dB per stem over the excerpts held out."""
    network.eval()
    found: list[list[float]] = [[] for _ in STEMS]
    for excerpt in excerpts:
        values = torch.from_numpy(excerpt.astype(np.float32))[None]
        _, sdr, sounds = loss_of(network(values[..., :CHANNELS].permute(0, 3, 1, 2)), values)
        for stem in range(len(STEMS)):
            if sounds[0, stem]:
                found[stem].append(float(sdr[0, stem]))
    return " ".join(f"{name} {np.mean(sdr):.2f} ({len(sdr)})" for name, sdr in zip(STEMS, found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--excerpts", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(options.seed)
    paths = sorted(options.excerpts.glob("*.f32"))
    number = lambda path: int(path.stem.split("-")[1])  # noqa: E731
    excerpts = [load(path) for path in paths if number(path) % 20 != 0]
    held_out = [load(path) for path in paths if number(path) % 20 == 0]
    print(f"{len(excerpts)} excerpts to learn from, {len(held_out)} held out", flush=True)

    sample = np.concatenate([excerpt[::20, :, :CHANNELS] for excerpt in excerpts]).astype(np.float32)
    statistic = lambda values: torch.from_numpy(values.T[:, None].copy())  # noqa: E731
    network = MaskNetwork(statistic(sample.mean(axis=0)), statistic(sample.std(axis=0) + 0.03))
    print(f"{sum(p.numel() for p in network.parameters())} parameters, sees {REACH} hops to either side", flush=True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=5e-3)
    kept = copy.deepcopy(network)
    begun = time.monotonic()
    running = 0.0
    for step in range(options.steps):
        rate = rate_at(step, options.steps, RATE, WARM_UP)
        for group in optimiser.param_groups:
            group["lr"] = rate
        values = draw_batch(rng, excerpts)
        loss, _, _ = loss_of(network(values[..., :CHANNELS].permute(0, 3, 1, 2)), values)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        follow(kept, network, min(KEEP, step / (step + 10)))
        running = loss.item() if step == 0 else 0.98 * running + 0.02 * loss.item()
        if step % 20 == 0:
            print(f"step {step} loss {running:.3f} {time.monotonic() - begun:.0f} s", flush=True)
        if step % 200 == 199 or step == options.steps - 1:
            print(f"step {step} held out: {judge(kept, held_out)}", flush=True)
            torch.save(kept.state_dict(), options.out)


if __name__ == "__main__":
    main()
