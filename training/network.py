"""
The network: a small convolutional front end and a temporal convolutional trunk with one linear head per question.

After M. E. P. Davies, S. Böck, "Temporal convolutional networks for musical audio beat tracking", EUSIPCO 2019, and
S. Böck, M. E. P. Davies, "Deconstruct, analyse, reconstruct: how to improve tempo, beat, and downbeat estimation", ISMIR 2020.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from .dataset import BANDS, HEADS, HOPS_PER_FRAME

FRONT = (12, 20)
"""Channels of the two spectral convolutions."""
POOL = 4
"""Bands that become one after each of them."""
WIDTH = 32
"""Channels of the trunk."""
KERNEL = 5
DILATIONS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Network(nn.Module):
    """Input [songs, 2, frames, BANDS] → logits [songs, heads, frames]; looks both ways in time."""

    def __init__(self, mean: Tensor, deviation: Tensor):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("deviation", deviation)
        first, second = FRONT
        self.spectral = nn.ModuleList(
            [nn.Conv2d(HOPS_PER_FRAME, first, 3, padding=1, bias=False), nn.Conv2d(first, second, 3, padding=1, bias=False)]
        )
        self.spectral_norm = nn.ModuleList([nn.BatchNorm2d(first), nn.BatchNorm2d(second)])
        self.pool = nn.MaxPool2d((1, POOL))
        self.mix = nn.Conv1d(second * (BANDS // POOL**2), WIDTH, 1, bias=False)
        self.mix_norm = nn.BatchNorm1d(WIDTH)
        self.dilated = nn.ModuleList(
            [nn.Conv1d(WIDTH, WIDTH, KERNEL, dilation=d, padding=2 * d, bias=False) for d in DILATIONS]
        )
        self.dilated_norm = nn.ModuleList([nn.BatchNorm1d(WIDTH) for _ in DILATIONS])
        self.merge = nn.ModuleList([nn.Conv1d(WIDTH, WIDTH, 1) for _ in DILATIONS])
        self.drop = nn.Dropout(0.2)
        self.heads = nn.Conv1d(WIDTH, len(HEADS), 1)
        # Most frames are neither beat nor boundary: start from there.
        nn.init.constant_(self.heads.bias, -2.5)

    def forward(self, heard: Tensor) -> Tensor:
        x = (heard - self.mean) / self.deviation
        for convolve, norm in zip(self.spectral, self.spectral_norm):
            x = self.pool(torch.relu(norm(convolve(x))))
        songs, channels, frames, bands = x.shape
        x = x.permute(0, 1, 3, 2).reshape(songs, channels * bands, frames)
        x = self.drop(torch.relu(self.mix_norm(self.mix(x))))
        for convolve, norm, merge in zip(self.dilated, self.dilated_norm, self.merge):
            x = x + self.drop(merge(torch.relu(norm(convolve(x)))))
        return self.heads(torch.relu(x))
