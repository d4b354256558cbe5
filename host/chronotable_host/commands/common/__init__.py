"""What several commands share: options, what is read, printed and typed, the page's server."""
