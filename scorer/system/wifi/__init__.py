"""Join the Wi-Fi network named on the boot partition of the card.

Runs as root in a process of its own, only if the owner enables it.
"""
