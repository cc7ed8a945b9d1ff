package import SegueBase

/// A rule that a run broke.
package struct BrokenRule: Sendable, Equatable {
    /// What must hold of every app.
    package enum Rule: String, Sendable, CaseIterable {
        /// The platform rejects no item.
        case rejected
        /// No call is an error of the app's.
        case exception
        /// In the foreground something is heard when the user wishes to hear, and nothing hinders.
        case silent
        /// So it is in the background.
        case background
        /// Nothing is heard when the user wished for silence, or pulled the headphones out.
        case unwished
        /// What is heard after a seek is where the user went.
        case lostSeek = "lost-seek"
        /// The place in an item changes only where the user changes it.
        case jump
        /// A background task ends when it is of no use any more.
        case task
        /// What fails is not asked for again without a pause.
        case storm
        /// What is heard has the rate that the user set.
        case rate
        /// What is heard is the title that the user chose, or that follows.
        case order
    }

    /// The rule.
    package let rule: Rule

    /// What was found, in one line.
    package let message: String

    /// When it was found.
    package let at: Instant
}
