"""What a perturbation of the prompt costs."""
