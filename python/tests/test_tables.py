"""Results and sweeps as tables of others, by Arrow's interface and without it."""

import resource

import numpy as np
import pytest

import eom


@pytest.fixture(scope="module")
def swept(ball):
    return ball.sweep({"m": [1, -1, 2]}, until=0.3, outcomes=["kinetic"])


def test_a_result_is_a_stream_of_arrow(ball):
    pyarrow = pytest.importorskip("pyarrow")
    r = ball.run(e=0.5)
    table = r.to_arrow()
    assert table.column_names == ["t", "y", "y_dot"] and table.num_rows == len(r)
    assert (table["y"].to_numpy() == r.y[0]).all() and table["t"].null_count == 0
    # Whoever reads the interface gets the same, as often as it is asked.
    for _ in range(2):
        assert pyarrow.RecordBatchReader.from_stream(r).read_all().equals(table)


def test_tables_keep_what_has_the_name_of_another_column():
    system = eom.system("""system Named {
        coordinates { event, x }
        kinetic = (event_dot^2 + ẋ^2)/2;
        potential = 10*event;
        contact floor { gap = event; impact = restitution(1/2); }
        output x = 5 + t;
        scenario drop { event = 5; x = 7; until t = 1.5; }
    }""")
    r = system.run(every=0.5)
    # As the files of the command: x_ is the coordinate, x the output.
    table = r.columns()
    assert list(table) == ["t", "event", "x_", "event_dot", "x_dot", "x"]
    assert table["x_"].tolist() == [7.0] * 4
    assert table["x"].tolist() == [5.0, 5.5, 6.0, 6.5]
    events = r.event_columns()
    assert list(events)[:5] == ["t", "event", "contact", "event_", "x"]
    assert events["event"] == ["impact"]
    assert np.allclose([*events["t"], *events["event_"], *events["event_dot-"]], [1.0, 0.0, -10.0])


def test_what_a_run_does_not_have_is_null(swept):
    pytest.importorskip("pyarrow")
    table = swept.to_arrow()
    assert table.column_names == list(swept)
    assert table["y_end"].is_null().to_pylist() == [False, True, False]
    assert table["ended"].to_pylist() == ["complete", "refused", "complete"]
    assert table["steps"].to_pylist() == [2, None, 2] and np.isnan(swept["steps"][1])
    assert str(table.schema.field("impacts").type) == "int64"


@pytest.mark.parametrize("times", [[0, 0, 1, 1], [0, 0.5, 0.5, 1, 1, 1], [0.2, 0.2], [1, 1]])
def test_times_that_are_asked_for_twice_are_shown_twice(times, pushed):
    # x'' = -4 x
    r = pushed.run(x=1, until=1, t_eval=times)
    assert r.t.tolist() == times
    assert np.allclose(r.y, [np.cos(2 * r.t), -2 * np.sin(2 * r.t)], rtol=0, atol=1e-12)


def test_a_capsule_that_nobody_takes_is_given_back():
    from eom import _eom

    column = np.zeros(1_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(50):
        assert type(_eom.arrow_stream({"a": column})).__name__ == "PyCapsule"
    # One of 8 MB at a time, not 50; in kB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_polars(ball, swept):
    polars = pytest.importorskip("polars")
    r = ball.run(e=0.5)
    assert polars.DataFrame(r).equals(r.to_polars()) and r.to_polars().columns == ["t", "y", "y_dot"]
    frame = swept.to_polars()
    assert frame["y_end"].null_count() == 1 and frame["m"].to_list() == [1, -1, 2]
    assert frame["impacts"].null_count() == 1 and frame["impacts"].dtype == polars.Int64
    lazy = polars.LazyFrame({"e": [0.2, 0.5], "y": [1.0, 2.0]})
    assert ball.sweep(lazy, until=2)["y_end"].tolist() == ball.sweep(lazy.collect(), until=2)["y_end"].tolist()


def test_pandas(ball, swept):
    pytest.importorskip("pandas")
    r = ball.run(e=0.5)
    assert (r.to_pandas()["y_dot"].to_numpy() == r.v[0]).all()
    assert np.isnan(swept.to_pandas()["y_end"][1])


def test_columns_that_are_no_table_are_told():
    from eom import _eom

    with pytest.raises(TypeError):
        _eom.arrow_stream({"a": object()})
    with pytest.raises(ValueError, match="same length"):
        _eom.arrow_stream({"a": np.zeros(2), "b": ["x"]})
