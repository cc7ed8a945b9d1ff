internal import HLS

/// Where playing begins only when the requests are over that are made once there is enough to begin.
extension HLSStreaming {
    /// Whether playing may begin: what the platform wants to be over before is, or it wants nothing.
    var mayStart: Bool { (hasStarted || !source.settings.buffering.startWaitsForRequest) && probes.isEmpty }

    /// Lets go of what was looked into of other variants, once enough of all has come.
    mutating func endProbes(at position: Duration, _ turn: inout Turn) {
        guard !probes.isEmpty else { return }
        let enough = source.settings.keepUpEnough
        for index in streams.all.indices {
            streams.all[index].request.setRead(!streams.all[index].has(enough, from: position), &turn)
        }
        let haveStreams = streams.all.indices.allSatisfy { streams.all[$0].has(enough, from: position) }
        guard haveStreams, probes.have(enough, from: position) else { return }
        probes.stop(&turn)
        for index in streams.all.indices { streams.all[index].request.setRead(true, &turn) }
    }

    /// Looks whether each rendition has loaded a second segment, or rests with less.
    mutating func followStart() {
        guard !hasStarted, source.settings.buffering.startWaitsForRequest else { return }
        hasStarted = streams.all.indices.allSatisfy { index in
            guard streams.isNeeded(index) else { return true }
            return streams.all[index].arrivals > 1 || streams.all[index].isResting || streams.all[index].isLoadedToEnd
        }
    }
}
