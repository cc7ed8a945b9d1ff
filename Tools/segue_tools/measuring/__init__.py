"""Real players over titles and networks, compared with the model's predictions."""
