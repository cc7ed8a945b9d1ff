extension TimelinePanel {
    /// The place of a row of time ranges.
    private struct Row {
        let y, height: Double
        var isHatched = false
    }

    /// Draws time ranges, with their labels inside where they fit.
    private func spans(
        _ spans: [RunTimeline.Span],
        at row: Row,
        in drawing: inout Drawing,
        kind: (RunTimeline.Span) -> String,
        words: (RunTimeline.Span) -> [String]
    ) {
        var drawn = -1.0
        for span in spans {
            guard let place = place(span.from, span.to, least: 0.8) else { continue }
            // Thousands of ranges on one pixel are drawn once.
            if place.width < 1, place.x - drawn < 0.8 { continue }
            drawn = place.x + place.width
            let kind = kind(span)
            if row.isHatched {
                drawing.hatching(x: place.x, y: row.y, width: place.width, height: row.height, kind)
            } else {
                drawing.rect(x: place.x, y: row.y, width: place.width, height: row.height, kind)
            }
            let fitting = words(span).first { Drawing.width(of: $0, size: 11) + 8 <= place.width }
            guard let fitting else { continue }
            drawing.label(x: place.x, y: row.y, height: row.height, fitting, ground: kind, "in \(kind)-in")
        }
    }

    func app(_ story: RunTimeline, _ y: Double, in drawing: inout Drawing) {
        spans(story.phases, at: Row(y: y, height: 18), in: &drawing) {
            "ph-\($0.label)"
        } words: {
            [$0.label]
        }
    }

    func player(_ story: RunTimeline, _ y: Double, in drawing: inout Drawing) {
        spans(story.control, at: Row(y: y, height: 18), in: &drawing) { span in
            "st-\(span.label)"
        } words: { span in
            [span.words, span.label]
        }
    }

    /// Draws a row for each item in the queue.
    func items(_ story: RunTimeline, rows: [Int], _ y: Double, in drawing: inout Drawing) {
        var taken: [Int: Double] = [:]
        for (item, row) in zip(story.items, rows) {
            let top = y + Double(row) * 16
            // The last row may hold several items at once; only the first is labeled.
            let isFree = taken[row].map { $0 <= item.from + 0.001 } ?? true
            taken[row] = max(taken[row] ?? item.to, item.to)
            let ready = item.ready ?? item.failed ?? item.to
            var parts: [RunTimeline.Span] = []
            if let loading = item.loading, ready > loading {
                parts.append(RunTimeline.Span(from: loading, to: ready, label: "loading"))
            }
            if let ready = item.ready {
                parts.append(RunTimeline.Span(from: ready, to: item.failed ?? item.to, label: "ready"))
            }
            if let failed = item.failed { parts.append(RunTimeline.Span(from: failed, to: item.to, label: "failed")) }
            if let place = place(item.from, item.to, least: 1) {
                drawing.rect(x: place.x, y: top, width: place.width, height: 13, "queued")
            }
            spans(parts, at: Row(y: top, height: 13), in: &drawing) {
                "it-\($0.label)"
            } words: { span in
                guard isFree else { return [] }
                let name = "\(story.title(of: item)) \(span.label)"
                return [name, "\(item.name) \(span.label)", item.name, span.label]
            }
            for span in item.current {
                guard let place = place(span.from, span.to, least: 1) else { continue }
                drawing.rect(x: place.x, y: top + 13, width: place.width, height: 2, "c\(story.colour(of: item.name))")
            }
        }
    }

    /// The row of each item, so that items do not overlap, and the number of rows.
    ///
    /// The last row takes all items in excess.
    static func rows(_ items: [RunTimeline.Item], most: Int) -> (rows: [Int], count: Int) {
        var ends: [Double] = []
        let rows = items.map { item in
            if let free = ends.firstIndex(where: { $0 <= item.from + 0.001 }) {
                ends[free] = item.to
                return free
            }
            if ends.count == most { return most - 1 }
            ends.append(item.to)
            return ends.count - 1
        }
        return (rows, max(1, ends.count))
    }

    /// Draws the audio with its positions, and the silences.
    func heard(_ story: RunTimeline, _ y: Double, in drawing: inout Drawing) {
        spans(story.silences, at: Row(y: y, height: 24, isHatched: true), in: &drawing) {
            "si-\($0.label)"
        } words: { span in
            [
                "\(span.label == "start" ? "silent before start" : "silence") for \(TimelinePanel.span(span.to - span.from))",
                TimelinePanel.span(span.to - span.from),
            ]
        }
        for stretch in story.audio {
            guard let place = place(stretch.from, stretch.to, least: 0.8) else { continue }
            let colour = "c\(story.colour(of: stretch.item))"
            drawing.rect(x: place.x, y: y, width: place.width, height: 24, colour)
            let places = "\(TimelinePanel.place(stretch.start)) – \(TimelinePanel.place(stretch.end))"
            let words = ["\(stretch.item): \(places)", places, stretch.item]
            let fitting = words.first { Drawing.width(of: $0, size: 11) + 8 <= place.width }
            if let fitting { drawing.label(x: place.x, y: y, height: 24, fitting, ground: colour, "in light") }
        }
    }

    func video(_ story: RunTimeline, _ y: Double, in drawing: inout Drawing) {
        for stretch in story.video {
            guard let place = place(stretch.from, stretch.to, least: 0.8) else { continue }
            drawing.rect(x: place.x, y: y, width: place.width, height: 8, "c\(story.colour(of: stretch.item)) pale")
        }
    }

    /// A position in an item.
    static func place(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        let rest = tenths / 10 % 60
        return "\(tenths / 600):\(rest < 10 ? "0" : "")\(rest).\(tenths % 10)"
    }
}
