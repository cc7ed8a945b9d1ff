"""Real players over titles and networks, beside the predictions of the model."""
