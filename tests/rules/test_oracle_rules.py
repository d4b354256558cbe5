"""The oracle of the chapters, one rule at a time: what the examples leave out (G, I, M, C, T).

How boards are written is explained in boards.py.
"""

from __future__ import annotations

from tests.oracle.chapters import (
    Options,
    actions,
    format_position,
    format_turn,
    initial_position,
    legal_turns,
)
from tests.oracle.pieces import MODULES
from tests.rules.boards import illegal, leads, position_of


class TestGrowth:
    def test_g1_to_g3_what_blocks_time_travel(self) -> None:
        for thing in ("sh5", "T5", "F5<6"):
            illegal("G", f"{thing} | W5 | {thing}", "W5 present", "F B")
        leads("G", " | W5 | *5", "W5 present", "F", " | | W5 *5")
        leads("G", "*5 | W5 *5 | ", "W5 present", "B", "W5 *5 | W5 *5 | ")

    def test_g2_copies_share_with_seeds(self) -> None:
        leads("G", "W5 *5 B6 *6 *7 | | ", "W5 past", "E", "*5 W6 *6 B7 *7 | | ")
        leads(
            "G",
            "W5 *5 W6 *6 | | ",
            "W5 past",
            "E",
            "*5 *6 | | ",
            dead="W6 past (paradox), W5 past (paradox)",
        )

    def test_g3_g12_pushed_into_what_stays(self) -> None:
        for thing in ("sh7", "F7<3", "T7 sh8", "T7 F8<12", "T7 T8"):
            leads(
                "G",
                f" | | W5 B6 {thing}",
                "W5 future",
                "E",
                f" | | W6 {thing}",
                dead="B6 future (squish)",
            )

    def test_g4_g12_voluntary_moves_into_what_stays(self) -> None:
        for thing in ("sh7", "F7<3", "T7 sh8", "T7 F8<12", "T7 T8"):
            illegal("G", f" | | W6 {thing}", "W6 future", "E E*")
            outcome = leads(
                "G",
                f" | | W6 {thing}",
                "W6 future",
                "E",
                f" | | {thing}",
                dead="W6 future (squish)",
                voluntary_suicide=True,
            )
            assert outcome.active is None
            illegal("G", f" | | W6 {thing}", "W6 future", "E", voluntary_suicide_elephant=True)
        illegal("G", "W4 | | ", "W4 past", "N E", voluntary_suicide=True)  # a wall is no suicide

    def test_g5_where_to_plant(self) -> None:
        leads("G", "W5 B6 | | ", "W5 past", "pE", "W5 B6 *6 | sh6 | T6")
        leads("G", "W5 | | ", "W5 past", "po", "W5 *5 | sh5 | T5")
        illegal("G", "W5 *6 sh9 T1 | | ", "W5 past", "pE pS pN pW")
        illegal("G", "W5 *5 F6<7 | | ", "W5 past", "po pE")
        illegal("G", "W5 | | ", "W5 past", "pN pE pS po", seeds=0)

    def test_g6_growth_stops(self) -> None:
        leads("G", "W5 | T6 | ", "W5 past", "pE", "W5 *6 | T6 | ")
        leads("G", "W5 | | sh6", "W5 past", "pE", "W5 *6 | sh6 | sh6")
        leads("G", "W5 | | *6", "W5 past", "pE", "W5 *6 | sh6 | *6")

    def test_g7_later_eras(self) -> None:
        leads("G", "W1 | W5 | ", "W5 present", "pE", "W1 | W5 *6 | sh6")
        leads("G", "W1 | | W5", "W5 future", "pE", "W1 | | W5 *6")

    def test_g8_digging(self) -> None:
        leads("G", "W5 *5 B6 *6 | | ", "W5 past", "dE", "W5 *5 B6 | | ")
        leads("G", "W5 *5 B6 *6 | | ", "W5 past", "do", "W5 B6 *6 | | ")
        illegal("G", "W5 *7 *10 sh6 | *5 | ", "W5 past", "do dN dE dS dW")

    def test_g9_parts_go_one_by_one(self) -> None:
        start, after = "W9 *10 | {} | {}", "W9 | {} | {}"
        for present, future, left in [
            ("", "T10", ""),  # the middle part is missing
            ("W10", "F14<10", ""),
            ("*10", "F6<10 sh10", "sh10"),
            ("sh10", "B10", "B10"),
            ("sh10", "F10<11 T11", "F10<11 T11"),  # roots elsewhere
        ]:
            stays = present.replace("sh10", "")
            leads("G", start.format(present, future), "W9 past", "dE", after.format(stays, left))
        leads("G", " | W9 *10 | sh10", "W9 present", "dE", " | W9 | ")
        leads("G", " | W9 *10 | T10", "W9 present", "dE", " | W9 | T10")

    def test_g10_who_topples(self) -> None:
        leads("G", " | | W9 B10 T11", "W9 future", "E", " | | W10 B11 F12<11")
        leads("G", " | | W2 T6", "W2 future", "S", " | | W6 F10<6")

    def test_g11_where_trees_fall(self) -> None:
        outcome = leads("G", " | | W9 T10 *11", "W9 future", "E", " | | W10 F11<10")
        assert outcome.position.seeds == 5
        leads(
            "G",
            " | | W9 B10 T11 W12",
            "W9 future",
            "E",
            " | | W10 B11 F12<11",
            dead="W12 future (crushed)",
        )
        leads(
            "G",
            " | | W9 T10 T11 B12",
            "W9 future",
            "E",
            " | | W10 F11<10 F12<11",
            dead="B12 future (crushed)",
        )

    def test_g9_g11_a_seed_under_a_falling_tree_in_the_past_ungrows(self) -> None:
        leads("G", "W9 T10 *11 | sh11 | T11", "W9 past", "E", "W10 F11<10 | | ")

    def test_g14_nothing_changes_in_a_line_that_fails(self) -> None:
        illegal("G", " | | W9 T10 T11 sh12", "W9 future", "E")
        illegal("G", " | | W9 T10 T11 F12<8", "W9 future", "E")


