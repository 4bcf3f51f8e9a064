"""What all packages share, and what knows none of them."""
