"""Tables that were built wrong or are broken, and a person who helps the doctor to find out."""
