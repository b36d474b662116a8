"""Doing things to requests and quotes: functions named verb_noun, split by noun."""

from __future__ import annotations
