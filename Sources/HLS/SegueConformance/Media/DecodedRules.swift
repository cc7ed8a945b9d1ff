internal import SeguePlaylists

/// The rules on what comes out of a decoder; where nobody decoded, they find nothing.
enum DecodedRules {
    static let ofMedia: [Check<MediaSubject>] = [decodes]
    static let all: [Check<MultivariantSubject>] = [equal]

    /// What is in a segment comes out.
    static let decodes = Check<MediaSubject>(
        Rule(
            "segment-decodes",
            "R3, B3",
            .should,
            "sound and picture of a segment can be decoded with what the playlist names"
        )
    ) { subject in
        (subject.decoded?.failures ?? []).map { failure in
            Violation(subject.document.place(ofSegment: failure.segment), failure.words)
        }
    }

    /// A sound of a presentation, with what says where it is.
    private struct Sound {
        let name: String
        let place: Place
        let channels: Int?
        /// In LUFS; nil for silence.
        let loudness: Double?
        let measured: Double
    }

    /// Sounds are alike.
    static let equal = Check<MultivariantSubject>(
        Rule(
            "loudness-equal",
            "A2.18",
            .should,
            "all sound of a presentation is equally loud, where it does not say how loud it is"
        )
    ) { subject in
        let sounds = sounds(subject)
        let longest = sounds.map(\.measured).max() ?? 0
        // Of less than three seconds, or of another part of the title, loudness says little.
        let comparable = sounds.filter { $0.measured >= 3 && $0.measured * 2 >= longest }
        let levels = comparable.compactMap(\.loudness).sorted()
        guard comparable.count > 1, !levels.isEmpty else { return [] }
        // Of two, the one that is listed first counts.
        let usual =
            levels.count == 2 ? comparable.lazy.compactMap(\.loudness).first ?? levels[0] : levels[levels.count / 2]
        let reference = comparable.first { $0.loudness == usual }
        return comparable.compactMap { sound in
            guard let reference, let words = words(sound, usual, isAlike: sound.channels == reference.channels) else {
                return nil
            }
            return Violation(sound.place, "\(sound.name) \(words), \(reference.name) has \(shown(usual))")
        }
    }

    /// What is wrong with a sound's loudness beside another; nil where that is as it should be.
    private static func words(_ sound: Sound, _ usual: Double, isAlike: Bool) -> String? {
        guard let loudness = sound.loudness else { return usual > -50 ? "is silent" : nil }
        // A mix to fewer channels may be quieter by what keeps it from clipping.
        return abs(loudness - usual) > (isAlike ? 2 : 4) ? "has \(shown(loudness))" : nil
    }

    private static func shown(_ loudness: Double) -> String { "\((loudness * 10).rounded() / 10) LUFS" }

    /// Each sound once, by where it comes from: a rendition's playlist, or the segments of a variant.
    private static func sounds(_ subject: MultivariantSubject) -> [Sound] {
        let renditions = subject.playlist.renditions.filter { $0.kind == .audio }
        var known: Set<String> = []
        var sounds: [Sound] = []
        for (number, variant) in subject.playlist.variants.enumerated() where known.insert(variant.uri).inserted {
            let ofGroup = renditions.filter { $0.group == variant.audioGroup }
            // What is in the segments is heard where no other sound takes its place.
            guard ofGroup.isEmpty || ofGroup.contains(where: { $0.uri == nil || $0.uri == variant.uri }) else {
                continue
            }
            let name = "the sound of variant \(number + 1)"
            guard let media = subject.subject(variant.uri),
                let sound = sound(media, name, subject.place(ofVariant: number))
            else { continue }
            sounds.append(sound)
        }
        for rendition in renditions {
            guard let uri = rendition.uri, known.insert(uri).inserted, let media = subject.subject(uri) else {
                continue
            }
            let name = "the sound \(rendition.name.prefix(40).debugDescription)"
            if let sound = sound(media, name, Place(url: media.document.url)) { sounds.append(sound) }
        }
        return sounds
    }

    /// A playlist's sound; nil where there is none, or it says itself how loud it is.
    private static func sound(_ media: MediaSubject, _ name: String, _ place: Place) -> Sound? {
        guard let decoded = media.decoded, decoded.measured > 0 else { return nil }
        let tracks = (media.initializations.flatMap(\.tracks) + media.segments.flatMap(\.tracks)).filter {
            $0.kind == .audio
        }
        guard !tracks.contains(where: \.statesLoudness) else { return nil }
        return Sound(
            name: name,
            place: place,
            channels: decoded.channels,
            loudness: decoded.loudness,
            measured: decoded.measured
        )
    }
}

extension TrackFacts {
    /// Whether its stream says how loud it is: by a loudness box, or as each stream of its codec
    /// does (Dolby's dialnorm, ETSI TS 102 366, 4.4.2.8; xHE-AAC and APAC).
    fileprivate var statesLoudness: Bool {
        hasLoudnessBox || ["ac3", "eac3", "ac4", "apac"].contains(codec) || setup?.codec == "mp4a.40.42"
    }
}
