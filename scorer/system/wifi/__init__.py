"""Join the Wi-Fi network named on the card, or open one of the box.

Runs as root in a process of its own, only if the owner enables it.
"""
