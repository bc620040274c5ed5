"""What of a bundle its tests come to: rules, steps, effects, and the keywords of its schemas."""
