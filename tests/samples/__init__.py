"""Writes the sample sessions that redline ships: `python -m tests.samples` from the project root.

Everything in them is made up. Usage figures grow as the text does, by redline's own weights.
"""
