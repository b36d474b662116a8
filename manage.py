#!/usr/bin/env python
"""Django's command line for SourceIT."""

from __future__ import annotations

import os
import secrets
import sys

from django.core.management import execute_from_command_line

# Sizing signs nothing and opens no database, so it runs before anything is set up.
NEEDS_NO_SECRET = {"size_fabric"}

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sourceit.settings")
    if set(sys.argv[1:2]) & NEEDS_NO_SECRET:
        os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe())
    execute_from_command_line(sys.argv)
