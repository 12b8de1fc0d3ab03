"""Endgame databases: the values of positions with few pieces.

>>> import pdn
>>> pdn.egdb.Databases().probe(pdn.Board()) is None
True
"""

from pdn._core import Databases, Probe

__all__ = ["Databases", "Probe"]
