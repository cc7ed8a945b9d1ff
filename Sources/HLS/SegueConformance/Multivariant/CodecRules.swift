internal import SegueBase

/// The requirements of Apple's specification on codecs, by their names.
enum CodecRules {
    static let all: [Check<PlaylistDocument>] = [
        video, audio, profile, modestH264, modestHEVC, dolby, levelAV1, usualRates, joc, trickPlay,
    ]

    /// The first codec of each variant that meets a condition.
    private static func each(_ document: PlaylistDocument, _ isOdd: (StatedCodec) -> Bool) -> [Violation] {
        document.violations(in: ["#EXT-X-STREAM-INF"]) { list in
            document.codecs(list).first(where: isOdd).map { "CODECS contains \($0.name.prefix(40))" }
        }
    }

    /// A violation if variants name a codec and none of them meets a condition.
    private static func some(
        _ document: PlaylistDocument,
        of start: String,
        _ isGood: (StatedCodec.Coding) -> Bool
    ) -> [Violation] {
        let all = document.lists("#EXT-X-STREAM-INF").compactMap { line, list in
            document.codecs(list).first { $0.name.hasPrefix(start) }.map { (line, $0) }
        }
        guard let first = all.first, !all.contains(where: { isGood($0.1.coding) }) else { return [] }
        return [
            Violation(document.place(line: first.0.number), "no variant meets the limit; this one has \(first.1.name)")
        ]
    }

    private static func isOther(_ codec: StatedCodec, _ starts: [String]) -> Bool {
        guard case .other = codec.coding else { return false }
        let name = codec.name.lowercased()
        return starts.contains { name.hasPrefix($0) }
    }

    static let video = Check<PlaylistDocument>(
        Rule(
            "video-codec",
            in: .multivariant,
            clauses: "A1.1",
            .must,
            requires: "video is H.264, HEVC, Dolby Vision, or AV1",
            fix: "encode with one of these codecs"
        )
    ) { document in
        each(document) { codec in
            isOther(codec, ["vp8", "vp08", "vp9", "vp09", "mp4v", "theora", "s263"])
        }
    }

    static let audio = Check<PlaylistDocument>(
        Rule(
            "sound-codec",
            in: .multivariant,
            clauses: "A2.2, A2.5",
            .must,
            requires: "audio is AAC, Dolby Digital, APAC, Apple Lossless, or FLAC",
            fix: "encode with one of these codecs"
        )
    ) { document in
        let aac = ["mp4a.40.2", "mp4a.40.5", "mp4a.40.29", "mp4a.40.42"]
        return each(document) { codec in
            isOther(codec, ["opus", "vorbis", "dts", "ac-4"])
                || (codec.name.hasPrefix("mp4a.") && !aac.contains(codec.name))
        }
    }

    static let profile = Check<PlaylistDocument>(
        Rule(
            "h264-profile",
            in: .multivariant,
            clauses: "A1.4",
            .should,
            requires: "H.264 is High profile",
            fix: "encode with High profile"
        )
    ) { document in
        each(document) { codec in
            if case .h264(let profile, _) = codec.coding { [66, 77, 88].contains(profile) } else { false }
        }
    }

    static let modestH264 = Check<PlaylistDocument>(
        Rule(
            "h264-modest",
            in: .multivariant,
            clauses: "A1.3a",
            .should,
            requires: "at least one H.264 variant is level 4.1 or below",
            fix: "add a variant with level 4.1 or below"
        )
    ) { document in
        some(document, of: "avc") { coding in if case .h264(_, let level) = coding { level <= 41 } else { true } }
    }

    static let modestHEVC = Check<PlaylistDocument>(
        Rule(
            "hevc-modest",
            in: .multivariant,
            clauses: "A1.6a",
            .should,
            requires: "at least one HEVC variant is Main tier, level 4.0 or below",
            fix: "add a variant with Main tier and level 4.0 or below"
        )
    ) { document in
        some(document, of: "hvc1") { coding in
            if case .hevc(_, let isMainTier, let level) = coding { isMainTier && level <= 120 } else { true }
        }
    }

    static let dolby = Check<PlaylistDocument>(
        Rule(
            "dolby-profile",
            in: .multivariant,
            clauses: "A1.9",
            .must,
            requires: "Dolby Vision in CODECS is profile 5, or 20 for stereo, and level 9 at most",
            fix: "encode with one of these profiles"
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

    static let levelAV1 = Check<PlaylistDocument>(
        Rule(
            "av1-level",
            in: .multivariant,
            clauses: "A1.37",
            .must,
            requires: "AV1 is level 6.2 or below",
            fix: "encode with a lower level"
        )
    ) { document in
        each(document) { codec in
            // Each major level from 2 has four indices.
            if case .av1(let level) = codec.coding { level > 18 } else { false }
        }
    }

    static let usualRates = Check<PlaylistDocument>(
        Rule(
            "frame-rate-usual",
            in: .multivariant,
            clauses: "A1.18",
            .should,
            requires: "FRAME-RATE is 23.976, 24, 25, 29.97, 30, 50, 59.94, or 60",
            fix: "encode at one of these frame rates"
        )
    ) { document in
        let usual = [23.976, 24, 25, 29.97, 30, 50, 59.94, 60]
        return document.violations(in: ["#EXT-X-STREAM-INF"]) { list in
            guard let rate = list.number("FRAME-RATE"), rate <= 60,
                !usual.contains(where: { abs($0 - rate) < 0.01 })
            else { return nil }
            return "FRAME-RATE is \(rate)"
        }
    }

    static let joc = Check<PlaylistDocument>(
        Rule(
            "channels-joc-form",
            in: .multivariant,
            clauses: "AApp.CODECS",
            .must,
            requires: "JOC in CHANNELS is upper case",
            fix: "write JOC"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MEDIA"]) { list in
            let parts = (list["CHANNELS"] ?? "").split { "/,".contains($0) }
            return parts.first { $0.uppercased() == "JOC" && $0 != "JOC" }.map {
                "CHANNELS contains \($0), expected JOC"
            }
        }
    }

    static let trickPlay = Check<PlaylistDocument>(
        Rule(
            "iframe-h264",
            in: .multivariant,
            clauses: "A6.14",
            .should,
            requires: "at least one I-frame playlist is H.264",
            fix: "add an H.264 I-frame playlist"
        )
    ) { document in
        let all = document.lists("#EXT-X-I-FRAME-STREAM-INF").filter { $0.list["CODECS"] != nil }
        guard let first = all.first,
            !all.contains(where: { document.codecs($0.list).contains { $0.name.hasPrefix("avc") } })
        else {
            return []
        }
        return [Violation(document.place(line: first.line.number), "no I-frame playlist is H.264")]
    }
}
