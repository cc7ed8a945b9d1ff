internal import Events
internal import Fetch
internal import HLS
internal import Timeline

/// How a progressive client counts what came, and hands it on.
extension ProgressiveClient {
    /// How many bytes are handed on at a time.
    private static let partSize = 256 << 10

    /// Takes what came since the last time into speed, logs and journal, once that much of the media is there.
    mutating func measure(
        atLeast least: Duration,
        _ turn: inout Turn
    ) {
        guard let transfer, layout != nil || radio != nil else { return }
        let bytes = transfer.received - transfer.measured.bytes
        let end = bufferedEnd(from: anchor)
        if end < measuredEnd || measuredEnd < anchor { measuredEnd = min(end, max(anchor, measuredEnd)) }
        let gained = end - measuredEnd
        let media: Duration
        if let layout, layout.map.end > 0 {
            media = layout.duration * (Double(bytes) / Double(layout.map.end))
        } else {
            media = gained
        }
        guard bytes > 0, media > .zero, media >= least || isLoadedToEnd else { return }
        let took = turn.now - transfer.measured.at
        self.transfer?.measured = (turn.now, transfer.received)
        speed.add(media: media, took: took, bytes: bytes)
        turn.note(url) { entry in
            entry.segments += 1
            entry.downloaded += gained
            entry.transferTime += took
            if took > .zero { entry.observedBitrate.add(Double(bytes) * 8 / took.seconds) }
        }
        turn.log(
            .segmentLoaded(
                item: item.description,
                stream: StreamRole.main.rawValue,
                number: segments,
                bytes: bytes,
                start: measuredEnd.seconds,
                duration: gained.seconds,
                seconds: took.seconds
            )
        )
        segments += 1
        measuredEnd = end
    }

    /// Keeps bytes until there is enough of them to be handed on.
    mutating func collect(_ bytes: [UInt8], at offset: Int64, _ turn: inout Turn) {
        if part.offset + Int64(part.bytes.count) != offset {
            handOn(&turn)
            part.offset = offset
        }
        part.bytes += bytes
        if part.bytes.count >= Self.partSize { handOn(&turn) }
    }

    mutating func handOn(_ turn: inout Turn) {
        guard !part.bytes.isEmpty else { return }
        let length = Int64(part.bytes.count)
        turn.deliver(
            DeliveredResource(
                item: item,
                stream: .main,
                kind: .part,
                url: url,
                range: FetchRange(offset: part.offset, length: length),
                content: FetchBytes(part.bytes)
            )
        )
        part = (part.offset + length, [])
    }
}
