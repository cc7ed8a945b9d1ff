extension RunTimeline {
    /// The marks that a timeline numbers.
    ///
    /// Marks of one instant are merged; the lightest ones are omitted if there are too many.
    func numbered(most: Int) -> (marks: [Mark], left: Int) {
        var merged: [MergedMark] = []
        for mark in marks {
            if let last = merged.indices.last, mark.at - merged[last].at < 0.0005 {
                merged[last].join(mark)
            } else {
                merged.append(MergedMark(mark))
            }
        }
        var kept = merged.map(\.mark)
        for weight in [Mark.Weight.detail, .step, .decision] where kept.count > most {
            kept = kept.filter { $0.weight > weight }
        }
        guard kept.count > most else { return (kept, merged.count - kept.count) }
        // Marks of findings are kept; the earliest of the others fill the rest.
        let isFound = kept.map { mark in findings.contains { abs($0.at - mark.at) < 0.0005 } }
        var room = most - min(most, isFound.count(where: \.self))
        var found = most
        kept = zip(kept, isFound).filter { _, isFound in
            if isFound { found -= 1 } else { room -= 1 }
            return isFound ? found >= 0 : room >= 0
        }.map(\.0)
        return (kept, merged.count - kept.count)
    }

    /// Bits per second in equal parts of a window.
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
                // A response that took no time counts in the part in which it arrived.
                let share = length <= 1e-9 ? 1 : max(0, shared) / length
                bits[part] += Double(request.bytes) * 8 * share
            }
        }
        return bits.map { $0 / width }
    }

    /// The color of an item, by its position among all items.
    func colour(of item: String) -> Int { (items.firstIndex { $0.name == item } ?? 0) % 4 }

    /// The title of an item: its name and the query of its URL.
    func title(of item: Item) -> String {
        guard let query = item.url.split(separator: "?", maxSplits: 1).dropFirst().first else { return item.name }
        return "\(item.name) (\(query))"
    }
}

/// Marks of one instant, shown as one.
private struct MergedMark {
    private var first: RunTimeline.Mark
    private var labels: [String]
    private var shorts: [String]

    init(_ mark: RunTimeline.Mark) { (first, labels, shorts) = (mark, [mark.label], [mark.short]) }

    var at: Double { first.at }

    var mark: RunTimeline.Mark {
        var mark = first
        mark.label = labels.joined(separator: "; ")
        mark.short = shorts.filter { !$0.isEmpty }.joined(separator: ", ")
        return mark
    }

    /// Merges another mark.
    ///
    /// A decision or an error absorbs lighter marks.
    mutating func join(_ other: RunTimeline.Mark) {
        if other.weight > first.weight, other.weight >= .decision {
            if first.weight < .decision { (labels, shorts) = ([], []) }
            add(other)
            first.weight = other.weight
        } else if first.weight < .decision || other.weight >= .decision {
            add(other)
        }
    }

    private mutating func add(_ other: RunTimeline.Mark) {
        if !labels.contains(other.label) { labels.append(other.label) }
        if !shorts.contains(other.short) { shorts.append(other.short) }
    }
}
