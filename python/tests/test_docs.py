"""Examples in docstrings and in the README."""

import ast
import doctest
import importlib
import inspect
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import pdn
from pdn import _core

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = doctest.IGNORE_EXCEPTION_DETAIL


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def examples(module: object) -> list[doctest.DocTest]:
    """Returns the examples of a module; those of native classes too, which `doctest` does not find in other modules."""
    finder = doctest.DocTestFinder(recurse=False)
    found = finder.find(module, globs={"pdn": pdn})
    for value in vars(module).values():
        if getattr(value, "__doc__", None) and (isinstance(value, type) or callable(value)):
            members = vars(value).values() if isinstance(value, type) else []
            for documented in [value, *(member for member in members if getattr(member, "__doc__", None))]:
                name = getattr(documented, "__qualname__", "example")
                found.append(doctest.DocTestParser().get_doctest(documented.__doc__, {"pdn": pdn}, name, None, 0))
    return [example for example in found if example.examples]


@pytest.mark.parametrize("name", ["pdn", "pdn._core", "pdn.engine", "pdn.egdb", "pdn.parts", "pdn.svg", "pdn.tables"])
def test_examples_run(name: str) -> None:
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for example in examples(importlib.import_module(name)):
        runner.run(example)
    assert runner.failures == 0 and runner.tries > 0


@pytest.mark.parametrize("name", ["README.md", "benchmarks/first_steps.md"])
def test_documents_run(name: str) -> None:
    results = doctest.testfile(str(ROOT / "python" / name), module_relative=False, optionflags=OPTIONS)
    assert results.failed == 0 and results.attempted > 10


def test_everything_public_is_documented() -> None:
    for name in pdn.__all__:
        value = getattr(pdn, name)
        if isinstance(value, type) and value is not bool:
            undocumented = [member for member, at in vars(value).items() if member[0] != "_" and not at.__doc__]
            assert value.__doc__ and not undocumented, (name, undocumented)
        elif callable(value):
            assert value.__doc__, name


def documented(tree: ast.Module) -> Iterator[tuple[ast.ClassDef | ast.FunctionDef, str]]:
    """Yields the definitions of the stub with the documentation that they have at run time; that of overloads is in the first one."""
    seen = set()
    places: list[tuple[object, ast.stmt]] = [(_core, statement) for statement in tree.body]
    for owner, node in places:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name.startswith("_"):
            continue
        is_setter = any(isinstance(decorator, ast.Attribute) for decorator in node.decorator_list)
        value = getattr(owner, node.name)
        if isinstance(node, ast.ClassDef):
            places += [(value, statement) for statement in node.body]
        if not is_setter and value.__doc__ and (owner, node.name) not in seen:
            seen.add((owner, node.name))
            yield node, inspect.cleandoc(value.__doc__)


def with_documentation(text: str) -> str:
    """Returns a stub with the documentation of all that it defines."""
    lines = text.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(len(line.encode()) for line in lines)]
    edits = []
    for node, wanted in documented(ast.parse(text)):
        first = node.body[0]
        mark = 'r"""' if "\\" in wanted else '"""'
        margin = " " * (node.col_offset + 4)
        text_of_node = "\n".join(margin + line if line and n else line for n, line in enumerate(wanted.split("\n")))
        end = "\n" + margin if "\n" in wanted else ""
        block = f"{mark}{text_of_node}{end}\"\"\""
        start = starts[first.lineno - 1] + first.col_offset
        stop = starts[(first.end_lineno or 0) - 1] + (first.end_col_offset or 0)
        is_documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        if is_documented and first.value.value is Ellipsis:  # type: ignore[attr-defined]
            if first.lineno == node.lineno or text.encode()[start - 2 : start] == b": ":
                start, block = start - 1, f"\n{margin}{block}"
        elif not is_documented:
            # The first decorator of a member begins before it.
            decorators = getattr(first, "decorator_list", [])
            start = starts[min([first.lineno, *(one.lineno for one in decorators)]) - 1]
            stop, block = start, f"{margin}{block}\n"
        edits.append((start, stop, block))
    made = text.encode()
    for start, stop, block in sorted(edits, reverse=True):
        made = made[:start] + block.encode() + made[stop:]
    return made.decode()


def test_the_stub_has_the_documentation() -> None:
    stub = ROOT / "python/lib/pdn/_core.pyi"
    before = stub.read_text(encoding="utf-8")
    after = with_documentation(before)
    if os.environ.get("UPDATE_DOCS"):
        stub.write_text(after, encoding="utf-8")
    else:
        assert before == after, "run with UPDATE_DOCS=1"
