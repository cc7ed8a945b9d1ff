package import SegueBase

extension Observation {
    /// A one-line summary; nil if no test media was observed.
    package var summary: Message? {
        guard !pictures.isEmpty || !sounds.isEmpty else { return nil }
        var parts: [Message] = []
        if !pictures.isEmpty {
            let count = { (part: KeyPath<Pictures, Int>) in pictures.reduce(0) { $0 + $1[keyPath: part] } }
            parts.append("\(count(\.seen)) frames seen, \(count(\.dropped)) dropped, \(count(\.repeated)) repeated")
            let freeze = pictures.map(\.longestFreeze).max() ?? 0
            if freeze > 0 { parts.append("the longest freeze \(Self.milliseconds(freeze * 1000)) ms") }
        }
        let heard = sounds.reduce(0) { $0 + ($1.end - $1.start) }
        parts.append(sounds.isEmpty ? "no audio" : "\(heard, as: DecimalText.fixed(heard, places: 1)) s of audio")
        let offsets = pictures.compactMap(\.soundOffset).map(\.median)
        if let least = offsets.min(), let most = offsets.max() {
            let range: Message =
                least == most ? Self.milliseconds(least) : "\(Self.milliseconds(least)) to \(Self.milliseconds(most))"
            parts.append("audio \(range) ms behind its video")
        }
        return parts.joined(separator: ", ")
    }
}

extension Agreement {
    /// A one-line summary; nil without statements.
    package var summary: Message? {
        guard !statements.isEmpty else { return nil }
        let differences = statements.compactMap(\.difference).map(abs)
        let most: Message = differences.max().map { ", within \(Observation.milliseconds($0)) ms of the log" } ?? ""
        return "\(statements.count) statements, \(untrue.count) not observed\(most)"
    }
}
