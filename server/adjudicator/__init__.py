"""Adjudicator: a policy-as-code adjudication sidecar for AI agents."""
