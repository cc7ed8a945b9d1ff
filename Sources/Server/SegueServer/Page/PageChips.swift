import SegueOrigin

/// The short labels that summarize an item.
enum PageChips {
    /// Returns the labels: video, audio, number of audio tracks, number of subtitles.
    static func of(_ item: ItemDocument, _ texts: PageWords) -> [String] {
        var chips: [String] = []
        if let video = item.streams.first(where: { $0.kind == "video" && !$0.isArtwork }) {
            var words = [name(video.codec)]
            if let height = video.height, let width = video.width, height > 0 { words.append("\(width)×\(height)") }
            chips.append(words.joined(separator: " "))
        }
        let audioTracks = item.streams.filter { $0.kind == "audio" }
        if let audio = audioTracks.first {
            chips.append([name(audio.codec), channels(audio, texts)].compactMap(\.self).joined(separator: " "))
        }
        if audioTracks.count > 1 { chips.append(texts.text("chipSounds", count: audioTracks.count)) }
        let subtitles = item.streams.count { $0.kind == "subtitle" }
        if subtitles > 0 { chips.append(texts.text("chipSubtitles", count: subtitles)) }
        return chips
    }

    /// Formats a duration, such as `3:05` or `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let pair = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return whole >= 3600
            ? "\(whole / 3600):\(pair(whole / 60 % 60)):\(pair(whole % 60))" : "\(whole / 60):\(pair(whole % 60))"
    }

    private static func channels(_ stream: StreamDocument, _ texts: PageWords) -> String? {
        switch stream.channels {
        case 1: texts.text("chipMono")
        case 2: texts.text("chipStereo")
        case .some(let count) where count > 2:
            stream.channelLayout.map { String($0.prefix { $0 != "(" }) } ?? texts.text("chipChannels", count: count)
        default: nil
        }
    }

    private static func name(_ codec: String) -> String {
        if let known = names[codec] { return known }
        return codec.hasPrefix("pcm_") ? "PCM" : codec.uppercased()
    }

    private static let names: [String: String] = [
        "h264": "H.264", "hevc": "HEVC", "mpeg4": "MPEG-4", "mpeg2video": "MPEG-2", "mpeg1video": "MPEG-1",
        "theora": "Theora", "h263": "H.263",
        "amr_nb": "AMR", "amr_wb": "AMR-WB", "vorbis": "Vorbis", "opus": "Opus", "ac3": "AC-3", "eac3": "E-AC-3",
        "mp3": "MP3",
        "wmav2": "WMA", "wmapro": "WMA Pro", "msmpeg4v3": "MS MPEG-4", "mjpeg": "MJPEG", "none": "unknown",
        "prores": "ProRes", "wavpack": "WavPack", "speex": "Speex",
    ]
}
