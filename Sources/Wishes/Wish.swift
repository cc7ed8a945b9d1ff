/// Something that a user does with an app.
package enum Wish: Sendable, Equatable {
    case play
    case pause
    /// Goes to a place of the title that plays.
    case seek(to: Duration)
    /// Sets a rate, above 0.
    case rate(Double)
    /// Asks for another title.
    case otherTitle
    /// Anything else, of which nothing can be said.
    case other
}
