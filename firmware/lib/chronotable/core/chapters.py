"""The chapters on a table alone: how many are unlocked, and what is played next.

They are unlocked in their order, so a number says it all; it is kept in the flash.
"""

from ttykm.mp import const

if False:
    from chronotable.journal.store import Store

COUNT = const(4)

_FILE = const("chapters")
_CHAPTER = b"\0\1\2\4\3\4\4\4"  # of each set of modules; two or three are the last (C1, C13)


def chapter_of(modules: int) -> int:
    """Return the chapter that a set of modules needs, 0 for none."""
    return _CHAPTER[modules]


class Chapters:
    """How many chapters are `unlocked`; a flash that fails forgets it with the power."""

    def __init__(self, store: "Store") -> None:
        self.unlocked = 0
        self._store = store
        try:
            if _FILE in store.names():
                self.unlocked = max(0, b"01234".find(store.read(_FILE)[:1] or b"0"))
        except OSError:
            return

    def unlock_to(self, count: int) -> None:
        """Unlock so many chapters, unless more are."""
        if self.unlocked < count <= COUNT:
            self.unlocked = count
            try:
                self._store.replace(_FILE, b"%d" % count)
            except OSError:
                return

    def after(self, modules: int, seed: int) -> int:
        """Return the modules to go on to: one by one, a pair that a seed draws, all, none."""
        from ttykm.objects import convergence

        following = (1, 2, 4, 7, convergence(seed), 7, 7, 0)[modules]
        return following if chapter_of(following) <= self.unlocked else 0
