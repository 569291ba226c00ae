"""The compliance kit: whether a strategy keeps to the form, on as many decisions as asked.

Each part is played by `sim.probe` in a process of its own that is watched: a strategy that hangs
or brings its process down is a finding like any other. The checks:

    legal          every answer is an action that the rules allow
    raises         it raises no exception
    answers        it answers in time and its process lives
    unchanged      it writes to nothing but me.rng and me.memory
    deterministic  asked twice with the same view, stream and memory it gives the same answer
    own_stream     no other randomness, clock or file: found in its text, and by asking again with
                   other seeds and in a process where Python hashes otherwise
    peeks          hidden facts drawn anew (`sample_world`) do not change its answer
    bounds         with its parameters at both ends it plays legally
    memory         a game is played the same alone and after others
    traced         a replay ends as the game did
    plain          without the JIT it does the same
    speed          how fast it is beside the game's other strategies; no speed fails.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sim import catalog
from sim.board import DEAL, ROTATION, Board, ending
from sim.core.game import BASELINE, Words
from sim.experiment import Experiment
from sim.replay import replay_command
from sim.workers import HANG_SECONDS

if TYPE_CHECKING:
    from sim.probe import Seen

DECISIONS = 10_000  # of each kind, at each number of players
HASH_SEEDS = ("0", "1")  # of Python, in two processes

CHECKS = {
    "legal": Words("plays legally", "出牌合法"),
    "raises": Words("raises no exception", "不抛出异常"),
    "answers": Words("answers in time", "按时作答"),
    "unchanged": Words("leaves the view unchanged", "不改动所见信息"),
    "deterministic": Words("same question, same answer", "同一问题同一回答"),
    "own_stream": Words("draws from me.rng alone", "只用 me.rng 的随机数"),
    "peeks": Words("does not peek", "不偷看"),
    "bounds": Words("parameters at their bounds", "参数取上下限"),
    "memory": Words("forgets between games", "各局之间不留记忆"),
    "traced": Words("the same when replayed", "重放结果相同"),
    "plain": Words("the same without the JIT", "不用 JIT 结果相同"),
    "speed": Words("speed", "速度"),
}


@dataclass(frozen=True)
class Finding:
    """One line of the table; `passed` is None where nothing was judged."""

    check: str  # a key of CHECKS
    passed: bool | None
    seen: Words


@dataclass(frozen=True)
class Report:
    """What the kit found, a line a check in the order of CHECKS."""

    game: str
    strategy: str  # as tables call it
    findings: tuple[Finding, ...]

    @property
    def failed(self) -> list[str]:
        """The checks that failed."""
        return [one.check for one in self.findings if one.passed is False]


def check(
    game: str, strategy: str, *, decisions: int = DECISIONS, hang_seconds: float = HANG_SECONDS
) -> Report:
    """Try a strategy in every way of the kit.

    Parameters
    ----------
    game
        Name of the game.
    strategy
        A name, or the path of a .py file; parameters as in `target40:limit=35`.
    decisions
        Of each kind, at each number of players, each of which gets a minute (`Probe.survey`).
    hang_seconds
        How long it may think about one decision.

    Raises
    ------
    Mistake
        There is no such game or strategy, or it cannot be imported or compiled.
    """
    from sim.probe import Subject, usual_rules

    players = catalog.game(game).players[0]
    spec = catalog.parse(strategy, game)
    catalog.load(spec.text, game)
    trial = _Trial(game, spec.text, decisions, hang_seconds)
    subject = Subject(game, spec.text)
    subject.lay(players, usual_rules(subject.game, players))  # whether it compiles
    return Report(game, catalog.label(spec.text), tuple(trial.findings()))


class _Died(Exception):
    """The process of a strategy hangs or has ended."""

    def __init__(self, words: Words) -> None:
        super().__init__(words.en)
        self.words = words


@dataclass(frozen=True)
class _Trial:
    game: str
    strategy: str
    decisions: int
    hang_seconds: float

    def findings(self) -> list[Finding]:
        """The findings in order; what depends on a check that failed is not judged."""
        found: dict[str, Finding] = {}
        because = CHECKS[self._judge(found)]
        why = Words(f"not judged: fails '{because.en}'", f"未判定：“{because.zh}”未通过")
        return [found.get(check) or Finding(check, None, why) for check in CHECKS]

    def _judge(self, found: dict[str, Finding]) -> str:
        """Fill in what can be judged; return the check for which the rest cannot."""

        def fail(check: str, words: Words) -> None:
            found.setdefault(check, Finding(check, False, words))

        foreign = list(foreign_sources(catalog.parse(self.strategy, self.game).file.path))
        if foreign:
            fail("own_stream", _same("; ".join(foreign)))
        try:
            seen = self._play("all", HASH_SEEDS[0], seed=1)
        except _Died as died:
            fail("answers", died.words)
            return "answers"
        total = f"{sum(map(sum, seen.decisions.values())):,}"
        every = Words(f"{total} decisions", f"{total} 个决策")
        asked = f"{seen.asked_again:,}"
        slowest = f"{1000 * seen.longest:,.1f} ms"

        def judge(check: str, words: Words) -> None:
            is_faulty = check in seen.faults
            shown = Words(*seen.faults[check]) if is_faulty else words
            found.setdefault(check, Finding(check, not is_faulty, shown))

        def stopped(*checks: str) -> str | None:
            return next((check for check in checks if check in seen.faults), None)

        judge("legal", self._decisions(seen))
        judge("raises", every)
        judge("answers", Words(f"the longest thought took {slowest}", f"最长一次思考 {slowest}"))
        if because := stopped("legal", "raises"):
            return because
        judge("unchanged", every)
        judge("deterministic", Words(f"{asked} decisions asked twice", f"{asked} 个决策各问两遍"))
        if because := stopped("deterministic"):
            return because
        words = Words(f"worlds redrawn at {asked} decisions", f"在 {asked} 个决策处重抽世界")
        judge("peeks", words)
        if because := stopped("unchanged"):
            return because
        judge("bounds", _bounds(seen))
        judge("speed", _speed(seen))
        if because := stopped("own_stream"):
            judge(because, every)
            return because
        if elsewhere := self._elsewhere(seen):
            fail(*elsewhere)
            return elsewhere[0]
        judge("traced", Words(f"{seen.traced} games", f"{seen.traced} 局"))
        games = len(seen.games)
        words = Words(
            f"{asked} decisions with other seeds, {games} games with other hashes",
            f"{asked} 个决策换种子再问，{games} 局换散列种子",
        )
        judge("own_stream", words)
        judge("memory", Words(f"{games} games in two orders", f"{games} 局，两种次序"))
        found["plain"] = self._without_jit(seen)
        return "answers"  # nothing is left

    def _elsewhere(self, seen: Seen) -> tuple[str, Words] | None:
        """Play the signed games again from the last to the first, where Python hashes otherwise."""
        backwards = [*seen.games][::-1]
        try:
            there = self._play("games", HASH_SEEDS[1], seed=2, order=backwards)
            differs = _first_difference(seen, there)
            if differs is None:
                return None
            here = self._play("games", HASH_SEEDS[0], seed=1, order=backwards)
        except _Died as died:
            return "memory", died.words
        if _first_difference(seen, here) is None:
            en = f"another process plays it otherwise (Python's hash or random seeds): {differs}"
            return "own_stream", Words(en, f"另一进程（散列或随机种子不同）结果不同：{differs}")
        en = f"played first and played after others it is not the same: {differs}"
        return "memory", Words(en, f"先玩与后玩结果不同：{differs}")

    def _without_jit(self, seen: Seen) -> Finding:
        from sim.probe import COURSE, COURSE_SEED, Subject, usual_rules

        try:
            plain = self._play("courses", HASH_SEEDS[0], seed=1, NUMBA_DISABLE_JIT="1")
        except _Died as died:
            return Finding("plain", False, died.words)
        compared = 0
        for players, here in seen.courses.items():
            both = list(zip(here, plain.courses[players], strict=False))
            for n, (one, other) in zip(COURSE, both, strict=False):
                if one != other:
                    subject, seats = Subject(self.game, self.strategy), int(players)
                    rules = usual_rules(subject.game, seats)
                    played = subject.experiment(seats, rules, COURSE_SEED, alone=True)
                    again = replay_command(played, 0, 0, 0)
                    en = f"differs within {n} decisions of {players} players, as in: {again}"
                    zh = f"{players} 人局前 {n} 个决策内不同，例如：{again}"
                    return Finding("plain", False, Words(en, zh))
            compared += COURSE[len(both) - 1] if both else 0
        words = Words(f"{compared:,} decisions, same sha256", f"{compared:,} 个决策，sha256 相同")
        return Finding("plain", True, words)

    def _decisions(self, seen: Seen) -> Words:
        """How many decisions of each kind were met, which were too rare, and which never came."""
        game = catalog.game(self.game)
        view = import_module(f"{game.package}.view")
        counts = [sum(column) for column in zip(*seen.decisions.values(), strict=True)]
        every = f"{sum(counts):,}"
        met, met_zh = f"{every} decisions", f"{every} 个决策"
        kinds = list(zip(getattr(view, "DECISIONS", ()), counts, strict=False))
        if kinds:
            met += f" ({', '.join(f'{kind.en}: {n:,}' for kind, n in kinds if n)})"
            met_zh += f"（{'，'.join(f'{kind.zh}：{n:,}' for kind, n in kinds if n)}）"
        least = [min(column) for column in zip(*seen.decisions.values(), strict=True)]
        rare = [
            (kind, n)
            for (kind, all_n), n in zip(kinds, least, strict=False)
            if all_n and n < self.decisions
        ]
        if rare:
            short = f"{self.decisions:,}"
            met += f"; at some number of players fewer than {short}: "
            met += ", ".join(f"{kind.en} ({n:,})" for kind, n in rare)
            met_zh += f"；某种人数下不足 {short} 个："
            met_zh += "、".join(f"{kind.zh}（{n:,}）" for kind, n in rare)
        never = [kind for kind, n in kinds if not n]
        if never:
            met += f"; never met: {', '.join(kind.en for kind in never)}"
            met_zh += f"；从未遇到：{'、'.join(kind.zh for kind in never)}"
        tables = [str(players) for players in game.players]
        return Words(
            f"{met}; {', '.join(tables)} players, {seen.rule_sets:,} sets of rules",
            f"{met_zh}；{'、'.join(tables)} 人，{seen.rule_sets:,} 套规则",
        )

    def _play(
        self, task: str, hashes: str, seed: int, order: Sequence[str] = (), **env: str
    ) -> Seen:
        """Let a process play and return what it has seen; raises _Died."""
        from sim.probe import Seen

        with (
            tempfile.TemporaryDirectory(prefix="fairdeal-check-") as folder,
            Board(is_shared=True) as board,
        ):
            request = {
                "task": task,
                "game": self.game,
                "strategy": self.strategy,
                "decisions": self.decisions,
                "seed": seed,
                "order": order,
                "folder": folder,
                "board": board.path,
            }
            errors = Path(folder) / "stderr"
            with errors.open("wb") as sink:
                process = subprocess.Popen(
                    [sys.executable, "-m", "sim.probe", json.dumps(request)],
                    env={
                        **os.environ,
                        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                        "PYTHONHASHSEED": hashes,
                        **env,
                    },
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=sink,
                )
            try:
                self._watch(process, board, Path(folder))
            finally:
                process.kill()
                process.wait()
            found = Path(folder) / "seen.json"
            if not found.exists():
                lines = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
                raise _Died(self._end(process.returncode, lines, board, Path(folder)))
            return Seen(**json.loads(found.read_text(encoding="utf-8")))

    def _watch(self, process: subprocess.Popen[bytes], board: Board, folder: Path) -> None:
        while process.poll() is None:
            stuck = board.find_stuck([1], self.hang_seconds)
            if stuck:
                again = _again(folder, stuck.deal, stuck.rotation)
                limit = f"{self.hang_seconds:g}"
                raise _Died(
                    Words(
                        f"no answer for {limit} s (deal {stuck.deal}, seat {stuck.seat}), its "
                        f"process was ended; see the game with: {again}",
                        f"{limit} 秒没有回答（第 {stuck.deal} 副牌，座位 {stuck.seat}），"
                        f"进程已被终止；重看这一局：{again}",
                    )
                )
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.1)

    def _end(self, code: int, lines: list[str], board: Board, folder: Path) -> Words:
        """Why a process ended before its time, and where."""
        why = lines[-1] if lines and code >= 0 else ending(code)
        slot = board.slots[1]
        again = _again(folder, int(slot[DEAL]), int(slot[ROTATION]))
        return Words(
            f"its process {why}; see the game with: {again}", f"进程 {why}；重看这一局：{again}"
        )


def _again(folder: Path, deal: int, rotation: int) -> str:
    """The command for a game of the experiment that a process has written down."""
    with contextlib.suppress(OSError, ValueError):
        place = Experiment.from_toml((folder / "place.toml").read_text(encoding="utf-8"))
        return replay_command(place, 0, deal, rotation)
    return "-"


def _same(text: str) -> Words:
    return Words(text, text)


def _first_difference(seen: Seen, there: Seen) -> str | None:
    """The first game whose signatures differ, in words."""
    for name, signature in seen.games.items():
        if there.games.get(name) != signature:
            players, deal = name.split()
            return f"deal {deal} of {players} players, seed 0"
    return None


def _bounds(seen: Seen) -> Words:
    tried = [values for values in seen.bounds if values]
    return _same(", ".join(tried)) if tried else Words("it has no parameters", "没有参数")


def _speed(seen: Seen) -> Words:
    own, ratios = seen.speed[""], {k: v for k, v in seen.speed.items() if k}
    behind = sum(ratio < 1 for ratio in ratios.values())
    base = ratios[BASELINE]
    return Words(
        f"{own:,.0f} games a second, {base:.2f} times {BASELINE}; "
        f"{behind} of {len(ratios)} of the game's own are faster",
        f"每秒 {own:,.0f} 局，为 {BASELINE} 的 {base:.2f} 倍；"
        f"自带 {len(ratios)} 个策略中 {behind} 个更快",
    )


# What the text of a strategy tells

FOREIGN = ("time", "datetime", "secrets", "uuid", "socket", "urllib", "subprocess", "threading")
GENERATORS = ("random.", "numpy.random.")
SEEDED = ("random.Random", *(f"numpy.random.{name}" for name in ("default_rng", "Generator")))


def foreign_sources(path: Path) -> Iterator[str]:
    """Calls in a strategy's file, and its helpers', to other randomness, clocks or files.

    A generator that is made with a seed of its own, `random.Random(seed)` or `default_rng(seed)`,
    is allowed: its seed can come from me.rng.
    """
    from sim.core import cache

    own = [Path(file) for file in cache.source_files(str(path))]
    core = Path(__file__).parent
    for file in sorted(file for file in own if not file.is_relative_to(core)):
        tree = ast.parse(file.read_bytes())
        names = _imported(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = _called(node.func, names)
                if called and _is_foreign(called, bool(node.args or node.keywords)):
                    yield f"{file.name}:{node.lineno}: {called}"


def _imported(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for."""
    names = {"open": "open", "input": "input"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or whole] = whole
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return names


def _called(function: ast.expr, names: dict[str, str]) -> str | None:
    """The full name of a called function, if it comes from a module."""
    first, _, rest = ast.unparse(function).partition(".")
    return f"{names[first]}.{rest}".rstrip(".") if first in names else None


def _is_foreign(called: str, has_arguments: bool) -> bool:
    if called in ("open", "input", "os.urandom", "pathlib.Path.open"):
        return True
    if called.startswith(GENERATORS):
        return not (called in SEEDED and has_arguments)
    return called.partition(".")[0] in FOREIGN


__all__ = ["CHECKS", "DECISIONS", "Finding", "Report", "check", "foreign_sources"]
