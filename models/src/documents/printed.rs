//! What the documents print, as strings: every display whose text is LaTeX, and what was taken of the prose.
//!
//! A file a document in `printed/`, a line an equation: its number, a tab, the string as it stands in the text with
//! white space made one space. The strings are facts of the print: claims are compared with them, so that no
//! transcription corrects a paper in silence.

/// The strings of a document by its key; none where its text has no LaTeX.
pub fn strings(document: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    // table
    let text = match document {
        "rough-plane" => include_str!("printed/rough-plane.tsv"),
        "nonholonomic-collisions" => include_str!("printed/nonholonomic-collisions.tsv"),
        "bouncing-penny" => include_str!("printed/bouncing-penny.tsv"),
        "putting-green" => include_str!("printed/putting-green.tsv"),
        _ => "",
    };
    text.lines().filter_map(|line| line.split_once('\t'))
}

/// The string of an equation.
pub fn printed(document: &str, number: &str) -> Option<&'static str> {
    strings(document).find(|(known, _)| *known == number).map(|(_, text)| text)
}
