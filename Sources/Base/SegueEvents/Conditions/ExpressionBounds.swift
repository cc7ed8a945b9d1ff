/// The limits of calculated numbers in data files.
package enum ExpressionBounds {
    /// The valid playback rates of a step, besides 0 for a pause.
    package static let rates = 0.01...100.0

    /// The longest wait, in seconds: eleven days.
    package static let longestWait = 1e6
}
