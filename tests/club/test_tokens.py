"""Tokens: one word, and nothing of the secret where it is printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronotable_club.tokens import Token, new_id, parse_token, token_of
from chronotable_host.errors import UserError

_IDS = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=8, max_size=8)


@given(st.binary(min_size=32, max_size=32), _IDS)
def test_a_word_is_read_as_it_was_written(secret: bytes, table: str) -> None:
    token = token_of("abcdefghijkl", secret, table)
    assert parse_token(token.word) == token
    assert parse_token(f" {token.word.upper()}\n") == token
    assert token.word.split() == [token.word]
    assert token.word.replace("-", "").isalnum()


def test_each_table_has_a_secret_and_a_key_of_its_own() -> None:
    tokens = [token_of("abcdefghijkl", b"s" * 32, new_id(8)) for _ in range(50)]
    assert len({token.secret for token in tokens}) == 50
    assert len({token.key for token in tokens}) == 50
    other = token_of("abcdefghijkl", b"t" * 32, tokens[0].table)
    assert other.secret != tokens[0].secret


def test_what_is_printed_has_no_secret() -> None:
    token = token_of("abcdefghijkl", b"s" * 32, "abcdefgh")
    for text in (str(token), repr(token), f"{[token]}"):
        assert "table-abcdefghijkl-abcdefgh-***" in text
        assert token.word.rpartition("-")[2] not in text


def test_every_slip_is_refused() -> None:
    word = token_of("abcdefghijkl", b"s" * 32, "abcdefgh").word
    for at in range(len(word)):
        for char in "a7-":
            slip = word[:at] + char + word[at + 1 :]
            if slip != word:
                with pytest.raises(UserError, match="no token of a table"):
                    parse_token(slip)
    for text in ("", "table", word[:-1], word + "a", f"{word} {word}"):
        with pytest.raises(UserError, match="no token of a table"):
            parse_token(text)


def test_a_token_is_a_value() -> None:
    assert Token("a", "b", b"c") == Token("a", "b", b"c")
