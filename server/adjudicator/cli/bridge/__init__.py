"""`adjudicator bridge`: an editor's own process between it and the sidecar. By itself it decides nothing."""
