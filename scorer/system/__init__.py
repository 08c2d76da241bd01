"""Services of the operating system.

Logind, power supply, systemd notification, Wi-Fi.
"""