class TestInfluence:
    def test_i1_statues_block_time_travel(self) -> None:
        illegal("I", "nN5 | W5 | nN5", "W5 present", "F B")

    def test_i2_stuck_statues(self) -> None:
        illegal("I", "W7 nN8 | | ", "W7 past", "E")
        illegal("I", "W6 nN7 nB8 | | ", "W6 past", "E")
        outcome = leads(
            "I",
            "W7 nN8 | | ",
            "W7 past",
            "E",
            "nN8 | | ",
            dead="W7 past (squish)",
            voluntary_suicide=True,
        )
        assert outcome.active is None

    def test_i3_statues_push_copies_of_either_colour(self) -> None:
        leads("I", "W6 nN7 W8 | | ", "W6 past", "E", "W7 nN8 | | ", dead="W8 past (squish)")
        leads("I", "W5 nN6 B7 W8 | | ", "W5 past", "E", "W6 nN7 B8 | | ", dead="W8 past (squish)")
        leads("I", "B5 W6 nN7 B8 | | ", "B5 past", "E", "B6 W7 nN8 | | ", dead="B8 past (squish)")
        leads("I", "W5 nW6 nB7 | | ", "W5 past", "E", "W6 nW7 nB8 | | ")

    def test_i4_pulling(self) -> None:
        illegal("I", "nN5 W6 | | ", "W6 past", "N* S* W*")
        illegal("I", "nN2 W6 | | ", "W6 past", "E* N* W*")
        leads("I", "nN2 W6 | | ", "W6 past", "S*", "nN6 W10 | | ")
        leads("I", "nN5 W6 B7 | | ", "W6 past", "E*", "nN6 W7 B8 | | ")
        leads("I", "nN5 W6 | | ", "W6 past", "E", "nN5 W7 | | ")

    def test_i4_pushed_copies_never_pull(self) -> None:
        illegal("I", "nN2 W5 B6 | | ", "W5 past", "E*")
        leads("I", "nN2 W5 B6 | | ", "W5 past", "E", "nN2 W6 B7 | | ")
        leads("I", "B5 nN6 W7 | | ", "B5 past", "E", "B6 nN7 W8 | | ")

    def test_i4_the_dead_do_not_pull(self) -> None:
        start = "nN5 W6 W7 | | "
        leads("I", start, "W6 past", "E", "nN5 | | ", dead="W7 past (paradox), W6 past (paradox)")
        illegal("I", start, "W6 past", "E*")
        start = "nN6 W7 nB8 | | "
        leads(
            "I",
            start,
            "W7 past",
            "E",
            "nN6 nB8 | | ",
            voluntary_suicide=True,
            dead="W7 past (squish)",
        )
        illegal("I", start, "W7 past", "E*", voluntary_suicide=True)

    def test_i5_a_missing_step_ends_the_chain(self) -> None:
        leads("I", "W5 nN6 | | nN6", "W5 past", "E", "W6 nN7 | | nN6")

    def test_i5_statues_pushed_by_an_echo_echo_too(self) -> None:
        leads("I", "W5 nN6 | nN6 nB7 | nN1 nB10", "W5 past", "E", "W6 nN7 | nN7 nB8 | nN2 nB11")
        leads("I", "W5 nN6 | nN5 W6 nB7 | nB14", "W5 past", "E", "W6 nN7 | nN6 W7 nB8 | nB15")

    def test_i6_the_front_most_is_first(self) -> None:
        """The other order would push N, then let it move a second time."""
        leads(
            "I",
            "nW5 W6 nN7 | nW5 nN6 | nW9 nN10 B11",
            "W6 past",
            "E*",
            "nW6 W7 nN8 | nW6 nN7 | nW10 nN11 B12",
        )

    def test_i6_the_dead_of_the_front_most_come_first(self) -> None:
        start = "nW5 W6 nN7 | nW5 B6 B7 nN3 B4 | "
        after = "nW6 W7 nN8 | nW6 nN4 | "
        dead = "B4 present (squish), B7 present (paradox), B6 present (paradox)"
        leads("I", start, "W6 past", "E*", after, dead=dead)

    def test_i6_once_per_era(self) -> None:
        """What the build pushed does not move again, neither by its echo nor when pushed on."""
        leads("I", "W5 | nN6 | nN6", "W5 past", "sE", "W5 nW6 | nW6 nN7 | nW6 nN7")
        start, after = "W5 | nN6 | nN5 nB6", "W5 nW6 | nW6 nN7 | nN5 nW6 nB7"
        leads("I", start, "W5 past", "sE", after)
        start, after = "W6 | nB6 sh7 | nB7", "W6 nW7 | nB5 nW6 sh7 | nW6 nB8"
        leads("GI", start, "W6 past", "sE", after)

    def test_i5_i6_a_rebound_counts_as_the_move_of_its_statue(self) -> None:
        """Future: W was placed on 6 by a rebound, so B behind it cannot push it on."""
        start, after = "W6 | nB6 sh7 | nB7 sh8", "W6 nW7 | nB5 nW6 sh7 | nW6 nB7 sh8"
        leads("GI", start, "W6 past", "sE", after)

    def test_i7_where_to_build(self) -> None:
        illegal("I", "W5 B6 nN9 | | ", "W5 past", "sE sS sW")
        leads("I", "W5 B6 nN9 | | ", "W5 past", "sN", "nW1 W5 B6 nN9 | nW1 | nW1")

    def test_i7_once_per_game(self) -> None:
        illegal("I", "W5 | | ", "W5 past", "sN sE sS", statues="b")
        leads("I", "B5 | | ", "B5 past", "sE", "B5 nB6 | nB6 | nB6", statues="b")

    def test_i8_i11_building_pushes(self) -> None:
        leads(
            "I",
            "W7 | W8 | B8 nN4",
            "W7 past",
            "sE",
            "W7 nW8 | nW8 | nW8 nN4",
            dead="W8 present (squish), B8 future (squish)",
        )

    def test_i8_statues_pushed_by_building_echo_after_placing(self) -> None:
        """C2: the new statue stands on 6 before N tries to move there, so N pushes it."""
        leads("I", "W5 | nN6 | nN5", "W5 past", "sE", "W5 nW6 | nW6 nN7 | nN6 nW7")

    def test_i8_the_dead_are_named_where_they_stood_before_the_action(self) -> None:
        """Future: the build pushes B7 to the wall, then the echo of N pushes W against it."""
        start, after = "W6 | nN7 | nN6 B7", "W6 nW7 | nW7 nN8 | nN7 nW8"
        leads("I", start, "W6 past", "sE", after, dead="B7 future (squish)")

    def test_i9_rebound_pushes_backwards(self) -> None:
        leads("I", "W7 | nN8 W7 B6 | ", "W7 past", "sE", "W7 nW8 | nN8 nW7 W6 B5 | nW7")
        leads(
            "I",
            "W7 | nN8 B7 nB6 W5 | nB1 W7",
            "W7 past",
            "sE",
            "W7 nW8 | nN8 nW7 B6 nB5 | nB1 nW7 W6",
            dead="W5 present (squish)",
        )

    def test_i9_statues_pushed_by_the_rebound_echo(self) -> None:
        leads("I", "W7 | nN8 nB7 | nB3", "W7 past", "sE", "W7 nW8 | nN8 nW7 nB6 | nW7 nB2")

    def test_i9_the_extra_step_may_be_blocked(self) -> None:
        leads("GI", "W7 | nN8 | sh7", "W7 past", "sE", "W7 nW8 | nN8 nW7 | sh7 nW8")

    def test_i9_the_extra_step_pushes(self) -> None:
        leads(
            "I",
            "W7 | nN8 | W7 W6",
            "W7 past",
            "sE",
            "W7 nW8 | nN8 nW7 | nW7",
            dead="W6 future (paradox), W7 future (paradox)",
        )

    def test_i9_each_statue_rebounds_once(self) -> None:
        leads("I", "W7 | nN8 | nN8", "W7 past", "sE", "W7 nW8 | nN8 nW7 | nN8 nW7")

    def test_i9_only_the_last_statue_rebounds(self) -> None:
        leads("I", "W7 | | nN8", "W7 past", "sE", "W7 nW8 | nW8 | nN8 nW7")

    def test_i9_both_ends_blocked(self) -> None:
        leads("GI", "W7 | sh7 nN8 | B8", "W7 past", "sE", "W7 nW8 | sh7 nN8 | B8")
        leads("IM", "W7 | eD7 nN8 | B8", "W7 past", "sE", "W7 nW8 | eD7 nN8 | B8")
        leads("GI", "W7 | | sh7 nN8", "W7 past", "sE", "W7 nW8 | nW8 | sh7 nN8")

    def test_i9_stop(self) -> None:
        start = "W7 | nN8 | B8"
        leads("I", start, "W7 past", "sE", "W7 nW8 | nN8 | B8", build_blocked="stop_2023")
        leads(
            "GI",
            "W5 | nN6 | nN3 sh6",
            "W5 past",
            "sE",
            "W5 nW6 | nW6 nN7 | nN4 sh6",
            build_blocked="stop_2023",
        )

    def test_i10_nothing_in_earlier_eras(self) -> None:
        outcome = leads("I", "W5 | B5 | ", "B5 present", "sE", "W5 | B5 nB6 | nB6")
        assert outcome.position.statues == {"w"}
        leads("I", "W5 | | B5", "B5 future", "sE", "W5 | | B5 nB6")


