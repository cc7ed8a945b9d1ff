internal import SegueBase
internal import SeguePlaylists

/// The order in which the renditions of an item load.
extension StreamSet {
    /// Returns whether a stream must wait for other streams to catch up before it requests media.
    func waits(_ index: Int, _ buffering: PlatformProfile.Buffering) -> Bool {
        let held = buffering.counts == .blocks ? buffering : nil
        guard isInOrder(index), let place = place(index, countingUnderway: false, heldBy: held) else { return false }
        if buffering.soundWaits, all[index].role == .audio, let main, isInOrder(main), all[main].intake.arrivals == 0 {
            return true
        }
        switch buffering.renditions {
        case .sideBySide:
            guard let lead = buffering.lead, all[index].role == .audio, let main, isInOrder(main),
                let video = self.place(main, countingUnderway: false)
            else { return false }
            return (place - video).seconds >= lead * all[index].progress.nextDuration.seconds
        case .inTurn, .soundInTurn:
            let isAudioFirst = buffering.renditions == .soundInTurn
            return all.indices.contains { other in
                guard other != index, isInOrder(other) else { return false }
                if all[other].isLoading { return true }
                guard let others = self.place(other, countingUnderway: false, heldBy: held) else { return false }
                return others < place || others == place && (other < index) != isAudioFirst
            }
        case .byNeed, .inStep:
            return all.indices.contains { other in
                guard other != index, isInOrder(other) else { return false }
                return self.place(other, countingUnderway: true).map { $0 < place } ?? false
            }
        }
    }

    /// Delivers fragments, on platforms that hold each one until the next begins: all of the previous variant when the
    /// next initialization section has arrived, and in turn the segment before the one that was begun.
    mutating func handOn() {
        for index in all.indices where isInOrder(index) {
            let hasTurn = hasTurn(index)
            guard all[index].progress.isFragmented else { continue }
            all[index].progress.handOverVariant(all[index].intake.content.has)
            if hasTurn { all[index].progress.handOn(by: all[index].request) }
        }
    }

    /// Returns whether a stream is the one to read: the one that is furthest behind, or audio if they are equal.
    private func hasTurn(_ index: Int) -> Bool {
        guard let reach = readingEnd(of: index) else { return false }
        return all.indices.allSatisfy { other in
            guard other != index, isInOrder(other), !all[other].isLoadedToEnd, !all[other].isResting else {
                return true
            }
            guard let others = readingEnd(of: other) else { return false }
            return reach < others || reach == others && all[index].role == .audio
        }
    }

    /// Returns the loaded end of a stream for the order of reading; nil if nothing was begun.
    private func readingEnd(of index: Int) -> Duration? { all[index].progress.reach(by: all[index].request) }

    /// Returns whether others wait for a stream.
    ///
    /// They do not wait for subtitles.
    private func isInOrder(_ index: Int) -> Bool {
        isNeeded(index) && all[index].role != .subtitles && all[index].failure == nil
    }

    /// Returns the start of the next segment that a stream will request; nil if there is none.
    ///
    /// A fragment that is held until the next begins does not count as loaded, nor does the delay of the clock.
    private func place(
        _ index: Int,
        countingUnderway: Bool,
        heldBy buffering: PlatformProfile.Buffering? = nil
    ) -> Duration? {
        guard !all[index].isResting, let slot = all[index].nextSlot else { return nil }
        if let buffering, all[index].progress.pieces.count > 0, !all[index].isLoading {
            guard slot.map != nil else { return slot.start - buffering.lag(of: all[index].role) }
            if let reach = readingEnd(of: index) { return reach }
        }
        if countingUnderway, all[index].isLoading { return slot.end }
        return slot.start
    }
}

extension PlatformProfile.Buffering {
    /// The time by which the clock of a transport stream is behind its end.
    func lag(of role: StreamRole) -> Duration { role == .audio ? decodedSound : decoded }
}
