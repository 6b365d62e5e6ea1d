"""What other tools wrote, brought into a data root."""
