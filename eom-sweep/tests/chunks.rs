//! Chunks as those who carry them meet them: in any order, more than once, broken, of another sweep.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_sweep::runs::Names;
use eom_sweep::table::{Cell, Column, Kind};
use eom_sweep::{Folder, Gathered, Groups, Sweep, SweepError, Table, Values, listed};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::RowAccessor as _;
use std::fs::{self, File};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// An empty folder of its own for each test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chunks").join(test);
    let _ = fs::remove_dir_all(&path);
    path
}

fn sweep(runs: u64, size: u64, text: &str) -> Sweep {
    let runs_columns = vec![
        Column::new("run", Kind::Count, ""),
        Column::new("x", Kind::Number, "m").optional(),
        Column::new("ended", Kind::Text, ""),
    ];
    Sweep {
        title: "Ball".into(),
        identity: vec![("model".into(), text.into())],
        runs,
        size: NonZeroU64::new(size).unwrap(),
        tables: vec![
            Table { name: "runs".into(), columns: runs_columns },
            Table { name: "events".into(), columns: vec![Column::new("run", Kind::Count, "")] },
        ],
    }
}

/// Rows that depend on the number of the run alone: every third has no x, every other an event.
fn rows(of: &Sweep, chunk: u64) -> Vec<Vec<Vec<Cell>>> {
    let range = || of.range(chunk).unwrap();
    let x = |run: u64| {
        if run.is_multiple_of(3) { Cell::Missing } else { Cell::Number(run as f64 / 7.0) }
    };
    let row = |run| vec![Cell::Count(run), x(run), Cell::Text(format!("run {run}"))];
    let events = range().filter(|run| run.is_multiple_of(2)).map(|run| vec![Cell::Count(run)]);
    vec![range().map(row).collect(), events.collect()]
}

fn write(path: &Path, of: &Sweep, chunks: &[u64]) {
    let folder = Folder::open(path, of.clone()).unwrap();
    for &chunk in chunks {
        folder.write(chunk, rows(of, chunk)).unwrap();
    }
}

