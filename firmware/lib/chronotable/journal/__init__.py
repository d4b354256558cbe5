"""The games that a table keeps until a PC has them."""
