internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loads the segments of a media playlist with their initialization sections and keys.
final class SegmentLoad {
    /// The number of loaded segments.
    private(set) var count = 0

    /// Sentences about resources that were not loaded.
    private(set) var leftOut: [String] = []

    private let base: String
    private let playlist: MediaPlaylist
    private let reader: ResourceReader
    private var initializations: [MediaMap: InitializationFacts] = [:]
    /// The keys by URI; nil for a key that failed to load.
    private var keys: [String: [UInt8]?] = [:]
    private var unnamed: [String: InitializationFacts] = [:]
    private var resources: Set<String> = []
    private let decoder: (any SegmentDecoding)?
    private var heads = InitializationBytes()
    /// The map of the last decoded segment, which may have none; nil before the first one.
    private var decodedMap: MediaMap??
    private var samples: [Sample] = []
    private var last: Sample?
    /// The parts of segments whose pictures are compared, in seconds from the start of each.
    private let pictures: [Int: ClosedRange<Rational>]

    /// A segment for a repeated request, with the index of its facts.
    private struct Sample {
        let index: Int
        let url: String
        let range: FetchRange?
        let bytes: [UInt8]
    }

    /// The use of a resource.
    private enum Use {
        case map(MediaMap)
        case key(String)
        case segment(Int, MediaSegment)
    }

    init(_ document: PlaylistDocument, reader: ResourceReader, pictures spots: PictureSpots) {
        (base, self.reader) = (document.url, reader)
        playlist = document.media ?? MediaPlaylist(segments: [])
        pictures = spots.parts(of: playlist)
        // I-frame playlists name parts of segments, which are decoded as a whole elsewhere.
        decoder = playlist.isIFramesOnly && pictures.isEmpty ? nil : reader.options.decoder?()
    }

    /// The result of decoding; nil without a decoder.
    var decoded: DecodedFacts? { decoder?.facts() }

    /// Loads some segments at once, with their initialization sections and keys that are not loaded yet.
    func fetch(_ segments: [(number: Int, entry: MediaSegment)], into subject: inout MediaSubject) {
        var wanted: [(use: Use, wanted: ResourceReader.Wanted)] = []
        var maps: Set<MediaMap> = []
        for (number, entry) in segments {
            // Keys first, since decryption needs them.
            for key in entry.keys + (entry.map?.keys ?? []) where key.keyFormat == "identity" && keys[key.uri] == nil {
                keys[key.uri] = .some(nil)
                wanted.append((.key(key.uri), want(key.uri, .key, range: nil, isProbed: true)))
            }
            if let map = entry.map, initializations[map] == nil, maps.insert(map).inserted {
                wanted.append(
                    (.map(map), want(map.uri, .initialization, range: map.byteRange, isProbed: map.byteRange == nil))
                )
            }
            let isProbed = number == 0 && entry.byteRange == nil
            wanted.append(
                (.segment(number, entry), want(entry.uri, .segment, range: entry.byteRange, isProbed: isProbed))
            )
        }
        for (wanted, resource) in zip(wanted, reader.read(wanted.map(\.wanted))) {
            if resource.isLeftOut { leftOut.append("\(wanted.wanted.url): \(resource.failure ?? "")") }
            if let http = resource.http { subject.resources.append(http) }
            switch wanted.use {
            case .key(let uri): if resource.failure == nil { keys[uri] = .some(resource.bytes) }
            case .map(let map): add(resource, of: map, url: wanted.wanted.url, into: &subject)
            case .segment(let number, let entry):
                add(resource, wanted: wanted.wanted, number: number, entry: entry, into: &subject)
            }
        }
    }

    /// Adds a segment if another component has inspected it, and returns true; the first one is loaded in any case,
    /// since its requests probe the server.
    func addInspected(_ entry: MediaSegment, number: Int, into subject: inout MediaSubject) -> Bool {
        guard number > 0, entry.byteRange == nil, entry.keys.isEmpty, let inspected = reader.options.inspected,
            entry.map.map({ initializations[$0] != nil }) ?? true
        else { return false }
        let url = URIReference.resolve(entry.uri, against: base)
        guard var segment = inspected(url) else { return false }
        count += 1
        reader.count(segment.facts.size)
        segment.facts.number = number
        subject.resources.append(segment.http)
        subject.segments.append(segment.facts)
        return true
    }

    private func want(
        _ uri: String,
        _ role: HTTPFacts.Role,
        range: ByteRange?,
        isProbed: Bool
    ) -> ResourceReader.Wanted {
        let part = range.map { FetchRange(offset: $0.offset, length: $0.length) }
        let url = URIReference.resolve(uri, against: base)
        return ResourceReader.Wanted(url: url, role: role, range: part, isProbed: isProbed)
    }

    private func add(
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
        if decoder != nil, let bytes, resource.failure == nil { heads.keep(bytes, of: .map(map)) }
        // The delivery rules report HTTP failures.
        if !hasDeliveryFinding(resource), bytes != nil { subject.initializations.append(facts) }
    }

