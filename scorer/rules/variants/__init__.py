"""One table of data per variant; CONTRIBUTING.md explains how to add one."""
