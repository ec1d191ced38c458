//! Reads the API's fields on an uploaded file: `media_details`, its sizes, the camera's metadata.

use super::shapes::{Entries, FromObject, Int, List, Maybe, Number, Text, object};
use crate::ndjson::Str;
use crate::record::{ImageMeta, MediaDetails, Size};
use serde::de::{IgnoredAny, MapAccess};

object! {
    /// The field `media_details`.
    pub(crate) struct Details<'a> {
        /// Path below the uploads folder.
        "file" => file: Text<'a>,
        /// Pixels.
        "width" => width: Int,
        /// Pixels.
        "height" => height: Int,
        /// Bytes.
        "filesize" => filesize: Int,
        /// Seconds.
        "length" => length: Int,
        /// Bits per second.
        "bitrate" => bitrate: Number,
        /// MIME type.
        "mime_type" => mime_type: Text<'a>,
        /// Name before WordPress scaled it.
        "original_image" => original_image: Text<'a>,
        /// EXIF and IPTC.
        "image_meta" => image_meta: Maybe<Camera<'a>>,
        /// The files, by the name of their size.
        "sizes" => sizes: Entries<'a, Maybe<File<'a>>>,
        /// The same image in other formats, by their MIME types (the plugin Modern Image Formats).
        "sources" => sources: Entries<'a, Maybe<File<'a>>>,
        /// The image that this one is an edited copy of.
        "parent_image" => parent_image: Maybe<Parent<'a>>,
    }
}

object! {
    /// One of the files.
    pub(crate) struct File<'a> {
        /// Its URL.
        "source_url" => source_url: Text<'a>,
        /// Pixels.
        "width" => width: Int,
        /// Pixels.
        "height" => height: Int,
        /// MIME type.
        "mime_type" => mime_type: Text<'a>,
        /// As in [`Details`].
        "sources" => sources: Entries<'a, Maybe<File<'a>>>,
    }
}

object! {
    /// The original of an edited image.
    pub(crate) struct Parent<'a> {
        /// Its id.
        "attachment_id" => attachment_id: Int,
        /// Its file.
        "file" => file: Text<'a>,
    }
}

object! {
    /// The field `image_meta`: strings, or numbers in some versions.
    pub(crate) struct Camera<'a> {
        /// As in [`ImageMeta`].
        "aperture" => aperture: Text<'a>,
        /// As in [`ImageMeta`].
        "credit" => credit: Text<'a>,
        /// As in [`ImageMeta`].
        "camera" => camera: Text<'a>,
        /// As in [`ImageMeta`].
        "caption" => caption: Text<'a>,
        /// As in [`ImageMeta`].
        "created_timestamp" => created_timestamp: Text<'a>,
        /// As in [`ImageMeta`].
        "copyright" => copyright: Text<'a>,
        /// As in [`ImageMeta`].
        "focal_length" => focal_length: Text<'a>,
        /// As in [`ImageMeta`].
        "iso" => iso: Text<'a>,
        /// As in [`ImageMeta`].
        "shutter_speed" => shutter_speed: Text<'a>,
        /// As in [`ImageMeta`].
        "title" => title: Text<'a>,
        /// As in [`ImageMeta`].
        "orientation" => orientation: Text<'a>,
        /// As in [`ImageMeta`].
        "keywords" => keywords: List<Text<'a>>,
    }
}

impl<'a> Details<'a> {
    /// The files that have a URL: each followed by its forms in other formats, and those of the image itself (`full`) at the end.
    pub(crate) fn sizes(&mut self) -> Vec<Size<'a>> {
        let (width, height, sources) = (self.width, self.height, std::mem::take(&mut self.sources));
        let full = File { width, height, sources, ..File::default() };
        let files = std::mem::take(&mut self.sizes.0).into_iter().map(|(name, Maybe(file))| (name, file));
        let mut sizes: Vec<Size<'a>> = Vec::new();
        for (name, file) in files.chain([("full".into(), full)]) {
            let (width, height) = (file.width.0, file.height.0);
            let size = |url, mime_type| Size { name: Some(name.clone()), url: Some(url), width, height, mime_type };
            sizes.extend(file.source_url.0.map(|url| size(url, file.mime_type.0)));
            for (r#type, Maybe(source)) in file.sources.0 {
                let Some(url) = source.source_url.0 else { continue };
                if sizes.iter().all(|size| size.url.as_ref() != Some(&url)) {
                    sizes.push(size(url, Some(r#type)));
                }
            }
        }
        sizes
    }

    /// The remaining fields, as in the record.
    pub(crate) fn details(self) -> MediaDetails<'a> {
        let Maybe(camera) = self.image_meta;
        MediaDetails {
            file: self.file.0,
            width: self.width.0,
            height: self.height.0,
            filesize: self.filesize.0,
            length: self.length.0,
            bitrate: self.bitrate.0,
            mime_type: self.mime_type.0,
            original_image: self.original_image.0,
            image_meta: ImageMeta {
                aperture: camera.aperture.0,
                credit: camera.credit.0,
                camera: camera.camera.0,
                caption: camera.caption.0,
                created_timestamp: camera.created_timestamp.0,
                copyright: camera.copyright.0,
                focal_length: camera.focal_length.0,
                iso: camera.iso.0,
                shutter_speed: camera.shutter_speed.0,
                title: camera.title.0,
                orientation: camera.orientation.0,
                keywords: camera.keywords.0.into_iter().filter_map(|k| k.0).collect(),
            },
        }
    }
}
