"""Texts of the game: what is written is read as the same, and what is wrong is named."""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chronotable_host.rules.notation import (
    ACTIONS,
    ERAS,
    OPTIONS,
    NotationError,
    UnknownModuleError,
    format_modules,
    format_options,
    format_position,
    format_turn,
    parse_action,
    parse_era,
    parse_modules,
    parse_options,
    parse_player,
    parse_position,
    parse_turn,
)
from chronotable_host.rules.record import (
    RESULTS,
    ClaimError,
    Record,
    RecordError,
    format_record,
    last,
    parse_record,
)
from tests import lanes, sweep
from tests.oracle import chapters as oracle
from tests.oracle.pieces import MODULES
from tests.rules.samples import wild
from ttykm import layout, objects
from ttykm.game import RULES_VERSION, Game, is_conserved
from ttykm.layout import (
    BLACK,
    FUTURE,
    NOBODY,
    PAST,
    WHITE,
    new_state,
)

START = "w..............b/w..............b/w..............b 0 2 4 4 w"
GROWTH = f"{START} growth *10/sh10/T10 seeds=4"
ALL_OPTIONS = 31

# ---- strategies

rows = st.text(alphabet=".wb", min_size=16, max_size=16)
digits = st.integers(0, 2)
supplies = st.integers(0, 7)
positions = st.builds(
    "{}/{}/{} {} {} {} {} {}".format,
    rows, rows, rows, digits, digits, supplies, supplies, st.sampled_from("wb"),
)  # fmt: skip

action_codes = st.integers(1, len(ACTIONS) - 1)
sequences = st.builds(
    layout.pack_sequence, st.integers(0, 15), action_codes, st.just(0) | action_codes
)
turns = st.builds(lambda era, sequence: era << 16 | sequence, digits, st.just(0) | sequences)

one_line = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="{}"), max_size=20
).map(lambda text: " ".join(text.split()))


module_sets = st.integers(0, objects.ALL_MODULES)


@st.composite
def positions_with_objects(draw: st.DrawFn) -> str:
    """Return the text of a crowded position, as the oracle writes it."""
    modules = draw(st.lists(st.sampled_from(MODULES), min_size=1, unique=True))
    return oracle.format_position(wild(draw(st.randoms(use_true_random=False)), modules))


