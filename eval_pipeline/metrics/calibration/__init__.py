"""Whether stated confidences can be believed."""
