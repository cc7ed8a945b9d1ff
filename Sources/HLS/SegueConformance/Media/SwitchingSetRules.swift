internal import SegueBase
internal import SeguePlaylists

/// The rules on CMAF switching sets.
enum SwitchingSetRules {
    static let timeScale = Check<MultivariantSubject>(
        Rule(
            "same-timescale",
            in: .fragmentedMP4,
            clauses: "M23000-19",
            .must,
            requires: "the video tracks of a CMAF switching set have one timescale",
            fix: "encode all variants with one timescale"
        )
    ) { subject in
        // A discontinuity starts another presentation.
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
                Violation(Place(url: $0.url), "the timescale is \($0.scale), in another variant \(first.scale)")
            }
        }
        return found
    }
}

extension MediaSubject {
    /// The timescale and codec of each video track of the initialization sections.
    fileprivate var clocks: [(url: String, codec: String, scale: Int64)] {
        initializations.flatMap { facts in
            (facts.inspection?.tracks ?? []).filter { $0.kind == .video }.compactMap { track in
                track.initialization.map { (facts.url, track.codec, $0.timeScale) }
            }
        }
    }

    /// The URLs of the initialization sections by discontinuity sequence number.
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