/// All files with their bytes.
fn bytes(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(
                bytes(&entry)
                    .into_iter()
                    .map(|(file, bytes)| (Path::new(entry.file_name().unwrap()).join(file), bytes)),
            );
        } else {
            found.push((entry.file_name().unwrap().into(), fs::read(&entry).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn the_order_and_repetition_make_no_difference() {
    let of = sweep(10, 3, "a");
    let [one, other] = ["order-1", "order-2"].map(folder);
    write(&one, &of, &[0, 1, 2, 3]);
    write(&other, &of, &[3, 1, 1, 0, 3, 2, 0]);
    assert_eq!(bytes(&one), bytes(&other));
    assert_eq!(of.range(3).unwrap(), 9..10);
    assert!(matches!(of.range(4), Err(SweepError::NoSuchChunk { chunk: 4, chunks: 4 })));
}

#[test]
fn what_is_gathered_has_every_run_once() {
    let (of, path) = (sweep(1000, 64, "a"), folder("joined"));
    write(&path, &of, &(0..of.chunks()).collect::<Vec<_>>());
    let found = Gathered::look(&path).unwrap();
    assert_eq!((found.missing.len(), found.runs, found.chunks), (0, 1000, 16));
    for (table, step) in [("runs", 1), ("events", 2)] {
        let file = path.join(format!("{table}.parquet"));
        found.join_into(table, &file).unwrap();
        let mut bytes = Vec::new();
        found.join(table, &mut bytes).unwrap();
        assert_eq!(fs::read(&file).unwrap(), bytes);
        let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 1000 / step);
        for (row, run) in rows.iter().zip((0_i64..).step_by(step)) {
            assert_eq!(row.get_long(0).unwrap(), run);
            if table == "runs" {
                let x = row.get_double(1).ok();
                assert_eq!(x, (run % 3 != 0).then_some(run as f64 / 7.0));
                assert_eq!(row.get_string(2).unwrap(), &format!("run {run}"));
            }
        }
    }
}

/// A chunk that is named for the joined file stays as it is.
#[test]
fn a_chunk_is_no_place_for_all_of_them() {
    let (of, path) = (sweep(9, 3, "a"), folder("onto"));
    write(&path, &of, &[0, 1, 2]);
    let before = bytes(&path);
    let onto = path.join("events/../runs/chunk-000001.parquet");
    let refused = Gathered::look(&path).unwrap().join_into("runs", &onto);
    assert!(matches!(refused, Err(SweepError::IsChunk { .. })));
    assert_eq!(bytes(&path), before);
}

#[test]
fn what_is_missing_or_broken_is_said_and_made_anew() {
    let (of, path) = (sweep(100, 10, "a"), folder("missing"));
    write(&path, &of, &[0, 1, 2, 4, 5, 6, 8]);
    let cut = path.join("runs/chunk-000005.parquet");
    let whole = fs::read(&cut).unwrap();
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    fs::remove_file(path.join("events/chunk-000001.parquet")).unwrap();
    fs::write(path.join("runs/.chunk-000009.parquet.77-0.tmp"), "half").unwrap();
    let found = Gathered::look(&path).unwrap();
    assert_eq!(listed(&found.missing), "1,3,5,7,9");
    assert_eq!((&found.broken, found.temporaries.len()), (&vec![cut.clone()], 1));
    let refused = found.join("runs", Vec::new()).unwrap_err().to_string();
    assert_eq!(refused, "5 of 10 chunks are missing: 1,3,5,7,9");
    let folder = Folder::open(&path, of.clone()).unwrap();
    let done: Vec<bool> = (0..10).map(|chunk| folder.is_done(chunk).unwrap()).collect();
    assert_eq!(done, [true, false, true, false, true, false, true, false, true, false]);
    write(&path, &of, &found.missing);
    assert_eq!(fs::read(&cut).unwrap(), whole);
    assert!(Gathered::look(&path).unwrap().missing.is_empty());
}

#[test]
fn what_was_left_long_ago_is_removed() {
    let (of, path) = (sweep(10, 5, "a"), folder("left"));
    let open = Folder::open(&path, of.clone()).unwrap();
    for (name, hours) in
        [("runs/.chunk-000000.parquet.77-0.tmp", 2), ("events/.chunk-000001.parquet.78-0.tmp", 0)]
    {
        let file = File::create(path.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600 * hours)).unwrap();
    }
    open.clear().unwrap();
    let left = Gathered::look(&path).unwrap().temporaries;
    assert_eq!(left, [path.join("events/.chunk-000001.parquet.78-0.tmp")]);
}

/// A bit that has turned over, in numbers or in what the footer says of them; a file that is cut; one that goes on.
#[test]
fn no_byte_of_a_chunk_changes_unseen() {
    let (of, path) = (sweep(20, 10, "a"), folder("bits"));
    write(&path, &of, &[0, 1]);
    let file = path.join("runs/chunk-000001.parquet");
    let whole = fs::read(&file).unwrap();
    let open = Folder::open(&path, of.clone()).unwrap();
    let turned = (0..whole.len()).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        bytes
    });
    let cut = (0..whole.len()).step_by(7).map(|length| whole[..length].to_vec());
    for bytes in turned.chain(cut).chain([[&whole[..], b"PAR1"].concat()]) {
        fs::write(&file, &bytes).unwrap();
        assert!(!open.is_done(1).unwrap());
        let found = Gathered::look(&path).unwrap();
        assert_eq!((&found.missing, &found.broken), (&vec![1], &vec![file.clone()]));
    }
    write(&path, &of, &[1]);
    assert_eq!(fs::read(&file).unwrap(), whole);
    assert!(open.is_done(1).unwrap());
}

#[test]
fn sweeps_do_not_mix() {
    let path = folder("mixed");
    write(&path, &sweep(10, 5, "mass 1"), &[0]);
    let refused = |of: Sweep| Folder::open(&path, of).unwrap_err().to_string();
    let cases = [
        (sweep(10, 5, "mass 2"), "its model is `mass 1`, not `mass 2`"),
        (sweep(11, 5, "mass 1"), "its number of runs is `10`, not `11`"),
        (sweep(10, 2, "mass 1"), "its runs a chunk is `5`, not `2`"),
    ];
    for (of, reason) in cases {
        let said = refused(of);
        assert!(said.contains(reason), "{said}");
    }
    let other = folder("mixed-other");
    write(&other, &sweep(10, 5, "mass 2"), &[1]);
    let file = "runs/chunk-000001.parquet";
    fs::copy(other.join(file), path.join(file)).unwrap();
    assert!(matches!(Gathered::look(&path), Err(SweepError::Mixed { .. })));
    fs::write(path.join("sweep.json"), "{\"format\": \"eom sweep 1\"}").unwrap();
    assert!(matches!(Gathered::look(&path), Err(SweepError::NoSweep { .. })));
    assert!(matches!(Gathered::look(&folder("none")), Err(SweepError::NoSweep { .. })));
}

