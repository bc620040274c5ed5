"""Approvals: what they are bound to, what a person is shown, and which state may follow which."""
