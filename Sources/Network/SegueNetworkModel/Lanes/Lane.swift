internal import SegueBase

/// One direction of a link: a queue and a line that all connections share.
///
/// Departures follow a fluid model: the last bit of a packet leaves at the first nanosecond by which the integral of
/// the rate covers all bytes since the line was last idle. The unused part of that nanosecond is carried over, so
/// rounding never accumulates.
struct Lane: ~Copyable {
    /// The state of a connection in a lane.
    struct Path {
        /// The position of the connection in the range of delays, from 0 to 1.
        let place: Double
        /// The arrival time of its latest packet, in nanoseconds.
        fileprivate var latest: Int64 = 0
        /// The constant delay in nanoseconds; nil if it varies.
        fileprivate let delay: Int64?

        fileprivate init(place: Double, delay: Int64?) { (self.place, self.delay) = (place, delay) }
    }

    /// The times of a packet.
    struct Crossing {
        /// The time at which its last bit leaves the queue.
        let departs: Instant
        /// The time at which it reaches the other end.
        let arrives: Instant
    }

    private static let bitNanoseconds: UInt64 = 8_000_000_000

    /// The transmission time of a packet size at a rate: whole nanoseconds, and the remainder in billionths of a bit.
    ///
    /// Cached, because most packets have the size of the previous one, and a division takes longer than everything
    /// else.
    private struct PacketTime {
        let bytes: Int
        let rate: UInt64
        let whole: Int64
        let rest: UInt64

        init(_ bytes: Int, at rate: UInt64) {
            let needed = UInt64(bytes) * Lane.bitNanoseconds
            (self.bytes, self.rate) = (bytes, rate)
            whole = rate > 0 ? Int64(needed / rate) : 0
            rest = rate > 0 ? needed % rate : 0
        }
    }

    private var conditions: LinkConditions
    private var jitter: LinkProfile.Jitter?
    private var bursts: LinkProfile.Bursts?
    private var limit: LinkProfile.Queue
    private var random: SeededRandom
    /// True if only a full queue drops packets.
    private var neverLoses = false

    // The time until which the line is busy, and the unused part of that nanosecond in billionths of a bit.
    private var free: Int64 = 0
    private var spare: UInt64 = 0
    private var stretch = LinkConditions.Stretch(bitsPerSecond: nil, until: 0)
    private var packetTime = PacketTime(0, at: 0)

    /// The packets in the queue, including departed ones that were not yet removed.
    private var queued = LaneQueue()
    private var isInBurst = false

    private(set) var counts = LaneCounts()

    init(
        _ direction: LinkDirection,
        of profile: LinkProfile,
        random: SeededRandom
    ) {
        conditions = LinkConditions(direction, of: profile)
        let numbers = direction == .down ? profile.down : profile.up
        jitter = numbers.jitter
        bursts = numbers.bursts
        limit = profile.queue
        self.random = random
        neverLoses = bursts == nil && conditions.neverLoses
    }

    deinit { queued.deallocate() }

    /// Creates the state of a new connection.
    mutating func path() -> Path {
        let place = conditions.hasRange ? random.nextUnit() : 0
        let delay = conditions.delay(at: .zero, place: place).wholeNanoseconds
        return Path(place: place, delay: conditions.delayIsSteady && jitter == nil ? delay : nil)
    }

    /// The delay of a connection, without jitter.
    func delay(of path: Path, at now: Instant) -> Duration { conditions.delay(at: now, place: path.place) }

    /// Enqueues a packet; calls must be in order of time.
    ///
    /// - Parameters:
    ///   - bytes: The size of the packet, with headers.
    ///   - now: The time of arrival at the queue.
    ///   - ready: The earliest time of departure.
    ///   - path: The state of the connection.
    /// - Returns: The packet's times; nil if it is lost or the queue is full.
    @inline(__always)
    mutating func send(_ bytes: Int, at now: Instant, from ready: Instant, on path: inout Path) -> Crossing? {
        queued.leave(until: now.nanoseconds)
        guard neverLoses || !isLost(at: now) else {
            counts.lost += 1
            return nil
        }
        guard hasRoom(for: bytes) else {
            counts.dropped += 1
            return nil
        }
        counts.packets += 1
        counts.bytes += bytes
        drain(bytes, from: max(now.nanoseconds, ready.nanoseconds))
        queued.append(bytes, departing: free)
        let departs = Instant(nanoseconds: free)
        let delay =
            path.delay ?? (conditions.delay(at: departs, place: path.place) + difference()).wholeNanoseconds
        path.latest = max(path.latest, free + max(delay, 0))
        return Crossing(departs: departs, arrives: Instant(nanoseconds: path.latest))
    }

