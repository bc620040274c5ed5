"""`adjudicator policy`: bundles for their authors, without a sidecar, and the policy of one that runs."""
