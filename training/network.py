"""The network: from a picture to the maps that `coatl_tools.vision.pieces.maps` describes."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from coatl_tools.vision.pieces.maps import MAPS


def _step(inward: int, outward: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outward),
        nn.ReLU(inplace=True),
    )


class _Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = _step(width, width, dilation=dilation)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class _Up(nn.Module):
    """To twice the size, joined with what was there on the way down."""

    def __init__(self, inward: int, beside: int, outward: int) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(inward, outward, 1)
        self.mix = _step(outward + beside, outward)

    def forward(self, x: Tensor, beside: Tensor) -> Tensor:
        larger = nn.functional.interpolate(self.narrow(x), scale_factor=2, mode="nearest")
        mixed: Tensor = self.mix(torch.cat([larger, beside], dim=1))
        return mixed


class PieceNet(nn.Module):
    """Expects RGB from 0 to 1, sides that are multiples of 32."""

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_step(3, 16, 2), _step(16, 32, 2), _Block(32))
        self.eighth = nn.Sequential(_step(32, 64, 2), _Block(64), _Block(64))
        self.sixteenth = nn.Sequential(_step(64, 96, 2), _Block(96), _Block(96))
        self.small = nn.Sequential(_step(96, 128, 2), _Block(128, 2), _Block(128))
        self.up3, self.up2, self.up1 = _Up(128, 96, 96), _Up(96, 64, 64), _Up(64, 32, 48)
        self.maps = nn.Sequential(_step(48, 48), nn.Conv2d(48, MAPS, 1))
        bias = self.maps[1].bias
        assert isinstance(bias, Tensor)
        nn.init.constant_(bias[:2], -3.0)  # peaks are rare

    def forward(self, picture: Tensor) -> Tensor:
        """The maps of a picture."""
        quarter = self.quarter(picture * 4 - 2)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        x = self.up3(self.small(sixteenth), sixteenth)
        maps: Tensor = self.maps(self.up1(self.up2(x, eighth), quarter))
        return maps
