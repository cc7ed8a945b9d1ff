package import SegueBase

extension Observation {
    /// A one-line summary; nil if no test media was observed.
    package var summary: Message? {
        guard !video.isEmpty || !audio.isEmpty else { return nil }
        var parts: [Message] = []
        if !video.isEmpty {
            let count = { (part: KeyPath<Video, Int>) in video.reduce(0) { $0 + $1[keyPath: part] } }
            parts.append("\(count(\.seen)) frames seen, \(count(\.dropped)) dropped, \(count(\.repeated)) repeated")
            let freeze = video.map(\.longestFreeze).max() ?? 0
            if freeze > 0 { parts.append("the longest freeze \(Self.milliseconds(freeze * 1000)) ms") }
        }
        let heard = audio.reduce(0) { $0 + ($1.end - $1.start) }
        parts.append(audio.isEmpty ? "no audio" : "\(heard, as: DecimalText.fixed(heard, places: 1)) s of audio")
        let offsets = video.compactMap(\.audioOffset).map(\.median)
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