    private func add(
        _ resource: ResourceReader.Resource,
        wanted: ResourceReader.Wanted,
        number: Int,
        entry: MediaSegment,
        into subject: inout MediaSubject
    ) {
        guard !resource.isLeftOut else { return }
        count += 1
        if resource.http != nil, resource.failure == nil {
            let index = subject.resources.count - 1
            sample(Sample(index: index, url: wanted.url, range: wanted.range, bytes: resource.bytes), number)
        }
        guard !hasDeliveryFinding(resource) else { return }
        // A part of an encrypted resource cannot be decrypted.
        guard entry.keys.isEmpty || !playlist.isIFramesOnly || entry.byteRange == nil else { return }
        let (bytes, sealed) = opened(resource, entry.keys, number: number, url: wanted.url)
        if let sealed { subject.sealed.append(sealed) }
        guard let bytes else { return }
        if resources.insert(entry.uri).inserted, let range = playlist.unnamedInitialization(of: entry) {
            let part = FetchRange(offset: range.offset, length: range.length)
            let head = reader.read(ResourceReader.Wanted(url: wanted.url, role: .initialization, range: part))
            if decoder != nil, head.failure == nil { heads.keep(head.bytes, of: .resource(entry.uri)) }
            unnamed[entry.uri] = InitializationFacts.inspecting(head.bytes, url: wanted.url)
        }
        let initialization = entry.map.flatMap { initializations[$0] } ?? unnamed[entry.uri]
        var facts = SegmentFacts.inspecting(bytes, number: number, url: wanted.url, initialization: initialization)
        facts.size = resource.bytes.count
        if let failure = resource.failure { facts.failure = failure }
        subject.segments.append(facts)
        decode(facts, entry: entry, bytes: bytes)
    }

    /// Decodes a segment if it is complete, not encrypted, and has its initialization section.
    private func decode(_ facts: SegmentFacts, entry: MediaSegment, bytes: [UInt8]) {
        let isClear = !entry.keys.contains { $0.method.hasPrefix("SAMPLE-AES") }
        guard let decoder, isClear, facts.failure == nil, let layout = facts.layout, layout != .webVTT,
            layout == .transportStream || layout == .packedAudio || entry.map != nil || playlist.isIFramesOnly,
            let head = entry.map.map({ heads[.map($0)] }) ?? heads[.resource(entry.uri)] ?? []
        else { return }
        let beginsAnew = entry.startsDiscontinuity || decodedMap != .some(entry.map)
        decodedMap = .some(entry.map)
        var segment = DecodableSegment(
            number: facts.number,
            facts: facts,
            bytes: bytes,
            initialization: head,
            beginsAnew: beginsAnew
        )
        (segment.pictures, segment.isIFrame) = (pictures[facts.number], playlist.isIFramesOnly)
        if !playlist.isIFramesOnly || segment.pictures != nil { decoder.take(segment) }
    }

    /// Decrypts a segment or an initialization section if necessary; the bytes are nil if the key is not available.
    private func opened(
        _ resource: ResourceReader.Resource,
        _ keys: [MediaKey],
        number: Int?,
        url: String
    ) -> (bytes: [UInt8]?, sealed: SealedFacts?) {
        // With sample encryption, the headers are not encrypted.
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

    /// Returns true if a delivery rule reports the resource.
    private func hasDeliveryFinding(_ resource: ResourceReader.Resource) -> Bool {
        guard let http = resource.http else { return resource.isLeftOut }
        return resource.failure != nil || http.body?.isPage == true
    }

    /// Keeps the first, the middle, and the last segment for ``repeatRequests(_:)``.
    private func sample(_ sample: Sample, _ number: Int) {
        if samples.isEmpty || number == playlist.segments.count / 2 {
            samples.append(sample)
        } else {
            last = sample
        }
    }

    /// Repeats the requests for some segments, the last one first, and compares the bytes.
    func repeatRequests(_ subject: inout MediaSubject) {
        guard reader.options.judgesDelivery else { return }
        for sample in (samples + (last.map { [$0] } ?? [])).reversed() where !reader.isOver {
            subject.resources[sample.index].again = reader.again(sample.url, range: sample.range, bytes: sample.bytes)
        }
    }
}

/// The bytes of initialization sections for decoding, up to a total limit.
private struct InitializationBytes {
    /// The origin of the bytes: a map, or the start of a resource with I-frames.
    enum Name: Hashable {
        case map(MediaMap)
        case resource(String)
    }

    private static let limit = 16 << 20
    private var kept: [Name: [UInt8]] = [:]
    private var count = 0

    mutating func keep(_ bytes: [UInt8], of name: Name) {
        guard count + bytes.count <= Self.limit else { return }
        count += bytes.count
        kept[name] = bytes
    }

    subscript(name: Name) -> [UInt8]? { kept[name] }
}
