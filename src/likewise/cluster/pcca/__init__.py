"""Competitive agglomeration, without constraints (CA) and with them (PCCA)."""
