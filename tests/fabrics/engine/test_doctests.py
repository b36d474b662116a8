"""The worked examples in the engine's docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import fabrics.engine

MODULES = [
    f"fabrics.engine.{m.name}" for m in pkgutil.iter_modules(fabrics.engine.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    failed, _ = doctest.testmod(importlib.import_module(name))

    assert failed == 0
