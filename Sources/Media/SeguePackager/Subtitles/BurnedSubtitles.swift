internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// Bitmap subtitles on the screen for a time.
struct Caption: Sendable, Hashable {
    /// The time on the screen, in seconds of the file's continuous timeline.
    var times: Range<Rational>
    var images: [SubtitleImage]
    /// The width of the canvas, in pixels; 0 if the stream does not declare it.
    var canvasWidth: Int
    /// The height of the canvas, in pixels; 0 if the stream does not declare it.
    var canvasHeight: Int
}

/// A reader of the bitmap subtitles of any part of a file.
///
/// Decoding starts a fixed time before the part, so a frame has the same subtitles whichever segment is made first, and
/// no segment needs more of the file than that.
struct BurnedSubtitles {
    /// The maximum time on the screen, in seconds.
    ///
    /// Choice: captions last some seconds, and a DVB page times out after at most 30 s in practice.
    private static let longest = Rational(30)
    /// The time that is read after the part, since multiplexers interleave streams loosely, in seconds (choice).
    private static let slack = Rational(2)
    /// The tolerance for rounded timestamps, in seconds: display times have milliseconds.
    private static let rounding = Rational(1, 1000)
    /// The video packets before the wanted one at which a seek by bytes begins, because its first packets are cut.
    private static let margin = 6
    /// The maximum number of events in a part.
    private static let greatestCount = 10_000
    /// The maximum number of pixels of a part's images, in memory at four bytes each; later images are left out (choice: a
    /// full frame of 1080p for each of 15 captions).
    private static let greatestArea = 32 << 20

    let stream: StreamInfo
    /// The packets of the video, from which the time of a place in the file follows.
    let film: StreamIndex
    let source: PacketSource

    /// Returns the captions on the screen in a time range of the file, in order; undecodable packets are dropped.
    func captions(during times: Range<Rational>) throws -> [Caption] {
        try source.pool.captions.captions(RecentCaptions.Part(stream: stream.index, times: times)) {
            try read(during: times)
        }
    }

    private func read(during times: Range<Rational>) throws -> [Caption] {
        let start = times.lowerBound - Self.longest
        if let key = film.packets.indices.last(where: { isKey($0, notAfter: start) }), key > 0,
            let events = try events(from: max(0, key - Self.margin), during: times)
        {
            return captions(events, during: times)
        }
        return captions(try events(from: nil, during: times) ?? [], during: times)
    }

    private func isKey(_ number: Int, notAfter time: Rational) -> Bool {
        let packet = film.packets[number]
        return packet.isKey && packet.pts != IndexedPacket.unknown && Rational(packet.pts) * film.info.timeBase <= time
    }

    /// Reads from a video packet, or from the start of the file for nil; returns nil if seeking fails.
    private func events(from first: Int?, during times: Range<Rational>) throws -> [ImageSubtitleDecoder.Event]? {
        let input: MediaInput
        if let first {
            guard !source.pool.isHardToSeek else { return nil }
            input = try source.pool.takeUsed(source.cancellation) ?? source.pool.openFresh(source.cancellation)
            guard try seek(input, to: film.packets[first]) else { return nil }
        } else {
            input = try source.pool.openFresh(source.cancellation)
        }
        input.keepOnly(streams: [film.info.index, stream.index])
        let decoder = try ImageSubtitleDecoder(stream: stream, file: source.file)
        var clock = ContinuousClock(film, at: first ?? 0)
        var hasBegun = first == nil
        var result: [ImageSubtitleDecoder.Event] = []
        let packet = Packet()
        while result.count < Self.greatestCount {
            do {
                guard try input.read(into: packet) else { break }
            } catch {
                if error.isCancelled { throw error }
                break
            }
            if packet.streamIndex == film.info.index {
                guard let time = clock.time(of: packet) else { continue }
                // A seek that lands behind the wanted time has failed.
                if !hasBegun, time > times.lowerBound - Self.longest + Self.slack { return nil }
                hasBegun = true
                if time > times.upperBound + Self.slack { break }
            } else if packet.streamIndex == stream.index, let decoded = try? decoder.decode(packet) {
                let event = decoded.moved(by: clock.offset)
                // Events that end before the part are not needed.
                if event.start <= times.lowerBound { result.removeAll { $0.start <= event.start } }
                result.append(event)
                let area = result.flatMap(\.images).reduce(0) { $0 + $1.pixels.count }
                guard area <= Self.greatestArea else { break }
            }
        }
        source.pool.giveBack(input)
        return result
    }

