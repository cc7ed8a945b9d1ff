internal import Media
internal import Timeline

/// Reads every packet of a file once, without decoding, and notes where everything is.
struct IndexScan {
    private var index = FileIndex()
    private var jumps: JumpDetector

    /// Reads a freshly opened input to its end.
    ///
    /// - Throws: ``MediaError`` when it is cancelled. Damage ends the scan and is noted in the index.
    static func run(_ input: MediaInput, cancellation: Cancellation) throws(MediaError) -> FileIndex {
        var scan = IndexScan(jumps: JumpDetector(allowsForwardJumps: input.allowsDiscontinuities))
        // What the container says at its start counts, as it does for any decoder that is opened then.
        let infos = input.streams
        let wanted = Set(infos.filter(isWanted).map(\.index))
        input.keepOnly(streams: wanted)
        let packet = Packet()
        while true {
            do {
                guard try input.read(into: packet) else { break }
            } catch {
                if error.isCancelled { throw error }
                scan.index.stoppedBy = "\(error.call): \(error.message)"
                break
            }
            guard wanted.contains(packet.streamIndex) else { continue }
            scan.note(packet, of: infos[packet.streamIndex])
        }
        return scan.index
    }

    private static func isWanted(_ stream: StreamInfo) -> Bool {
        (stream.kind == .audio || stream.kind == .video) && !stream.isAttachedPicture
    }

    private mutating func note(_ packet: Packet, of info: StreamInfo) {
        let number = info.index
        guard packet.size > 0 else { return }
        var stream = index.streams.removeValue(forKey: number) ?? StreamIndex(info: info)
        let time = jumps.place(
            pts: packet.pts,
            dts: packet.dts,
            duration: packet.duration,
            stream: number,
            timeBase: info.timeBase
        )
        let position = stream.packets.count
        if packet.position < stream.packets.last?.position ?? 0 { stream.hasAscendingPositions = false }
        stream.packets.append(
            IndexedPacket(
                rawPTS: packet.pts ?? packet.dts ?? IndexedPacket.unknown,
                pts: time.pts,
                dts: time.dts,
                duration: packet.duration,
                position: packet.position,
                size: Int32(clamping: packet.size),
                fingerprint: packet.fingerprint,
                isKey: packet.isKey,
                isDiscarded: packet.isDiscarded,
                epoch: time.epoch
            )
        )
        if let skip = packet.skippedSamples, skip.start > 0 || skip.end > 0 {
            stream.skips[position] = SampleSkip(start: skip.start, end: skip.end)
        }
        if stream.firstPacket.isEmpty { stream.firstPacket = packet.bytes }
        if let extradata = packet.newExtradata { stream.extradataChanges.append((position, extradata)) }
        if packet.isEncrypted { stream.isEncrypted = true }
        let key = packet.withBytes { CodingKey.of($0, codec: info.codec, newExtradata: packet.newExtradata) }
        if let key, key != stream.configurations.last?.key {
            stream.configurations.append((position, key))
        }
        index.streams[number] = stream
    }
}

/// Finds real jumps in a source's timestamps, and puts all its streams on one timeline without them.
///
/// A stream that jumps backwards by more than a second, or (in containers where that happens by design) forwards by
/// more than ten, starts a new epoch. The first stream to jump sets the shift; the others follow when they jump too.
struct JumpDetector {
    let allowsForwardJumps: Bool
    private var shifts: [Rational] = [.zero]
    private var states: [Int: State] = [:]

    private struct State {
        var epoch = 0
        var shiftTicks: Int64 = 0
        var expected: Int64?
    }

    init(allowsForwardJumps: Bool) { self.allowsForwardJumps = allowsForwardJumps }

    /// The packet's times on the one timeline.
    mutating func place(
        pts: Int64?,
        dts: Int64?,
        duration: Int64,
        stream: Int,
        timeBase: Rational
    ) -> (pts: Int64, dts: Int64, epoch: Int32) {
        var state = states.removeValue(forKey: stream) ?? State()
        defer { states[stream] = state }
        guard let raw = dts ?? pts else {
            return (IndexedPacket.unknown, IndexedPacket.unknown, Int32(state.epoch))
        }
        if let expected = state.expected {
            let late = Rational(raw + state.shiftTicks - expected) * timeBase
            if late < Rational(-1) || (allowsForwardJumps && late > Rational(10)) {
                follow(&state, raw: raw, expected: expected, timeBase: timeBase)
            }
        }
        let placed = raw + state.shiftTicks
        state.expected = max(state.expected ?? placed, placed + duration)
        return (
            pts.map { $0 + state.shiftTicks } ?? IndexedPacket.unknown,
            dts.map { $0 + state.shiftTicks } ?? IndexedPacket.unknown, Int32(state.epoch)
        )
    }

    private mutating func follow(_ state: inout State, raw: Int64, expected: Int64, timeBase: Rational) {
        for epoch in (state.epoch + 1)..<max(shifts.count, state.epoch + 1) {
            let ticks = (shifts[epoch] / timeBase).rounded(scale: 1)
            let off = Rational(raw + ticks - expected) * timeBase
            if off > Rational(-3), off < Rational(3) {
                (state.epoch, state.shiftTicks) = (epoch, ticks)
                state.expected = nil
                return
            }
        }
        state.shiftTicks = expected - raw
        shifts.append(Rational(state.shiftTicks) * timeBase)
        state.epoch = shifts.count - 1
        state.expected = nil
    }
}
