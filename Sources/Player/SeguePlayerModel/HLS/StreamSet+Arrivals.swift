internal import SegueBase
internal import SegueFetch

/// Responses to the requests of streams during playback.
extension StreamSet {
    /// Handles news of a stream's request for media, and returns whether the request is over.
    mutating func receiveMedia(
        _ event: FetchEvent,
        ofStream index: Int,
        probesHead: Bool,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) -> Bool {
        let begun = event.isOutcome ? all[index].request.segmentBegan : nil
        let arrivals = all[index].intake.arrivals
        // Parts are so short that latency would distort the measured rate.
        if case .response = event, all[index].request.isOfPart { meter.answer(at: context.now) }
        if case .data(_, let bytes) = event { meter.receive(bytes.count) }
        if case .finished = event, probesHead, all[index].dropProbe() {
            meter.giveUp()
            return true
        }
        all[index].receive(event, announced: announced, keyring: keyring, &context)
        if probesHead, case .data = event { all[index].breakOffProbe(&context) }
        let isOver = !all[index].isLoading
        if isOver { meter.end(at: context.now) }
        let counts = context.settings.adapting.estimate != .lastAndMeanOfThree || all[index].role == .main
        if let begun, counts, all[index].intake.arrivals > arrivals {
            meter.finish(segmentOf: begun.bytes, took: context.now - begun.at)
        }
        dropFailedSubtitles(index, &context)
        return isOver
    }

    /// Handles news of a stream's playlist, which is aligned again with the playhead at a position.
    mutating func receivePlaylist(
        _ event: FetchEvent,
        ofStream index: Int,
        importing variables: [String: String],
        at position: Duration,
        _ context: inout StepContext
    ) {
        let isAdrift = all[index].progress.playlist.isAdrift
        let place = isAdrift ? timeline.map { StreamPlaylist.Place(beside: $0, position: position) } : nil
        all[index].receivePlaylist(event, importing: variables, laidAnew: place, &context)
        dropFailedSubtitles(index, &context)
    }

    private mutating func dropFailedSubtitles(_ index: Int, _ context: inout StepContext) {
        guard all[index].role == .subtitles, all[index].failure != nil else { return }
        all[index].stop(&context)
        all.remove(at: index)
    }

    /// Handles news of a stream's hinted requests.
    ///
    /// The measurement starts at the response, because the part did not exist before.
    mutating func receiveHint(_ event: FetchEvent, ofStream index: Int, _ context: inout StepContext) {
        let isOfPart = all[index].hints.part.transferID == event.id
        let url = all[index].progress.playlist.url
        all[index].hints.receive(event, of: url, &context)
        if case .finished = event, isOfPart, let came = all[index].hints.part.arrival {
            meter.add(came.bytes.count, took: came.took)
        }
    }
}
