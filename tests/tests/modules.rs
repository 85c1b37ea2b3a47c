//! Modules that use each other in a circle cannot be read one after another: none in the runtime, and in other
//! crates no more than there are.
//!
//! An edge leads from a module to one from which it imports a name (`use`), re-exports followed to where the name is.
//! A module stands in a circle where a path leads back to it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Module = Vec<String>;

/// The modules of a crate with their imports.
#[derive(Default)]
struct Crate {
    imports: BTreeMap<Module, Vec<Vec<String>>>,
    /// A name that a module re-exports, and whence.
    exports: BTreeMap<Vec<String>, Vec<String>>,
}

impl Crate {
    fn read(name: &str, least: usize) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let mut sources = BTreeMap::new();
        collect(&root, &root, &mut sources);
        assert!(sources.len() > least, "the sources of {name}");
        let mut found = Self::default();
        let modules: BTreeSet<Module> = sources.keys().cloned().collect();
        for (module, text) in &sources {
            let list = found.imports.entry(module.clone()).or_default();
            for (is_public, path) in uses(text) {
                let Some(path) = absolute(&modules, module, &path) else { continue };
                if !is_public {
                    list.push(path);
                } else if let Some(name) = path.last().cloned() {
                    found.exports.insert([module.clone(), vec![name]].concat(), path);
                }
            }
        }
        found
    }

    /// The module in which a name stands.
    fn home(&self, path: &[String]) -> Module {
        let mut path = path.to_vec();
        for _ in 0..8 {
            let long = (0..=path.len()).rev().find(|n| self.imports.contains_key(&path[..*n]));
            let module = path[..long.unwrap_or(0)].to_vec();
            let exported = path.get(..=module.len()).and_then(|name| self.exports.get(name));
            match exported {
                Some(from) => path = [from.as_slice(), &path[module.len() + 1..]].concat(),
                None => return module,
            }
        }
        Vec::new()
    }

    /// The modules from which a path of imports leads back to them.
    fn circles(&self) -> BTreeSet<String> {
        let edges: BTreeMap<&Module, BTreeSet<Module>> = self
            .imports
            .iter()
            .map(|(module, paths)| {
                let homes = paths.iter().map(|path| self.home(path));
                (module, homes.filter(|home| home != module).collect())
            })
            .collect();
        let leads_back = |module: &&Module| {
            let mut seen = BTreeSet::new();
            let mut open: Vec<&Module> = edges[*module].iter().collect();
            while let Some(next) = open.pop() {
                if next == *module {
                    return true;
                }
                if seen.insert(next) {
                    open.extend(edges.get(next).into_iter().flatten());
                }
            }
            false
        };
        self.imports.keys().filter(leads_back).map(|module| module.join("::")).collect()
    }
}

/// The sources below a folder by their modules.
fn collect(root: &Path, folder: &Path, sources: &mut BTreeMap<Module, String>) {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            collect(root, &path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.insert(module_of(root, &path), code(&path));
        }
    }
}

fn module_of(root: &Path, path: &Path) -> Module {
    let path: PathBuf = path.strip_prefix(root).expect("below the root").with_extension("");
    let parts = path.iter().map(|part| part.to_str().expect("UTF-8").to_owned());
    let mut parts: Module = parts.collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

/// A file without its comments and its tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("sources are UTF-8");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths of all `use`, and whether they are public.
fn uses(text: &str) -> Vec<(bool, Vec<String>)> {
    let mut found = Vec::new();
    for statement in text.split(';') {
        let statement = statement.trim_start();
        let starts = statement.match_indices("use ").find(|(at, _)| {
            let before = statement[..*at].trim_end();
            before.is_empty() || before.ends_with([')', ']', '}']) || before.ends_with("pub")
        });
        let Some((at, _)) = starts else { continue };
        let line = statement[..at].rsplit('\n').next().unwrap_or_default();
        let paths = expanded(&statement[at + "use ".len()..]);
        found.extend(paths.into_iter().map(|path| (line.contains("pub"), path)));
    }
    found
}

/// `a::{b, c::{d}}` as its paths.
fn expanded(tree: &str) -> Vec<Vec<String>> {
    let part = |text: &str| text.split(" as ").next().unwrap_or_default().trim().to_owned();
    let Some((before, rest)) = tree.split_once('{') else {
        return vec![tree.split("::").map(part).collect()];
    };
    let inside = rest.rfind('}').map_or(rest, |end| &rest[..end]);
    let (mut depth, mut start, mut branches) = (0, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&inside[start..]);
    let branches = branches.into_iter().filter(|branch| !branch.trim().is_empty());
    branches.flat_map(|branch| expanded(&format!("{}{}", before.trim(), branch.trim()))).collect()
}

/// A path from the root of the crate; none where it leads out of it.
fn absolute(modules: &BTreeSet<Module>, module: &Module, path: &[String]) -> Option<Vec<String>> {
    let mut base = module.clone();
    let mut path = path.to_vec();
    match path.first().map(String::as_str) {
        Some("crate") => return Some(path.split_off(1)),
        Some("self" | "super") => {
            while let Some("self" | "super") = path.first().map(String::as_str) {
                if path.remove(0) == "super" {
                    base.pop();
                }
            }
        }
        Some(first) if modules.contains(&[base.clone(), vec![first.to_owned()]].concat()) => {}
        _ => return None,
    }
    Some([base, path].concat())
}

#[test]
fn modules_stand_in_an_order() {
    // With so many sources at least, since without any there is no circle.
    for (name, least, allowed) in [
        ("eom-core", 10, 0),
        ("eom-machine", 6, 0),
        ("eom-symbolic", 10, 3),
        ("eom-codegen", 10, 5),
        ("eom-cli", 10, 0),
        ("eom-analysis", 10, 0),
        ("eom-sweep", 7, 0),
        ("eom-precise", 10, 0),
    ] {
        let circles = Crate::read(name, least).circles();
        assert!(circles.len() <= allowed, "{name}: {} in circles: {circles:?}", circles.len());
    }
}

#[test]
fn a_circle_is_seen() {
    let mut small = Crate::default();
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    for (module, import) in [("a", "b::X"), ("b", "c::Y"), ("c", "a::Z"), ("d", "a::Z")] {
        small.imports.insert(path(module), vec![path(import)]);
    }
    small.imports.insert(Vec::new(), Vec::new());
    assert_eq!(small.circles(), ["a", "b", "c"].map(str::to_owned).into());
}
