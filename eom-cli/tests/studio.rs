//! `eom studio` as its page sees it: questions are answered by processes of this machine, to nobody else, and one that
//! takes too long or too much ends alone.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use eom_interpreter::page::Engine;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

const BALL: &str = "system Ball { coordinates { y } kinetic = ẏ^2/2; potential = 9.81*y; \
                    scenario fall { y = 1; until t = 1; } }";

/// It goes to and fro for ever.
const SPRING: &str = "system Spring { coordinates { y } kinetic = ẏ^2/2; potential = y^2/2; \
                      scenario release { y = 1; until t = 1; } }";

/// A studio that runs.
struct Studio {
    process: Child,
    host: String,
    token: String,
}

impl Studio {
    /// With the file of a ball and a page of one line.
    fn open(test: &str, arguments: &[&str]) -> Self {
        Self::started(test, &[&["ball.eom"], arguments].concat())
    }

    fn started(test: &str, arguments: &[&str]) -> Self {
        let folder = common::folder(&format!("studio/{test}"));
        fs::write(folder.join("ball.eom"), BALL).unwrap();
        fs::create_dir(folder.join("page")).unwrap();
        fs::write(folder.join("page/index.html"), "<html lang=\"en\">").unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_eom"))
            .current_dir(&folder)
            .args(["studio", "--page", "page"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (_, address) = line.trim().split_once("http://").unwrap();
        let (host, token) = address.trim_end_matches('/').split_once('/').unwrap();
        Self { process, host: host.to_owned(), token: token.to_owned() }
    }

    /// The status and the bytes of an answer.
    fn request(&self, head: &str, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let length = body.len();
        let head = format!("{head} HTTP/1.0\r\n{headers}Content-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let status = String::from_utf8_lossy(&answer[..end]);
        let status = status.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer.split_off(end + 4))
    }

    /// What the page of a name is answered.
    fn ask(&self, page: &str, question: &Value) -> (u16, Vec<u8>) {
        let Self { host, token, .. } = self;
        let headers = format!("Host: {host}\r\nOrigin: http://{host}\r\n");
        let question = question.to_string();
        self.request(&format!("POST /{token}/engine/{page}"), &headers, question.as_bytes())
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The object of an answer, and its columns by their places.
fn parts(answer: &[u8]) -> (Value, Vec<(usize, Vec<f64>)>) {
    let end = answer.iter().position(|byte| *byte == b'\n').unwrap();
    let head: Value = serde_json::from_slice(&answer[..end]).unwrap();
    let (words, rest) = answer[end + 1..].as_chunks();
    assert!(rest.is_empty());
    let numbers: Vec<f64> = words.iter().map(|word| f64::from_le_bytes(*word)).collect();
    let Some(places) = head["columns"].as_array() else {
        assert!(numbers.is_empty());
        return (head, Vec::new());
    };
    let length = head["length"].as_u64().unwrap() as usize;
    assert_eq!(numbers.len(), places.len() * length);
    let columns = numbers.chunks_exact(length.max(1)).map(<[f64]>::to_vec);
    let places = places.iter().map(|place| place.as_u64().unwrap() as usize);
    let columns = places.zip(columns).collect();
    (head, columns)
}

fn read(text: &str) -> Value {
    json!({ "id": 1, "kind": "read", "text": text })
}

fn run(asked: &Value, columns: &[usize]) -> Value {
    json!({ "id": 2, "kind": "run", "asked": asked, "columns": columns })
}

/// A run without an end that anyone waits for.
fn endless() -> Value {
    run(&json!({ "until": 1e15, "samples": 2, "method": "runge-kutta" }), &[0])
}

/// The text of a model of the repository.
fn model(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/eom");
    fs::read_to_string(folder.join(format!("{name}.eom"))).unwrap()
}

#[test]
fn the_answers_are_those_of_the_library() {
    let studio = Studio::open("answers", &[]);
    let mut engine = Engine::that_writes();
    for question in [
        read("system { coordinates { y } kinetic = z; }"),
        run(&json!({}), &[0]),
        read(BALL),
        run(&json!({ "samples": 50, "values": { "y": 2.5 } }), &[0, 1, 2, 99]),
        json!({ "id": 3, "kind": "columns", "columns": [2] }),
        run(&json!({ "values": { "z": 1 } }), &[]),
        read(&model("rough-particle")),
        run(&json!({ "samples": 300, "method": "taylor" }), &[0, 1]),
        json!({ "id": 4, "kind": "write", "format": "c", "text": BALL, "file": "ball.eom" }),
        json!({ "id": 5, "kind": "write", "format": "html", "text": BALL, "file": "ball.eom", "asked": {} }),
        json!("no question"),
    ] {
        let expected = engine.answer(&question.to_string(), &|| 0.0);
        let (status, found) = studio.ask("a", &question);
        assert_eq!(status, 200, "{question}");
        assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(&expected));
        assert_eq!(found, expected);
    }
}

#[test]
fn a_run_has_the_bits_of_the_command() {
    let studio = Studio::open("bits", &[]);
    for name in ["penny", "rough-particle", "rolling-ball"] {
        let (_, sheet) = studio.ask("a", &read(&model(name)));
        let (sheet, _) = parts(&sheet);
        let numbers = sheet["sheet"]["numbers"].as_array().unwrap();
        let all: Vec<usize> = (0..numbers.len()).collect();
        let (_, made) = studio.ask("a", &run(&json!({}), &all));
        let (_, columns) = parts(&made);
        let folder = common::folder("studio/command");
        fs::write(folder.join("model.eom"), model(name)).unwrap();
        common::eom(&folder, "run model.eom --csv run.csv", 0);
        let table = fs::read_to_string(folder.join("run.csv")).unwrap();
        let mut lines = table.lines().filter(|line| !line.starts_with('#'));
        let heads: Vec<&str> = lines.next().unwrap().split(',').map(str::trim).collect();
        let rows: Vec<Vec<f64>> = lines
            .map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect())
            .collect();
        let mut compared = 0;
        for (place, column) in columns {
            let ascii = numbers[place]["ascii"].as_str().unwrap();
            let Some(at) = heads.iter().position(|head| *head == ascii) else { continue };
            let expected: Vec<u64> = rows.iter().map(|row| row[at].to_bits()).collect();
            let found: Vec<u64> = column.iter().map(|number| number.to_bits()).collect();
            assert_eq!(found, expected, "{name}: {ascii}");
            compared += found.len();
        }
        assert!(compared > 30, "{name}: {compared} numbers");
    }
}

#[test]
fn a_ball_falls_as_galilei_has_it() {
    let studio = Studio::open("galilei", &[]);
    studio.ask("a", &read(BALL));
    let (_, made) = studio.ask("a", &run(&json!({ "samples": 21 }), &[0, 1]));
    let (head, columns) = parts(&made);
    assert_eq!(head["tale"]["end"]["text"], "reached t = 1");
    let [(0, times), (1, heights)] = &columns[..] else { panic!("{columns:?}") };
    assert_eq!(times.len(), 21);
    for (t, y) in times.iter().zip(heights) {
        assert!((y - (1.0 - 9.81 / 2.0 * t * t)).abs() < 1e-12, "y({t}) = {y}");
    }
}

#[test]
fn nobody_else_is_answered() {
    let studio = Studio::open("others", &[]);
    let Studio { host, token, .. } = &studio;
    let question = read(BALL).to_string();
    let check = |method: &str, path: &str, headers: &str, expected: u16| {
        let (status, answer) =
            studio.request(&format!("{method} {path}"), headers, question.as_bytes());
        assert_eq!(status, expected, "{method} {path} {headers}");
        assert_eq!(answer.is_empty(), status != 200, "{method} {path} {headers}");
    };
    let here = format!("Host: {host}\r\n");
    let own = format!("{here}Origin: http://{host}\r\n");
    let path = format!("/{token}/engine/a");
    check("POST", &path, &own, 200);
    for method in ["POST", "DELETE"] {
        check(method, "/engine/a", &own, 403);
        check(method, &format!("/{}/engine/a", "0".repeat(token.len())), &own, 403);
        check(method, &path, &here, 403);
        check(method, &path, &format!("{here}Origin: http://evil.example\r\n"), 403);
        check(method, &path, &format!("{here}Origin: null\r\n"), 403);
        check(method, &path, &format!("Host: evil.example\r\nOrigin: http://{host}\r\n"), 403);
    }
    check("GET", &path, &own, 404);
}

#[test]
fn what_takes_too_long_is_given_up() {
    let studio = Studio::open("long", &["--limit", "3"]);
    studio.ask("a", &read(SPRING));
    let (status, why) = thread::scope(|scope| {
        let late = scope.spawn(|| studio.ask("a", &endless()));
        // Meanwhile others are answered: another page, and who reads the file.
        assert_eq!(studio.ask("b", &read(BALL)).0, 200);
        let headers = format!("Host: {}\r\n", studio.host);
        let (_, text) = studio.request(&format!("GET /{}/document", studio.token), &headers, b"");
        assert_eq!(String::from_utf8(text).unwrap(), BALL);
        assert!(!late.is_finished());
        late.join().unwrap()
    });
    assert_eq!((status, &*String::from_utf8_lossy(&why)), (503, "it took longer than 3 s"));
    // The declaration was that of the process that has ended.
    let (_, answer) = studio.ask("a", &run(&json!({}), &[0]));
    assert_eq!(parts(&answer).0["message"], "there is no declaration");
    assert_eq!(studio.ask("a", &read(BALL)).0, 200);
    let (_, answer) = studio.ask("a", &run(&json!({}), &[0]));
    assert_eq!(parts(&answer).0["tale"]["end"]["text"], "reached t = 1");
}

#[test]
fn who_asks_anew_or_leaves_ends_what_is_being_made() {
    let studio = Studio::open("anew", &["--limit", "600"]);
    let end = || {
        let headers = format!("Host: {0}\r\nOrigin: http://{0}\r\n", studio.host);
        studio.request(&format!("DELETE /{}/engine/a", studio.token), &headers, b"")
    };
    let anew = || studio.ask("a", &read(BALL));
    let ways: [&dyn Fn() -> (u16, Vec<u8>); 2] = [&anew, &end];
    for ends in ways {
        assert_eq!(studio.ask("a", &read(SPRING)).0, 200);
        thread::scope(|scope| {
            let ended = scope.spawn(|| studio.ask("a", &endless()));
            thread::sleep(std::time::Duration::from_millis(500));
            assert!(!ended.is_finished());
            assert_eq!(ends().0, 200);
            let (status, why) = ended.join().unwrap();
            assert_eq!((status, &*String::from_utf8_lossy(&why)), (503, "it broke off"));
        });
    }
}

/// Where memory can be limited.
#[cfg(target_os = "linux")]
#[test]
fn what_takes_too_much_ends_alone() {
    let studio = Studio::open("much", &["--limit", "600", "--memory", "48"]);
    studio.ask("a", &read(SPRING));
    // All its steps are kept: 8 million numbers, and what holds them.
    let large = run(&json!({ "until": 1e15, "method": "runge-kutta" }), &[0]);
    let (status, why) = studio.ask("a", &large);
    assert_eq!((status, &*String::from_utf8_lossy(&why)), (503, "it broke off"));
    assert_eq!(studio.ask("a", &read(BALL)).0, 200);
}

/// Without a file there is nothing to read or to save; questions are answered.
#[test]
fn a_studio_of_no_file() {
    let studio = Studio::started("none", &[]);
    let headers = format!("Host: {0}\r\nOrigin: http://{0}\r\n", studio.host);
    for method in ["GET", "PUT"] {
        let head = format!("{method} /{}/document", studio.token);
        assert_eq!(studio.request(&head, &headers, BALL.as_bytes()).0, 404, "{method}");
    }
    assert_eq!(studio.ask("a", &read(BALL)).0, 200);
}
