/// File extensions: known types other than media, and the media types of the rest.
enum MediaTypes {
    /// Returns true if a file with this extension is listed.
    ///
    /// Unknown extensions are listed: a file that turns out not to be media is listed with the reason, rather than
    /// missing without explanation.
    static func mayBeMedia(fileExtension: String) -> Bool { !others.contains(fileExtension) }

    /// The media type of the original file.
    static func contentType(fileExtension: String) -> String { types[fileExtension] ?? "application/octet-stream" }

    /// All media types of known extensions in order.
    static let all: [String] = Set(types.values).sorted()

    /// The extensions of other files that are common in media folders.
    private static let others: Set<String> = [
        "ass", "avif", "bak", "bat", "bmp", "c", "cfg", "conf", "cpp", "crdownload", "css", "csv", "cue", "db", "doc",
        "docx", "epub", "exe", "gif", "gz", "h", "heic", "htm", "html", "idx", "ini", "iso", "jpeg", "jpg", "js",
        "json", "jsonl", "key", "log", "lrc", "lua", "m3u", "m3u8", "md", "md5", "mobi", "mpd", "nfo", "ods", "odt",
        "opf", "par2", "part", "pdf", "pem", "pl", "pls", "plist", "png", "ppt", "pptx", "psd", "py", "rar", "rb",
        "rst", "rtf", "sfv", "sh", "sha1", "sha256", "smi", "sql", "sqlite", "srt", "ssa", "sub", "sup", "svg", "swift",
        "tar", "tif", "tiff", "tmp", "toml", "torrent", "tsv", "ttf", "txt", "url", "vtt", "webloc", "webp", "woff",
        "xls", "xlsx", "xml", "xspf", "xz", "yaml", "yml", "zip", "zst", "7z",
    ]

    private static let types: [String: String] = [
        "3g2": "video/3gpp2", "3gp": "video/3gpp", "aac": "audio/aac", "ac3": "audio/ac3", "adts": "audio/aac",
        "aif": "audio/aiff", "aifc": "audio/aiff", "aiff": "audio/aiff", "amr": "audio/amr", "ape": "audio/x-ape",
        "asf": "video/x-ms-asf", "au": "audio/basic", "avi": "video/x-msvideo", "caf": "audio/x-caf",
        "dts": "audio/vnd.dts", "eac3": "audio/eac3", "ec3": "audio/eac3", "flac": "audio/flac", "flv": "video/x-flv",
        "m2ts": "video/mp2t", "m4a": "audio/mp4", "m4b": "audio/mp4", "m4v": "video/mp4", "mka": "audio/x-matroska",
        "mkv": "video/x-matroska", "mov": "video/quicktime", "mp2": "audio/mpeg", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "mts": "video/mp2t", "mxf": "application/mxf",
        "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "snd": "audio/basic",
        "spx": "audio/ogg", "ts": "video/mp2t", "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm",
        "wma": "audio/x-ms-wma", "wmv": "video/x-ms-wmv", "wv": "audio/x-wavpack",
    ]
}
