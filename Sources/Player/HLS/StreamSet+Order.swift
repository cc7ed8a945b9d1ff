internal import HLS
internal import Timeline

/// In which order the renditions of an item load.
extension StreamSet {
    /// Whether a stream begins no request for media before others have got as far.
    func waits(_ index: Int, _ buffering: PlatformProfile.Buffering) -> Bool {
        guard isInOrder(index), let place = place(index, countingUnderway: false) else { return false }
        if buffering.soundWaits, all[index].role == .audio, let main, isInOrder(main), all[main].arrivals == 0 {
            return true
        }
        switch buffering.renditions {
        case .sideBySide:
            guard let lead = buffering.lead, all[index].role == .audio, let main, isInOrder(main),
                let pictures = self.place(main, countingUnderway: false)
            else { return false }
            return (place - pictures).seconds >= lead * all[index].nextDuration.seconds
        case .inTurn:
            return all.indices.contains { other in
                guard other != index, isInOrder(other) else { return false }
                if all[other].isLoading { return true }
                guard let others = self.place(other, countingUnderway: false) else { return false }
                return others < place || others == place && other < index
            }
        case .byNeed:
            return all.indices.contains { other in
                guard other != index, isInOrder(other) else { return false }
                return self.place(other, countingUnderway: true).map { $0 < place } ?? false
            }
        }
    }

    /// Whether others wait for a stream: subtitles hold nothing up.
    private func isInOrder(_ index: Int) -> Bool {
        isNeeded(index) && all[index].role != .subtitles && all[index].failure == nil
    }

    /// Where the segment begins that a stream asks for next, or the one after that which is under way; nil where it asks
    /// for none.
    private func place(_ index: Int, countingUnderway: Bool) -> Duration? {
        guard !all[index].isResting, let slot = all[index].nextSlot else { return nil }
        if countingUnderway, all[index].isLoading { return slot.end }
        return slot.start
    }
}
