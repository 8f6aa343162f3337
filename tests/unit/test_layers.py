"""How many layers an image may have, and how heavy each."""

from __future__ import annotations

from tests.values import composition, lock, recipe, wheel
from xpubuild.composition import compose
from xpubuild.layers import excesses
from xpubuild.model.release import LayerLimits

GRAPH = compose(composition((recipe("torch", "torch"),), lock(wheel("torch", size=3_000_000_000))))
"""The base, torch, the Python prefix, and the list of what was merged."""


def test_an_image_within_the_limits_passes() -> None:
    assert list(excesses(GRAPH, LayerLimits(layers=4, layer_bytes=3_000_000_000))) == []


def test_too_many_layers_are_counted_with_the_base() -> None:
    (fault,) = excesses(GRAPH, LayerLimits(layers=3, layer_bytes=3_000_000_000))
    assert str(fault) == "family.toml: limits.layers: the image would have 4 layers, 3 are allowed"


def test_a_layer_that_is_too_heavy_is_named() -> None:
    (fault,) = excesses(GRAPH, LayerLimits(layers=60, layer_bytes=2_000_000_000))
    assert fault.brief == "root-torch is made of 3.0 GB, 2.0 GB are allowed"
