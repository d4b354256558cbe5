"""What several commands share: options, typed lines, seats, the page's server."""
