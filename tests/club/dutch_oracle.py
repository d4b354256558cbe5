"""The FIDE (Dutch) System as the handbook tells it: candidate after candidate, for small fields.

Written from articles 1 to 5 of C.04.3 alone, and sharing nothing with the code that it checks but
the data of a player: all pairings of a bracket are looked at, each judged by lists of what fails,
and those that are best are looked for in the order in which article 4 makes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from chronotable_club.tournament.swiss import PairedRound, Player

Pairs = frozenset[tuple[int, int]]


class Oracle:
    def __init__(self, players: list[Player], initial: str) -> None:
        self.by_number = {player.number: player for player in players}
        self.order = sorted(self.by_number, key=lambda it: (-self.by_number[it].score, it))
        self.initial = initial
        byes = [
            self.by_number[bye].score
            for bye in (self.order if len(players) % 2 else [])
            if self.by_number[bye].may_have_bye
            and self.completes(tuple(it for it in self.order if it != bye))
        ]
        self.bye_score = min(byes) if byes else None
        self.possible = bool(byes) if len(players) % 2 else self.completes(tuple(self.order))

    # ---- absolute criteria

    def wish(self, number: int) -> tuple[str, str]:
        """1.7"""
        colours = self.by_number[number].colours
        difference = sum(1 if it == "W" else -1 for it in colours)
        if abs(difference) >= 2 or colours.endswith(("WW", "BB")):
            by_last = {"WW": "B", "BB": "W"}.get(colours[-2:], "")
            return ("B" if difference > 1 else "W" if difference < -1 else by_last), "absolute"
        if difference:
            return ("B" if difference == 1 else "W"), "strong"
        return ("", "none") if not colours else ({"W": "B", "B": "W"}[colours[-1]], "mild")

    def legal(self, a: int, b: int) -> bool:
        """C1 and C.3"""
        one, two = self.by_number[a], self.by_number[b]
        clash = self.wish(a) == self.wish(b) and self.wish(a)[1] == "absolute"
        tops = one.is_topscorer or two.is_topscorer
        return b not in one.opponents and (not clash or tops)

    def completes(self, rest: tuple[int, ...]) -> bool:
        if not rest:
            return True
        return any(
            self.legal(rest[0], other)
            and self.completes(tuple(it for it in rest[1:] if it != other))
            for other in rest[1:]
        )

    def can_go_on(self, rest: tuple[int, ...]) -> bool:
        """C4, with the bye of C.2 and C.5"""
        if len(rest) % 2 == 0:
            return self.completes(rest)
        return any(
            self.by_number[bye].may_have_bye
            and self.by_number[bye].score == self.bye_score
            and self.completes(tuple(it for it in rest if it != bye))
            for bye in rest
        )

    # ---- brackets

    def paired(self) -> PairedRound | None:
        if not self.possible:
            return None
        pairs: list[tuple[int, int]] = []
        rest, moved = list(self.order), []
        while len(rest) > 1:
            score = self.by_number[rest[len(moved)]].score
            residents = [it for it in rest[len(moved) :] if self.by_number[it].score == score]
            lower = rest[len(moved) + len(residents) :]
            made = self.bracket(moved, residents, lower)
            pairs += made
            gone = {it for pair in made for it in pair}
            moved = [it for it in [*moved, *residents] if it not in gone]
            rest = [it for it in rest if it not in gone]
        coloured = tuple(sorted(self.colours(a, b) for a, b in pairs))
        return PairedRound(coloured, rest[0] if rest else None)

    def partial(self, moved: list[int], residents: list[int], lower: list[int]) -> Iterator[Pairs]:
        """Yield all pairs that can be made in a bracket such that the round can be completed."""

        def make(rest: list[int], made: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
            if not rest:
                yield made
                return
            first = rest[0]
            yield from make(rest[1:], made)
            for other in rest[1:]:
                if other not in moved and self.legal(first, other):
                    less = [it for it in rest[1:] if it != other]
                    yield from make(less, [*made, (first, other)])

        everyone = [*moved, *residents]
        for made in make(everyone, []):
            gone = {it for pair in made for it in pair}
            left = tuple(it for it in [*everyone, *lower] if it not in gone)
            if self.can_go_on(left):
                yield frozenset(made)

    def bracket(self, moved: list[int], residents: list[int], lower: list[int]) -> Pairs:
        known: dict[tuple[int, ...], object] = {}
        judged = {}
        for made in self.partial(moved, residents, lower):
            judged[made] = self.judge(made, moved, residents, lower, known)
        best = min(judged.values())
        wanted = {made for made, verdict in judged.items() if verdict == best}
        sample = next(iter(wanted))
        return next(made for made in self.candidates(moved, residents, sample) if made in wanted)

    def candidates(self, moved: list[int], residents: list[int], sample: Pairs) -> Iterator[Pairs]:
        """3.6, 3.7: one after the other; `sample` says how many pairs of each kind there are."""
        m1 = sum(a in moved for a, _ in sample)
        for chosen in combinations(range(len(moved)), m1):  # 4.4.2
            for order in permutations(range(len(residents)), m1):  # 4.2
                first = [(moved[at], residents[to]) for at, to in zip(chosen, order, strict=True)]
                remainder = [it for at, it in enumerate(residents) if at not in order]
                for rest in self.homogeneous(remainder, len(sample) - m1):
                    yield frozenset([*first, *rest])

    def homogeneous(self, players: list[int], size: int) -> Iterator[list[tuple[int, int]]]:
        bsn = {player: number for number, player in enumerate(players, 1)}
        s1, s2 = players[:size], players[size:]
        exchanges = [
            (out, into)
            for count in range(min(len(s1), len(s2)) + 1)
            for out in combinations([bsn[it] for it in s1], count)
            for into in combinations([bsn[it] for it in s2], count)
        ]
        exchanges.sort(  # 4.3
            key=lambda it: (
                len(it[0]),
                sum(it[1]) - sum(it[0]),
                [-number for number in sorted(it[0], reverse=True)],
                sorted(it[1]),
            )
        )
        for out, into in exchanges:
            upper = sorted([it for it in s1 if bsn[it] not in out] + [players[i - 1] for i in into])
            lower = sorted(set(players) - set(upper))
            for order in permutations(lower, len(upper)):  # 4.2
                yield [(min(a, b), max(a, b)) for a, b in zip(upper, order, strict=True)]

    # ---- quality criteria

    def judge(
        self,
        made: Pairs,
        moved: list[int],
        residents: list[int],
        lower: list[int],
        known: dict[tuple[int, ...], object],
    ) -> tuple[object, ...]:
        score = {number: player.score for number, player in self.by_number.items()}
        gone = {it for pair in made for it in pair}
        down = [it for it in [*moved, *residents] if it not in gone]
        key = tuple(down)
        if key not in known:
            known[key] = self.next_bracket(down, lower)
        c9 = 0
        base = score[residents[0]]
        if len(down) == 1 and self.bye_score is not None and self.bye_score >= base:
            c9 = self.by_number[down[0]].unplayed
        c10 = c11 = c12 = c13 = 0
        for a, b in made:
            seats = dict(zip(self.colours(a, b), "WB", strict=True))
            for number, colour in seats.items():
                player = self.by_number[number]
                after = player.colours + colour
                if self.by_number[a].is_topscorer or self.by_number[b].is_topscorer:
                    c10 += abs(after.count("W") - after.count("B")) > 2
                    c11 += after.endswith(("WWW", "BBB"))
                due, strength = self.wish(number)
                if due and due != colour:
                    c12 += 1
                    c13 += strength == "strong"
        floats = {number: player.floats for number, player in self.by_number.items()}
        mixed = [(a, b) for a, b in made if a in moved]
        far = 1000
        verdict: list[object] = [
            len(down),
            sorted((score[it] for it in down), reverse=True),
            known[key],
            c9,
            c10,
            c11,
            c12,
            c13,
        ]
        for ago in (0, 1):
            verdict.append(sum(it in residents and floats[it][ago] == "down" for it in down))
            verdict.append(sum(floats[b][ago] == "up" for _, b in mixed))
        for ago in (0, 1):
            gaps = [score[a] - score[b] for a, b in mixed if floats[a][ago] == "down"]
            gaps += [far + score[it] for it in down if it in moved and floats[it][ago] == "down"]
            verdict.append(sorted(gaps, reverse=True))
            gaps = [score[a] - score[b] for a, b in mixed if floats[b][ago] == "up"]
            verdict.append(sorted(gaps, reverse=True))
        return tuple(verdict)

    def next_bracket(self, down: list[int], lower: list[int]) -> tuple[object, ...]:
        """C8: the best that the next bracket can reach by C.6 and C.7."""
        if not lower:
            return ()
        score = self.by_number[lower[0]].score
        residents = [it for it in lower if self.by_number[it].score == score]
        found = []
        for made in self.partial(down, residents, lower[len(residents) :]):
            gone = {it for pair in made for it in pair}
            left = [it for it in [*down, *residents] if it not in gone]
            scores = sorted((self.by_number[it].score for it in left), reverse=True)
            found.append((len(left), scores))
        return min(found)

    # ---- colours

    def colours(self, a: int, b: int) -> tuple[int, int]:
        """5.2"""
        high, low = sorted((a, b), key=self.order.index)
        order = ["none", "mild", "strong", "absolute"]
        (due, how), (low_due, low_how) = self.wish(high), self.wish(low)
        white = None
        if due and low_due and due != low_due:
            white = high if due == "W" else low
        elif how != low_how:
            stronger = high if order.index(how) > order.index(low_how) else low
            other = low if stronger == high else high
            white = stronger if self.wish(stronger)[0] == "W" else other
        else:
            one, two = self.by_number[high].colours, self.by_number[low].colours
            if how == "absolute":
                wide = [abs(it.count("W") - it.count("B")) for it in (one, two)]
                if wide[0] != wide[1]:
                    wider, other = (high, low) if wide[0] > wide[1] else (low, high)
                    white = wider if due == "W" else other
            if white is None:
                for back in range(1, min(len(one), len(two)) + 1):
                    if one[-back] != two[-back]:
                        white = high if one[-back] == "B" else low
                        break
            if white is None and due:
                white = high if due == "W" else low
            if white is None:
                player = self.by_number[high]
                odd = (player.place or high) % 2 == 1
                white = high if odd == (self.initial == "W") else low
        return (white, low if white == high else high)
