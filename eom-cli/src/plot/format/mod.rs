//! The formats of figures.

/// The format of a figure.
pub(super) mod page;
pub(super) mod pdf;
pub(super) mod png;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ImageFormat {
    /// Scalable vector graphics.
    #[default]
    Svg,
    /// A raster image.
    Png,
    /// A page for print, its letters as outlines.
    Pdf,
}

impl ImageFormat {
    /// How names of files of it end.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }
}
