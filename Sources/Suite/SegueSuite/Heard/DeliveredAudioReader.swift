internal import SegueBase
internal import SegueFFmpeg
internal import SeguePlayerModel

/// Decodes the audio of delivered segments as a player would: consecutive segments pass through one decoder.
final class DeliveredAudioReader {
    /// Decoded samples with the index of the first on the item's timeline.
    struct Part {
        var first: Int64
        let rate: Int
        var samples: [[Float]]

        var end: Int64 { first + Int64(samples.first?.count ?? 0) }
    }

    /// Seconds of audio before a stretch that a decoder needs to settle.
    private static let leadIn = 1.0

    private let media: DeliveredMedia
    private let clock: MediaClock
    private let source: (ItemID) -> Int
    private let floats = PlanarFloats()

    /// `source` is the source of an item; renditions of one source share it.
    init(_ media: DeliveredMedia, source: @escaping (ItemID) -> Int) {
        self.media = media
        self.source = source
        clock = MediaClock(media, source: source)
    }

    /// Decodes a stretch.
    ///
    /// - Parameters:
    ///   - stretch: The stretch; of a segment delivered twice, the copy at that time counts.
    ///   - body: Receives the samples in order; returns whether to continue.
    /// - Throws: ``HeardAudioError`` if segments cannot be read back, or an error of `body`.
    func read(_ stretch: AudioTrail.Stretch, _ body: (Part) throws -> Bool) throws {
        var decoder: Decoder?
        var layout = ""
        var expected: Int64?
        for piece in pieces(of: stretch) {
            guard let input = try media.input(of: piece, in: stretch.item),
                let stream = input.streams.first(where: { $0.kind == .audio })
            else { continue }
            let now = "\(stream.codec) \(stream.sampleRate) \(stream.channels)"
            if decoder == nil || layout != now || piece.startsDiscontinuity {
                // Samples that the container marks to be dropped have timestamps before the item's start.
                decoder = try? Decoder(stream: stream, file: "what was heard", options: ["flags2": "+skip_manual"])
                layout = now
                expected = nil
            }
            guard let decoder else { continue }
            var shift = clock.offset(of: piece, source: source(stretch.item))
            var isPlaced = input.hasClock
            if piece.isWhole { input.keepOnly(stream) }
            let packet = Packet()
            while input.read(into: packet) {
                guard packet.streamIndex == stream.index else { continue }
                if !isPlaced, let stamp = packet.pts {
                    shift = Rational(stamp) * stream.timeBase - Rational(piece.start.wholeNanoseconds, 1_000_000_000)
                    isPlaced = true
                }
                // In a whole file, audio well before the stretch is not decoded.
                if let stamp = packet.pts, piece.isWhole,
                    (Rational(stamp) * stream.timeBase - shift).seconds < stretch.start.seconds
                        - DeliveredAudioReader.leadIn
                {
                    continue
                }
                var parts: [Part] = []
                // A packet that cannot be decoded is a gap, as in a player.
                try? decoder.decode(packet) { frame in
                    let part = try place(frame, unit: stream.timeBase, shift: shift, after: &expected)
                    if let part { parts.append(part) }
                }
                for part in parts {
                    guard let cut = part.cut(to: stretch.samples(rate: part.rate)) else { continue }
                    guard try body(cut) else { return }
                }
                if let last = parts.last, last.first >= stretch.samples(rate: last.rate).upperBound { return }
            }
        }
    }

    /// A frame at its position: right after the previous one unless its timestamp differs.
    private func place(
        _ frame: Frame,
        unit: Rational,
        shift: Rational,
        after expected: inout Int64?
    ) throws -> Part? {
        let samples = try floats.samples(of: frame)
        guard let count = samples.first?.count, count > 0 else { return nil }
        let rate = frame.sampleRate
        var first = expected ?? 0
        if let stamp = frame.bestEffortTimestamp {
            let told = (Rational(stamp) * unit - shift).rounded(scale: Int64(rate))
            let slack = Int64(rate) / 500 + unit.rounded(scale: Int64(rate))
            if expected == nil || abs(told - first) > slack { first = told }
        }
        expected = first + Int64(count)
        return Part(first: first, rate: rate, samples: samples)
    }

