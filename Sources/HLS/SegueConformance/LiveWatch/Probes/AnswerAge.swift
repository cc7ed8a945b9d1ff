internal import SegueBase

/// The checks of the header fields that limit the age of a playlist.
enum AnswerAge {
    static func breaches(_ headers: [String: String], target: Double, mayBlock: Bool) -> [Breach] {
        var found: [Breach] = []
        if let age = seconds(headers["age"]), age > target {
            let comparison = Comparison(
                "Age is",
                age,
                expected: .atMost(target),
                unit: .seconds,
                origin: "by the target duration"
            )
            found.append(Breach(LiveRules.cache, comparison))
        } else if !mayBlock, let age = lifetime(headers["cache-control"] ?? ""), age > target {
            let comparison = Comparison(
                "the cache lifetime is",
                age,
                expected: .atMost(target),
                unit: .seconds,
                origin: "by the target duration"
            )
            found.append(Breach(LiveRules.cache, comparison))
        }
        if let date = HTTPDate.secondsSince1970(headers["date"] ?? ""),
            let changed = HTTPDate.secondsSince1970(headers["last-modified"] ?? ""),
            Double(date - changed) > 3 * target
        {
            let comparison = Comparison(
                "Last-Modified is before Date by",
                Double(date - changed),
                expected: .atMost(3 * target),
                unit: .seconds,
                origin: "(3 target durations)"
            )
            found.append(Breach(LiveRules.lastModified, comparison))
        }
        return found
    }

    /// Returns the cache lifetime in seconds; `s-maxage` comes first.
    private static func lifetime(_ value: String) -> Double? {
        let words = value.lowercased().split(separator: ",").map { $0.drop { $0 == " " } }
        if words.contains(where: { $0 == "no-store" || $0 == "no-cache" }) { return nil }
        for name in ["s-maxage=", "max-age="] {
            if let word = words.first(where: { $0.hasPrefix(name) }) {
                return seconds(String(word.dropFirst(name.count)))
            }
        }
        return nil
    }

    private static func seconds(_ text: String?) -> Double? {
        text.flatMap { UInt32($0) }.map(Double.init)
    }

    /// Returns a breach if a reload that does not block takes longer than the target duration, in seconds.
    static func slow(_ took: Double, target: Double) -> [Breach] {
        guard took > target else { return [] }
        let comparison = Comparison(
            "the reload took",
            took,
            expected: .atMost(target),
            unit: .seconds,
            origin: "by the target duration"
        )
        return [Breach(LiveRules.slow, comparison)]
    }
}
