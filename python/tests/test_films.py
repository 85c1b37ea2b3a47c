"""A run that plays: the page of the command."""

import html
import json
import re
import threading

import pytest

import eom

WHEEL = """/// A wheel that rolls and hits a wall.
system Wheel {
    coordinates { x, θ }
    parameters { R = 0.3 where R > 0 }
    kinetic = ẋ^2/2 + R^2*θ̇^2/4;
    constraints { roll: ẋ = R*θ̇; }
    contact wall { gap = 1 - x; impact = restitution(0.5); }
    scenario push { ẋ = 1; solve θ̇; until t = 2; }
    draw { ground y = 0; disk [x, R], R, spoke -θ; line [1 + R, 0], [1 + R, 1]; }
}"""


def played(page):
    """What a page plays."""
    return json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S)[1])


def test_it_plays_what_the_page_of_the_command_plays(command, tmp_path):
    path = tmp_path / "wheel.eom"
    path.write_text(WHEEL, encoding="utf-8")
    command("run", str(path), "--html", str(tmp_path / "wheel.html"))
    theirs = (tmp_path / "wheel.html").read_text(encoding="utf-8")
    ours = eom.load(path).run().animate()
    assert played(ours.html) == played(theirs)
    ours.save(tmp_path / "same.html")
    assert (tmp_path / "same.html").read_text(encoding="utf-8") == ours.html
    with pytest.raises(ValueError, match="the name of this file ends in .html"):
        ours.save(tmp_path / "same.gif")


def test_a_notebook_shows_the_page_in_a_frame():
    film = eom.system(WHEEL).run(x_dot=0.9).animate(height=300)
    shown = film._repr_html_()
    frame = re.fullmatch(r'<iframe title="Wheel" sandbox="allow-scripts" .* height="300" .*srcdoc="([^"]*)"></iframe>', shown, re.S)
    assert html.unescape(frame[1]) == film.html
    data = played(film.html)
    assert [shape["kind"] for shape in data["shapes"]] == ["ground", "disk", "line"]
    assert [event["what"] for event in data["events"]] == ["impact of wall"]
    assert "reached t = 2" in film.html and "closes: the tolerance" in film.html
    assert "Wheel" in repr(film)


def test_what_draws_nothing_has_its_curves(pendulum):
    data = played(pendulum.run().animate().html)
    assert data["shapes"] == [] and [group["name"] for group in data["groups"]] == ["Coordinates", "Velocities", "Energy"]


def test_values_and_functions_of_a_run_are_those_of_its_film():
    bead = eom.system("""system Bead {
        coordinates { x } parameters { g = 9.81 } function f(x);
        kinetic = (ẋ^2 + ḟ^2)/2; potential = g*f;
        draw { point [x, f]; }
    }""", f="x^2")
    film = bead.run(until=1, x=1, f="2*x^2", g=1)
    data = played(film.animate().html)
    # The point begins at (1, 2).
    assert data["ranges"][1][1] == pytest.approx(2)


def test_threads_make_films_at_one_time(ball):
    r, made = ball.run(), []
    threads = [threading.Thread(target=lambda: made.append(r.animate().html)) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(made) == 4 and len(set(made)) == 1


@pytest.mark.parametrize("height", [0, -1, 1.5, "high", True])
def test_a_height_is_a_number_of_pixels(ball, height):
    with pytest.raises(ValueError, match="height is a number of pixels"):
        ball.run().animate(height)

def test_a_film_follows_what_turns_often():
    import base64

    import numpy as np

    spring = eom.system("system Spring { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; draw { point [x, 0]; } }")
    for until, is_coarse in ((300, False), (1e5, True)):
        data = played(spring.run(x=1, until=until).animate().html)
        times = np.frombuffer(base64.b64decode(data["t"]))
        codes = np.frombuffer(base64.b64decode(data["values"]), dtype="<u2").reshape(-1, len(times))
        (low, high), shown = data["ranges"][0], codes[0] / 65534
        assert np.abs(low + (high - low) * shown - np.cos(times)).max() < 2 / 65534
        # Samples of each of 48 turns, or uneven ones of what turns more often than there is room for.
        assert data["coarse"] == is_coarse and len(times) > 48 * 13


def test_what_is_stepped_in_time_has_a_film(ball):
    assert "Ball" in repr(ball.run(until=1, method="moreau", step=1e-2).animate())
