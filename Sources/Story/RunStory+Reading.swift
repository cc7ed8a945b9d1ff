extension RunStory {
    /// The time that is worth a closer look: around what went wrong, else around the first switch; nil when the whole
    /// shows it well enough.
    package var closerLook: ClosedRange<Double>? {
        let left = phases.first { $0.label == "leaving" }?.from
        let refused = marks.first { $0.weight == .error && $0.label.contains("reject") }?.at
        let failed = items.compactMap(\.failed).min()
        guard let moment = refused ?? failed ?? left else { return nil }
        let before =
            [left, marks.last { $0.weight == .decision && $0.at <= moment }?.at, moment].compactMap { $0 }
            .filter { $0 <= moment && moment - $0 < 6 }.min() ?? moment
        let heardAgain = sound.first { $0.from >= moment }?.from
        let from = max(0, before - 0.4)
        let isSoon = heardAgain.map { $0 - moment < 8 } ?? false
        let until = min(end, max(moment + 1, isSoon ? (heardAgain ?? moment) + 0.6 : moment + 1.6))
        guard until > from, until - from < 0.35 * end else { return nil }
        return from...until
    }

    /// The marks that a picture numbers: those of one instant as one, the least left out where there are too many.
    func numbered(most: Int) -> (marks: [Mark], left: Int) {
        var merged: [Mark] = []
        for mark in marks {
            if let last = merged.indices.last, mark.at - merged[last].at < 0.0005 {
                merged[last].join(mark)
            } else {
                merged.append(mark)
            }
        }
        var kept = merged
        for weight in [Mark.Weight.detail, .step, .decision] where kept.count > most {
            kept = kept.filter { $0.weight > weight }
        }
        kept = Array(kept.prefix(most))
        return (kept, merged.count - kept.count)
    }

    /// Bits a second, evenly spread over so many parts of a window.
    func throughput(in window: ClosedRange<Double>, parts: Int) -> [Double] {
        var bits = Array(repeating: 0.0, count: parts)
        let width = (window.upperBound - window.lowerBound) / Double(parts)
        for request in requests where request.bytes > 0 {
            let from = min(request.answered ?? request.from, request.to)
            guard request.to >= window.lowerBound, from < window.upperBound else { continue }
            let length = max(request.to - from, 1e-9)
            let first = max(0, min(parts - 1, Int((from - window.lowerBound) / width)))
            let last = max(first, min(parts - 1, Int((request.to - window.lowerBound) / width)))
            for part in first...last {
                let low = window.lowerBound + Double(part) * width
                let shared = min(request.to, low + width) - max(from, low)
                // What came in no time at all belongs to the part in which it did.
                let share = length <= 1e-9 ? 1 : max(0, shared) / length
                bits[part] += Double(request.bytes) * 8 * share
            }
        }
        return bits.map { $0 / width }
    }

    /// An item's colour, by its place among all.
    func colour(of item: String) -> Int { (items.firstIndex { $0.name == item } ?? 0) % 4 }

    /// What to call an item: its name, and what its address says beyond the first item's.
    func title(of item: Item) -> String {
        guard let query = item.url.split(separator: "?", maxSplits: 1).dropFirst().first else { return item.name }
        return "\(item.name) (\(query))"
    }
}

extension RunStory.Mark {
    /// Takes in what happened at the same instant: of a decision's or an error's instant, nothing that matters less.
    fileprivate mutating func join(_ other: RunStory.Mark) {
        if other.weight > weight, other.weight >= .decision {
            if weight < .decision { (label, short) = (other.label, other.short) } else { add(other) }
            weight = other.weight
        } else if weight < .decision || other.weight >= .decision {
            add(other)
        }
    }

    private mutating func add(_ other: RunStory.Mark) {
        if !label.contains(other.label) { label += "; " + other.label }
        if !other.short.isEmpty, !short.contains(other.short) { short += (short.isEmpty ? "" : ", ") + other.short }
    }
}