class TestMemory:
    def test_m1_elephants_block(self) -> None:
        illegal("M", "eD5 | W5 | eL5", "W5 present", "F B")
        leads("M", "W5 B6 eD7 | | ", "W5 past", "E", "W6 eD7 | | ", dead="B6 past (squish)")

    def test_m2_voluntary_death_has_its_own_switch(self) -> None:
        illegal("M", "W5 eD6 | | ", "W5 past", "E")
        illegal("M", "W5 eD6 | | ", "W5 past", "E", voluntary_suicide=True)
        leads(
            "M",
            "W5 eD6 | | ",
            "W5 past",
            "E",
            "eD6 | | ",
            voluntary_suicide_elephant=True,
            dead="W5 past (squish)",
        )

    def test_m3_whom_to_train(self) -> None:
        illegal("M", "W5 eD6w eL10 | | ", "W5 past", "tN tE tS tW")
        leads("M", "W5 eD6b eL10 | | ", "W5 past", "tE", "W5 eD6w eL10 | | ")

    def test_m4_hats(self) -> None:
        leads("M", "W5 eD6b eL10w | | ", "W5 past", "tE", "W5 eD6w eL10 | | ")
        leads("M", "W5 eD6 eL10b | | ", "W5 past", "tE", "W5 eD6w eL10b | | ")

    def test_m5_the_chain(self) -> None:
        leads(
            "M", "W5 eD6 | eD4b eL1w | eD4 eL1w", "W5 past", "tE", "W5 eD6w | eD4w eL1 | eD4w eL1"
        )
        leads("M", "W5 eD6 | eD4w | eD4b", "W5 past", "tE", "W5 eD6w | eD4w | eD4b")
        leads("M", "W5 eD6 | eL4 | eD4", "W5 past", "tE", "W5 eD6w | eL4 | eD4")
        leads("M", "eD4 | B5 eD6w | eD4w", "B5 present", "tE", "eD4 | B5 eD6b | eD4b")

    def test_m6_whom_to_command(self) -> None:
        commands = [f"c{name}:{way}" for name in "DL" for way in "NESW"]
        position = position_of("M", "W1 eD6b eL11 | eD6w eL11w | ", 0, "w")
        assert not set(commands) & set(actions(position, (0, 1)))
        position = position_of("M", "W1 eD6w eL11b | | ", 0, "w")
        assert set(commands[:4]) == set(actions(position, (0, 1))) & set(commands)

    def test_m6_in_the_era_that_was_travelled_to(self) -> None:
        position = position_of("M", "W1 eD6 | eD6w | ", 0, "w")
        texts = {turn.actions for turn in legal_turns(position)}
        assert ("F", "cD:E") in texts

    def test_m7_tramples_any_colour_and_never_pushes(self) -> None:
        leads(
            "M",
            "W1 W7 B8 eD6w | | ",
            "W1 past",
            "cD:E",
            "W1 B8 eD7w | | ",
            dead="W7 past (trampled)",
        )
        illegal("M", "W1 eD8w eL12 | | ", "W1 past", "cD:E cD:S")

    def test_m9_a_dead_commander_ends_his_turn(self) -> None:
        position = position_of("M", "W5 eD6w | W1 | W1", 0, "w")
        alone = [t for t in legal_turns(position) if t.actions == ("cD:W",)]
        assert [turn.focus for turn in alone] == ["present", "future"]
        strict = legal_turns(position, Options(strict_two_actions=True))
        assert all(turn.actions[0] != "cD:W" for turn in strict)


