"""What other programs say of tools and permissions, brought into a bundle: stricter where not the same."""
