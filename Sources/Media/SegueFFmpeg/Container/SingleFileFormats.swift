internal import CSegueFFmpeg

/// libav's demuxers that read the file they are given and nothing else.
///
/// Which of them a file gets is told by its bytes, whatever it is called. A playlist with the name of a film would
/// otherwise have libav open the files and addresses in it.
enum SingleFileFormats {
    /// libav's names of those that open what a file names, run it as a script, or look for others beside it.
    ///
    /// Those that open by themselves, such as series of frames and network streams, say so with a flag.
    private static let following: Set<String> = [
        "avisynth", "concat", "dash", "hls", "imf", "lavfi", "sdp", "vapoursynth", "vobsub",
    ]

    /// The names of all that are let in, as libav's option `format_whitelist` takes them.
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

    /// Why a file is not opened that libav takes for one of the others; nil where it does not.
    ///
    /// - Parameters:
    ///   - bytes: The file, which is read again from its beginning.
    ///   - url: What libav knows it by.
    /// - Returns: The reason, in words.
    static func refusal(of bytes: UnsafeMutablePointer<AVIOContext>, url: String) -> String? {
        var demuxer: UnsafePointer<AVInputFormat>?
        guard avio_seek(bytes, 0, SEEK_SET) >= 0, av_probe_input_buffer2(bytes, &demuxer, url, nil, 0, 0) >= 0,
            let demuxer, !isAllowed(demuxer)
        else { return nil }
        let name = String(cString: demuxer.pointee.name)
        if name.hasPrefix("image2") { return "it is one of a series of pictures, not a film" }
        return "it is no film or song but names others (\(name)), and what a file names is not opened"
    }
}
