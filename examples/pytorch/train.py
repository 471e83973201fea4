"""Trains a network of convolutions on exported positions of connect four, and writes it for agon.

python train.py positions.npz network.onnx
"""

import sys

import numpy as np
import torch
from torch import nn

CELLS, CHANNELS, EPOCHS, BATCH = 42, 32, 3, 256


def convolution(before: int, after: int, size: int) -> nn.Module:
    return nn.Sequential(nn.Conv2d(before, after, size, padding=size // 2, bias=False), nn.BatchNorm2d(after))


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Sequential(convolution(CHANNELS, CHANNELS, 3), nn.ReLU(), convolution(CHANNELS, CHANNELS, 3))

    def forward(self, planes):
        return torch.relu(planes + self.inner(planes))


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(convolution(2, CHANNELS, 3), nn.ReLU(), Block(), Block())
        self.value = nn.Sequential(
            convolution(CHANNELS, 1, 1), nn.ReLU(), nn.Flatten(), nn.Linear(CELLS, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh()
        )
        self.policy = nn.Sequential(convolution(CHANNELS, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(2 * CELLS, 7))

    def forward(self, features):
        planes = self.trunk(features.reshape(-1, 2, 7, 6))
        return self.value(planes), self.policy(planes)


arrays = np.load(sys.argv[1])
known = ~np.isnan(arrays["result"])
cells = arrays["cells"][known, :CELLS]
own = 1 + arrays["player"][known, None]  # the digit of a stone of the player to move
inputs = torch.tensor(np.concatenate([cells == own, cells == 3 - own], axis=1), dtype=torch.float32)
results = torch.tensor(arrays["result"][known], dtype=torch.float32)
actions = torch.tensor(arrays["action"][known], dtype=torch.long)

torch.manual_seed(1)
network = Network()
optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
for epoch in range(EPOCHS):
    total = 0.0
    for batch in torch.randperm(len(inputs)).split(BATCH):
        value, policy = network(inputs[batch])
        loss = nn.functional.mse_loss(value[:, 0], results[batch]) + nn.functional.cross_entropy(policy, actions[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    print(f"epoch {epoch + 1}: loss {total / len(inputs):.3f} over {len(inputs)} positions")

torch.onnx.export(
    network.eval(),
    (inputs[:1],),
    sys.argv[2],
    input_names=["features"],
    output_names=["value", "policy"],
    external_data=False,
)
