internal import SegueBase

/// The requirements of Apple's specification on a set of variants, as far as the text shows.
enum AuthoringRules {
    static let all: [Check<PlaylistDocument>] = [
        rates, iFrames, fast, sampleEntries, someH264, levelH264, levelHEVC, plainRange, plainIFrames, surround,
        aspect,
        highest, apac, stereo, layout,
    ]

    private static func videos(_ document: PlaylistDocument) -> [(
        line: Int, list: RawAttributes, codecs: [StatedCodec]
    )] {
        document.variantLists.filter { $0.codecs.contains(where: \.isVideo) }
    }

    static let rates = Check<PlaylistDocument>(
        Rule(
            "video-rates",
            in: .multivariant,
            clauses: "A9.9",
            .must,
            requires: "there are video variants of at least two bit rates",
            fix: "add variants with other bit rates"
        )
    ) { document in
        let all = videos(document)
        guard let first = all.first, Set(all.map { $0.list["BANDWIDTH"] }).count == 1 else { return [] }
        return [Violation(document.place(line: first.line), "all video variants have one BANDWIDTH")]
    }

    static let iFrames = Check<PlaylistDocument>(
        Rule(
            "iframe-given",
            in: .multivariant,
            clauses: "A6.1",
            .must,
            requires: "video variants come with I-frame playlists",
            fix:
                "add #EXT-X-I-FRAME-STREAM-INF; Shaka Packager: iframe_playlist_name; Bento4: mp42hls --iframe-index-filename"
        )
    ) { document in
        guard let first = videos(document).first, !document.has("#EXT-X-I-FRAME-STREAM-INF") else { return [] }
        return [Violation(document.place(line: first.line), "the playlist has no #EXT-X-I-FRAME-STREAM-INF")]
    }

    static let fast = Check<PlaylistDocument>(
        Rule(
            "frame-rate-most",
            in: .multivariant,
            clauses: "A1.19",
            .must,
            requires: "FRAME-RATE is at most 60",
            fix: "encode at 60 fps or less"
        )
    ) { document in
        document.variantLists.violations { line, list, _ in
            guard let rate = list.number("FRAME-RATE"), rate > 60,
                // The same text lists 90 fps for immersive video.
                list["REQ-VIDEO-LAYOUT"]?.contains("PROJ-AIV") != true
            else { return nil }
            return Violation(
                document.place(line: line),
                Comparison("FRAME-RATE is", rate, expected: .atMost(60), unit: .framesPerSecond)
            )
        }
    }

    static let sampleEntries = Check<PlaylistDocument>(
        Rule(
            "sample-entries",
            in: .multivariant,
            clauses: "A1.10",
            .should,
            requires: "CODECS has avc1, hvc1, and dvh1, not avc3, hev1, or dvhe",
            fix: "keep parameter sets in the sample entry; FFmpeg: -tag:v hvc1"
        )
    ) { document in
        document.variantLists.violations { line, _, codecs in
            guard let codec = codecs.first(where: { ["avc3", "hev1", "dvhe"].contains($0.name.prefix(4)) }) else {
                return nil
            }
            return Violation(document.place(line: line), "CODECS contains \(codec.name)")
        }
    }

    static let someH264 = Check<PlaylistDocument>(
        Rule(
            "h264-given",
            in: .multivariant,
            clauses: "A1.12",
            .should,
            requires: "at least one video variant is H.264",
            fix: "add an H.264 variant"
        )
    ) { document in
        let all = videos(document)
        guard let first = all.first, !all.contains(where: { $0.codecs.contains { $0.name.hasPrefix("avc") } }) else {
            return []
        }
        return [Violation(document.place(line: first.line), "no variant is H.264")]
    }

    static let levelH264 = Check<PlaylistDocument>(
        Rule(
            "h264-level",
            in: .multivariant,
            clauses: "A1.3b",
            .must,
            requires: "H.264 is High profile at most, level 5.2 at most",
            fix: "encode with a lower profile or level"
        )
    ) { document in
        document.variantLists.violations { line, _, codecs in
            let odd = codecs.first { codec in
                guard case .h264(let profile, let level) = codec.coding else { return false }
                return level > 52 || ![66, 77, 88, 100].contains(profile)
            }
            return odd.map { Violation(document.place(line: line), "CODECS contains \($0.name)") }
        }
    }

    static let levelHEVC = Check<PlaylistDocument>(
        Rule(
            "hevc-level",
            in: .multivariant,
            clauses: "A1.6b",
            .must,
            requires: "HEVC is Main 10 profile at most, level 5.1 at most",
            fix: "encode with a lower profile or level"
        )
    ) { document in
        document.variantLists.violations { line, list, codecs in
            // Stereo video uses profile 6 and has rules of its own.
            guard list["REQ-VIDEO-LAYOUT"] == nil else { return nil }
            let odd = codecs.first { codec in
                guard case .hevc(let profile, _, let level) = codec.coding else { return false }
                return level > 153 || (profile > 2 && profile != 6)
            }
            return odd.map { Violation(document.place(line: line), "CODECS contains \($0.name)") }
        }
    }

    private static func isPlain(_ list: RawAttributes) -> Bool { list["VIDEO-RANGE"] ?? "SDR" == "SDR" }

    static let plainRange = Check<PlaylistDocument>(
        Rule(
            "sdr-given",
            in: .multivariant,
            clauses: "A1.24",
            .must,
            requires: "at least one video variant is SDR",
            fix: "add an SDR variant"
        )
    ) { document in
        let all = videos(document)
        guard let first = all.first, !all.contains(where: { isPlain($0.list) }) else { return [] }
        return [Violation(document.place(line: first.line), "no video variant is SDR")]
    }

