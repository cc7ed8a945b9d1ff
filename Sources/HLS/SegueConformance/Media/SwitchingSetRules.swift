internal import SeguePlaylists

/// The rules on what players switch between.
enum SwitchingSetRules {
    /// What is switched between has one clock.
    static let timeScale = Check<MultivariantSubject>(
        Rule("same-timescale", "M23000-19", .must, "the video tracks of a switching set of CMAF have one timescale")
    ) { subject in
        // What follows a discontinuity is another presentation.
        var periods: [Int: [(url: String, codec: String, scale: Int64)]] = [:]
        for media in subject.playlist.variants.compactMap({ subject.subject($0.uri) }).filter(\.isCMAF) {
            let clocks = Dictionary(grouping: media.clocks, by: \.url)
            for (period, urls) in media.initializationsByPeriod {
                periods[period, default: []] += urls.flatMap { clocks[$0] ?? [] }
            }
        }
        var found: [Violation] = []
        for (_, all) in periods.sorted(by: { $0.key < $1.key }) {
            guard let first = all.first else { continue }
            found += all.dropFirst().filter { $0.codec == first.codec && $0.scale != first.scale }.map {
                Violation(Place(url: $0.url), "its timescale is \($0.scale), elsewhere \(first.scale)")
            }
        }
        return found
    }
}

extension MediaSubject {
    /// The time scale of each video track of the initialization sections, with its codec.
    fileprivate var clocks: [(url: String, codec: String, scale: Int64)] {
        initializations.flatMap { facts in
            (facts.inspection?.tracks ?? []).filter { $0.kind == .video }.compactMap { track in
                track.initialization.map { (facts.url, track.codec, $0.timeScale) }
            }
        }
    }

    /// The URLs of the initialization sections that segments need, by discontinuity sequence number.
    fileprivate var initializationsByPeriod: [Int: [String]] {
        var (period, last): (Int, MediaMap?) = (playlist.discontinuitySequence, nil)
        var urls: [Int: [String]] = [:]
        for segment in playlist.segments {
            if segment.startsDiscontinuity { (period, last) = (period &+ 1, nil) }
            guard let map = segment.map, map != last else { continue }
            last = map
            urls[period, default: []].append(URIReference.resolve(map.uri, against: document.url))
        }
        return urls
    }
}
