/// What Apple's specification demands of a set of variants, as far as the text tells.
enum AuthoringRules {
    static let all: [Check<PlaylistDocument>] = [
        rates, pictures, fast, sampleEntries, someH264, levelH264, levelHEVC, plainRange, plainPictures, surround,
        aspect,
        highest, apac, stereo, layout,
    ]

    private static func videos(_ document: PlaylistDocument) -> [(
        line: Int, list: RawAttributes, codecs: [StatedCodec]
    )] {
        document.variantLists.filter { $0.codecs.contains(where: \.isVideo) }
    }

    private static func pictureLists(_ document: PlaylistDocument) -> [RawAttributes] {
        document.lists("#EXT-X-I-FRAME-STREAM-INF").map(\.list)
    }

    /// There is a choice.
    static let rates = Check<PlaylistDocument>(
        Rule("video-rates", "A9.9", .must, "there are variants of video with several bit rates")
    ) { document in
        let all = videos(document)
        guard let first = all.first, Set(all.map { $0.list["BANDWIDTH"] }).count == 1 else { return [] }
        return [Violation(document.place(line: first.line), "there is one bit rate of video")]
    }

    /// One can look ahead.
    static let pictures = Check<PlaylistDocument>(
        Rule("iframe-given", "A6.1", .must, "with variants of video there are playlists of I-frames")
    ) { document in
        guard let first = videos(document).first, pictureLists(document).isEmpty else { return [] }
        return [Violation(document.place(line: first.line), "there are none")]
    }

    /// Pictures come no faster than screens.
    static let fast = Check<PlaylistDocument>(
        Rule("frame-rate-most", "A1.19", .must, "FRAME-RATE is 60 at most")
    ) { document in
        document.variantLists.violations { line, list, _ in
            guard let rate = list.number("FRAME-RATE"), rate > 60,
                // Immersive video has 90 in the tables of the same text.
                list["REQ-VIDEO-LAYOUT"]?.contains("PROJ-AIV") != true
            else { return nil }
            return Violation(document.place(line: line), "it is \(rate)")
        }
    }

    /// Parameter sets are in one place.
    static let sampleEntries = Check<PlaylistDocument>(
        Rule("sample-entries", "A1.10", .should, "CODECS has avc1, hvc1 and dvh1, not avc3, hev1 and dvhe")
    ) { document in
        document.variantLists.violations { line, _, codecs in
            guard let codec = codecs.first(where: { ["avc3", "hev1", "dvhe"].contains($0.name.prefix(4)) }) else {
                return nil
            }
            return Violation(document.place(line: line), "it has \(codec.name)")
        }
    }

    /// What all devices play is there.
    static let someH264 = Check<PlaylistDocument>(
        Rule("h264-given", "A1.12", .should, "some variants of video are H.264")
    ) { document in
        let all = videos(document)
        guard let first = all.first, !all.contains(where: { $0.codecs.contains { $0.name.hasPrefix("avc") } }) else {
            return []
        }
        return [Violation(document.place(line: first.line), "there are none")]
    }

    /// H.264 is no more than devices can do.
    static let levelH264 = Check<PlaylistDocument>(
        Rule("h264-level", "A1.3b", .must, "H.264 is of High profile and level 5.2 at most")
    ) { document in
        document.variantLists.violations { line, _, codecs in
            let odd = codecs.first { codec in
                guard case .h264(let profile, let level) = codec.coding else { return false }
                return level > 52 || ![66, 77, 88, 100].contains(profile)
            }
            return odd.map { Violation(document.place(line: line), "it is \($0.name)") }
        }
    }

    /// HEVC is no more than devices can do.
    static let levelHEVC = Check<PlaylistDocument>(
        Rule("hevc-level", "A1.6b", .must, "HEVC is of Main 10 profile and level 5.1 at most")
    ) { document in
        document.variantLists.violations { line, list, codecs in
            // What is stereo is coded in profile 6, and judged by other demands.
            guard list["REQ-VIDEO-LAYOUT"] == nil else { return nil }
            let odd = codecs.first { codec in
                guard case .hevc(let profile, _, let level) = codec.coding else { return false }
                return level > 153 || (profile > 2 && profile != 6)
            }
            return odd.map { Violation(document.place(line: line), "it is \($0.name)") }
        }
    }

    private static func isPlain(_ list: RawAttributes) -> Bool { list["VIDEO-RANGE"] ?? "SDR" == "SDR" }

    /// What every screen shows is there.
    static let plainRange = Check<PlaylistDocument>(
        Rule("sdr-given", "A1.24", .must, "some variants of video are SDR")
    ) { document in
        let all = videos(document)
        guard let first = all.first, !all.contains(where: { isPlain($0.list) }) else { return [] }
        return [Violation(document.place(line: first.line), "there are none")]
    }