class TestConvergence:
    def test_c1_set_ups(self) -> None:
        text = format_position(initial_position(MODULES))
        board = "w..............b"
        everything = "eD4,nN7,eL13"
        assert text == (
            f"{board}/{board}/{board} 0 2 4 4 w growth+influence+memory "
            f"{everything}/{everything}/{everything} seeds=5 statues=wb"
        )

    def test_c3_every_way_for_a_statue_to_enter_a_seed(self) -> None:
        leads("GI", "W5 nN6 *7 | sh7 | F3<7", "W5 past", "E", "W6 nN7 | | ")
        leads("GI", "nN5 W6 *6 | sh6 | T6", "W6 past", "E*", "nN6 W7 | | ")
        leads("GI", "W5 nN6 | nN6 *7 | nN6 sh7", "W5 past", "E", "W6 nN7 | nN7 | nN7")
        leads("GI", "W7 | sh8 *7 | *8", "W7 past", "sE", "W7 nW8 | sh8 nW7 | nW7")
        leads("GI", "W5 nN6 B7 *7 | sh7 | T7", "W5 past", "E", "W6 nN7 B8 | | ")

    def test_c4_building_on_seeds(self) -> None:
        illegal("GI", "W5 *6 sh9 | | ", "W5 past", "sE sS")
        illegal("GI", "W5 T6 F9<10 | | ", "W5 past", "sE sS")
        leads("GI", "W5 | *6 B6 | sh6", "W5 past", "sE", "W5 nW6 | nW6 B7 | nW6")

    def test_c5_what_statues_enter(self) -> None:
        illegal("GI", " | | W5 nN6 F7<11", "W5 future", "E")
        illegal("GI", " | | W5 nN6 T7 sh8", "W5 future", "E")
        leads("GI", " | nN6 W7 | nN6 sh7", "W7 present", "E*", " | nN7 W8 | nN6 sh7")

    def test_c6_trees_fall_onto_statues(self) -> None:
        leads(
            "GI",
            " | | W9 T10 nN11 B12",
            "W9 future",
            "E",
            " | | W10 F11<10 nN12",
            dead="B12 future (squish)",
        )
        leads("GI", "W9 T10 nN11 | nN2 | nN6", "W9 past", "E", "W10 F11<10 nN12 | nN3 | nN7")

    def test_c7_building_where_trees_are(self) -> None:
        leads("GI", "W5 | | T6", "W5 past", "sE", "W5 nW6 | nW6 | nW6 F7<6")
        leads(
            "GI",
            "W5 | | T6 sh7 B5",
            "W5 past",
            "sE",
            "W5 nW6 | nW6 | T6 sh7 nW5",
            dead="B5 future (squish)",
        )
        leads("GI", "W6 | | F7<3", "W6 past", "sE", "W6 nW7 | nW7 | F7<3 nW6")
        leads("GI", "W7 | | nN8 T7", "W7 past", "sE", "W7 nW8 | nW8 | nN8 nW7 F6<7")

    def test_c8_c10_no_plant_where_something_is(self) -> None:
        illegal("GI", "W5 nN6 | | ", "W5 past", "pE")
        illegal("GM", "W5 eD6 | | ", "W5 past", "pE")
        leads("GI", "W5 | nN6 | ", "W5 past", "pE", "W5 *6 | nN6 | ")
        leads("GM", "W5 | | eD6", "W5 past", "pE", "W5 *6 | sh6 | eD6")

    def test_c9_elephants_flatten(self) -> None:
        leads(
            "GM",
            "W1 eD6w *7 B7 | sh7 | F8<7",
            "W1 past",
            "cD:E",
            "W1 eD7w | | ",
            dead="B7 past (trampled)",
        )
        leads("GM", " | W1 eD6w *7 | sh7", "W1 present", "cD:E", " | W1 eD7w | ")
        leads("GM", " | W1 eD6w F7<8 | sh7", "W1 present", "cD:E", " | W1 eD7w | sh7")
        outcome = leads("GM", " | W1 eD6w sh7 | F8<7", "W1 present", "cD:E", " | W1 eD7w | F8<7")
        assert outcome.position.seeds == 5

    def test_c9_a_shrub_may_take_its_tree_along(self) -> None:
        for tree in ("T7", "F8<7"):
            leads(
                "GM",
                f"*7 | W1 eD6w sh7 | {tree}",
                "W1 present",
                "cD:E",
                "*7 | W1 eD7w | ",
                shrub_removal_ungrows=True,
            )
        leads(
            "GM",
            "*7 | W1 eD6w sh7 | F7<3",
            "W1 present",
            "cD:E",
            "*7 | W1 eD7w | F7<3",
            shrub_removal_ungrows=True,
        )

    def test_c9_nothing_goes_along_with_a_fallen_tree(self) -> None:
        start, after = " | W1 eD6w F7<8 | T7 F8<7", " | W1 eD7w | T7 F8<7"
        leads("GM", start, "W1 present", "cD:E", after, shrub_removal_ungrows=True)

    def test_c9_a_tree_that_lost_its_shrub_goes_with_its_seed(self) -> None:
        leads("GM", "W6 *7 | eD7w | T7", "W6 past", "dE", "W6 | eD7w | ")

    def test_c10_elephants_and_trees(self) -> None:
        leads(
            "GM",
            " | | W1 eD6w T7 B8",
            "W1 future",
            "cD:E",
            " | | W1 eD7w F8<7",
            dead="B8 future (crushed)",
        )
        illegal("GM", " | | W1 eD6w T7 sh8 eL5", "W1 future", "cD:E cD:W")
        outcome = leads(
            "GM",
            " | | W3 eD1w T2",
            "W3 future",
            "cD:E",
            " | | eD2w F3<2",
            dead="W3 future (crushed)",
        )
        assert outcome.active is None

    def test_c11_elephants_push_and_pull_statues(self) -> None:
        leads(
            "IM", "W1 nN5 eD6w nB7 | nN5 nB7 | ", "W1 past", "cD:E*", "W1 nN6 eD7w nB8 | nN6 nB8 | "
        )
        illegal("IM", "W1 nN2 eD6w | | ", "W1 past", "cD:E* cD:N* cD:W*")
        illegal("IM", "W1 eD6w nN7 eL8 | | ", "W1 past", "cD:E")
        outcome = leads("IM", "eD5w nN6 W7 | | ", "W7 past", "cD:E", "eD6w nN7 W8 | | ")
        assert outcome.active == (0, 8)  # the commander is pushed and stays active
        outcome = leads(
            "IM", "eD6w nN7 W8 | | ", "W8 past", "cD:E", "eD7w nN8 | | ", dead="W8 past (squish)"
        )
        assert outcome.active is None

    def test_c11_an_elephant_pulls_while_it_tramples_its_commander(self) -> None:
        leads(
            "IM",
            "nN5 eD6w W7 | nN5 | ",
            "W7 past",
            "cD:E*",
            "nN6 eD7w | nN6 | ",
            dead="W7 past (trampled)",
        )

    def test_c12_statues_do_not_enter_elephants(self) -> None:
        leads("IM", "W5 nN6 | nN6 eL7 | nN6", "W5 past", "E", "W6 nN7 | nN6 eL7 | nN6")
        leads("IM", "W5 | eD6 | ", "W5 past", "sE", "W5 nW6 | eD6 nW5 | nW5")
        leads("IM", "W5 | eD6 | ", "W5 past", "sE", "W5 nW6 | eD6 | ", build_blocked="stop_2023")


def test_t12_t13_copies_that_cannot_act() -> None:
    """Objects can leave a copy, or all copies in the focus era, without any action."""
    walled = "sh1 | W1 sh2 sh5 {} | W1 B16"
    position = position_of("G", walled.format(""), 1, "w", seeds=0)
    assert [format_turn(turn) for turn in legal_turns(position)] == [">past", ">future"]
    position = position_of("G", walled.format("W16"), 1, "w", seeds=0)
    assert {turn.copy for turn in legal_turns(position)} == {16}


def test_t27_no_supply_no_backward_travel() -> None:
    illegal("G", " | W5 | ", "W5 present", "B", supply=0)
