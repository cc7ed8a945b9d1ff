internal import SegueBase
internal import SeguePlaylists

/// The rules on what a multivariant playlist says of streams, against how they are coded.
enum StreamRules {
    static let all: [Check<MultivariantSubject>] = [
        present, inside, bandReplication, subtitles, resolution, frameRate, range, channels, objects,
        iFrameCodecs, iFrameResolution, SwitchingSetRules.timeScale,
    ]
    static let ofMedia: [Check<MediaSubject>] = [entries]

    private static func each(
        _ subject: MultivariantSubject,
        _ message: (Variant, MediaSubject) -> String?
    ) -> [Violation] {
        subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let media = subject.subject(variant.uri), !media.segments.isEmpty,
                let words = message(variant, media)
            else { return nil }
            return Violation(subject.place(ofVariant: number), words)
        }
    }

    /// The set-ups of a kind of track in all segments.
    private static func setups(_ media: MediaSubject, _ kind: SegmentTrack.Kind) -> [CodingSetup] {
        media.segments.flatMap(\.tracks).filter { $0.kind == kind }.compactMap(\.setup)
    }

    /// What is named is there.
    static let present = Check<MultivariantSubject>(
        Rule("codecs-present", "R4.3.4.2, B4.4.6.2", .should, "CODECS names no format that no rendition has")
    ) { subject in
        each(subject) { variant, own in
            let others = subject.playlist.renditions.filter { rendition in
                [variant.audioGroup, variant.videoGroup, variant.subtitlesGroup].contains(rendition.group)
            }
            let media = [own] + others.compactMap { subject.subject($0.uri) }
            // All has to be known, or what is named may be in what is not: a live one goes on.
            guard media.allSatisfy(\.playlist.hasEndList),
                others.allSatisfy({ $0.uri == nil || subject.subject($0.uri) != nil }),
                media.allSatisfy({ !$0.segments.isEmpty && $0.segments.count == $0.playlist.segments.count })
            else { return nil }
            let tracks =
                media.flatMap(\.segments).flatMap(\.tracks) + media.flatMap(\.initializations).flatMap(\.tracks)
            let found = Set(tracks.map { $0.codec })
            let extra = variant.codecs.first { name in
                guard let family = CodecName.family(name), let codecs = shortNames[family] else { return false }
                return codecs.isDisjoint(with: found)
            }
            // Video that is not there at all is told of already.
            guard let extra, !CodecName.isVideo(extra) || tracks.contains(where: { $0.kind == .video }) else {
                return nil
            }
            return "CODECS has \(extra), no rendition has"
        }
    }

    /// What has no URI is where the variant is.
    static let inside = Check<MultivariantSubject>(
        Rule(
            "member-inside",
            "R4.3.4.1, B4.4.6.1",
            .must,
            "sound that has no URI is in the segments of each variant that names its group"
        )
    ) { subject in
        let silent = Set(subject.playlist.renditions.filter { $0.kind == .audio && $0.uri == nil }.map(\.group))
        guard !silent.isEmpty else { return [] }
        return each(subject) { variant, own in
            guard let group = variant.audioGroup, silent.contains(group),
                own.segments.allSatisfy({ $0.failure == nil && !$0.tracks.isEmpty }),
                !(own.segments.flatMap(\.tracks) + own.initializations.flatMap(\.tracks)).contains(where: {
                    $0.kind == .audio
                })
            else { return nil }
            return "a member of \(group.prefix(40).debugDescription) has no URI, and the segments have no sound"
        }
    }

    private static let shortNames: [String: Set<String>] = [
        "H.264": ["h264"], "HEVC": ["hevc"], "AV1": ["av1"], "VP9": ["vp9"], "AAC": ["aac", "aac_latm"],
        "AC-3": ["ac3"], "E-AC-3": ["eac3"], "Opus": ["opus"], "FLAC": ["flac"], "ALAC": ["alac"],
        "MPEG audio": ["mp3"], "TTML": ["ttml"], "WebVTT": ["webvtt"],
    ]

    /// Parameter sets stand where players look for them first.
    static let entries = Check<MediaSubject>(
        Rule("entry-parameters", "A1.10", .should, "sample entries of video are avc1, hvc1 or dvh1")
    ) { subject in
        subject.initializations.flatMap { facts in
            facts.tracks.filter { ["avc3", "hev1", "dvhe"].contains($0.parameters?.prefix(4)) }.map {
                Violation(Place(url: facts.url), "track \($0.number) is \($0.parameters ?? "")")
            }
        }
    }

    /// A replicated band is announced.
    static let bandReplication = Check<MultivariantSubject>(
        Rule("sbr-explicit", "A2.24", .must, "HE-AAC in fMP4 says itself that it has SBR")
    ) { subject in
        each(subject) { variant, own in
            let members = variant.audioGroup.map { subject.playlist.renditions(.audio, inGroup: $0) } ?? []
            let media = [own] + members.compactMap { subject.subject($0.uri) }
            let isSaid = variant.codecs.contains { ["mp4a.40.5", "mp4a.40.29"].contains($0.lowercased()) }
            let sounds = media.filter { $0.segments.first?.layout == .fragmentedMP4 }.map { media in
                (entries: setups(media, .audio).filter { $0.codec?.hasPrefix("mp4a.40.") == true }, media.decoded)
            }
            for (entries, decoded) in sounds {
                guard let entry = entries.first, !entry.saysBandReplication, let rate = entry.sampleRate,
                    let heard = decoded?.sampleRate, heard == 2 * rate
                else { continue }
                return "the sample entry has \(entry.codec ?? "") of \(rate) Hz, what is decoded has \(heard) Hz"
            }
            let entries = sounds.flatMap(\.entries)
            guard isSaid, let entry = entries.first, entries.allSatisfy({ !$0.saysBandReplication }) else { return nil }
            return "CODECS has HE-AAC, the sample entry has \(entry.codec ?? "")"
        }
    }

    /// Subtitles that are no WebVTT are named.
    static let subtitles = Check<MultivariantSubject>(
        Rule("codecs-imsc", "B4.4.6.2, A5.10 should", .must, "CODECS names the IMSC subtitles of a variant")
    ) { subject in
        each(subject) { variant, _ in
            guard !variant.codecs.isEmpty, let group = variant.subtitlesGroup else { return nil }
            let media = subject.playlist.renditions(.subtitles, inGroup: group).compactMap { subject.subject($0.uri) }
            guard media.contains(where: { $0.segments.contains { $0.tracks.contains { $0.codec == "ttml" } } }),
                !variant.codecs.contains(where: { $0.lowercased().hasPrefix("stpp") })
            else { return nil }
            return "its subtitles are IMSC, CODECS has no stpp"
        }
    }

    /// Whether a size is that of pictures, as they are coded or as they are shown.
    private static func isSize(_ said: Resolution, of setup: CodingSetup) -> Bool {
        guard let size = setup.size, said != size, let shown = setup.displaySize else { return true }
        if shown == size { return false }
        // Either side may be stretched, and be rounded to an even number.
        let isWide = said.height == shown.height && abs(said.width - shown.width) <= 2
        let high = Double(size.height) / Double(shown.width) * Double(size.width)
        return isWide || (said.width == size.width && abs(Double(said.height) - high) <= 2)
    }

    /// Pictures have the size that is said.
    static let resolution = Check<MultivariantSubject>(
        Rule("resolution-true", "A9.2", .must, "RESOLUTION is the size of the pictures")
    ) { subject in
        each(subject) { variant, own in
            guard let said = variant.resolution else { return nil }
            let all = setups(own, .video).filter { $0.size != nil }
            guard let found = all.first, !all.contains(where: { isSize(said, of: $0) }), let size = found.size
            else { return nil }
            let shown = found.displaySize.map { $0 == size ? "" : ", shown as \($0)" } ?? ""
            return "RESOLUTION is \(said), the pictures have \(size)\(shown)"
        }
    }

    /// The frame rates that segments have: the least that may be said of them, what they are, and the greatest for a
    /// moment; and how far, as a part of it, such a rate may be off.
    static func rates(_ media: MediaSubject) -> (least: Double, usual: Double, greatest: Double, slack: Double)? {
        let tracks = media.segments.flatMap(\.tracks).filter { $0.kind == .video }
        let found = tracks.compactMap { track -> (mean: Double, most: Double, unevenness: Double, slack: Double)? in
            guard let samples = track.samples, samples > 5, let start = track.start, let last = track.last,
                let least = track.leastStep, let greatest = track.greatestStep, least > .zero, last > start
            else { return nil }
            let mean = Double(samples - 1) / (last - start).seconds
            let unevenness = greatest.seconds / least.seconds - 1
            // The steps of decoding may be even where those of showing are not.
            let bounded = min(1 / least.seconds, max(1 / greatest.seconds, mean))
            return (bounded, 1 / least.seconds, unevenness, unevenness / Double(samples - 1))
        }
        guard let least = found.map(\.mean).min(), let mean = found.map(\.mean).max() else { return nil }
        let isSteady = found.allSatisfy { $0.unevenness < 0.3 }
        // A rate that changes is told only roughly by its greatest.
        let slack = isSteady ? 0.0006 + (found.map(\.slack).max() ?? 0) : 0.05
        let most = found.map(\.most).max() ?? mean
        return (isSteady ? mean : least, isSteady ? mean : most, max(mean, most), slack)
    }

    /// Pictures follow as fast as is said.
    static let frameRate = Check<MultivariantSubject>(
        Rule("frame-rate-true", "R4.3.4.2 should, A9.15", .must, "FRAME-RATE is the greatest rate of the pictures")
    ) { subject in
        each(subject) { variant, own in
            guard let said = variant.frameRate?.seconds, !own.playlist.isIFramesOnly, let rates = rates(own) else {
                return nil
            }
            let slack = rates.slack * said + 0.001
            guard said < rates.least - slack || said > rates.greatest + slack else { return nil }
            let shown = (rates.usual * 1000).rounded() / 1000
            return "FRAME-RATE is \((said * 1000).rounded() / 1000), the pictures have \(shown)"
        }
    }

    /// A range that is said is there.
    static let range = Check<MultivariantSubject>(
        Rule("video-range-true", "B4.4.6.2", .must, "what has VIDEO-RANGE of PQ or HLG is not coded as SDR")
    ) { subject in
        each(subject) { variant, own in
            guard let said = variant.videoRange, said == "PQ" || said == "HLG" else { return nil }
            let found = Set(setups(own, .video).compactMap(\.videoRange))
            return found == ["SDR"] ? "VIDEO-RANGE is \(said), its video is coded as SDR" : nil
        }
    }

    private static func members(
        _ subject: MultivariantSubject,
        _ message: (RawAttributes, CodingSetup) -> String?
    ) -> [Violation] {
        subject.document.lists("#EXT-X-MEDIA").compactMap { line, attributes in
            guard attributes["TYPE"] == "AUDIO", let media = subject.subject(attributes["URI"]),
                let setup = setups(media, .audio).first, let words = message(attributes, setup)
            else { return nil }
            return Violation(subject.document.place(line: line.number), words)
        }
    }

    /// Sound has the channels that are said.
    static let channels = Check<MultivariantSubject>(
        Rule("channels-true", "R4.3.4.1, B4.4.6.1", .should, "CHANNELS is what the sound has")
    ) { subject in
        members(subject) { attributes, setup in
            guard let said = attributes["CHANNELS"], let count = Int(said.prefix { $0 != "/" }),
                let found = setup.channels, found != count, !setup.hasObjects, !said.contains("JOC")
            else { return nil }
            // Two channels may be coded as one, and older decoders see that one.
            if count == 2, found == 1, setup.codec == "mp4a.40.2" || setup.codec == "mp4a.40.5" { return nil }
            return "CHANNELS is \(said), the sound has \(found)"
        }
    }

    /// Objects are announced.
    static let objects = Check<MultivariantSubject>(
        Rule("channels-joc", "B4.4.6.1", .should, "CHANNELS has JOC where the sound has objects, and only there")
    ) { subject in
        members(subject) { attributes, setup in
            guard let said = attributes["CHANNELS"] else { return nil }
            if said.contains("JOC"), let codec = setup.codec, !["ec-3", "ac-4"].contains(codec.prefix(4)) {
                return "CHANNELS is \(said), the sound is \(codec)"
            }
            guard setup.codec == "ec-3", setup.frameLength != nil,
                said.contains("JOC") != setup.hasObjects
            else { return nil }
            return setup.hasObjects
                ? "the sound has objects, CHANNELS is \(said)" : "CHANNELS is \(said), the sound has no objects"
        }
    }

    private static func iFrames(
        _ subject: MultivariantSubject,
        _ message: (Variant, [TrackFacts]) -> String?
    ) -> [Violation] {
        let lines = subject.document.tags("#EXT-X-I-FRAME-STREAM-INF")
        return subject.playlist.iFrameVariants.enumerated().compactMap { number, variant in
            guard let media = subject.iFrames.first(where: { $0.uri == variant.uri })?.subject,
                let words = message(variant, media.segments.flatMap(\.tracks).filter { $0.kind == .video })
            else { return nil }
            return Violation(subject.document.place(line: number < lines.count ? lines[number].number : nil), words)
        }
    }

    /// The codec of pictures for searching is true.
    static let iFrameCodecs = Check<MultivariantSubject>(
        Rule("iframe-codecs-true", "A9.3", .must, "CODECS of I-frames is what they have")
    ) { subject in
        iFrames(subject) { variant, tracks in
            guard !variant.codecs.isEmpty else { return nil }
            let missing = tracks.compactMap(\.parameters).first { found in
                !variant.codecs.contains { CodecName.agree($0, found) }
            }
            return missing.map { "the pictures are \($0), CODECS is \(variant.codecs.joined(separator: ","))" }
        }
    }

    /// The size of pictures for searching is true.
    static let iFrameResolution = Check<MultivariantSubject>(
        Rule("iframe-resolution-true", "A9.4", .must, "RESOLUTION of I-frames is their size")
    ) { subject in
        iFrames(subject) { variant, tracks in
            let all = tracks.compactMap(\.setup).filter { $0.size != nil }
            guard let said = variant.resolution, let size = all.first?.size,
                !all.contains(where: { isSize(said, of: $0) })
            else { return nil }
            return "RESOLUTION is \(said), the pictures have \(size)"
        }
    }
}
