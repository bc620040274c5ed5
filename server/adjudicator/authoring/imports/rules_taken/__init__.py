"""Rules of one shape, made into patterns of rows: never looser where they allow, never tighter else."""
