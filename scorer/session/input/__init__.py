"""From pin edges to button meanings: debouncing, gestures, guards and the keymap."""
