/// An action of the user on an app.
package enum UserAction: Sendable, Equatable {
    case play, pause
    /// Ends playback. Playback may start anywhere afterward.
    case stop
    /// Seeks in the current title.
    case seek(to: Duration)
    /// Sets a rate, above 0.
    case rate(Double)
    /// Requests another title.
    case otherTitle
    /// Requests the next title.
    case next
    /// Requests the previous title, or the beginning of the current one.
    case previous
    /// Requests a title by its index in the list, from 0.
    case choose(Int)
    /// Another action, whose meaning is unknown.
    case other
}
