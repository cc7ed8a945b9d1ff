/// What numbers of data files may be that are reckoned when they are asked for.
package enum ExpressionBounds {
    /// The rates at which a step may let a player play; 0 pauses it.
    package static let rates = 0.01...100.0

    /// The longest that one wait may take, in seconds: eleven days.
    package static let longestWait = 1e6
}
