"""Addresses: customers' and the desk's."""

from __future__ import annotations
