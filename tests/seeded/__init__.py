"""``make seeded``: known faults, each with the test that finds it.

``faults.toml`` has the faults: a file, its text, the text with the fault, and the test. A fault
that no longer applies, or that its test no longer finds, is a failure.
"""
