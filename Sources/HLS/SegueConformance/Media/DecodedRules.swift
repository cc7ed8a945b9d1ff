internal import SegueBase
internal import SeguePlaylists

/// The rules on decoded media.
///
/// Without a decoder, they find nothing.
enum DecodedRules {
    static let ofMedia: [Check<MediaSubject>] = [decodes, damaged]
    static let all: [Check<MultivariantSubject>] = [equal]

    static let decodes = Check<MediaSubject>(
        Rule(
            "segment-decodes",
            in: .coding,
            clauses: "R3, B3",
            .should,
            requires: "the audio and video of a segment decode with the resources that the playlist names",
            fix:
                "check that the segment belongs to this initialization section and key, and decode it alone: cat init.mp4 segment.m4s > test.mp4",
            players: .breaks(
                "Chromium stops; GStreamer, mpv, and VLC play",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        failures(subject, areGross: false)
    }

    /// The rule on segments whose content is not the encoded bitstream any more.
    ///
    /// Source: RFC 8216, 3: "Each Media Segment MUST carry the continuation of the encoded bitstream from the end of the
    /// segment with the previous Media Sequence Number". Choice: a quarter of the frames, since a few may be due to the
    /// encoder's input, and decoders do not detect all damage: libav reports half of the frames if 40 % of their bytes
    /// are inverted.
    static let damaged = Check<MediaSubject>(
        Rule(
            "segment-damaged",
            in: .coding,
            clauses: "R3, B3",
            .must,
            requires: "at least three quarters of the frames of a video segment decode without damage",
            fix: "compare the segment with the encoder's output; check the disks and caches on its way"
        )
    ) { subject in
        failures(subject, areGross: true)
    }

    private static func failures(_ subject: MediaSubject, areGross: Bool) -> [Violation] {
        (subject.decoded?.failures ?? []).filter { $0.isGross == areGross }.map { failure in
            Violation(subject.document.place(ofSegment: failure.segment), failure.words)
        }
    }

    /// The audio of one playlist.
    private struct Audio {
        let name: Message
        let place: Place
        let channels: Int?
        /// The loudness in LUFS; nil for silence.
        let loudness: Double?
        let measured: Double
    }

    static let equal = Check<MultivariantSubject>(
        Rule(
            "loudness-equal",
            in: .coding,
            clauses: "A2.18",
            .should,
            requires: "all audio of a presentation is equally loud, unless the stream carries loudness metadata",
            fix: "normalize the loudness of the renditions; FFmpeg: -af loudnorm"
        )
    ) { subject in
        let all = audio(subject)
        let longest = all.map(\.measured).max() ?? 0
        // The loudness of less than three seconds, or of another part of the title, is not comparable.
        let comparable = all.filter { $0.measured >= 3 && $0.measured * 2 >= longest }
        let levels = comparable.compactMap(\.loudness).sorted()
        guard comparable.count > 1, !levels.isEmpty else { return [] }
        // Of two, the first one is the reference.
        let usual =
            levels.count == 2 ? comparable.lazy.compactMap(\.loudness).first ?? levels[0] : levels[levels.count / 2]
        let reference = comparable.first { $0.loudness == usual }
        return comparable.compactMap { audio in
            reference.flatMap { violation(audio, beside: $0, usual) }
        }
    }

    private static func violation(_ audio: Audio, beside reference: Audio, _ usual: Double) -> Violation? {
        guard let loudness = audio.loudness else {
            let (name, other) = (audio.name, reference.name)
            return usual > -50 ? Violation(audio.place, "\(name) is silent, \(other) is not") : nil
        }
        // A downmix may be quieter to avoid clipping.
        let tolerance = audio.channels == reference.channels ? 2.0 : 4
        guard abs(loudness - usual) > tolerance else { return nil }
        let origin: Message = "as in \(reference.name)"
        return Violation(
            audio.place,
            Comparison(
                "the loudness of \(audio.name) is",
                loudness,
                expected: .equal(usual),
                unit: .loudness,
                origin: origin
            )
        )
    }

    /// The audio of each rendition playlist and of the variants that contain audio, each once.
    private static func audio(_ subject: MultivariantSubject) -> [Audio] {
        let renditions = subject.playlist.renditions.filter { $0.kind == .audio }
        var known: Set<String> = []
        var all: [Audio] = []
        for (number, variant) in subject.playlist.variants.enumerated() where known.insert(variant.uri).inserted {
            let ofGroup = renditions.filter { $0.group == variant.audioGroup }
            // Audio in the segments plays unless a rendition replaces it.
            guard ofGroup.isEmpty || ofGroup.contains(where: { $0.uri == nil || $0.uri == variant.uri }) else {
                continue
            }
            let name: Message = "the audio of variant \(number + 1)"
            guard let media = subject.subject(variant.uri),
                let audio = audio(media, name: name, place: subject.place(ofVariant: number))
            else { continue }
            all.append(audio)
        }
        for rendition in renditions {
            guard let uri = rendition.uri, known.insert(uri).inserted, let media = subject.subject(uri) else {
                continue
            }
            let name: Message = "the rendition \(rendition.name.prefix(40).debugDescription)"
            if let audio = audio(media, name: name, place: Place(url: media.document.url)) { all.append(audio) }
        }
        return all
    }

    /// The audio of a playlist; nil if it has none or states its own loudness.
    private static func audio(_ media: MediaSubject, name: Message, place: Place) -> Audio? {
        guard let decoded = media.decoded, decoded.measured > 0 else { return nil }
        let tracks = (media.initializations.flatMap(\.tracks) + media.segments.flatMap(\.tracks)).filter {
            $0.kind == .audio
        }
        guard !tracks.contains(where: \.statesLoudness) else { return nil }
        return Audio(
            name: name,
            place: place,
            channels: decoded.channels,
            loudness: decoded.loudness,
            measured: decoded.measured
        )
    }
}

extension TrackFacts {
    /// True if the stream states its loudness: in a loudness box, or as every stream of the codec does (dialnorm of
    /// Dolby codecs, ETSI TS 102 366, 4.4.2.8; xHE-AAC and APAC).
    var statesLoudness: Bool {
        hasLoudnessBox || ["ac3", "eac3", "ac4", "apac"].contains(codec) || setup?.codec == "mp4a.40.42"
    }
}
