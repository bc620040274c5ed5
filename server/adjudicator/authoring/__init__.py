"""What policy authors use on a folder, without a sidecar: a bundle tested, explained, compared, drawn."""
