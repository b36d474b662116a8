"""What a cluster needs: sizing, drawing and costing of GPU fabrics."""

from __future__ import annotations
