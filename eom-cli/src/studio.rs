//! What the studio answers: the page and one file or none, to who has the address, and to nobody else.
//!
//! ```text
//! http://127.0.0.1:PORT/TOKEN/            the page, its files below it
//! http://127.0.0.1:PORT/TOKEN/document    GET: the text of the file; PUT: saves it; not there without a file
//! http://127.0.0.1:PORT/TOKEN/engine/NAME POST: a question of the page that has this name; DELETE: ends its engine
//! ```
//!
//! *Invariants.* The token has 128 random bits, and no answer without it says more than 403. A `Host` that is not the
//! loopback interface is refused, so that no name of a foreign server leads here; an `Origin` that is not the page is,
//! so that no foreign page can write or ask. Files of the page are those that its folder had at the start.

use eom_interpreter::film::escaped;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The page, and who may see it.
#[derive(Debug)]
pub(crate) struct Studio {
    token: String,
    port: u16,
    /// The files of the page by their paths, with their types.
    page: BTreeMap<String, (&'static str, Vec<u8>)>,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) host: Option<&'a str>,
    pub(crate) origin: Option<&'a str>,
}

/// What is answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer<'s> {
    /// A file of the page, with its type.
    Page(&'static str, &'s [u8]),
    /// The text of the document.
    Read,
    /// The document is to be this.
    Write,
    /// The engine of a page is asked this.
    Ask(&'s str),
    /// The engine of a page is to end.
    End(&'s str),
    /// 403, without a word more.
    Forbidden,
    /// 404.
    Unknown,
    /// 405.
    NoSuchMethod,
}

impl Studio {
    /// The page of a folder; the document, if there is one, has this name in it.
    pub(crate) fn new(
        folder: &Path,
        document: Option<&str>,
        token: String,
        port: u16,
    ) -> io::Result<Self> {
        let mut page = BTreeMap::new();
        collect(folder, "", &mut page)?;
        let Some((_, index)) = page.get_mut("index.html") else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "it has no index.html"));
        };
        // The page asks this machine where it is told so, and for the document where there is one.
        let document = document.map(|name| format!("data-document=\"{}\" ", escaped(name)));
        let head = format!("<html data-studio {}", document.unwrap_or_default());
        *index = String::from_utf8_lossy(index).replacen("<html ", &head, 1).into_bytes();
        Ok(Self { token, port, page })
    }

    /// The address to open.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// What is answered to what is asked.
    pub(crate) fn answer<'s>(&'s self, asked: Asked<'s>) -> Answer<'s> {
        let is_here = |text: &str| {
            ["127.0.0.1", "localhost"].iter().any(|name| text == format!("{name}:{}", self.port))
        };
        let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(is_here);
        if !asked.host.is_some_and(is_here) || !asked.origin.is_none_or(is_own) {
            return Answer::Forbidden;
        }
        let path = asked.path.split(['?', '#']).next().unwrap_or_default();
        let inside = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let Some((token, name)) = inside else { return Answer::Forbidden };
        if !is_same(token, &self.token) {
            return Answer::Forbidden;
        }
        // What changes something comes from the page itself, which browsers say.
        if asked.method != "GET" && asked.origin.is_none() {
            return Answer::Forbidden;
        }
        let engine = name.strip_prefix("engine/").filter(|page| is_name(page));
        match (asked.method, if name.is_empty() { "index.html" } else { name }, engine) {
            ("GET", "document", _) => Answer::Read,
            ("PUT", "document", _) => Answer::Write,
            ("POST", _, Some(page)) => Answer::Ask(page),
            ("DELETE", _, Some(page)) => Answer::End(page),
            ("GET", name, _) => match self.page.get(name) {
                Some((kind, bytes)) => Answer::Page(kind, bytes),
                None => Answer::Unknown,
            },
            _ => Answer::NoSuchMethod,
        }
    }
}

/// Whether it is a name of a page: letters and digits, not many.
fn is_name(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether two texts are the same, in a time that does not say where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differences == 0
}

/// The files below a folder; links are left out.
fn collect(
    folder: &Path,
    prefix: &str,
    page: &mut BTreeMap<String, (&'static str, Vec<u8>)>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), &format!("{name}/"), page)?;
        } else if kind.is_file() {
            page.insert(name.clone(), (of_kind(&name), fs::read(entry.path())?));
        }
    }
    Ok(())
}

