//! The types of the files that WordPress lets people upload.

use super::query::without_query;
use std::collections::HashMap;
use std::sync::LazyLock;

/// File endings and MIME types (`wp_get_mime_types()`).
const TYPES: &str = "jpg|jpeg|jpe image/jpeg gif image/gif png image/png bmp image/bmp tiff|tif image/tiff webp image/webp \
        avif image/avif ico image/x-icon heic image/heic svg image/svg+xml asf|asx video/x-ms-asf wmv video/x-ms-wmv avi video/avi \
        flv video/x-flv mov|qt video/quicktime mpeg|mpg|mpe video/mpeg mp4|m4v video/mp4 ogv video/ogg webm video/webm \
        mkv video/x-matroska 3gp|3gpp video/3gpp txt|asc|c|cc|h|srt text/plain csv text/csv tsv text/tab-separated-values \
        ics text/calendar rtx text/richtext css text/css htm|html text/html vtt text/vtt mp3|m4a|m4b audio/mpeg aac audio/aac \
        ra|ram audio/x-realaudio wav audio/wav ogg|oga audio/ogg flac audio/flac mid|midi audio/midi wma audio/x-ms-wma \
        mka audio/x-matroska rtf application/rtf js application/javascript pdf application/pdf swf application/x-shockwave-flash \
        tar application/x-tar zip application/zip gz|gzip application/x-gzip rar application/rar 7z application/x-7z-compressed \
        psd application/octet-stream doc application/msword pot|pps|ppt application/vnd.ms-powerpoint xla|xls|xlt|xlw \
        application/vnd.ms-excel docx application/vnd.openxmlformats-officedocument.wordprocessingml.document \
        xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet \
        pptx application/vnd.openxmlformats-officedocument.presentationml.presentation \
        odt application/vnd.oasis.opendocument.text odp application/vnd.oasis.opendocument.presentation \
        ods application/vnd.oasis.opendocument.spreadsheet odg application/vnd.oasis.opendocument.graphics \
        key application/vnd.apple.keynote numbers application/vnd.apple.numbers pages application/vnd.apple.pages";

static BY_ENDING: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let words: Vec<&str> = TYPES.split_whitespace().collect();
    words.chunks_exact(2).flat_map(|pair| pair[0].split('|').map(|ending| (ending, pair[1]))).collect()
});

/// The MIME type of a file by its name; empty if WordPress does not know the ending.
pub(crate) fn mime_of(url: &str) -> &'static str {
    let ending = without_query(url).rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    BY_ENDING.get(&*ending).copied().unwrap_or_default()
}

/// Whether a URL, or its path, is below the folder of uploaded files (`wp_upload_dir()`).
pub(crate) fn is_in_uploads(url: &str) -> bool {
    url.contains("/uploads/")
}

/// Whether a URL is that of an uploaded file, not of a page.
pub(crate) fn is_upload(url: &str) -> bool {
    is_in_uploads(url) && !matches!(mime_of(url), "" | "text/html")
}
