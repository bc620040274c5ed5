"""Two bundles side by side: what their files say otherwise, and which calls they answer otherwise."""
