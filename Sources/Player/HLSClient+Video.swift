internal import Timeline

/// Playing on without pictures, and with them again.
extension HLSClient {
    /// Begins or ends loading pictures as the app wishes, without touching the sound.
    ///
    /// Where the sound is a rendition of its own, the variant's media are let go of, and the very same audio plays on;
    /// pictures come back beside it once they are loaded as far as it plays. Where it is not, the choice of variants
    /// keeps to those of sound alone while pictures are not wanted, if there are any.
    mutating func heedVideoWish(_ turn: inout Turn) {
        guard wishes.isVideoWanted != isVideoLoaded else { return }
        isVideoLoaded = wishes.isVideoWanted
        guard audioURL != nil, let index = streams.firstIndex(where: { $0.role == .main }) else {
            // The next look chooses again.
            judged = -1
            return
        }
        if isVideoLoaded {
            streams[index].takeUp(at: pace.position, &turn)
        } else {
            if streams[index].transfer != nil { meter.giveUp() }
            streams[index].layDown(&turn)
            change?.stop(&turn)
            change = nil
        }
    }

    /// Pictures that have come back are needed again once they are there as far as the sound plays.
    mutating func rejoin(at playhead: Duration) {
        guard isVideoLoaded else { return }
        for index in streams.indices where streams[index].role == .main && streams[index].standing == .beside {
            guard streams[index].bufferedEnd(from: playhead) > playhead else { continue }
            streams[index].standing = .needed
        }
    }
}
