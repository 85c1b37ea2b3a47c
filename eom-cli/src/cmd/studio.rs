//! `eom studio`: a file in the page, served to this machine.

use crate::cli::StudioArguments;
use crate::engines::{Engines, Limits};
use crate::error::{Failure, Outcome};
use crate::files::{Files, INPUT_MAX, Output, Permit, text};
use crate::shell;
use crate::studio::{Answer, Asked, Studio};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use tiny_http::{Header, Request, Response, Server};

/// Bytes of the token.
const TOKEN: usize = 16;

/// The most bytes of a question, which holds a text.
const QUESTION_MAX: u64 = 4 * INPUT_MAX;

/// What requests are answered with.
struct Room<'a> {
    studio: Studio,
    engines: Engines,
    document: Option<Document<'a>>,
}

/// The file that is edited.
struct Document<'a> {
    file: &'a Path,
    /// One saves at a time.
    permit: Mutex<Permit>,
}

/// A status, a type, bytes.
type Told = (u16, &'static str, Vec<u8>);

/// Serves until it is interrupted.
pub(crate) fn serve(arguments: &StudioArguments) -> Result<Outcome, Failure> {
    let StudioArguments { file, page, port, limit, memory } = arguments;
    let document = file.as_deref().map(Document::of).transpose()?;
    let server = Server::http(("127.0.0.1", *port))
        .map_err(|error| Failure::Refused(format!("--port: cannot listen on {port}: {error}")))?;
    let port = server.server_addr().to_ip().map_or(*port, |address| address.port());
    let name = document.as_ref().map(Document::name);
    let studio = Studio::new(page, name.as_deref(), token()?, port).map_err(|error| {
        let page = page.display();
        Failure::Refused(format!(
            "--page: there is no page in {page}: {error}\n  `npm ci && npm run build` in the folder web makes it"
        ))
    })?;
    let shown = file.as_ref().map_or("the gallery".to_owned(), |file| file.display().to_string());
    shell::print_line(format_args!("{shown} is at {}", studio.address()))?;
    let limits = Limits { seconds: *limit, megabytes: *memory };
    let room = Room { studio, engines: Engines::new(limits), document };
    thread::scope(|scope| {
        for request in server.incoming_requests() {
            let room = &room;
            // Who leaves before the answer does not want it.
            scope.spawn(move || drop(room.answer(request)));
        }
    });
    Ok(Outcome::Done)
}

/// Random hexadecimal digits.
fn token() -> Result<String, Failure> {
    let mut bytes = [0_u8; TOKEN];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Refused(format!("the system has no random numbers: {error}")))?;
    let mut token = String::new();
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}

impl Room<'_> {
    /// Answers one request.
    fn answer(&self, mut request: Request) -> std::io::Result<()> {
        let field = |name: &str| {
            let found = request.headers().iter().find(|header| {
                let field = header.field.as_str().as_str();
                field.eq_ignore_ascii_case(name)
            });
            found.map(|header| header.value.as_str().to_owned())
        };
        let (host, origin) = (field("Host"), field("Origin"));
        let (method, path) = (request.method().to_string(), request.url().to_owned());
        let (host, origin) = (host.as_deref(), origin.as_deref());
        let asked = Asked { method: &method, path: &path, host, origin };
        let told = match self.studio.answer(asked) {
            Answer::Page(kind, bytes) => (200, kind, bytes.to_vec()),
            Answer::Read => self.document(|document| text(document.file, INPUT_MAX)),
            Answer::Write => {
                self.document(|document| document.save(&mut request).map(|()| String::new()))
            }
            Answer::Ask(page) => self.ask(page, &mut request),
            Answer::End(page) => {
                self.engines.end(page);
                (200, "text/plain", Vec::new())
            }
            Answer::Forbidden => (403, "text/plain", Vec::new()),
            Answer::Unknown => (404, "text/plain", Vec::new()),
            Answer::NoSuchMethod => (405, "text/plain", Vec::new()),
        };
        respond(request, told)
    }

    /// What is done with the document; 404 where there is none.
    fn document(&self, asked: impl FnOnce(&Document<'_>) -> std::io::Result<String>) -> Told {
        self.document
            .as_ref()
            .map_or((404, "text/plain", Vec::new()), |document| told(asked(document)))
    }

    /// The answer to the question that is sent.
    fn ask(&self, page: &str, request: &mut Request) -> Told {
        let answer = body(request, QUESTION_MAX)
            .map_err(|error| error.to_string())
            .and_then(|question| self.engines.ask(page, &question));
        match answer {
            Ok(bytes) => (200, "application/octet-stream", bytes),
            Err(why) => (503, "text/plain; charset=utf-8", why.into_bytes()),
        }
    }
}

impl<'a> Document<'a> {
    /// A file that is there, and may be written.
    fn of(file: &'a Path) -> Result<Self, Failure> {
        let shown = file.display().to_string();
        crate::model::source(&shown)?;
        if !file.is_file() {
            return Err(Failure::Refused(format!(
                "{shown} is no file: what is edited has no place to be saved"
            )));
        }
        let mut files = Files::default();
        files.writes("the file", file);
        Ok(Self { file, permit: Mutex::new(files.check(None)?) })
    }

    fn name(&self) -> String {
        let name = self.file.file_name().unwrap_or(self.file.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Saves what is sent as the file.
    fn save(&self, request: &mut Request) -> std::io::Result<()> {
        let bytes = body(request, INPUT_MAX)?;
        if std::str::from_utf8(&bytes).is_err() {
            return Err(std::io::Error::other("it is no text"));
        }
        let permit = self.permit.lock().unwrap_or_else(PoisonError::into_inner);
        let output = Output::of(&permit, self.file)?;
        output.replace(&bytes).map_err(|failure| std::io::Error::other(failure.to_string()))
    }
}

/// Gives the answer to who asked.
fn respond(request: Request, (status, kind, bytes): Told) -> std::io::Result<()> {
    let mut response = Response::from_data(bytes).with_status_code(status);
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    request.respond(response)
}

/// What is sent.
fn body(request: &mut Request, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    request.as_reader().take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(std::io::Error::other("it is too large"));
    }
    Ok(bytes)
}

/// A text, or why there is none.
fn told(text: std::io::Result<String>) -> Told {
    match text {
        Ok(text) => (200, "text/plain; charset=utf-8", text.into_bytes()),
        Err(error) => (500, "text/plain; charset=utf-8", error.to_string().into_bytes()),
    }
}
