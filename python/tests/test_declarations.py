"""Declarations are read, or all that is wrong with them is told."""

import pickle
import re

import pytest

import eom
from conftest import BALL, ROOT


def test_a_file_is_read_as_its_text(tmp_path):
    path = tmp_path / "ball.eom"
    path.write_text(BALL, encoding="utf-8")
    assert eom.load(path).equations.text == eom.system(BALL).equations.text
    assert eom.load(path).path == str(path)


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_file_in_another_encoding_is_told(tmp_path, encoding):
    path = tmp_path / "ball.eom"
    path.write_text("/// A b\u00e4ll.\nsystem Ball { coordinates { x } kinetic = x_dot^2/2; }", encoding=encoding)
    with pytest.raises(ValueError) as caught:
        eom.load(path)
    assert str(caught.value) == f"{path} is not UTF-8: save the file as UTF-8"


def test_there_is_a_model_for_each_file():
    folders = ["models/eom", "models/gallery", "examples/bicycle"]
    files = {path.stem.replace("-", "_") for folder in folders for path in (ROOT / folder).glob("*.eom")}
    assert files == set(eom.models.__all__)
    stubs = (ROOT / "python/eom/models.pyi").read_text(encoding="utf-8")
    assert re.findall(r"^def (\w+)\(", stubs, re.MULTILINE) == eom.models.__all__
    for name in eom.models.__all__:
        model = getattr(eom.models, name)()
        assert model.equations.text.strip(), name


def test_a_model_that_is_not_there_names_the_nearest():
    with pytest.raises(AttributeError, match="did you mean `penny`"):
        eom.models.peny()


WRONG = [
    # (what is replaced, by what, line, column, message, help)
    ("m*g*y", "m*G*y", 9, 19, "`G` is not declared", "did you mean `g`?"),
    ("gap = y", "gap = z", 10, 27, "`z`", None),
    ("ẏ^2", "ẏ^", 8, 21, "expected an expression", None),
    ("ẏ^2", "ẏ^🚀", 8, 21, "`🚀` cannot be read here", None),
]


@pytest.mark.parametrize("old, new, line, column, message, help", WRONG)
def test_a_mistake_has_its_place_and_one_thing_to_do(old, new, line, column, message, help):
    with pytest.raises(eom.DeclarationError) as caught:
        eom.system(BALL.replace(old, new))
    error = caught.value
    mistake = error.mistakes[0]
    assert (mistake.line, mistake.column) == (line, column)
    assert message in mistake.message
    assert help is None or help in mistake.help
    # The place is where a person finds it.
    text = BALL.replace(old, new).splitlines()[line - 1]
    assert mistake.excerpt and text[column - 1 :].startswith(mistake.excerpt)
    assert "-->" in str(error) and "^" in str(error)
    assert f"<mark>{mistake.excerpt}</mark>" in error._repr_html_()


def test_all_mistakes_are_told_at_once():
    with pytest.raises(eom.DeclarationError) as caught:
        eom.system(BALL.replace("m*g*y", "m*G*y").replace("gap = y", "gap = z"))
    assert [mistake.line for mistake in caught.value.mistakes] == [9, 10]


def test_html_is_escaped():
    with pytest.raises(eom.DeclarationError) as caught:
        eom.system("system S { coordinates { x } kinetic = <b>; }")
    assert "<b>;" not in caught.value._repr_html_()


def test_an_error_can_be_pickled():
    with pytest.raises(eom.DeclarationError) as caught:
        eom.system("system S { }")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert str(again.mistakes[0]) == str(caught.value.mistakes[0])


def test_a_claim_that_does_not_follow_is_a_mistake():
    with pytest.raises(eom.DeclarationError, match="claim `fall` does not follow"):
        eom.system(BALL.replace("scenario", "claim fall: ÿ = g;\n    scenario"))


@pytest.mark.parametrize("text", ["", "x", "system", "system S {", "\0", "system S { coordinates { x } }" * 2, "((" * 5000])
def test_whatever_text_there_is_no_panic(text):
    with pytest.raises(eom.DeclarationError):
        eom.system(text)
