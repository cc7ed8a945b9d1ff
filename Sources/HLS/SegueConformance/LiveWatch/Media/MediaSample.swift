internal import SegueBase
internal import SeguePlaylists

/// A loaded segment of a live stream that is to be inspected, which takes time and needs no state of the watch.
package struct MediaSample: Sendable {
    /// The URL of the media playlist.
    package let playlist: String
    let number: Int
    /// The time since which the segment is available.
    let since: Instant
    /// The end of the response.
    let ended: Instant
    /// The playlist with this segment only.
    var listing: MediaPlaylist
    let http: HTTPFacts
    let bytes: [UInt8]
    var initialization: [UInt8]?
    var keys: [String: [UInt8]] = [:]
    /// The discontinuity sequence number; nil if it is unknown.
    var discontinuity: Int?

    init(
        of entry: MediaSegment,
        _ number: Int,
        since: Instant,
        in listing: MediaPlaylist,
        _ response: WatchResponse,
        url: String
    ) {
        (playlist, self.number, self.since, ended) = (url, number, since, response.ended)
        self.listing = MediaPlaylist(
            segments: [entry],
            hasEndList: false,
            targetDuration: listing.targetDuration,
            mediaSequence: number
        )
        self.listing.segments[0].parts = []
        bytes = response.part
        let answer = HTTPAnswer(status: response.status, headers: response.headers, size: response.bytes.count)
        var http = HTTPFacts(.segment, url: response.url, finalURL: response.finalURL, get: answer)
        http.span = response.span
        // The first bytes of an encrypted segment can be anything.
        if entry.keys.isEmpty || bytes.isEmpty { http.body = BodyKind(bytes) }
        self.http = http
    }

    /// The number of bytes that the sample holds.
    package var size: Int { bytes.count + (initialization?.count ?? 0) }

    /// Inspects the segment as a validation does.
    ///
    /// - Parameter decoder: A decoder for this segment; nil to skip the rules on decoded media.
    package func inspected(by decoder: (any SegmentDecoding)? = nil) -> SampleResult {
        let text = Array(listing.text.utf8)
        var subject = MediaSubject(document: PlaylistDocument(url: playlist, bytes: text), resources: [http])
        var result = SampleResult(sample: self)
        guard let entry = listing.segments.first else { return result }
        let (head, _) = opened(initialization ?? [], entry.map?.keys ?? [], number: nil)
        var initializationFacts: InitializationFacts?
        if initialization != nil, let head {
            let facts = InitializationFacts.inspecting(head, url: entry.map?.uri ?? "")
            initializationFacts = facts
            subject.initializations = [facts]
        }
        let (body, sealed) = opened(bytes, entry.keys, number: number)
        if let sealed { subject.sealed = [sealed] }
        // Without its key or its initialization section, a segment is not judged.
        if let body, entry.map == nil || initializationFacts != nil, http.body?.isPage != true {
            var facts = SegmentFacts.inspecting(body, number: 0, url: http.url, initialization: initializationFacts)
            facts.size = bytes.count
            subject.segments = [facts]
            result.isPlayable = facts.failure == nil
            let isClear = !entry.keys.contains { $0.method.hasPrefix("SAMPLE-AES") }
            if let decoder, isClear, facts.failure == nil, facts.layout != .webVTT {
                decoder.take(
                    DecodableSegment(
                        number: 0,
                        facts: facts,
                        bytes: body,
                        initialization: head ?? [],
                        beginsAnew: true
                    )
                )
                subject.decoded = decoder.facts()
            }
        }
        result.breaches = Validator.findings(ofSample: subject).map { broken in
            Breach(broken.rule, broken.message, comparison: broken.comparison, segment: number)
        }
        if let facts = subject.segments.first {
            result.breaches += SampleRules.whole(facts, stated: entry.duration.seconds, number: number)
        }
        result.decoded = subject.decoded
        result.note(subject, of: self)
        if result.breaches.contains(where: { $0.rule == DeliveryRules.body.rule }) { result.isPlayable = false }
        return result
    }

    /// Decrypts a resource if necessary; nil if the key is not available.
    private func opened(_ bytes: [UInt8], _ keys: [MediaKey], number: Int?) -> ([UInt8]?, SealedFacts?) {
        let isSealed = !keys.isEmpty && !keys.contains { $0.method.hasPrefix("SAMPLE-AES") }
        guard isSealed else { return (bytes, nil) }
        guard let key = SegmentCipher.key(of: keys) else { return (nil, nil) }
        let cipher = SegmentCipher(
            key: self.keys[key.uri],
            vector: SegmentCipher.vector(of: key, sequence: number)
        )
        let (facts, opened) = cipher.open(bytes, number: number.map { _ in 0 }, url: http.url)
        // An empty segment is a fault whatever its key.
        return (bytes.isEmpty ? bytes : opened, self.keys[key.uri] == nil ? nil : facts)
    }
}

/// The result of inspecting a sample.
package struct SampleResult: Sendable {
    /// The URL of the media playlist.
    package let playlist: String
    let number: Int
    let since: Instant
    let ended: Instant
    var breaches: [Breach] = []
    /// False if a player cannot play anything of the segment.
    var isPlayable = true
    /// The result of decoding; nil if the segment was not decoded.
    var decoded: DecodedFacts?
    /// The channels and services of closed captions; nil if they cannot be read.
    private(set) var captions: Set<String>?
    /// The coding; nil if the segment cannot be read.
    private(set) var coding: CodingTrail.Entry?
    /// The loudness in LUFS; nil without audio, for silence, and for audio that states its own.
    private(set) var loudness: Double?
    /// True if the segment was inspected; false if there was no time for it.
    private(set) var isInspected = true

    fileprivate init(sample: MediaSample) {
        (playlist, number, since, ended) = (sample.playlist, sample.number, sample.since, sample.ended)
    }

    /// Notes the captions, the coding, and the loudness of a sample.
    fileprivate mutating func note(_ subject: MediaSubject, of sample: MediaSample) {
        let tracks = subject.initializations.flatMap(\.tracks) + subject.segments.flatMap(\.tracks)
        if let segment = subject.segments.first, segment.failure == nil,
            tracks.contains(where: { ["h264", "hevc"].contains($0.codec) && !$0.isEncrypted })
        {
            captions = segment.captions
        }
        if let segment = subject.segments.first, segment.failure == nil, let discontinuity = sample.discontinuity {
            coding = CodingTrail.Entry(number: number, discontinuity: discontinuity, subject, segment)
        }
        let statesLoudness = tracks.contains { $0.kind == .audio && $0.statesLoudness }
        // Less than a second is not comparable.
        if let decoded = subject.decoded, decoded.measured >= 1, !statesLoudness { loudness = decoded.loudness }
    }

    /// The result of a sample that is not inspected.
    package init(leavingOut sample: MediaSample) {
        self.init(sample: sample)
        isInspected = false
    }

    /// True if something must be fixed by the texts that count by default.
    var isBroken: Bool { breaches.contains { $0.rule.severity(in: .usual) == .must } }
}
