from array import array
from collections.abc import Callable
from typing import ParamSpec, TypeAlias, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Constant = TypeVar("_Constant", int, str, bytes, tuple[int, ...])

ptr8: TypeAlias = bytearray
ptr16: TypeAlias = array[int]
ptr32: TypeAlias = array[int]

def const(value: _Constant) -> _Constant: ...

class micropython:
    @staticmethod
    def viper(function: Callable[_P, _R]) -> Callable[_P, _R]: ...
