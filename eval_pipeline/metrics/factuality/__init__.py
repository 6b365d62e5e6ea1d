"""Claims that the evidence supports, and answers that stay with their context."""
