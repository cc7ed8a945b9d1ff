internal import HLS

/// Where playing begins only when the requests are over that are made once there is enough to begin.
extension HLSStreaming {
    /// Whether playing may begin: what the platform wants to be over before is, or it wants nothing.
    var mayStart: Bool { hasStarted || !source.settings.buffering.startWaitsForRequest }

    /// Looks whether each rendition has loaded a second segment, or rests with less.
    mutating func followStart() {
        guard !mayStart else { return }
        hasStarted = streams.all.indices.allSatisfy { index in
            guard streams.isNeeded(index) else { return true }
            return streams.all[index].arrivals > 1 || streams.all[index].isResting || streams.all[index].isLoadedToEnd
        }
    }
}
