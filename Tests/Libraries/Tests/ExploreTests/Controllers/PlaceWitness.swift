import SeguePlayer

/// Checks that each title starts where it was last heard, or at its beginning.
@MainActor final class PlaceWitness {
    private var places: [String: Duration] = [:]
    private var heard: String?
    /// The user's target position; nil once the title is heard there.
    private var target: (title: String, place: Duration)?
    private var hasLost = false

    /// Records that the user seeks in a title.
    func moves(in title: String, to place: Duration) { (places[title], target) = (place, (title, place)) }

    /// Records that a title has played to its end.
    func forget(_ title: String) { (places[title], heard, target) = (nil, nil, nil) }

    /// Whether no position has been lost so far.
    func finds(_ player: QueuePlayer) -> Bool {
        guard player.timeControlStatus == .playing, let title = player.currentItem?.url else { return !hasLost }
        let place = player.currentTime
        if let target, target.title == title {
            guard isNear(place, target.place) else { return !hasLost }
        } else if title != heard, !isNear(place, places[title] ?? .zero) {
            hasLost = true
        }
        (heard, places[title], target) = (title, place, nil)
        return !hasLost
    }

    private func isNear(_ place: Duration, _ other: Duration) -> Bool {
        max(place - other, other - place) < .seconds(15)
    }
}
