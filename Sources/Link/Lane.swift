internal import Timeline

/// One direction of a link: one queue and one line that all connections share.
struct Lane {
    private let bitsPerSecond: Int64
    private let loss: Double
    private let limit: LinkProfile.Queue
    private let outages: [LinkProfile.Outage]
    private var random: SeededRandom

    private var free = Instant.zero
    private var queued: [(departs: Instant, bytes: Int)] = []
    private var head = 0
    private var queuedBytes = 0

    init(_ direction: LinkProfile.Direction, of profile: LinkProfile, random: SeededRandom) {
        bitsPerSecond = direction.bitsPerSecond
        loss = direction.loss
        limit = profile.queue
        outages = profile.outages
        self.random = random
    }

    /// Puts a packet into the queue.
    ///
    /// Calls come in order of time.
    ///
    /// - Parameters:
    ///   - bytes: The packet's size, headers included.
    ///   - now: When it comes to the queue.
    /// - Returns: When its last bit leaves; nil when it is lost or the queue is full.
    mutating func send(_ bytes: Int, at now: Instant) -> Instant? {
        while head < queued.count, queued[head].departs <= now {
            queuedBytes -= queued[head].bytes
            head += 1
        }
        if head > 4096 {
            queued.removeFirst(head)
            head = 0
        }
        if loss > 0, random.nextUnit() < loss { return nil }
        switch limit {
        case .packets(let most): guard queued.count - head < most else { return nil }
        case .bytes(let most): guard queuedBytes + bytes <= most || queued.count == head else { return nil }
        }
        free = finish(of: bytes, from: max(now, free))
        queued.append((free, bytes))
        queuedBytes += bytes
        return free
    }

    /// When a packet has left that begins to leave at an instant, outages left out.
    private func finish(of bytes: Int, from start: Instant) -> Instant {
        let product = Int128(bytes) * 8_000_000_000 + Int128(bitsPerSecond / 2)
        var work = Int64(clamping: product / Int128(bitsPerSecond))
        var time = start.nanoseconds
        while let outage = nextOutage(endingAfter: time) {
            if outage.lowerBound > time {
                guard time + work > outage.lowerBound else { break }
                work -= outage.lowerBound - time
            }
            time = outage.upperBound
        }
        return Instant(nanoseconds: time + work)
    }

    private func nextOutage(endingAfter time: Int64) -> Range<Int64>? {
        outages.compactMap { outage -> Range<Int64>? in
            let (length, start) = (outage.length.wholeNanoseconds, outage.start.wholeNanoseconds)
            guard let period = outage.period?.wholeNanoseconds else {
                return start + length > time ? start..<start + length : nil
            }
            let turn = time < start + length ? 0 : (time - start - length) / period + 1
            return start + turn * period..<start + turn * period + length
        }.min { $0.lowerBound < $1.lowerBound }
    }
}
