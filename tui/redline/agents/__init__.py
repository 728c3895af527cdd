"""One package per agent: find, read and describe its sessions."""