    /// A stream of a segment.
    struct Track {
        let stream: StreamInfo
        var bytes = 0
        var packets = 0
        var first: Int64?
        var last: Int64?

        /// Packets per second; nil for fewer than two.
        var rate: Double? {
            guard let first, let last, last > first, packets > 1 else { return nil }
            return Double(packets - 1) / (Rational(last - first) * stream.timeBase).seconds
        }

        /// Seconds from the first packet to the end of the last.
        var seconds: Double { rate.map { Double(packets) / $0 } ?? 0 }
    }

    /// The streams of a segment with any packets.
    ///
    /// - Throws: ``HeardAudioError`` if it cannot be read back.
    func tracks(of piece: DeliveredMedia.Piece, in item: ItemID) throws -> [Track] {
        guard let input = try media.input(of: piece, in: item) else { return [] }
        var tracks: [Int: Track] = [:]
        let packet = Packet()
        while input.read(into: packet) {
            guard input.streams.indices.contains(packet.streamIndex) else { continue }
            var track = tracks[packet.streamIndex] ?? Track(stream: input.streams[packet.streamIndex])
            track.bytes += packet.withBytes { $0.count }
            track.packets += 1
            if let time = packet.pts {
                track.first = min(track.first ?? time, time)
                track.last = max(track.last ?? time, time)
            }
            tracks[packet.streamIndex] = track
        }
        return tracks.keys.sorted().compactMap { tracks[$0] }
    }

    /// The position of the first displayable frame from a stretch's start; nil if none was delivered.
    ///
    /// - Throws: ``HeardAudioError`` if segments cannot be read back.
    func firstFrame(of stretch: AudioTrail.Stretch) throws -> Rational? {
        let start = Rational(stretch.start.wholeNanoseconds, 1_000_000_000)
        for piece in pieces(of: stretch, .main) where piece.end > stretch.start {
            guard let input = try media.input(of: piece, in: stretch.item),
                let stream = input.streams.first(where: { $0.kind == .video })
            else { return nil }
            let shift = clock.offset(of: piece, source: source(stretch.item))
            var first: Rational?
            let packet = Packet()
            while input.read(into: packet) {
                guard packet.streamIndex == stream.index, let stamp = packet.pts else { continue }
                let place = Rational(stamp) * stream.timeBase - shift
                first = min(first ?? place, place)
            }
            if let first { return max(first, start) }
        }
        return nil
    }

    /// The segments of a stretch as they were when needed, with the one before if available, so that the decoder is
    /// settled.
    func pieces(of stretch: AudioTrail.Stretch, _ stream: StreamRole? = nil) -> [DeliveredMedia.Piece] {
        let role = stream ?? (media.streams(of: stretch.item).contains(.audio) ? .audio : .main)
        let all = Dictionary(grouping: media.pieces(of: stretch.item, role), by: \.number)
        // Audio may cross the segment borders of a playlist slightly.
        let slack = Duration.milliseconds(500)
        let before = all.values.compactMap(\.first).filter { $0.end <= stretch.start }.max { $0.number < $1.number }
        return all.keys.sorted().compactMap { number -> DeliveredMedia.Piece? in
            guard let versions = all[number], let first = versions.first else { return nil }
            guard first.end + slack > stretch.start && first.start - slack < stretch.end || number == before?.number
            else {
                return nil
            }
            let lead = max(.zero, first.start - stretch.start)
            let needed = stretch.began + .nanoseconds(Int64(Double(lead.wholeNanoseconds) / max(stretch.rate, 0.01)))
            return versions.last { $0.at <= needed } ?? first
        }
    }
}

extension DeliveredAudioReader.Part {
    /// The part within a range; nil without overlap.
    fileprivate func cut(to range: Range<Int64>) -> DeliveredAudioReader.Part? {
        let low = max(first, range.lowerBound)
        let high = min(end, range.upperBound)
        guard low < high else { return nil }
        guard low > first || high < end else { return self }
        let cut = Int(low - first)..<Int(high - first)
        return DeliveredAudioReader.Part(first: low, rate: rate, samples: samples.map { Array($0[cut]) })
    }
}
