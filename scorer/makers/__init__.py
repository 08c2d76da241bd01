"""Documents for people who build a box: wiring tables, drawings and labels."""
