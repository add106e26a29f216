"""
Write a trained network into the product: `python3 -m training.export network.pt --note "…"`.

Batch normalisation is folded into the convolution before it, weights become half floats, and one TypeScript module
holds them in base64 with their SHA-256. Also writes a regression file: a fixed input and what PyTorch answers to it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from .dataset import BANDS, HEADS, HOPS_PER_FRAME
from .network import DILATIONS, Network
from .weights_module import write_module

HERE = Path(__file__).parent.parent / "packages/analysis/src/network"


def folded(convolution: torch.nn.Module, norm: torch.nn.Module) -> tuple[np.ndarray, np.ndarray]:
    """Weights [out, …] and bias [out] of a convolution and the batch normalisation after it."""
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    weight = convolution.weight * scale.reshape(-1, *[1] * (convolution.weight.dim() - 1))
    return weight.numpy(), (norm.bias - norm.running_mean * scale).numpy()


def layers_of(network: Network) -> list[np.ndarray]:
    """Every array in the order in which the product reads them."""
    arrays: list[np.ndarray] = [network.mean.numpy(), network.deviation.numpy()]
    for convolve, norm in zip(network.spectral, network.spectral_norm):
        arrays += folded(convolve, norm)
    arrays += folded(network.mix, network.mix_norm)
    for convolve, norm, merge in zip(network.dilated, network.dilated_norm, network.merge):
        weight, bias = folded(convolve, norm)
        arrays += [weight.transpose(0, 2, 1), bias, merge.weight.numpy(), merge.bias.numpy()]
    return [*arrays, network.heads.weight.numpy(), network.heads.bias.numpy()]


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", type=Path)
    parser.add_argument("--note", required=True, help="what it was trained on, for the model card and the module's head")
    options = parser.parse_args()
    network = Network(torch.zeros(BANDS), torch.ones(BANDS))
    network.load_state_dict(torch.load(options.network))
    network.eval()
    arrays = layers_of(network)
    manifest = {
        "note": options.note,
        "heads": list(HEADS),
        "bands": BANDS,
        "spectral": [int(c.out_channels) for c in network.spectral],
        "width": int(network.mix.out_channels),
        "dilations": list(DILATIONS),
    }
    write_module(HERE / "weights.ts", arrays, manifest, written_by="training/export.py", card="training/MODEL_CARD.md")

    heard = regression_input()
    rounded = [np.ascontiguousarray(a, np.float32).astype("<f2").astype(np.float32) for a in arrays]
    answer = torch.sigmoid(run_rounded(network, rounded, heard))[0].numpy()
    (Path(__file__).parent / "regression.json").write_text(
        json.dumps({name: [round(float(v), 5) for v in answer[i, ::40]] for i, name in enumerate(HEADS)}) + "\n"
    )


def regression_input() -> torch.Tensor:
    """A made-up spectrum that the test makes in the same way: [1, 2, 600, BANDS]."""
    hop, band = np.meshgrid(np.arange(1200), np.arange(BANDS), indexing="ij")
    hops = np.where(hop % 50 < 5, 4.0, 1.0) + np.sin(hop * band / 97) + band / BANDS
    return torch.from_numpy(hops.astype(np.float32).reshape(600, HOPS_PER_FRAME, BANDS)).permute(1, 0, 2)[None]


def run_rounded(network: Network, arrays: list[np.ndarray], heard: torch.Tensor) -> torch.Tensor:
    """The network with the weights the product will have: folded and rounded to half floats."""
    left = iter(torch.from_numpy(a) for a in arrays)
    conv2d, conv1d = torch.nn.functional.conv2d, torch.nn.functional.conv1d
    x = (heard - next(left)) / next(left)
    for _ in network.spectral:
        x = network.pool(torch.relu(conv2d(x, next(left), next(left), padding=1)))
    songs, channels, frames, bands = x.shape
    x = x.permute(0, 1, 3, 2).reshape(songs, channels * bands, frames)
    x = torch.relu(conv1d(x, next(left), next(left)))
    for dilation in DILATIONS:
        weight, bias = next(left).transpose(1, 2), next(left)
        inner = torch.relu(conv1d(x, weight, bias, dilation=dilation, padding=2 * dilation))
        x = x + conv1d(inner, next(left), next(left))
    return conv1d(torch.relu(x), next(left), next(left))


if __name__ == "__main__":
    main()
