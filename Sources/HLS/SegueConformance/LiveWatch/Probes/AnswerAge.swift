internal import SegueBase

/// What the head of an answer says of how old a playlist may be.
enum AnswerAge {
    /// What is wrong with it.
    static func breaches(_ headers: [String: String], target: Double, mayBlock: Bool) -> [Breach] {
        var found: [Breach] = []
        if let age = seconds(headers["age"]), age > target {
            found.append(Breach(LiveRules.cache, "Age is \(Int(age))"))
        } else if !mayBlock, let age = lifetime(headers["cache-control"] ?? ""), age > target {
            found.append(Breach(LiveRules.cache, "Cache-Control lets caches keep it for \(Int(age)) s"))
        }
        if let date = HTTPDate.secondsSince1970(headers["date"] ?? ""),
            let changed = HTTPDate.secondsSince1970(headers["last-modified"] ?? ""),
            Double(date - changed) > 3 * target
        {
            found.append(Breach(LiveRules.lastModified, "it is \(words(Double(date - changed))) before Date"))
        }
        return found
    }

    /// How long caches may keep an answer: what holds for shared ones comes first.
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
}
