//! Reads the API's fields on an uploaded file: `media_details`, its sizes.

use crate::ndjson::Str;
use crate::record::{Entries, MediaDetails, Size, fields};

fields! {
    /// What the field `media_details` has besides [`MediaDetails`].
    pub(crate) loose Files {
        /// The files, by the name of their size.
        sizes: Entries<'a, File<'a>>,
        /// The same image in other formats, by their MIME types (the plugin Modern Image Formats).
        sources: Entries<'a, File<'a>>,
        /// The image that this one is an edited copy of.
        parent_image: Parent<'a>,
    }

    /// One file of the media item.
    pub(crate) loose File {
        /// Its URL.
        source_url: Option<Str<'a>>,
        /// Pixels.
        width: Option<i64>,
        /// Pixels.
        height: Option<i64>,
        /// MIME type.
        mime_type: Option<Str<'a>>,
        /// As in [`Files`].
        sources: Entries<'a, File<'a>>,
    }

    /// The original of an edited image.
    pub(crate) loose Parent {
        /// Its id.
        attachment_id: Option<i64>,
        /// Its file.
        file: Option<Str<'a>>,
    }
}

/// The files that have a URL: each followed by its forms in other formats, and those of the image itself (`full`) at the end.
pub(crate) fn sizes<'a>(details: &MediaDetails<'a>, files: Files<'a>) -> Vec<Size<'a>> {
    let full = File { width: details.width, height: details.height, sources: files.sources, ..File::default() };
    let mut sizes: Vec<Size<'a>> = Vec::new();
    for (name, file) in files.sizes.0.into_iter().chain([("full".into(), full)]) {
        let (width, height) = (file.width, file.height);
        let size = |url, mime_type| Size { name: Some(name.clone()), url: Some(url), width, height, mime_type };
        sizes.extend(file.source_url.map(|url| size(url, file.mime_type)));
        for (r#type, source) in file.sources.0 {
            let Some(url) = source.source_url else { continue };
            if sizes.iter().all(|size| size.url.as_ref() != Some(&url)) {
                sizes.push(size(url, Some(r#type)));
            }
        }
    }
    sizes
}
