/// The known reactions of players to a broken rule, with their source.
package struct PlayerRecord: Sendable, Hashable {
    /// True if no player is known to fail.
    ///
    /// In the profile `rfc`, a requirement of a media specification is then no more than a recommendation.
    package let breaksNone: Bool

    /// A sentence without a full stop, such as `Chromium rejects the segment; mpv plays it`.
    package let words: String

    /// The URLs of reports, or `measured`, `choice`, and the reason.
    package let source: String

    private init(breaksNone: Bool, _ words: String, source: String) {
        (self.breaksNone, self.words, self.source) = (breaksNone, words, source)
    }

    /// A record of players that fail.
    static func breaks(_ words: String, source: String) -> PlayerRecord {
        PlayerRecord(breaksNone: false, words, source: source)
    }

    /// The record of a rule whose violations no player is known to fail on.
    static func noneKnown(source: String) -> PlayerRecord {
        PlayerRecord(breaksNone: true, "no player is known to fail", source: source)
    }
}