/// The type of a file by its ending.
fn of_kind(name: &str) -> &'static str {
    // table
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "eom" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn studio() -> Studio {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src");
        Studio::new(&folder, Some("a\"b.eom"), "f00d".to_owned(), 4000).unwrap()
    }

    #[test]
    fn who_is_answered() {
        let studio = studio();
        let check =
            |method: &str, path: &str, host: Option<&str>, origin: Option<&str>, expected: &str| {
                let answer = studio.answer(Asked { method, path, host, origin });
                let found = match answer {
                    Answer::Page(kind, _) => kind.to_owned(),
                    other => format!("{other:?}"),
                };
                assert_eq!(found, expected, "{method} {path} {host:?} {origin:?}");
            };
        let (here, own) = (Some("127.0.0.1:4000"), Some("http://127.0.0.1:4000"));
        let html = "text/html; charset=utf-8";
        check("GET", "/f00d/", here, None, html);
        check("GET", "/f00d/index.html?a#b", Some("localhost:4000"), None, html);
        check("GET", "/f00d/document", here, None, "Read");
        check("GET", "/f00d/document", here, own, "Read");
        check("PUT", "/f00d/document", here, own, "Write");
        // Without the token, or with a part of it.
        for path in
            ["/", "/document", "/f00/document", "/f00dd/document", "f00d/document", "/f00d", ""]
        {
            check("GET", path, here, None, "Forbidden");
            check("PUT", path, here, own, "Forbidden");
        }
        // By the name of another machine, or of another port.
        for host in [
            None,
            Some("evil.example"),
            Some("127.0.0.1"),
            Some("127.0.0.1:80"),
            Some("evil.example:4000"),
        ] {
            check("GET", "/f00d/document", host, None, "Forbidden");
        }
        // From another page.
        for origin in
            ["http://evil.example", "null", "https://127.0.0.1:4000", "http://127.0.0.1:4001", ""]
        {
            check("GET", "/f00d/document", here, Some(origin), "Forbidden");
            check("PUT", "/f00d/document", here, Some(origin), "Forbidden");
        }
        check("PUT", "/f00d/document", here, None, "Forbidden");
        // Engines: asked and ended by the page alone.
        check("POST", "/f00d/engine/a1", here, own, "Ask(\"a1\")");
        check("DELETE", "/f00d/engine/a1", here, own, "End(\"a1\")");
        for (path, origin) in [
            ("/engine/a1", own),
            ("/f00/engine/a1", own),
            ("/f00d/engine/a1", None),
            ("/f00d/engine/a1", Some("http://evil.example")),
        ] {
            check("POST", path, here, origin, "Forbidden");
            check("DELETE", path, here, origin, "Forbidden");
        }
        check("GET", "/f00d/engine/a1", here, None, "Unknown");
        let long = format!("/f00d/engine/{}", "a".repeat(33));
        for path in ["/f00d/engine/", "/f00d/engine/a/b", "/f00d/engine/a%20b", &long] {
            check("POST", path, here, own, "NoSuchMethod");
        }
        // Nothing else on the disk.
        for path in
            ["/f00d/../engine/Cargo.toml", "/f00d//etc/passwd", "/f00d/%2e%2e/x", "/f00d/none.js"]
        {
            check("GET", path, here, None, "Unknown");
        }
        check("DELETE", "/f00d/document", here, own, "NoSuchMethod");
        check("PUT", "/f00d/index.html", here, own, "NoSuchMethod");
    }

    #[test]
    fn the_page_knows_its_document() {
        let studio = studio();
        let asked =
            Asked { method: "GET", path: "/f00d/", host: Some("127.0.0.1:4000"), origin: None };
        let Answer::Page(_, bytes) = studio.answer(asked) else { panic!("it is there") };
        let text = String::from_utf8_lossy(bytes);
        assert!(text.contains("<html data-studio data-document=\"a&quot;b.eom\" lang"), "{text}");
        assert_eq!(studio.address(), "http://127.0.0.1:4000/f00d/");
    }
}
