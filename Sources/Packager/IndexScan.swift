internal import Media
internal import Timeline

/// Reads every packet of a file once, without decoding, and notes where everything is.
struct IndexScan {
    private var index = FileIndex()
    private var jumps: JumpDetector

    /// Reads a freshly opened input to its end.
    ///
    /// - Throws: ``MediaError`` when it is cancelled. Damage ends the scan and is noted in the index.
    static func run(
        _ input: MediaInput,
        readsContent: Bool = true,
        cancellation: Cancellation
    ) throws(MediaError) -> FileIndex {
        var scan = IndexScan(jumps: JumpDetector(allowsForwardJumps: input.allowsDiscontinuities))
        // What the container says at its start counts, as it does for any decoder that is opened then.
        let infos = input.streams
        let wanted = Set(infos.filter(isWanted).map(\.index))
        input.keepOnly(streams: wanted)
        let packet = Packet()
        var contentLeft = readsContent ? Set<Int>() : wanted
        scan.index.hasFingerprints = readsContent
        while true {
            do {
                guard try input.read(into: packet) else { break }
            } catch {
                if error.isCancelled { throw error }
                scan.index.stoppedBy = "\(error.call): \(error.message)"
                break
            }
            guard wanted.contains(packet.streamIndex) else { continue }
            let hadContent = readsContent || contentLeft.contains(packet.streamIndex)
            scan.note(packet, of: infos[packet.streamIndex], hasContent: hadContent)
            // One decodable packet of each stream is read as it is; from then on the index alone is followed.
            if packet.isKey, !contentLeft.isEmpty, contentLeft.remove(packet.streamIndex) != nil, contentLeft.isEmpty {
                input.stopReadingContent()
            }
        }
        return scan.index
    }

    private static func isWanted(_ stream: StreamInfo) -> Bool {
        (stream.kind == .audio || stream.kind == .video) && !stream.isAttachedPicture
    }

    /// Times beyond this, in seconds, are damage: some sources count from 1900, none from before.
    private static let latest: Int64 = 4_000_000_000

    private static func plausible(_ time: Int64, _ timeBase: Rational, limit: Int64) -> Int64? {
        let seconds = Double(time) * timeBase.seconds
        return abs(seconds) <= Double(limit) ? time : nil
    }

    private mutating func note(_ packet: Packet, of info: StreamInfo, hasContent: Bool) {
        let number = info.index
        guard packet.size > 0 else { return }
        var stream = index.streams.removeValue(forKey: number) ?? StreamIndex(info: info)
        let duration = Self.plausible(packet.duration, info.timeBase, limit: 3600) ?? 0
        let time = jumps.place(
            pts: packet.pts.flatMap { Self.plausible($0, info.timeBase, limit: Self.latest) },
            dts: packet.dts.flatMap { Self.plausible($0, info.timeBase, limit: Self.latest) },
            duration: duration,
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
                duration: duration,
                position: packet.position,
                size: Int32(clamping: packet.size),
                fingerprint: index.hasFingerprints ? packet.fingerprint : 0,
                isKey: packet.isKey,
                isDiscarded: packet.isDiscarded,
                isHidden: hasContent && packet.withBytes { HiddenPicture.isHidden($0, codec: info.codec) },
                epoch: time.epoch
            )
        )
        if let skip = packet.skippedSamples, skip.start > 0 || skip.end > 0 {
            stream.skips[position] = SampleSkip(start: skip.start, end: skip.end)
        }
        let isFirstKey = hasContent && packet.isKey && !stream.packets.dropLast().contains { $0.isKey }
        if stream.firstPacket.isEmpty || (info.kind == .video && isFirstKey) { stream.firstPacket = packet.bytes }
        if let extradata = packet.newExtradata { stream.extradataChanges.append((position, extradata)) }
        if packet.isEncrypted { stream.isEncrypted = true }
        let key =
            !hasContent
            ? nil : packet.withBytes { CodingKey.of($0, codec: info.codec, newExtradata: packet.newExtradata) }
        if let key, key != stream.configurations.last?.key {
            stream.configurations.append((position, key))
        }
        index.streams[number] = stream
    }
}
