internal import SegueFetch
internal import SeguePlaylists

/// The segments of a media playlist with what they need, as they are fetched.
final class SegmentLoad {
    /// How many segments were fetched.
    private(set) var count = 0

    /// What was not looked at, and why.
    private(set) var leftOut: [String] = []

    private let base: String
    private let playlist: MediaPlaylist
    private let reader: ResourceReader
    private var initializations: [MediaMap: InitializationFacts] = [:]
    /// What the URIs of keys gave; nil for one that cannot be had.
    private var keys: [String: [UInt8]?] = [:]
    private var unnamed: [String: InitializationFacts] = [:]
    private var resources: Set<String> = []
    private let decoder: (any SegmentDecoding)?
    private var heads = InitializationBytes()
    private var hasDecoded = false
    private var formerMap: MediaMap?
    private var samples: [Sample] = []
    private var last: Sample?

    /// A segment to be asked for again, with where its facts are.
    private struct Sample {
        let index: Int
        let url: String
        let range: FetchRange?
        let bytes: [UInt8]
    }

    /// What a resource is for.
    private enum Use {
        case map(MediaMap)
        case key(String)
        case segment(Int, MediaSegment)
    }

    /// A load of a playlist's segments.
    init(_ document: PlaylistDocument, reader: ResourceReader) {
        (base, self.reader) = (document.url, reader)
        playlist = document.media ?? MediaPlaylist(segments: [])
        // A list of key frames has pieces of segments, which are decoded where they are whole.
        decoder = playlist.isIFramesOnly ? nil : reader.options.decoder?()
    }

    /// What decoding showed; nil where nothing was decoded.
    var decoded: DecodedFacts? { decoder?.facts() }

    /// Fetches some segments, and what they need that was not fetched before, all at once.
    func take(_ segments: [(number: Int, entry: MediaSegment)], into subject: inout MediaSubject) {
        var wanted: [(use: Use, wanted: ResourceReader.Wanted)] = []
        var maps: Set<MediaMap> = []
        for (number, entry) in segments {
            // Keys first: what they open comes behind them.
            for key in entry.keys + (entry.map?.keys ?? []) where key.keyFormat == "identity" && keys[key.uri] == nil {
                keys[key.uri] = .some(nil)
                wanted.append((.key(key.uri), want(key.uri, .key, nil, isProbed: true)))
            }
            if let map = entry.map, initializations[map] == nil, maps.insert(map).inserted {
                wanted.append(
                    (.map(map), want(map.uri, .initialization, map.byteRange, isProbed: map.byteRange == nil))
                )
            }
            let isProbed = number == 0 && entry.byteRange == nil
            wanted.append((.segment(number, entry), want(entry.uri, .segment, entry.byteRange, isProbed: isProbed)))
        }
        for (wanted, resource) in zip(wanted, reader.read(wanted.map(\.wanted))) {
            if resource.isLeftOut { leftOut.append("\(wanted.wanted.url): \(resource.failure ?? "")") }
            if let http = resource.http { subject.resources.append(http) }
            switch wanted.use {
            case .key(let uri): if resource.failure == nil { keys[uri] = .some(resource.bytes) }
            case .map(let map): take(resource, of: map, url: wanted.wanted.url, into: &subject)
            case .segment(let number, let entry): take(resource, wanted.wanted, number, entry, into: &subject)
            }
        }
    }

    private func want(
        _ uri: String,
        _ role: HTTPFacts.Role,
        _ range: ByteRange?,
        isProbed: Bool
    ) -> ResourceReader.Wanted {
        let part = range.map { FetchRange(offset: $0.offset, length: $0.length) }
        let url = URIReference.resolve(uri, against: base)
        return ResourceReader.Wanted(url: url, role: role, range: part, isProbed: isProbed)
    }

    private func take(
        _ resource: ResourceReader.Resource,
        of map: MediaMap,
        url: String,
        into subject: inout MediaSubject
    ) {
        let (bytes, sealed) = opened(resource, map.keys, number: nil, url: url)
        if let sealed { subject.sealed.append(sealed) }
        var facts = InitializationFacts(url: url)
        if let bytes { facts = .inspecting(bytes, url: url) }
        if let failure = resource.failure { facts.failure = failure }
        initializations[map] = facts
        if decoder != nil, let bytes, resource.failure == nil { heads.keep(bytes, of: map) }
        // What HTTP has said already is not said again.
        if !isTold(resource), bytes != nil { subject.initializations.append(facts) }
    }