@st.composite
def records(draw: st.DrawFn, sets: st.SearchStrategy[int] = module_sets) -> Record:
    """Return a legal game of up to twelve turns, ended in any way that fits."""
    options = draw(st.integers(0, ALL_OPTIONS))
    modules = draw(sets)
    record = Record(
        objects.new_state(modules, draw(st.sampled_from([WHITE, BLACK])), draw(st.integers(0, 4))),
        options,
    )
    game = Game()
    game.start(record.start, options)
    rng = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 12))):
        legal = list(game.legal_turns())
        if legal:
            turn = rng.choice(legal)
            game.apply(turn)
            record.add(turn, draw(one_line))
    if game.winner() != NOBODY:
        record.finish(RESULTS[game.winner()], "normal")
    else:
        ends = [
            ("*", "in progress"),
            ("1/2-1/2", "agreed"),
            ("1-0", "resigned"),
            ("0-1", "resigned"),
        ]
        record.finish(*draw(st.sampled_from(ends)))
    record.headers["White"] = draw(one_line)
    record.headers["Event"] = draw(one_line)
    drawing = [seed for seed in range(3) if objects.convergence(seed) == modules]
    if drawing:
        seed = 3 * draw(st.integers(0, (2**32 - 3) // 3)) + drawing[0]
        record.headers["Draw"] = f"convergence {seed}"
    return record


# ---- round trips


@given(positions)
def test_position_written_is_position_read(text: str) -> None:
    state = parse_position(text)
    assert format_position(state) == text
    assert parse_position(format_position(state)) == state


@lanes.gate
@given(positions_with_objects())
def test_position_with_objects_written_is_position_read(text: str) -> None:
    state = parse_position(text)
    assert format_position(state) == text
    assert parse_position(format_position(state)) == state


@lanes.gate
@given(positions | positions_with_objects(), st.randoms(use_true_random=False))
def test_position_is_read_leniently(text: str, rng: random.Random) -> None:
    fields = text.split()
    if len(fields) > 6:
        fields[6] = "+".join(shuffled(fields[6].split("+"), rng))
        eras = [",".join(shuffled(era.split(","), rng)) for era in fields[7].split("/")]
        fields[7] = "/".join(eras)
    loose = "".join(
        rng.choice([" ", "\t", "  ", "\n"]) if char == " " else
        rng.choice([char, f" {char}", f"{char} ", f"\n{char} "]) if char in "/,+=<" else
        rng.choice([char.lower(), char.upper()])
        for char in " ".join(fields)
    )  # fmt: skip
    assert parse_position(f" {loose}\r\n") == parse_position(text)


def shuffled(words: list[str], rng: random.Random) -> list[str]:
    return rng.sample(words, len(words))


@given(module_sets)
def test_modules_written_are_modules_read(modules: int) -> None:
    assert parse_modules(format_modules(modules)) == modules
    assert parse_modules(f" {' + '.join(format_modules(modules).split('+')[::-1]).upper()}") == (
        modules
    )


@given(turns)
def test_turn_written_is_turn_read(turn: int) -> None:
    assert parse_turn(format_turn(turn)) == turn
    assert parse_turn(f"  {format_turn(turn).lower().replace('>', ' >  ')} ") == turn


@given(st.sampled_from(ERAS), st.data())
def test_era_by_any_unique_prefix(era: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(era)))
    fits = [name for name in ERAS if name.startswith(era[:cut])]
    if len(fits) == 1:
        assert ERAS[parse_era(era[:cut].upper())] == era
    else:
        with pytest.raises(NotationError, match=f"'{era[:cut]}' could be more than one of past,"):
            parse_era(era[:cut])


@lanes.gate
@given(records())
def test_record_written_is_record_read(record: Record) -> None:
    text = format_record(record)
    again = parse_record(text)
    assert format_record(again) == text
    assert (again.start, again.options) == (record.start, record.options)
    assert (again.turns, again.comments) == (record.turns, record.comments)
    assert again.headers == record.headers


@lanes.gate
@given(records())
def test_record_in_another_form_is_the_same_record(record: Record) -> None:
    """Turns on one line, with the result behind them; headers with spaces and Windows' ends."""
    headers, _, body = format_record(record).partition("\n\n")
    loose = "\r\n".join(
        f"  [\t{line[1:-1].replace(' ', '  ', 1)} ] " for line in headers.split("\n")
    )
    text = f"{loose}\r\n{' '.join(body.split())} {record.headers['Result']}"
    assert format_record(parse_record(text)) == format_record(record)


@given(st.integers(0, ALL_OPTIONS))
def test_options_written_are_options_read(bits: int) -> None:
    assert parse_options(format_options(bits)) == bits
    assert parse_options(format_options(bits).upper()) == bits


# whatever comes in, a NotationError is all that comes out

junk = st.text() | st.text(alphabet=' .wb/012345678NESWFBpast>*{}[]"\\\n²٣', max_size=80)


READERS = (parse_position, parse_turn, parse_action, parse_era, parse_player, parse_options)


@pytest.mark.parametrize("read", READERS, ids=[read.__name__ for read in READERS])
@given(text=junk)
def test_any_text_is_read_or_refused(read: Callable[[str], object], text: str) -> None:
    try:
        read(text)
    except NotationError as error:
        assert str(error)


@settings(max_examples=sweep.size(100, 300))
@given(junk, records(st.sampled_from([0, 0, *range(8)])), st.data())
def test_any_record_is_read_or_refused(text: str, record: Record, data: st.DataObject) -> None:
    """Other texts, and records with a piece cut out or put in."""
    whole = format_record(record)
    at = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(at, len(whole)))
    damaged = data.draw(st.sampled_from([text, whole[:at] + text + whole[end:]]))
    try:
        again = parse_record(damaged)
    except NotationError as error:
        assert str(error)
    else:
        assert format_record(parse_record(format_record(again))) == format_record(again)


