internal import SegueBase

/// The audio that is playing, and the positions at which items were last heard.
struct HeardAudio: Sendable {
    /// The audible item; nil during silence.
    private(set) var item: String?
    private var began = Instant.zero
    private var place = Duration.zero
    var rate = 0.0

    /// The last audible position of each item, by its name.
    var left: [String: Duration] = [:]
    /// The last audible item, and the position at its end.
    private(set) var lastEnd: (name: String, place: Duration)?
    /// The instant from which the platform limits the app's time in the background.
    var silentSince = Instant.zero

    /// Returns the position of the audio.
    func position(at now: Instant) -> Duration { place + (now - began) * rate }

    mutating func begin(_ item: String, at place: Duration, _ now: Instant) {
        (self.item, began, self.place) = (item, now, place)
    }

    mutating func end(at now: Instant) { (item, silentSince) = (nil, now) }

    /// Handles the end of an item with a name, at a position.
    mutating func end(_ name: String, at place: Duration, _ now: Instant) {
        (left[name], lastEnd) = (place, (name, place))
        end(at: now)
    }

    /// Handles a position that the stream determines, at which an item continues.
    mutating func displace(_ name: String, to seconds: Double) {
        if left[name] != nil { left[name] = .seconds(seconds) }
    }
}
