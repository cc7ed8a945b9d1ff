internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// A complete response with media.
struct ReceivedMedia: Sendable {
    let transfer: Transfer
    let bytes: FetchBytes

    /// The URL of the playlist that contains the media.
    let playlist: String

    /// The loading time.
    let took: Duration
}

extension StepContext {
    /// Delivers the decrypted bytes of a stream's response.
    mutating func deliver(
        _ bytes: FetchBytes,
        of received: ReceivedMedia,
        in role: StreamRole,
        as kind: DeliveredResource.Kind
    ) {
        deliver(
            DeliveredResource(
                item: item,
                stream: role,
                kind: kind,
                url: received.transfer.url,
                range: received.transfer.range,
                content: bytes
            )
        )
    }

    /// Adds the response to the item's access log.
    mutating func note(answer received: ReceivedMedia) {
        note(received.playlist) {
            $0.add(answerOf: received.bytes.count, from: received.transfer.response?.serverAddress ?? "")
        }
    }

    /// Logs a segment or part with the number of its segment.
    mutating func log(
        _ slot: SegmentTimeline.Slot,
        number: Int,
        of received: ReceivedMedia,
        in role: StreamRole
    ) {
        log(
            .segmentLoaded(
                item: item.description,
                stream: role.rawValue,
                number: number,
                bytes: received.bytes.count,
                start: slot.start.seconds,
                duration: slot.duration.seconds,
                seconds: received.took.seconds
            )
        )
    }
}
