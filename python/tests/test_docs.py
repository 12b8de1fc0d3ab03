"""Examples in docstrings and in the README."""

import doctest
import importlib
from pathlib import Path

import pytest

import pdn

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