    /// What every screen shows is there to look ahead.
    static let plainPictures = Check<PlaylistDocument>(
        Rule("sdr-iframes", "A6.16", .must, "some playlists of I-frames are SDR")
    ) { document in
        let all = document.lists("#EXT-X-I-FRAME-STREAM-INF")
        guard let first = all.first, !all.contains(where: { isPlain($0.list) }),
            videos(document).contains(where: { isPlain($0.list) })
        else { return [] }
        return [Violation(document.place(line: first.line.number), "there are none")]
    }

    /// Dolby Digital Plus is not alone.
    static let surround = Check<PlaylistDocument>(
        Rule("ac3-given", "A2.6", .must, "with Dolby Digital Plus there is Dolby Digital")
    ) { document in
        let all = document.variantLists
        guard let first = all.first(where: { $0.codecs.contains { $0.name == "ec-3" } }),
            !all.contains(where: { $0.codecs.contains { $0.name == "ac-3" } })
        else { return [] }
        return [Violation(document.place(line: first.line), "no variant has ac-3")]
    }

    /// Everybody can hear something.
    static let stereo = Check<PlaylistDocument>(
        Rule("aac-given", "A2.3", .must, "some sound is AAC or HE-AAC")
    ) { document in
        let known = ["mp4a.40.2", "mp4a.40.5", "mp4a.40.29"]
        let all = document.variantLists
        let sounds = ["mp4a", "ac-3", "ec-3", "fLaC", "alac", "apac"]
        guard let first = all.first(where: { $0.codecs.contains { sounds.contains(String($0.name.prefix(4))) } }),
            !all.contains(where: { $0.codecs.contains { known.contains($0.name) } })
        else { return [] }
        return [Violation(document.place(line: first.line), "no variant has it")]
    }

    /// The picture keeps its shape.
    static let aspect = Check<PlaylistDocument>(
        Rule("aspect", "A1.33", .should, "all variants of video have one aspect ratio, within 2 %")
    ) { document in
        let all = videos(document).compactMap { line, list, _ -> (line: Int, ratio: Double, size: String)? in
            guard let size = list["RESOLUTION"] else { return nil }
            var reader = FormReader(size)
            guard let width = reader.number(1...6), reader.takes("x"), let height = reader.number(1...6),
                reader.isAtEnd, width > 0, height > 0
            else { return nil }
            return (line, Double(width) / Double(height), size)
        }
        // A few pixels at the edge of a small picture make no other shape.
        guard let first = all.first,
            let odd = all.first(where: { abs($0.ratio / first.ratio - 1) > 0.02 })
        else { return [] }
        return [Violation(document.place(line: odd.line), "it is \(odd.size), another \(first.size)")]
    }

    /// There is a choice for large screens.
    static let highest = Check<PlaylistDocument>(
        Rule("highest-rates", "A9.10", .should, "of HD, the highest resolution has two variants")
    ) { document in
        let all = videos(document).compactMap { line, list, _ -> (line: Int, height: Int)? in
            list["RESOLUTION"].flatMap { Int($0.split(separator: "x").last ?? "") }.map { (line, $0) }
        }
        guard let most = all.max(by: { $0.height < $1.height }), most.height >= 720,
            all.count(where: { $0.height == most.height }) < 2
        else { return [] }
        return [Violation(document.place(line: most.line), "it has one")]
    }

    /// Apple's own codec says which it is.
    static let apac = Check<PlaylistDocument>(
        Rule("apac-level", "A9.20", .must, "the name of APAC in CODECS has profile and level")
    ) { document in
        document.variantLists.violations { line, _, codecs in
            guard let codec = codecs.first(where: { $0.name.hasPrefix("apac") })?.name else { return nil }
            var reader = FormReader(codec)
            guard
                !(reader.takes("apac.") && reader.some(of: .hexadecimal) != nil && reader.takes(".")
                    && reader.some(of: .hexadecimal) != nil && reader.isAtEnd)
            else { return nil }
            return Violation(document.place(line: line), "it is \(codec)")
        }
    }

    /// Stereo video says so.
    static let layout = Check<PlaylistDocument>(
        Rule("stereo-layout", "ASpatial, A16.1", .must, "stereo video has REQ-VIDEO-LAYOUT")
    ) { document in
        document.variantLists.violations { line, list, codecs in
            // Profile 20 of Dolby Vision, and profile 6 of HEVC, are coded in several views.
            let isStereo = codecs.contains { $0.name.hasPrefix("dvh1.20") || $0.name.hasPrefix("hvc1.6.") }
            guard isStereo, list["REQ-VIDEO-LAYOUT"] == nil else { return nil }
            return Violation(document.place(line: line), "it has none")
        }
    }
}