    private func hasRoom(for bytes: Int) -> Bool {
        switch limit {
        case .packets(let most): queued.count < most
        case .bytes(let most): queued.bytes + bytes <= most || queued.count == 0
        }
    }

    /// The queue's load, and the delay of a packet that arrives now.
    func load(at now: Instant) -> LaneLoad {
        let waiting = queued.waiting(at: now.nanoseconds)
        return LaneLoad(
            packets: waiting.count,
            bytes: waiting.reduce(0) { $0 + $1.bytes },
            delay: max(.zero, Instant(nanoseconds: free) - now)
        )
    }

    /// Switches to a direction of another network; the queue is kept.
    ///
    /// - Parameters:
    ///   - now: The beginning of the other network's time.
    /// - Returns: The former and the new departure of each packet in the queue, in order.
    mutating func become(
        _ direction: LinkDirection,
        of profile: LinkProfile,
        at now: Instant
    ) -> [(before: Instant, after: Instant)] {
        conditions = LinkConditions(direction, of: profile, since: now)
        let numbers = direction == .down ? profile.down : profile.up
        (jitter, bursts, limit) = (numbers.jitter, numbers.bursts, profile.queue)
        neverLoses = bursts == nil && conditions.neverLoses
        let waiting = queued.waiting(at: now.nanoseconds)
        clear(at: now)
        return waiting.map { packet in
            drain(packet.bytes, from: now.nanoseconds)
            queued.append(packet.bytes, departing: free)
            return (Instant(nanoseconds: packet.departs), Instant(nanoseconds: free))
        }
    }

    /// Empties the queue, as in a handover.
    mutating func clear(at now: Instant) {
        queued.removeAll()
        (free, spare) = (min(free, now.nanoseconds), 0)
        stretch.until = 0
    }

    @inline(never)
    private mutating func isLost(at now: Instant) -> Bool {
        if let bursts {
            let unit = random.nextUnit()
            isInBurst = isInBurst ? unit >= bursts.end : unit < bursts.begin
            if isInBurst { return random.nextUnit() < bursts.loss }
        }
        let loss = conditions.loss(at: now)
        return loss > 0 && random.nextUnit() < loss
    }

    private mutating func difference() -> Duration {
        guard let jitter else { return .zero }
        return jitter.spread * jitter.distribution.draw(&random)
    }

    /// Extends the line's busy time by a packet.
    @inline(__always)
    private mutating func drain(_ bytes: Int, from start: Int64) {
        if start >= free { (free, spare) = (start, 0) }
        if free < stretch.until, let rate = stretch.bitsPerSecond, rate > 0, spare < rate {
            if packetTime.bytes != bytes || packetTime.rate != rate { packetTime = PacketTime(bytes, at: rate) }
            let isMore = packetTime.rest > spare
            let time = packetTime.whole + (isMore ? 1 : 0)
            if time <= stretch.until - free {
                free += time
                spare = (isMore ? rate + spare : spare) - packetTime.rest
                return
            }
        }
        drain(UInt64(bytes) * Self.bitNanoseconds)
    }

    /// Extends the line's busy time by billionths of a bit, across rate changes.
    @inline(never)
    private mutating func drain(_ work: UInt64) {
        var needed = work
        while true {
            if needed <= spare {
                spare -= needed
                return
            }
            if free >= stretch.until { stretch = conditions.stretch(at: free) }
            guard let rate = stretch.bitsPerSecond else {
                spare = 0
                return
            }
            needed -= spare
            spare = 0
            if rate > 0 {
                let time = (needed + rate - 1) / rate
                let left = UInt64(stretch.until - free)
                if time <= left {
                    free += Int64(time)
                    spare = time * rate - needed
                    return
                }
                needed -= left * rate
            }
            free = stretch.until
        }
    }
}