    static let plainIFrames = Check<PlaylistDocument>(
        Rule(
            "sdr-iframes",
            in: .multivariant,
            clauses: "A6.16",
            .must,
            requires: "at least one I-frame playlist is SDR",
            fix: "add an SDR I-frame playlist"
        )
    ) { document in
        let all = document.lists("#EXT-X-I-FRAME-STREAM-INF")
        guard let first = all.first, !all.contains(where: { isPlain($0.list) }),
            videos(document).contains(where: { isPlain($0.list) })
        else { return [] }
        return [Violation(document.place(line: first.line.number), "no I-frame playlist is SDR")]
    }

    static let surround = Check<PlaylistDocument>(
        Rule(
            "ac3-given",
            in: .multivariant,
            clauses: "A2.6",
            .must,
            requires: "Dolby Digital Plus comes with Dolby Digital",
            fix: "add an AC-3 rendition"
        )
    ) { document in
        let all = document.variantLists
        guard let first = all.first(where: { $0.codecs.contains { $0.name == "ec-3" } }),
            !all.contains(where: { $0.codecs.contains { $0.name == "ac-3" } })
        else { return [] }
        return [Violation(document.place(line: first.line), "no variant has ac-3 beside ec-3")]
    }

    static let stereo = Check<PlaylistDocument>(
        Rule(
            "aac-given",
            in: .multivariant,
            clauses: "A2.3",
            .must,
            requires: "at least one audio rendition is AAC or HE-AAC",
            fix: "add an AAC rendition"
        )
    ) { document in
        let known = ["mp4a.40.2", "mp4a.40.5", "mp4a.40.29"]
        let all = document.variantLists
        let audioCodecs = ["mp4a", "ac-3", "ec-3", "fLaC", "alac", "apac"]
        guard let first = all.first(where: { $0.codecs.contains { audioCodecs.contains(String($0.name.prefix(4))) } }),
            !all.contains(where: { $0.codecs.contains { known.contains($0.name) } })
        else { return [] }
        return [Violation(document.place(line: first.line), "no variant has AAC audio")]
    }

    static let aspect = Check<PlaylistDocument>(
        Rule(
            "aspect",
            in: .multivariant,
            clauses: "A1.33",
            .should,
            requires: "all video variants have one aspect ratio, within 2 %",
            fix: "encode all variants with one aspect ratio"
        )
    ) { document in
        let all = videos(document).compactMap { line, list, _ -> (line: Int, ratio: Double, size: String)? in
            guard let size = list["RESOLUTION"] else { return nil }
            var reader = FormReader(size)
            guard let width = reader.number(1...6), reader.takes("x"), let height = reader.number(1...6),
                reader.isAtEnd, width > 0, height > 0
            else { return nil }
            return (line, Double(width) / Double(height), size)
        }
        // A few cropped pixels at small sizes do not change the shape.
        guard let first = all.first,
            let odd = all.first(where: { abs($0.ratio / first.ratio - 1) > 0.02 })
        else { return [] }
        return [
            Violation(
                document.place(line: odd.line),
                "RESOLUTION is \(value: odd.size), another variant has \(value: first.size)"
            )
        ]
    }

    static let highest = Check<PlaylistDocument>(
        Rule(
            "highest-rates",
            in: .multivariant,
            clauses: "A9.10",
            .should,
            requires: "in HD presentations, the highest resolution has at least two variants",
            fix: "add a variant at the highest resolution"
        )
    ) { document in
        let all = videos(document).compactMap { line, list, _ -> (line: Int, height: Int)? in
            list["RESOLUTION"].flatMap { Int($0.split(separator: "x").last ?? "") }.map { (line, $0) }
        }
        guard let most = all.max(by: { $0.height < $1.height }), most.height >= 720,
            all.count(where: { $0.height == most.height }) < 2
        else { return [] }
        return [Violation(document.place(line: most.line), "only one variant has the highest resolution")]
    }

    static let apac = Check<PlaylistDocument>(
        Rule(
            "apac-level",
            in: .multivariant,
            clauses: "A9.20",
            .must,
            requires: "an APAC name in CODECS has profile and level",
            fix: "write a name such as apac.31.00"
        )
    ) { document in
        document.variantLists.violations { line, _, codecs in
            guard let codec = codecs.first(where: { $0.name.hasPrefix("apac") })?.name else { return nil }
            var reader = FormReader(codec)
            guard
                !(reader.takes("apac.") && reader.some(of: .hexadecimal) != nil && reader.takes(".")
                    && reader.some(of: .hexadecimal) != nil && reader.isAtEnd)
            else { return nil }
            return Violation(document.place(line: line), "CODECS contains \(codec), expected apac.PROFILE.LEVEL")
        }
    }

    static let layout = Check<PlaylistDocument>(
        Rule(
            "stereo-layout",
            in: .multivariant,
            clauses: "ASpatial, A16.1",
            .must,
            requires: "stereo video has REQ-VIDEO-LAYOUT",
            fix: "add REQ-VIDEO-LAYOUT=\"CH-STEREO\""
        )
    ) { document in
        document.variantLists.violations { line, list, codecs in
            // Profile 20 of Dolby Vision and profile 6 of HEVC have several views.
            let isStereo = codecs.contains { $0.name.hasPrefix("dvh1.20") || $0.name.hasPrefix("hvc1.6.") }
            guard isStereo, list["REQ-VIDEO-LAYOUT"] == nil else { return nil }
            return Violation(document.place(line: line), "REQ-VIDEO-LAYOUT is missing on stereo video")
        }
    }
}
