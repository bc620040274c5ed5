"""`adjudicator bridge`: an editor's own process between it and the sidecar. It decides nothing itself."""
