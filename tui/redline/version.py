"""The version of redline, kept alone so that asking for it loads nothing."""

__version__ = "0.1.0"
