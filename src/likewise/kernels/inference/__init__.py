"""Messages, mean field and gradients of graphical models."""
