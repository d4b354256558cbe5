"""A tiny game for tests of what all games share: everybody plays a card at once, highest wins."""