    private func take(
        _ resource: ResourceReader.Resource,
        _ wanted: ResourceReader.Wanted,
        _ number: Int,
        _ entry: MediaSegment,
        into subject: inout MediaSubject
    ) {
        guard !resource.isLeftOut else { return }
        count += 1
        if resource.http != nil, resource.failure == nil {
            let index = subject.resources.count - 1
            sample(Sample(index: index, url: wanted.url, range: wanted.range, bytes: resource.bytes), number)
        }
        guard !isTold(resource) else { return }
        // What is encrypted as a whole cannot be decrypted from the middle.
        guard entry.keys.isEmpty || !playlist.isIFramesOnly || entry.byteRange == nil else { return }
        let (bytes, sealed) = opened(resource, entry.keys, number: number, url: wanted.url)
        if let sealed { subject.sealed.append(sealed) }
        guard let bytes else { return }
        if resources.insert(entry.uri).inserted, let range = playlist.unnamedInitialization(of: entry) {
            let part = FetchRange(offset: range.offset, length: range.length)
            let head = reader.read(ResourceReader.Wanted(url: wanted.url, role: .initialization, range: part))
            unnamed[entry.uri] = InitializationFacts.inspecting(head.bytes, url: wanted.url)
        }
        let initialization = entry.map.flatMap { initializations[$0] } ?? unnamed[entry.uri]
        var facts = SegmentFacts.inspecting(bytes, number: number, url: wanted.url, initialization: initialization)
        facts.size = resource.bytes.count
        if let failure = resource.failure { facts.failure = failure }
        subject.segments.append(facts)
        decode(facts, entry, bytes)
    }

    /// Has a segment decoded that can be: one that is whole, clear, and has its initialization section.
    private func decode(_ facts: SegmentFacts, _ entry: MediaSegment, _ bytes: [UInt8]) {
        let isClear = !entry.keys.contains { $0.method.hasPrefix("SAMPLE-AES") }
        guard let decoder, isClear, facts.failure == nil, let layout = facts.layout, layout != .webVTT,
            layout == .transportStream || layout == .packedAudio || entry.map != nil,
            let head = entry.map.map({ heads[$0] }) ?? []
        else { return }
        let beginsAnew = !hasDecoded || entry.startsDiscontinuity || entry.map != formerMap
        (hasDecoded, formerMap) = (true, entry.map)
        decoder.take(
            DecodableSegment(
                number: facts.number,
                facts: facts,
                bytes: bytes,
                initialization: head,
                beginsAnew: beginsAnew
            )
        )
    }

    /// The bytes of a segment or an initialization section, decrypted where they are encrypted as a whole and the key can
    /// be had; nil where they cannot be looked into.
    private func opened(
        _ resource: ResourceReader.Resource,
        _ keys: [MediaKey],
        number: Int?,
        url: String
    ) -> (bytes: [UInt8]?, sealed: SealedFacts?) {
        // What is encrypted sample by sample has its heads in the clear.
        let isSealed = !keys.isEmpty && !keys.contains { $0.method.hasPrefix("SAMPLE-AES") }
        guard isSealed, resource.failure == nil else { return (resource.bytes, nil) }
        guard let key = SegmentCipher.key(of: keys) else { return (nil, nil) }
        let sequence = number.map { playlist.mediaSequence &+ $0 }
        let cipher = SegmentCipher(
            key: self.keys[key.uri] ?? nil,
            vector: SegmentCipher.vector(of: key, sequence: sequence)
        )
        let (facts, bytes) = cipher.open(resource.bytes, number: number, url: url)
        return (bytes, facts)
    }

    /// Whether the rules on HTTP name what is wrong with a resource.
    private func isTold(_ resource: ResourceReader.Resource) -> Bool {
        guard let http = resource.http else { return resource.isLeftOut }
        return resource.failure != nil || http.body?.isPage == true
    }

    /// Keeps the first segment, one in the middle and the last that came for ``askAgain(_:)``.
    private func sample(_ sample: Sample, _ number: Int) {
        if samples.isEmpty || number == playlist.segments.count / 2 {
            samples.append(sample)
        } else {
            last = sample
        }
    }

    /// Asks for some segments once more, the last first, and looks whether they are the same.
    func askAgain(_ subject: inout MediaSubject) {
        guard reader.options.judgesDelivery else { return }
        for sample in (samples + (last.map { [$0] } ?? [])).reversed() where !reader.isOver {
            subject.resources[sample.index].again = reader.again(sample.url, range: sample.range, bytes: sample.bytes)
        }
    }
}

/// The bytes of initialization sections, for who decodes: no more than so many together.
private struct InitializationBytes {
    private static let most = 16 << 20
    private var kept: [MediaMap: [UInt8]] = [:]
    private var count = 0

    mutating func keep(_ bytes: [UInt8], of map: MediaMap) {
        guard count + bytes.count <= Self.most else { return }
        count += bytes.count
        kept[map] = bytes
    }

    subscript(map: MediaMap) -> [UInt8]? { kept[map] }
}
