"""Constants are written in place of their names before the firmware is compiled."""

from __future__ import annotations

from textwrap import dedent

from chronotable_host.hardware.firmware.folding import fold


def folded(**sources: str) -> dict[str, str]:
    return fold({name: dedent(text) for name, text in sources.items()})


def test_values_go_where_the_names_were() -> None:
    out = folded(
        one="""
        from micropython import const
        A = const(3)
        _B = const((A << 4 | 1) - 60)
        def f(x=A):
            return x + _B
        """,
        two="""
        import one
        from one import A
        def g():
            from one import A as a
            return [A, a, one.A, one.f]
        """,
    )
    assert [line.strip() for line in out["one"].split("\n") if line.strip()] == [
        "pass",
        "pass",
        "pass",
        "def f(x=3):",
        "return x + (-11)",
    ]
    assert [line.strip() for line in out["two"].split("\n") if line.strip()] == [
        "import one",
        "pass",
        "def g():",
        "pass",
        "return [3, 3, 3, one.f]",
    ]


def test_texts_and_tuples_of_numbers_are_constants_too() -> None:
    out = folded(
        one="""
        from micropython import const
        KIND = const("f")
        _ODD = const((1, 1 + 2))
        _END = const(b".new")
        _NONE = const(None)
        _BOTH = const(KIND + KIND)
        def f():
            return KIND, _END, _NONE, _BOTH, _ODD
        """,
        two="from one import KIND\nprint(KIND)\n",
    )
    assert "return 'f', b'.new', _NONE, _BOTH, (1, 3)" in out["one"]
    assert "_NONE = const(None)" in out["one"]
    assert "_BOTH = const('f' + 'f')" in out["one"], "which the compiler knows how to add"
    assert out["two"] == "pass\nprint('f')\n"


def test_a_module_of_constants_alone_is_not_loaded() -> None:
    out = folded(
        codes="from micropython import const\nA = const(7)\n",
        user="import codes\nfrom os import sep\nprint(codes.A, sep)\n",
    )
    assert out["user"] == "pass\nfrom os import sep\nprint(7, sep)\n"


def test_what_is_bound_twice_is_no_constant() -> None:
    source = """
    from micropython import const
    A = const(1)
    B = const(2)
    B += 1
    C = const(len("abc"))
    D = const(E)
    E = const(D)
    def f(A):
        return A + B + C
    def g():
        global A
        A = 3
    """
    out = folded(one=source, two="from one import A, B, C\nprint(A, B, C)\n")
    assert out == {"one": dedent(source), "two": "from one import A, B, C\nprint(A, B, C)\n"}


def test_a_constant_may_be_imported_from_who_imports_it() -> None:
    out = folded(
        one="from micropython import const\nA = const(1)\nB = const(2)\n",
        two="from one import A, B\nprint(A, B)\n",
        three="from two import A, B\nimport two\nprint(A, f'{B}', two.A)\n",
    )
    assert out["one"] == "from micropython import const\npass\nB = const(2)\n"
    assert out["two"] == "from one import B\nprint(1, B)\n"
    assert out["three"] == "from two import B\npass\nprint(1, f'{B}', 1)\n"


def test_a_name_of_something_else_stays() -> None:
    texts = {
        "one": "from micropython import const\nA = const(1)\n",
        "two": "from one import A\nfrom other import A\nprint(A)\n",
        "three": "import one\ndef f(one):\n    return one.A\n",
    }
    out = folded(**texts)
    assert out == texts, "and so its definition stays"


def test_f_strings_keep_their_names_and_so_their_definitions() -> None:
    texts = {
        "one": "from micropython import const\nA = const(1)\nB = const(2)\n",
        "two": "from one import A, B\nprint(f'{A}', A, B)\n",
    }
    out = folded(**texts)
    assert out["two"] == "from one import A\nprint(f'{A}', A, 2)\n"
    assert out["one"] == "from micropython import const\nA = const(1)\npass\n"


def test_lines_stay_where_they_are() -> None:
    text = "from micropython import const\nA = const(\n    1\n    + 1\n)  # two\n\n\nx = A  # A\n"
    out = folded(one=text)["one"]
    assert out == "pass\npass  # two\n\n\n\n\n\nx = 2  # A\n"


def test_what_the_compiler_knows_itself_is_not_imported() -> None:
    out = folded(
        hot="""
        import micropython
        from ttykm.mp import const, micropython, ptr16
        """
    )
    assert "micropython" in out["hot"], "bound by two imports, so it is left alone"
    out = folded(
        hot="""
        from ttykm.mp import const, micropython, ptr16
        A = const(1)
        @micropython.viper
        def f(x: ptr16) -> int:
            return x[A]
        """,
        warm="""
        import micropython
        micropython.alloc_emergency_exception_buf(100)
        """,
    )
    assert "ttykm" not in out["hot"]
    assert "x[1]" in out["hot"]
    assert out["warm"].startswith("\nimport micropython")
