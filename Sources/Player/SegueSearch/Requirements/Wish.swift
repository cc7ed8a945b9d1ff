/// Something that a user does with an app.
package enum Wish: Sendable, Equatable {
    case play
    case pause
    /// Ends what plays; played again, it may begin anywhere.
    case stop
    /// Goes to a place of the title that plays.
    case seek(to: Duration)
    /// Sets a rate, above 0.
    case rate(Double)
    /// Asks for another title.
    case otherTitle
    /// Asks for the title behind the one that plays.
    case next
    /// Asks for the title before, or for the beginning of the one that plays.
    case previous
    /// Asks for a title by its place in the list, from 0.
    case choose(Int)
    /// Anything else, of which nothing can be said.
    case other
}
