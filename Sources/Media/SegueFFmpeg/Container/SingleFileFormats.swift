internal import CSegueFFmpeg

/// The libav demuxers that read only the given file.
///
/// libav selects the demuxer by content, not by name. A playlist named like a video would otherwise make libav open the
/// files and addresses listed in it.
enum SingleFileFormats {
    /// The demuxers that open files named in the content, run it as a script, or look for neighboring files.
    ///
    /// Demuxers that open the file themselves, such as image sequences and network protocols, are recognized by a flag.
    private static let following: Set<String> = [
        "avisynth", "concat", "dash", "hls", "imf", "lavfi", "sdp", "vapoursynth", "vobsub",
    ]

    /// The allowed demuxers, in the format of libav's option `format_whitelist`.
    static let whitelist: String = {
        var names: [String] = []
        var place: UnsafeMutableRawPointer?
        while let demuxer = av_demuxer_iterate(&place) {
            if isAllowed(demuxer) { names.append(String(cString: demuxer.pointee.name)) }
        }
        return names.joined(separator: ",")
    }()

    private static func isAllowed(_ demuxer: UnsafePointer<AVInputFormat>) -> Bool {
        guard demuxer.pointee.flags & AVFMT_NOFILE == 0 else { return false }
        let names = String(cString: demuxer.pointee.name).split(separator: ",")
        return !names.contains { following.contains(String($0)) }
    }

    /// Explains why a file of a disallowed format is not opened; nil if the format is allowed.
    static func refusal(of bytes: UnsafeMutablePointer<AVIOContext>, url: String) -> String? {
        var demuxer: UnsafePointer<AVInputFormat>?
        guard avio_seek(bytes, 0, SEEK_SET) >= 0, av_probe_input_buffer2(bytes, &demuxer, url, nil, 0, 0) >= 0,
            let demuxer, !isAllowed(demuxer)
        else { return nil }
        let name = String(cString: demuxer.pointee.name)
        if name.hasPrefix("image2") { return "the file is one image of a sequence, not a video" }
        return "the file is a list of other files (\(name)), which Segue does not open"
    }
}
