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
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
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
        let took = now - transfer.measured.at
        self.transfer?.measured = (now, transfer.received)
        speed.add(media: media, took: took, bytes: bytes)
        journal.update(uri: url, at: now) { entry in
            entry.segments += 1
            entry.downloaded += gained
            entry.transferTime += took
            if took > .zero { entry.observedBitrate.add(Double(bytes) * 8 / took.seconds) }
        }
        output.log(
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
    mutating func collect(_ bytes: [UInt8], at offset: Int64, output: inout PlayerOutput) {
        if part.offset + Int64(part.bytes.count) != offset {
            handOn(output: &output)
            part.offset = offset
        }
        part.bytes += bytes
        if part.bytes.count >= Self.partSize { handOn(output: &output) }
    }

    mutating func handOn(output: inout PlayerOutput) {
        guard !part.bytes.isEmpty else { return }
        let length = Int64(part.bytes.count)
        output.effects.append(
            .delivered(
                DeliveredResource(
                    item: item,
                    stream: .main,
                    kind: .part,
                    url: url,
                    range: FetchRange(offset: part.offset, length: length),
                    content: FetchBytes(part.bytes)
                )
            )
        )
        part = (part.offset + length, [])
    }
}
