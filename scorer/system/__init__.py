"""Services of the operating system: logind, power supply, systemd notification, Wi-Fi."""
