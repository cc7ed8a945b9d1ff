internal import SegueBase

/// The consecutive samples of one playlist with the same dull content.
struct ContentRuns: Sendable {
    private var counts: [String: Int] = [:]

    /// The number of consecutive samples after which dull content is reported.
    private static let limit = 2

    /// Counts a decoded sample, and returns the breaches of content that lasts.
    mutating func take(_ decoded: DecodedFacts, number: Int) -> [Breach] {
        let content = decoded.content
        let kinds: [(rule: Rule, isThere: Bool, words: String)] = [
            (SampleRules.black, content.isBlack, "the video is black"),
            (SampleRules.frozen, content.isFrozen && !content.isBlack, "the video stands still"),
            (SampleRules.silent, content.isSilent, "the audio is silent"),
        ]
        return kinds.compactMap { rule, isThere, words in
            counts[rule.id] = isThere ? counts[rule.id, default: 0] + 1 : 0
            let count = counts[rule.id] ?? 0
            guard count >= Self.limit else { return nil }
            return Breach(rule, "\(words) in \(count) consecutive samples", segment: number)
        }
    }
}
