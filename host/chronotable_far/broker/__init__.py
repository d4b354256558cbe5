"""Messages between machines through an MQTT broker, ours or any other."""