@given(positions)
def test_conserved_is_seven_pieces(text: str) -> None:
    fields = text.split()
    counts = [fields[0].count(name) + int(fields[3 + index]) for index, name in enumerate("wb")]
    assert is_conserved(parse_position(text)) == (max(counts) <= 7)


# ---- what is wrong is named


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position: 0 of 6 fields found; the eras is missing"),
        (START[:-2], "position: 5 of 6 fields found; mover is missing"),
        ("w/b 0 2 4 4 w", "position: three eras joined by '/' expected, 2 found"),
        (START.replace("w..", "w...", 1), "position, past: 16 spaces expected, 17 found"),
        (START.replace("b 0", "x 0"), "position, future, space 16: 'x' is none of . w b"),
        (START.replace(" 0 2", " 3 2"), "position, white's focus: '3' is not a number from 0 to 2"),
        (
            START.replace(" 0 2", " 0 -1"),
            "position, black's focus: '-1' is not a number from 0 to 2",
        ),
        (
            START.replace(" 4 4", " 8 4"),
            "position, white's supply: '8' is not a number from 0 to 7",
        ),
        (
            START.replace(" 4 4", " 4 ²"),
            "position, black's supply: '²' is not a number from 0 to 7",
        ),
        (START[:-1] + "white", "position, mover: 'white' is neither w nor b"),
        (f"{START} gardening", "position: only the standard game is known here, not 'gardening'"),
        (f"{START} growth+Growth", "position: only the standard game is known here, not"
         " 'growth+Growth'"),
        (f"{START} standard -/-/-", "position: '-/-/-' is one field too many"),
        (f"{START} growth", "position: objects of three eras joined by '/' expected, 0 found"),
        (f"{START} memory -/-", "position: objects of three eras joined by '/' expected, 2 found"),
        (f"{START} growth -/-/-", "position: seeds= is missing"),
        (f"{START} growth -/-/- Seed=5", "position: seeds= expected, 'Seed=5' found"),
        (f"{START} growth -/*5/- seeds=8", "position, seeds: '8' is not a number from 0 to 7"),
        (f"{START} influence -/-/- statues=ww", "position, statues: 'ww' is none of - w b wb"),
        (f"{START} influence -/nB5/- statues=wb", "position, statues: black's is built already"),
        (f"{START} memory -/-/- seeds=5", "position: 'seeds=5' is one field too many"),
        (f"{START} growth -/X5/- seeds=5", "position, present, 'X5': no such object"),
        (f"{START} growth -//- seeds=5", "position, present, '': no such object"),
        (f"{START} growth -/-/eD4 seeds=5", "position, future, 'eD4': its module is not played"),
        (f"{START} growth T17/-/- seeds=5", "position, past, 'T17': a space from 1 to 16 expected"),
        (f"{START} growth T5w/-/- seeds=5", "position, past, 'T5w': a space from 1 to 16 expected"),
        (f"{START} growth F5/-/- seeds=5",
         "position, past, 'F5': roots belong to a fallen tree, as in F11<10"),
        (f"{START} growth T5<6/-/- seeds=5",
         "position, past, 'T5<6': roots belong to a fallen tree, as in F11<10"),
        (f"{START} growth F5<4/-/- seeds=5",
         "position, past, 'F5<4': its roots are on no space beside it"),
        (f"{START} growth T5,*5/-/- seeds=5",
         "position, past, '*5': another object is on that space"),
        (f"{START} growth T1/-/- seeds=5", "position, past, 'T1': a copy is on that space"),
        (f"{START} influence nW5,nW6/-/- statues=-",
         "position, past, 'nW6': an era has only one of them"),
        (f"{START} memory eD5w,eL6w/-/-",
         "position, past, 'eL6w': the other elephant wears that hat"),
    ],
)  # fmt: skip
def test_bad_position(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert str(caught.value) == message
    assert isinstance(caught.value, UnknownModuleError) == ("is known here" in message)


# what no message about something unknown may give away: the chapters are secrets

SECRETS = (*MODULES, "convergence", *ACTIONS[7:], *(name for name, _ in OPTIONS[1:]))


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (parse_position, f"{START} x"),
        (parse_position, f"{START} standard x"),
        (parse_modules, "x+y"),
        (parse_action, "x"),
        (parse_turn, "1 x >past"),
        (parse_options, "x"),
        (parse_options, "x=y"),
        (parse_options, "strict_two_actions=x"),
        (parse_record, '[Modules "x"]'),
        (parse_record, '[Draw "x"]\n1. x'),
        (parse_record, "1. 1 x >past"),
    ],
)
def test_an_unknown_text_is_told_nothing(read: Callable[[str], object], text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(text)
    message = str(caught.value)
    assert "x" in message
    told = [
        secret for secret in SECRETS if re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", message)
    ]
    assert not told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "turn: '' does not say the new focus, as in >past"),
        (" 6 E F ", "turn: '6 E F' does not say the new focus, as in >past"),
        ("6 E F >", "era: '' is none of past, present, future"),
        ("6 E F >p", "era: 'p' could be more than one of past, present, future"),
        ("6 E F >now", "era: 'now' is none of past, present, future"),
        ("6 E F >past >future", "era: 'past >future' is none of past, present, future"),
        ("E F >past", "turn: 'E' is not a space from 1 to 16"),
        ("0 E F >past", "turn: '0' is not a space from 1 to 16"),
        ("17 E F >past", "turn: '17' is not a space from 1 to 16"),
        ("² E F >past", "turn: '²' is not a space from 1 to 16"),
        ("9" * 5000 + " E >past", f"turn: '{'9' * 5000}' is not a space from 1 to 16"),
        ("6 >past", "turn: one or two actions expected, 0 found"),
        ("6 E F B >past", "turn: one or two actions expected, 3 found"),
        ("6 E qN >past", "turn: 'qN' is none of the actions N E S W F B"),
        ("6 cL:* >past", "turn: 'cL:*' is none of the actions N E S W F B"),
    ],
)
def test_bad_turn(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "strict_two_actions",
            "option 'strict_two_actions': known is strict_two_actions=true|false",
        ),
        ("handicap=2", "option 'handicap=2': known is strict_two_actions=true|false"),
        ("strict_two_actions=1", "option strict_two_actions: '1' is neither true nor false"),
        (
            "build_blocked=true",
            "option build_blocked: 'true' is neither stop_2023 nor rebound_2021",
        ),
    ],
)
def test_bad_option(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_options(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message", "turn"),
    [
        ('[White "A"', "line 1: a header reads [Name \"value\"], not '[White \"A\"'", 0),
        ("[White]", "line 1: a header reads [Name \"value\"], not '[White]'", 0),
        ("\n[White A]", "line 2: a header reads [Name \"value\"], not '[White A]'", 0),
        ('[White "A"]\n[WHITE "B"]', "line 2: header White stands twice", 0),
        ('[Start "x"]', "header: position: 1 of 6 fields found; white's focus is missing", 0),
        (f'[Modules "memory"][Start "{START}"]',
         "header Modules: 'memory' is not what Start says, 'standard'", 0),
        (f'[Modules "standard"][Start "{GROWTH}"]',
         "header Modules: 'standard' is not what Start says, 'growth'", 0),
        ('[Draw "convergence 3"]',
         "header Draw: 'convergence 3' draws 'influence+memory', but 'standard' is played", 0),
        ('[Draw "convergence"]', "header Draw: 'convergence' should say one number below 2^32", 0),
        ('[Draw "Convergence 4294967296"]',
         "header Draw: 'Convergence 4294967296' should say one number below 2^32", 0),
        ('[Options "a=b"]', "header: option 'a=b': known is strict_two_actions=true|false", 0),
        ('[Result "2-0"]', "header Result: '2-0' is none of 1-0 0-1 1/2-1/2 *", 0),
        ('[Termination "bored"]', "header Termination: 'bored' is none of normal, resigned, agreed,"
         " in progress", 0),
        ('[Result "1-0"]', "header Result: '1-0' does not go with 'in progress'", 0),
        ('[Rules "99"]', "header Rules: the game was played by rules version '99', this is version"
         f" {RULES_VERSION}; use the chronotable that wrote it", 0),
        ("1 E F >present", "line 1: turn 1 is due, as in '1. 6 E F >future', not '1 E F >present'",
         1),
        ("2. 1 E F >present", "line 1: turn 1 is due, as in '1. 6 E F >future', not"
         " '2. 1 E F >present'", 1),
        ("².1 E F >present", "line 1: turn 1 is due, as in '1. 6 E F >future', not"
         " '².1 E F >present'", 1),
        ("\n1. 1 E F", "line 2, turn 1: '1 E F' does not say the new focus, as in >past", 1),
        ("\n1. 1 E X >past", "line 2, turn 1: turn: 'X' is none of the actions N E S W F B", 1),
        ("1. 1 E F >present\n{a\nb}\n2. 16 X N >past",
         "line 4, turn 2: turn: 'X' is none of the actions N E S W F B", 2),
        ("1. 1 E F >present {quick", "line 1: a comment is opened and not closed", 0),
        ("1. 1 E F >present\nquick}", "line 2: '}' without '{'", 0),
        ("1. 1 E F >present 1-0", "line 1: '1-0' ends the game, but the header says '*'", 0),
        ("1. 1 E F >present\n2. 16 B N >past", "turn 2: 16 B N >past is not legal (T25)", 2),
        ('[Result "1-0"]\n[Termination "normal"]\n1. 1 E F >present',
         "header Result: '1-0' is claimed, but the last turn gives no win (T29)", 0),
    ],
)  # fmt: skip
def test_bad_record(text: str, message: str, turn: int) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert str(caught.value) == message
    assert caught.value.turn == turn


def test_record_of_an_unknown_game() -> None:
    for text in ('[Modules "Gardening"]', f'[Start "{START} gardening"]'):
        with pytest.raises(UnknownModuleError, match="only the standard game is known here"):
            parse_record(text)


def test_record_with_chapters() -> None:
    """What the header Modules says is what Start says; either does."""
    for text in ('[Modules "Memory + Growth"]', f'[Start "{START} memory+growth {AT_START}"]'):
        record = parse_record(text + "\n1. 1 pE po >future")
        assert record.headers["Modules"] == "growth+memory"
        assert record.headers["Start"] == f"{START} growth+memory {AT_START}"
        assert format_position(last(record.replay()).state).endswith(
            " 2 2 4 4 b growth+memory *1,*2,eD4,eL13/sh2,eD4,eL13/T2,eD4,eL13 seeds=3"
        )
    with pytest.raises(RecordError) as caught:
        parse_record('[Modules "growth"]\n1. 1 pE >future')
    assert str(caught.value) == "turn 1: 1 pE >future is not legal (T11)"
    with pytest.raises(RecordError, match=r"turn 1: 1 E pW >future is not legal \(T7\)"):
        parse_record("1. 1 E pW >future")
    with pytest.raises(RecordError, match=r"turn 1: 1 dE pW >future is not legal \(G8\)"):
        parse_record('[Modules "growth"]\n1. 1 dE pW >future')


AT_START = "eD4,eL13/eD4,eL13/eD4,eL13 seeds=5"


def test_what_drew_the_modules() -> None:
    """C1: the header is canonical; one of the same name that means something else is kept."""
    for seed in (0, 1, 5, 4294967295):
        modules = format_modules(objects.convergence(seed))
        record = parse_record(f'[Modules "{modules}"]\n[draw "CONVERGENCE  {seed}"]')
        assert record.headers["Draw"] == f"convergence {seed}"
    assert parse_record('[Draw "offered by Bob"]').headers["Draw"] == "offered by Bob"


def test_claims_about_the_end() -> None:
    position = "...............b/w....w....b...../................ 0 2 4 4 b"
    text = '[Start "%s"]\n[Result "%s"]\n[Termination "%s"]\n1. >past'
    assert parse_record(text % (position, "0-1", "normal")).turns == [PAST << 16]
    for result, termination in (("1-0", "normal"), ("*", "in progress"), ("1-0", "resigned")):
        with pytest.raises(ClaimError) as caught:
            parse_record(text % (position, result, termination))
        assert caught.value.won == "0-1"
        assert caught.value.record.turns == [PAST << 16]


# ---- details of records


def test_headers_are_lenient_in_form() -> None:
    text = '\ufeff[ white\t"A \\"the\\" \\\\"  ]\r\n[MODULES "Standard"]\r\n'
    text += '[Termination " Abandoned "]'
    record = parse_record(text)
    assert record.headers["White"] == 'A "the" \\'
    assert record.headers["Modules"] == "standard"
    assert record.headers["Termination"] == "in progress"
    assert list(parse_record('[Extra "x"]').headers)[-1] == "Extra"


def test_comments_of_a_turn_are_joined() -> None:
    record = parse_record("{kept} 1. 1 E F >present {a\n b} {c}\n2. 16 N N >past{}")
    assert (record.starting_comment, record.comments) == ("kept", ["a b; c", ""])
    assert parse_record("{none} {was played} *").starting_comment == "none; was played"


def test_replay_gives_every_position() -> None:
    record = parse_record("1. 1 E F >present 2. 16 N N >past")
    games = [format_position(array("H", game.state)) for game in record.replay()]
    assert games[0] == START
    assert games[1:] == [
        "...............b/ww.............b/w..............b 1 2 4 4 b",
        "...............b/ww.............b/w......b........ 1 0 4 4 w",
    ]
    assert format_position(last(record.replay()).state) == games[-1]


def test_take_back_and_finish() -> None:
    record = parse_record("1. 1 E F >present {a} 2. 16 N N >past")
    assert format_turn(record.take_back()) == "16 N N >past"
    assert (len(record.turns), record.comments) == (1, ["a"])
    with pytest.raises(RecordError, match="'1-0' does not go with 'agreed'"):
        record.finish("1-0", "agreed")
    record.finish("1/2-1/2", "agreed")
    assert record.headers["Result"] == "1/2-1/2"
    record.take_back()
    with pytest.raises(IndexError):
        record.take_back()


def test_start_of_black_with_handicap() -> None:
    state = new_state(BLACK, 1, 2)
    assert format_position(state).endswith(" 2 0 3 2 b")
    assert layout.focus(state, WHITE) == FUTURE


def test_headers_may_share_a_line_and_turns_may_break():
    """Reading is lenient about white space; each of these is the same game."""
    plain = '[White "Ann"]\n[Black "Bob [b]"]\n[Result "*"]\n\n1. 1 E E >future\n2. 16 N N >past\n'
    wanted = format_record(parse_record(plain))
    assert '[Black "Bob [b]"]' in wanted
    for text in (
        plain.replace("]\n[", "] ["),
        plain.replace("\n", " "),
        plain.replace("1. 1 E E >future", "1.\n1 E\nE >\nfuture"),
        plain.replace("\n", "\r\n"),
    ):
        assert format_record(parse_record(text)) == wanted, text


def test_an_error_names_the_line_of_its_turn():
    text = '[White "A"] [Black "B"]\n\n1. 1 E E >future\n\n2. 16 N\nN >past\n\n3. 3 X E >past\n'
    with pytest.raises(RecordError, match=r"line 8, turn 3"):
        parse_record(text)
