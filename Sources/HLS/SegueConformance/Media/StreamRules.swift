internal import SegueBase
internal import SeguePlaylists

/// The rules that compare the attributes of a multivariant playlist with the coding of its streams.
enum StreamRules {
    static let all: [Check<MultivariantSubject>] = [
        present, inside, bandReplication, subtitles, resolution, frameRate, range, channels, objects,
        iFrameCodecs, iFrameResolution, SwitchingSetRules.timeScale,
    ]
    static let ofMedia: [Check<MediaSubject>] = [entries]

    private static func each(
        _ subject: MultivariantSubject,
        _ message: (Variant, MediaSubject) -> Message?
    ) -> [Violation] {
        subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let media = subject.subject(variant.uri), !media.segments.isEmpty,
                let message: Message = message(variant, media)
            else { return nil }
            return Violation(subject.place(ofVariant: number), message)
        }
    }

    private static func setups(_ media: MediaSubject, _ kind: SegmentTrack.Kind) -> [CodingSetup] {
        media.segments.flatMap(\.tracks).filter { $0.kind == kind }.compactMap(\.setup)
    }

    static let present = Check<MultivariantSubject>(
        Rule(
            "codecs-present",
            in: .coding,
            clauses: "R4.3.4.2, B4.4.6.2",
            .should,
            requires: "CODECS names only formats that a rendition contains",
            fix: "remove the format from CODECS"
        )
    ) { subject in
        each(subject) { variant, own in
            let others = subject.playlist.renditions.filter { rendition in
                [variant.audioGroup, variant.videoGroup, variant.subtitlesGroup].contains(rendition.group)
            }
            let media = [own] + others.compactMap { subject.subject($0.uri) }
            // A format may occur in segments that were not inspected or that a live stream adds.
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
            // codecs-true reports missing video.
            guard let extra, !CodecName.isVideo(extra) || tracks.contains(where: { $0.kind == .video }) else {
                return nil
            }
            return "CODECS names \(extra), which no rendition contains"
        }
    }

    static let inside = Check<MultivariantSubject>(
        Rule(
            "member-inside",
            in: .coding,
            clauses: "R4.3.4.1, B4.4.6.1",
            .must,
            requires: "audio without a URI is multiplexed into the segments of each variant that names its group",
            fix: "add a URI, or multiplex the audio into the variant"
        )
    ) { subject in
        let internalGroups = Set(subject.playlist.renditions.filter { $0.kind == .audio && $0.uri == nil }.map(\.group))
        guard !internalGroups.isEmpty else { return [] }
        return each(subject) { variant, own in
            guard let group = variant.audioGroup, internalGroups.contains(group),
                own.segments.allSatisfy({ $0.failure == nil && !$0.tracks.isEmpty }),
                !(own.segments.flatMap(\.tracks) + own.initializations.flatMap(\.tracks)).contains(where: {
                    $0.kind == .audio
                })
            else { return nil }
            return
                "a member of group \(group.prefix(40).debugDescription) has no URI, and the segments contain no audio"
        }
    }

    private static let shortNames: [String: Set<String>] = [
        "H.264": ["h264"], "HEVC": ["hevc"], "AV1": ["av1"], "VP9": ["vp9"], "AAC": ["aac", "aac_latm"],
        "AC-3": ["ac3"], "E-AC-3": ["eac3"], "Opus": ["opus"], "FLAC": ["flac"], "ALAC": ["alac"],
        "MPEG audio": ["mp3"], "TTML": ["ttml"], "WebVTT": ["webvtt"],
    ]

    static let entries = Check<MediaSubject>(
        Rule(
            "entry-parameters",
            in: .coding,
            clauses: "A1.10",
            .should,
            requires: "video sample entries are avc1, hvc1, or dvh1",
            fix: "keep parameter sets in the sample entry only; FFmpeg: -tag:v hvc1"
        )
    ) { subject in
        subject.initializations.flatMap { facts in
            facts.tracks.filter { ["avc3", "hev1", "dvhe"].contains($0.parameters?.prefix(4)) }.map {
                Violation(Place(url: facts.url), "the sample entry of track \($0.number) is \($0.parameters ?? "")")
            }
        }
    }

    static let bandReplication = Check<MultivariantSubject>(
        Rule(
            "sbr-explicit",
            in: .coding,
            clauses: "A2.24",
            .must,
            requires: "HE-AAC in fMP4 signals SBR explicitly",
            fix: "write audio object type 5 or 29 into the AudioSpecificConfig"
        )
    ) { subject in
        each(subject) { variant, own in
            let members = variant.audioGroup.map { subject.playlist.renditions(.audio, inGroup: $0) } ?? []
            let media = [own] + members.compactMap { subject.subject($0.uri) }
            let isStated = variant.codecs.contains { ["mp4a.40.5", "mp4a.40.29"].contains($0.lowercased()) }
            let audio = media.filter { $0.segments.first?.layout == .fragmentedMP4 }.map { media in
                (entries: setups(media, .audio).filter { $0.codec?.hasPrefix("mp4a.40.") == true }, media.decoded)
            }
            for (entries, decoded) in audio {
                guard let entry = entries.first, !entry.saysBandReplication, let rate = entry.sampleRate,
                    let decodedRate = decoded?.sampleRate, decodedRate == 2 * rate
                else { continue }
                return
                    "the sample entry has \(entry.codec ?? "") at \(rate) Hz, the decoded audio has \(decodedRate) Hz"
            }
            let entries = audio.flatMap(\.entries)
            guard isStated, let entry = entries.first, entries.allSatisfy({ !$0.saysBandReplication }) else {
                return nil
            }
            return "CODECS names HE-AAC, the sample entry has \(entry.codec ?? "")"
        }
    }

    static let subtitles = Check<MultivariantSubject>(
        Rule(
            "codecs-imsc",
            in: .coding,
            clauses: "B4.4.6.2, A5.10 should",
            .must,
            requires: "CODECS names the IMSC subtitles of a variant",
            fix: "add stpp.ttml.im1t to CODECS"
        )
    ) { subject in
        each(subject) { variant, _ in
            guard !variant.codecs.isEmpty, let group = variant.subtitlesGroup else { return nil }
            let media = subject.playlist.renditions(.subtitles, inGroup: group).compactMap { subject.subject($0.uri) }
            guard media.contains(where: { $0.segments.contains { $0.tracks.contains { $0.codec == "ttml" } } }),
                !variant.codecs.contains(where: { $0.lowercased().hasPrefix("stpp") })
            else { return nil }
            return "the subtitles are IMSC, CODECS names no stpp"
        }
    }

    /// Returns true if a size is the coded or the display size of the video.
    static func isSize(_ stated: Resolution, of setup: CodingSetup) -> Bool {
        guard let size = setup.size, stated != size, let shown = setup.displaySize else { return true }
        if shown == size { return false }
        // Either side may be scaled and rounded to an even number.
        let isWide = stated.height == shown.height && abs(stated.width - shown.width) <= 2
        if setup.isOnItsSide { return isWide }
        let high = Double(size.height) / Double(shown.width) * Double(size.width)
        return isWide || (stated.width == size.width && abs(Double(stated.height) - high) <= 2)
    }

    static let resolution = Check<MultivariantSubject>(
        Rule(
            "resolution-true",
            in: .coding,
            clauses: "A9.2",
            .must,
            requires: "RESOLUTION is the size of the video",
            fix:
                "write the coded or the display size; packagers read it from the stream, so repackage instead of editing"
        )
    ) { subject in
        each(subject) { variant, own in
            guard let stated = variant.resolution else { return nil }
            let all = setups(own, .video).filter { $0.size != nil }
            guard let found = all.first, !all.contains(where: { isSize(stated, of: $0) }), let size = found.size
            else { return nil }
            let shown: Message = found.displaySize.map { $0 == size ? "" : ", shown as \(value: $0)" } ?? ""
            return "RESOLUTION is \(value: stated), the video is \(value: size)\(shown)"
        }
    }

    /// The measured frame rates of a playlist.
    struct FrameRates {
        /// The minimum that `FRAME-RATE` may state.
        let minimum: Double
        /// The usual rate.
        let usual: Double
        /// The highest momentary rate.
        let maximum: Double
        /// The relative tolerance of the measurement.
        let tolerance: Double
    }

    static func rates(_ media: MediaSubject) -> FrameRates? {
        let tracks = media.segments.flatMap(\.tracks).filter { $0.kind == .video }
        let found = tracks.compactMap { track -> (mean: Double, most: Double, unevenness: Double, slack: Double)? in
            guard let samples = track.samples, samples > 5, let start = track.start, let last = track.last,
                let least = track.leastStep, let greatest = track.greatestStep, least > .zero, last > start
            else { return nil }
            let mean = Double(samples - 1) / (last - start).seconds
            let unevenness = greatest.seconds / least.seconds - 1
            // Decode steps may be even although presentation steps are not.
            let bounded = min(1 / least.seconds, max(1 / greatest.seconds, mean))
            return (bounded, 1 / least.seconds, unevenness, unevenness / Double(samples - 1))
        }
        guard let least = found.map(\.mean).min(), let mean = found.map(\.mean).max() else { return nil }
        let isSteady = found.allSatisfy { $0.unevenness < 0.3 }
        // The maximum describes a variable rate only roughly.
        let slack = isSteady ? 0.0006 + (found.map(\.slack).max() ?? 0) : 0.05
        let most = found.map(\.most).max() ?? mean
        return FrameRates(
            minimum: isSteady ? mean : least,
            usual: isSteady ? mean : most,
            maximum: max(mean, most),
            tolerance: slack
        )
    }

    static let frameRate = Check<MultivariantSubject>(
        Rule(
            "frame-rate-true",
            in: .coding,
            clauses: "R4.3.4.2 should, A9.15",
            .must,
            requires: "FRAME-RATE is the highest frame rate of the video",
            fix: "write the measured frame rate"
        )
    ) { subject in
        subject.playlist.variants.enumerated().compactMap { number, variant in
            guard let stated = variant.frameRate?.seconds, let own = subject.subject(variant.uri),
                !own.segments.isEmpty, !own.playlist.isIFramesOnly, let rates = rates(own)
            else { return nil }
            let slack = rates.tolerance * stated + 0.001
            guard stated < rates.minimum - slack || stated > rates.maximum + slack else { return nil }
            return Violation(
                subject.place(ofVariant: number),
                Comparison(
                    "the frame rate is",
                    rates.usual,
                    expected: .equal(stated),
                    unit: .framesPerSecond,
                    origin: "by FRAME-RATE"
                )
            )
        }
    }

    static let range = Check<MultivariantSubject>(
        Rule(
            "video-range-true",
            in: .coding,
            clauses: "B4.4.6.2",
            .must,
            requires: "video with VIDEO-RANGE PQ or HLG is not coded as SDR",
            fix: "correct VIDEO-RANGE, or the transfer characteristics of the encoder"
        )
    ) { subject in
        each(subject) { variant, own in
            guard let stated = variant.videoRange, stated == "PQ" || stated == "HLG" else { return nil }
            let found = Set(setups(own, .video).compactMap(\.videoRange))
            return found == ["SDR"] ? "VIDEO-RANGE is \(stated), the video is coded as SDR" : nil
        }
    }

    private static func members(
        _ subject: MultivariantSubject,
        _ message: (RawAttributes, MediaSubject, CodingSetup) -> Message?
    ) -> [Violation] {
        subject.document.lists("#EXT-X-MEDIA").compactMap { line, attributes in
            guard attributes["TYPE"] == "AUDIO", let media = subject.subject(attributes["URI"]),
                let setup = setups(media, .audio).first, let message: Message = message(attributes, media, setup)
            else { return nil }
            return Violation(subject.document.place(line: line.number), message)
        }
    }

    static let channels = Check<MultivariantSubject>(
        Rule(
            "channels-true",
            in: .coding,
            clauses: "R4.3.4.1, B4.4.6.1",
            .should,
            requires: "CHANNELS is the maximum channel count of all segments of the audio",
            fix: "write the measured channel count, and mix advertisements down to it; FFmpeg: -ac"
        )
    ) { subject in
        members(subject) { attributes, media, _ in
            let widest = media.segments.lazy.compactMap { segment -> (number: Int, setup: CodingSetup, count: Int)? in
                guard let setup = segment.tracks.first(where: { $0.kind == .audio })?.setup, let count = setup.channels
                else { return nil }
                return (segment.number, setup, count)
            }.reduce(nil as (number: Int, setup: CodingSetup, count: Int)?) { widest, next in
                guard let widest, widest.count >= next.count else { return next }
                return widest
            }
            guard let (number, setup, found) = widest, let stated = attributes["CHANNELS"],
                let count = Int(stated.prefix { $0 != "/" }), found != count, !setup.hasObjects,
                !stated.contains("JOC")
            else { return nil }
            // Parametric stereo codes two channels as one.
            if count == 2, found == 1, setup.codec == "mp4a.40.2" || setup.codec == "mp4a.40.5" { return nil }
            let place: Message = number == 0 ? "" : " in segment \(number)"
            return "CHANNELS is \(stated), the audio has \(found) \(found == 1 ? "channel" : "channels")\(place)"
        }
    }

    static let objects = Check<MultivariantSubject>(
        Rule(
            "channels-joc",
            in: .coding,
            clauses: "B4.4.6.1",
            .should,
            requires: "CHANNELS contains JOC if and only if the audio has joint object coding",
            fix: "add or remove /JOC"
        )
    ) { subject in
        members(subject) { attributes, _, setup in
            guard let stated = attributes["CHANNELS"] else { return nil }
            if stated.contains("JOC"), let codec = setup.codec, !["ec-3", "ac-4"].contains(codec.prefix(4)) {
                return "CHANNELS is \(stated), the audio is \(codec)"
            }
            guard setup.codec == "ec-3", setup.frameLength != nil,
                stated.contains("JOC") != setup.hasObjects
            else { return nil }
            return setup.hasObjects
                ? "the audio has objects, CHANNELS is \(stated)" : "CHANNELS is \(stated), the audio has no objects"
        }
    }

    private static func iFrames(
        _ subject: MultivariantSubject,
        _ message: (Variant, [TrackFacts]) -> Message?
    ) -> [Violation] {
        let lines = subject.document.tags("#EXT-X-I-FRAME-STREAM-INF")
        return subject.playlist.iFrameVariants.enumerated().compactMap { number, variant in
            guard let media = subject.iFrames.first(where: { $0.uri == variant.uri })?.subject,
                let message: Message = message(variant, media.segments.flatMap(\.tracks).filter { $0.kind == .video })
            else { return nil }
            return Violation(subject.document.place(line: number < lines.count ? lines[number].number : nil), message)
        }
    }

    static let iFrameCodecs = Check<MultivariantSubject>(
        Rule(
            "iframe-codecs-true",
            in: .coding,
            clauses: "A9.3",
            .must,
            requires: "CODECS of an I-frame playlist matches its video",
            fix: "write the codec of the I-frames"
        )
    ) { subject in
        iFrames(subject) { variant, tracks in
            guard !variant.codecs.isEmpty else { return nil }
            let missing = tracks.compactMap(\.parameters).first { found in
                !variant.codecs.contains { CodecName.agree($0, found) }
            }
            return missing.map { "the I-frames are \($0), CODECS is \(variant.codecs.joined(separator: ","))" }
        }
    }

    static let iFrameResolution = Check<MultivariantSubject>(
        Rule(
            "iframe-resolution-true",
            in: .coding,
            clauses: "A9.4",
            .must,
            requires: "RESOLUTION of an I-frame playlist is the size of its video",
            fix: "write the size of the I-frames"
        )
    ) { subject in
        iFrames(subject) { variant, tracks in
            let all = tracks.compactMap(\.setup).filter { $0.size != nil }
            guard let stated = variant.resolution, let size = all.first?.size,
                !all.contains(where: { isSize(stated, of: $0) })
            else { return nil }
            return "RESOLUTION is \(value: stated), the I-frames are \(value: size)"
        }
    }
}
