"""The worked examples in the engine's docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import fabrics.drawing
import fabrics.engine

MODULES = [
    module.name
    for package in (fabrics.engine, fabrics.drawing)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    failed, _ = doctest.testmod(importlib.import_module(name))

    assert failed == 0
