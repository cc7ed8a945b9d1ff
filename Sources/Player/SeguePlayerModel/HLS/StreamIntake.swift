internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The means to open received media.
struct MediaOpening {
    /// The codecs in the multivariant playlist.
    let announced: AnnouncedCodecs
    let keyring: Keyring
}

/// The received media of a stream: opens, delivers, and measures them.
struct StreamIntake: Sendable {
    /// True if media are opened only for inspection, without delivery.
    var isProbe = false

    var content: StreamContent
    var speed = LoadSpeed()

    /// The number of segments and parts that arrived.
    var arrivals = 0

    var role: StreamRole { content.role }

    init(role: StreamRole) { content = StreamContent(role: role) }

    /// Opens and delivers an initialization section, and returns a failure to read it.
    mutating func receive(
        map: MapAddress,
        key: SegmentKey?,
        of received: ReceivedMedia,
        _ means: MediaOpening,
        _ context: inout StepContext
    ) -> PlaybackError? {
        var (bytes, failure) = (received.bytes, PlaybackError?.none)
        do throws(PlaybackError) {
            bytes = try content.openInitialization(at: map, key: key, of: received, means)
        } catch {
            failure = error
        }
        if !isProbe { context.deliver(bytes, of: received, in: role, as: .map) }
        return failure
    }

    /// Measures, opens, and delivers a segment, and returns a failure to read it.
    ///
    /// If it can be used, ``count(_:number:of:_:)`` follows.
    mutating func receive(
        segment slot: SegmentTimeline.Slot,
        number: Int,
        isLast: Bool,
        of received: ReceivedMedia,
        _ means: MediaOpening,
        _ context: inout StepContext
    ) -> PlaybackError? {
        measure(slot, of: received, &context)
        var (bytes, failure) = (received.bytes, PlaybackError?.none)
        do throws(PlaybackError) { bytes = try content.openSegment(slot, isLast: isLast, of: received, means) } catch {
            failure = error
        }
        if !isProbe { context.deliver(bytes, of: received, in: role, as: .segment(slot, number: number)) }
        return failure
    }

    /// Counts and logs a segment or part that was delivered.
    mutating func count(
        _ slot: SegmentTimeline.Slot,
        number: Int,
        of received: ReceivedMedia,
        _ context: inout StepContext
    ) {
        if !isProbe { context.log(slot, number: number, of: received, in: role) }
        arrivals += 1
    }

    /// Opens, measures, and delivers a part of a segment.
    ///
    /// - Throws: ``PlaybackError`` if it cannot be read.
    mutating func receive(
        part slot: SegmentTimeline.Slot,
        number: Int,
        of received: ReceivedMedia,
        _ means: MediaOpening,
        _ context: inout StepContext
    ) throws(PlaybackError) {
        let bytes = try content.openSegment(slot, of: received, means)
        measure(slot, of: received, &context)
        context.deliver(bytes, of: received, in: role, as: .segment(slot, number: number))
        count(slot, number: number, of: received, &context)
    }

    /// Adds a segment or part to the measured speed and the access log.
    private mutating func measure(
        _ slot: SegmentTimeline.Slot,
        of received: ReceivedMedia,
        _ context: inout StepContext
    ) {
        let (bytes, took) = (received.bytes.count, received.took)
        speed.add(media: slot.duration, took: took, bytes: bytes)
        context.note(received.playlist) { entry in
            entry.add(segmentOf: slot.duration, bytes: bytes, took: took)
            if took > slot.duration { entry.overdueSegments += 1 }
        }
    }
}

extension DeliveredResource.Kind {
    fileprivate static func segment(_ slot: SegmentTimeline.Slot, number: Int) -> Self {
        .segment(
            number: number,
            start: slot.start,
            duration: slot.duration,
            map: slot.map,
            startsDiscontinuity: slot.startsDiscontinuity
        )
    }
}
