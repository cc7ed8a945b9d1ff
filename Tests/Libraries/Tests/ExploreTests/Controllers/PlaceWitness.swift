import SeguePlayer

/// Looks whether each title that begins goes on where it was heard last, or begins.
@MainActor final class PlaceWitness {
    private var places: [String: Duration] = [:]
    private var heard: String?
    /// Where the user went; nil once the title is heard there.
    private var target: (title: String, place: Duration)?
    private var hasLost = false

    /// The user goes elsewhere in a title.
    func moves(in title: String, to place: Duration) { (places[title], target) = (place, (title, place)) }

    /// A title was heard to its end.
    func forget(_ title: String) { (places[title], heard, target) = (nil, nil, nil) }

    /// Whether no place was lost until now.
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
