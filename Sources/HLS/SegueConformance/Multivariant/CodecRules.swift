/// What Apple's specification demands of codecs, as far as their names tell.
enum CodecRules {
    static let all: [Check<PlaylistDocument>] = [
        video, sound, profile, modestH264, modestHEVC, dolby, levelAV1, usualRates, joc, trickPlay,
    ]

    /// The first codec of a variant for which something is so.
    private static func each(_ document: PlaylistDocument, _ isOdd: (StatedCodec) -> Bool) -> [Violation] {
        document.violations(in: ["#EXT-X-STREAM-INF"]) { list in
            document.codecs(list).first(where: isOdd).map { "it is \($0.name.prefix(40))" }
        }
    }

    /// Every video there is told by codecs, but for variants where none meets a demand.
    private static func some(
        _ document: PlaylistDocument,
        of start: String,
        _ isGood: (StatedCodec.Coding) -> Bool
    ) -> [Violation] {
        let all = document.lists("#EXT-X-STREAM-INF").compactMap { line, list in
            document.codecs(list).first { $0.name.hasPrefix(start) }.map { (line, $0) }
        }
        guard let first = all.first, !all.contains(where: { isGood($0.1.coding) }) else { return [] }
        return [Violation(document.place(line: first.0.number), "none is; this is \(first.1.name)")]
    }

    private static func isOther(_ codec: StatedCodec, _ starts: [String]) -> Bool {
        guard case .other = codec.coding else { return false }
        let name = codec.name.lowercased()
        return starts.contains { name.hasPrefix($0) }
    }

    /// Video is of a format that devices have.
    static let video = Check<PlaylistDocument>(
        Rule("video-codec", "A1.1", .must, "video is H.264, HEVC, Dolby Vision or AV1")
    ) { document in
        each(document) { codec in
            isOther(codec, ["vp8", "vp08", "vp9", "vp09", "mp4v", "theora", "s263"])
        }
    }

    /// Sound is of a format that devices have.
    static let sound = Check<PlaylistDocument>(
        Rule("sound-codec", "A2.2, A2.5", .must, "sound is AAC, Dolby Digital, APAC, Apple Lossless or FLAC")
    ) { document in
        let aac = ["mp4a.40.2", "mp4a.40.5", "mp4a.40.29", "mp4a.40.42"]
        return each(document) { codec in
            isOther(codec, ["opus", "vorbis", "dts", "ac-4"])
                || (codec.name.hasPrefix("mp4a.") && !aac.contains(codec.name))
        }
    }

    /// The better profile is used.
    static let profile = Check<PlaylistDocument>(
        Rule("h264-profile", "A1.4", .should, "H.264 is of High profile")
    ) { document in
        each(document) { codec in
            if case .h264(let profile, _) = codec.coding { [66, 77, 88].contains(profile) } else { false }
        }
    }

    /// Small devices can play something.
    static let modestH264 = Check<PlaylistDocument>(
        Rule("h264-modest", "A1.3a", .should, "some H.264 is of level 4.1 at most")
    ) { document in
        some(document, of: "avc") { coding in if case .h264(_, let level) = coding { level <= 41 } else { true } }
    }

    /// Small devices can play something.
    static let modestHEVC = Check<PlaylistDocument>(
        Rule("hevc-modest", "A1.6a", .should, "some HEVC is of Main tier and level 4.0 at most")
    ) { document in
        some(document, of: "hvc1") { coding in
            if case .hevc(_, let isMainTier, let level) = coding { isMainTier && level <= 120 } else { true }
        }
    }

    /// Dolby Vision is of the profiles that devices have.
    static let dolby = Check<PlaylistDocument>(
        Rule(
            "dolby-profile",
            "A1.9",
            .must,
            "Dolby Vision in CODECS is of profile 5, of stereo 20, and level 9 at most"
        )
    ) { document in
        each(document) { codec in
            if case .dolbyVision(let profile, let level) = codec.coding {
                ![5, 20].contains(profile) || level > 9
            } else {
                false
            }
        }
    }

    /// AV1 is no more than devices can do.
    static let levelAV1 = Check<PlaylistDocument>(
        Rule("av1-level", "A1.37", .must, "AV1 is of level 6.2 at most")
    ) { document in
        each(document) { codec in
            // Four indices to a number before the point, from 2.0 on.
            if case .av1(let level) = codec.coding { level > 18 } else { false }
        }
    }

    /// Film and television have few rates.
    static let usualRates = Check<PlaylistDocument>(
        Rule("frame-rate-usual", "A1.18", .should, "FRAME-RATE is 23.976, 24, 25, 29.97, 30, 50, 59.94 or 60")
    ) { document in
        let usual = [23.976, 24, 25, 29.97, 30, 50, 59.94, 60]
        return document.violations(in: ["#EXT-X-STREAM-INF"]) { list in
            guard let rate = list.number("FRAME-RATE"), rate <= 60,
                !usual.contains(where: { abs($0 - rate) < 0.01 })
            else { return nil }
            return "it is \(rate)"
        }
    }

    /// Objects in sound are told in capitals.
    static let joc = Check<PlaylistDocument>(
        Rule("channels-joc-form", "AApp.CODECS", .must, "JOC in CHANNELS is written in capitals")
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            let parts = (list["CHANNELS"] ?? "").split { "/,".contains($0) }
            return parts.first { $0.uppercased() == "JOC" && $0 != "JOC" }.map { "it is \($0)" }
        }
    }

    /// Everybody can look ahead.
    static let trickPlay = Check<PlaylistDocument>(
        Rule("iframe-h264", "A6.14", .should, "some playlists of I-frames are H.264")
    ) { document in
        let all = document.lists("#EXT-X-I-FRAME-STREAM-INF").filter { $0.list["CODECS"] != nil }
        guard let first = all.first,
            !all.contains(where: { document.codecs($0.list).contains { $0.name.hasPrefix("avc") } })
        else {
            return []
        }
        return [Violation(document.place(line: first.line.number), "there are none")]
    }
}
