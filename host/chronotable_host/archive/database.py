"""A database that SQLAlchemy knows, and one sentence for each way in which it can fail.

Other processes use it, too: a transaction that conflicts with one of theirs is repeated.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    IntegrityError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import NullPool, StaticPool

from chronotable_host.errors import UserError, printable
from chronotable_host.language import tr

Result = TypeVar("Result")

_TRIES = 5
_PATIENCE_S = 2.0
"""How long another program may hold a file; longer than any transaction of ours takes."""
_ENCODING = "UTF8"  # as PostgreSQL calls it
_EXAMPLES = tr(
    "{sqlite} or {postgresql}",
    sqlite="sqlite:///file",
    postgresql="postgresql+psycopg://name:password@host/database",
)


class UnusableError(UserError):
    """The database cannot be used, now or at all."""


class HeldError(UnusableError):
    """Another program holds the file of the database for longer than anybody waits in silence."""


class DamagedError(UnusableError):
    """The file or server is no database, or not one of ours, or damaged: waiting will not help."""


class Database:
    """The database at a URL; `name` is what people know it by, `source` who gave the URL.

    Any thread may use it, one at a time.
    """

    def __init__(self, url: str | URL, name: str = "", source: str = "--url") -> None:
        self._url = url
        self._source = source
        self._engine: Engine | None = None
        self.name = name

    def open(self) -> None:
        """Connect; raises UnusableError."""
        url = self._parsed()
        self.name = self.name or tr(
            "the database {url}", url=url.render_as_string(hide_password=True)
        )
        try:
            self._engine = sql.create_engine(url, **_options(url))
            if self._engine.dialect.name == "postgresql":
                # before SQLAlchemy asks for the version, which fails without an encoding
                sql.event.listen(self._engine, "connect", self._check_encoding, insert=True)
            self._engine.connect().close()
        except UnusableError:
            self.close()
            raise
        except NoSuchModuleError as error:
            raise self._trouble(
                tr(
                    "SQLAlchemy knows no '{driver}' here; {option} takes a URL as {examples}",
                    driver=url.drivername,
                    option=self._source,
                    examples=_EXAMPLES,
                )
            ) from error
        except ImportError as error:
            raise self._trouble(
                tr(
                    "its driver is not installed ({problem}); install that beside chronotable, or "
                    "name another driver in the URL",
                    problem=error,
                )
            ) from error
        except (SQLAlchemyError, OSError, ValueError, TypeError) as error:
            self.close()
            raise self._failure(error) from error

    def close(self) -> None:
        """Close all connections."""
        if self._engine is not None:
            self._engine.dispose()
        self._engine = None

    def run(self, work: Callable[[Connection], Result]) -> Result:
        """Do work in a transaction, once more where another process got in its way.

        Raises UnusableError.
        """
        if self._engine is None:
            raise ValueError("the database is not open")
        # what waited in vain is not begun again
        tries, until_s = 0, time.monotonic() + _PATIENCE_S / 2
        while True:
            tries += 1
            try:
                with self._engine.begin() as connection:
                    return work(connection)
            except (SQLAlchemyError, OSError, UnicodeError) as error:
                is_late = tries == _TRIES or time.monotonic() >= until_s
                if is_late or not isinstance(error, DatabaseError):
                    raise self._failure(error) from error

    def _check_encoding(self, connection: Any, _record: object) -> None:
        """See that a PostgreSQL connection leads to a database that keeps every name."""
        cursor = connection.cursor()
        cursor.execute("SHOW server_encoding")
        (found,) = cursor.fetchone()
        cursor.close()
        connection.rollback()
        encoding = found.decode("ascii", "replace") if isinstance(found, bytes) else str(found)
        if encoding != _ENCODING:
            raise self._trouble(
                tr(
                    "it is a database in {encoding}, and the players' names need one in UTF-8; "
                    "`createdb --encoding UTF8 --template template0 NAME` makes one",
                    encoding=encoding,
                ),
                DamagedError,
            )

    def _parsed(self) -> URL:
        try:
            return sql.make_url(self._url)
        except (ArgumentError, ValueError) as error:  # the text may hold a password
            raise UnusableError(
                tr(
                    "{option} is no URL of a database; it reads as {examples}",
                    option=self._source,
                    examples=_EXAMPLES,
                )
            ) from error

    def _failure(self, error: BaseException) -> UnusableError:
        """Return what to say of an error; the driver says it without our statement."""
        passes = isinstance(error, (OperationalError, IntegrityError))
        cause = getattr(error, "orig", None) or error
        why = str(cause).strip() or type(error).__name__
        is_unreadable = "decode" in why  # so says sqlite3 of a text that is no UTF-8
        lasts = isinstance(error, DatabaseError) and (is_unreadable or not passes)
        if isinstance(cause, sqlite3.OperationalError) and "locked" in why:
            why = tr("another program holds it; try again when that has let go of it")
            return self._trouble(why, HeldError)
        return self._trouble(why.splitlines()[0], DamagedError if lasts else UnusableError)

    def _trouble(self, why: str, kind: type[UnusableError] = UnusableError) -> UnusableError:
        return kind(tr("{database} cannot be used: {why}", database=self.name, why=printable(why)))


def _options(url: URL) -> dict[str, Any]:
    """Return what else an engine is made with.

    A database in memory is the same for all threads. One in a file is opened for each transaction,
    which takes less than a millisecond: none stays open that somebody forgets to close.
    """
    if url.get_backend_name() != "sqlite":
        return {}
    if url.database in (None, "", ":memory:"):
        return {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
    return {"poolclass": NullPool, "connect_args": {"timeout": _PATIENCE_S}}