/// Two that write the same chunk at the same time, many times: whole at every moment.
/// Who reads all files of a folder would have the rows of a copy twice.
#[test]
fn a_file_that_is_no_chunk_is_refused() {
    let path = folder("strangers");
    write(&path, &sweep(10, 3, "a"), &[0, 1, 2, 3]);
    fs::write(path.join("runs").join("notes.txt"), "nothing that is read").unwrap();
    assert!(Gathered::look(&path).unwrap().missing.is_empty());
    for name in ["chunk-000004.parquet", "chunk-1.parquet", "all.parquet"] {
        let copy = path.join("events").join(name);
        fs::copy(path.join("events").join("chunk-000001.parquet"), &copy).unwrap();
        let found = Gathered::look(&path);
        assert!(matches!(&found, Err(SweepError::Stranger { path }) if *path == copy), "{found:?}");
        fs::remove_file(copy).unwrap();
    }
    let found = Gathered::look(&path).unwrap();
    let among = path.join("runs").join("all.parquet");
    let refused = found.join_into("runs", &among);
    assert!(matches!(refused, Err(SweepError::Stranger { .. })) && !among.exists(), "{refused:?}");
    found.join_into("runs", &path.join("all.parquet")).unwrap();
}

/// What is swept and called like a column of the table, or like one of a state, is told apart from it.
#[test]
fn no_two_columns_have_one_name() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let of = Names {
        starts: true,
        swept: names(&["run", "x_end", "run_", "k"]),
        state: names(&["t", "x", "run"]),
        outcomes: names(&["energy", "k", "best"]),
    };
    let columns: Vec<String> = of.columns().into_iter().map(|column| column.name).collect();
    let expected = [
        "run",
        "state",
        "run__",
        "x_end_",
        "run_",
        "k",
        "ended",
        "reason",
        "t_end",
        "x_end",
        "run_end",
        "energy",
        "energy_change",
        "energy_",
        "k_",
        "best",
        "impacts",
        "events",
        "steps",
    ];
    assert_eq!(columns, expected);
}

#[test]
fn many_may_write_one_chunk() {
    let (of, path) = (sweep(50, 50, "a"), folder("race"));
    let folder = Folder::open(&path, of.clone()).unwrap();
    folder.write(0, rows(&of, 0)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    folder.write(0, rows(&of, 0)).unwrap();
                }
            });
        }
        for _ in 0..200 {
            assert!(folder.is_done(0).unwrap());
        }
    });
    assert!(Gathered::look(&path).unwrap().temporaries.is_empty());
}

/// The rows come back as they were given, a group a chunk, and a file is looked at when its turn comes.
#[test]
fn rows_are_read_a_group_at_a_time() {
    let (of, at) = (sweep(10, 3, "a"), folder("groups"));
    write(&at, &of, &[0, 1, 2, 3]);
    let found = Gathered::look(&at).unwrap();
    let groups = found.groups("runs").unwrap();
    assert_eq!(groups.columns().len(), 3);
    for (column, declared) in groups.columns().iter().zip(&of.tables[0].columns) {
        assert_eq!(
            (&column.name, column.kind, column.optional),
            (&declared.name, declared.kind, declared.optional)
        );
    }
    for (chunk, group) in groups.enumerate() {
        let rows = rows(&of, chunk as u64).remove(0);
        let [Values::Counts(runs), Values::Numbers(x), Values::Texts(ended)] = &group.unwrap()[..]
        else {
            panic!("counts, numbers, texts")
        };
        let row = |i: usize| {
            let x = x[i].map_or(Cell::Missing, Cell::Number);
            let run = u64::try_from(runs[i].unwrap()).unwrap();
            vec![Cell::Count(run), x, Cell::Text(ended[i].clone().unwrap())]
        };
        assert_eq!((0..runs.len()).map(row).collect::<Vec<_>>(), rows);
    }
    assert_eq!(found.groups("runs").unwrap().count(), 4);
    // The last chunk, run 9 alone, has no event and so no group of them.
    let events = |groups: Groups| groups.map(|group| group.unwrap().len()).collect::<Vec<_>>();
    assert_eq!(events(found.groups("events").unwrap()), [1; 3]);
    assert!(found.groups("samples").is_err());
    let mut groups = found.groups("runs").unwrap();
    fs::remove_file(at.join("runs/chunk-000002.parquet")).unwrap();
    assert!(groups.next().unwrap().is_ok() && groups.next().unwrap().is_ok());
    assert!(matches!(groups.next(), Some(Err(SweepError::Unread { .. }))));
    assert!(groups.next().is_none());
}