    private func seek(_ input: MediaInput, to packet: IndexedPacket) throws -> Bool {
        do throws(MediaError) {
            if PacketReader.byteSeekable.contains(input.formatName), packet.position >= 0 {
                try input.seek(toByte: packet.position)
            } else {
                guard let time = packet.seekTime else { return false }
                try input.seek(to: time, stream: film.info.index)
            }
            return true
        } catch {
            if error.isCancelled { throw error }
            return false
        }
    }

    /// The visible captions: each ends with the next event.
    private func captions(_ events: [ImageSubtitleDecoder.Event], during times: Range<Rational>) -> [Caption] {
        let sorted = events.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
        return sorted.indices.compactMap { place in
            let event = sorted[place]
            let next = place + 1 < sorted.count ? sorted[place + 1].start : nil
            let limit = event.start + Self.longest
            let (start, end) = (event.start - Self.rounding, min(event.end ?? limit, next ?? limit, limit))
            let shown = start..<max(start, end - Self.rounding)
            guard !event.images.isEmpty, shown.overlaps(times) else { return nil }
            return Caption(
                times: shown,
                images: event.images,
                canvasWidth: event.canvas?.width ?? 0,
                canvasHeight: event.canvas?.height ?? 0
            )
        }
    }
}

/// The conversion of a demuxer's timestamps to the continuous timeline of a file whose clock may jump.
private struct ContinuousClock {
    private let film: StreamIndex
    /// The continuous time minus the demuxer's, in seconds.
    private(set) var offset: Rational

    init(_ film: StreamIndex, at number: Int) {
        self.film = film
        offset = .zero
        if film.packets.indices.contains(number) { offset = Self.offset(of: film.packets[number], film) ?? .zero }
    }

    /// The presentation time of a video packet, in seconds; nil if it has no timestamp.
    mutating func time(of packet: Packet) -> Rational? {
        let packets = film.packets
        if film.hasAscendingPositions, packet.position >= 0 {
            let place = packets.partitioningIndex { $0.position >= packet.position }
            if place < packets.count, packets[place].position == packet.position {
                offset = Self.offset(of: packets[place], film) ?? offset
            }
        }
        return (packet.pts ?? packet.dts).map { Rational($0) * film.info.timeBase + offset }
    }

    private static func offset(of packet: IndexedPacket, _ film: StreamIndex) -> Rational? {
        guard packet.pts != IndexedPacket.unknown, packet.rawPTS != IndexedPacket.unknown else { return nil }
        return Rational(packet.pts - packet.rawPTS) * film.info.timeBase
    }
}

/// The captions of the parts of a file that were read last: a segment may be encoded several times.
final class RecentCaptions: Sendable {
    /// The maximum number of parts; each may take much memory.
    private static let capacity = 2

    /// A time range of a stream.
    struct Part: Hashable {
        let stream: Int
        let times: Range<Rational>
    }

    private let held = Mutex<[(part: Part, captions: [Caption])]>([])

    /// Returns the captions of a part, reading them if necessary.
    func captions(_ part: Part, read: () throws -> [Caption]) rethrows -> [Caption] {
        if let known = held.withLock({ $0.first { $0.part == part }?.captions }) { return known }
        let captions = try read()
        held.withLock { held in
            held.append((part, captions))
            if held.count > Self.capacity { held.removeFirst() }
        }
        return captions
    }
}
