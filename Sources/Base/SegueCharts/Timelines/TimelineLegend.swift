internal import SegueBase

/// The legend of a timeline: its numbers and colors.
enum TimelineLegend {
    static func kind(of mark: RunTimeline.Mark) -> String {
        switch mark.weight {
        case .error: "bad"
        case .decision: "main"
        case .step, .detail: "side"
        }
    }

    /// The number of an event in its circle.
    static func number(_ number: Int, _ mark: RunTimeline.Mark, x: Double, y: Double, in drawing: inout Drawing) {
        drawing.circle(x: x, y: y, radius: 8, "dot \(kind(of: mark))")
        drawing.text(x: x, y: y + 3.5, "\(number)", "digit \(kind(of: mark)) mid")
    }

    /// Draws the list of numbered events in two columns, and returns its bottom edge.
    static func events(
        _ marks: [RunTimeline.Mark],
        leftOut: Int,
        isLong: Bool,
        _ y: Double,
        in drawing: inout Drawing
    ) -> Double {
        guard !marks.isEmpty else { return y }
        let column = (TimelineDrawing.width - 36) / 2
        let room = column - 112
        let entries = marks.map { Drawing.lines($0.label, width: room, size: 12, most: 3) }
        let lines = entries.map(\.count)
        let half = (lines.reduce(0, +) + 1) / 2
        var split = 0
        var sum = 0
        while split < lines.count, sum < half {
            sum += lines[split]
            split += 1
        }
        var ends = [y, y]
        for (index, entry) in entries.enumerated() {
            let side = index < split ? 0 : 1
            let x = 12 + Double(side) * (column + 12)
            number(index + 1, marks[index], x: x + 8, y: ends[side] + 6, in: &drawing)
            let at = marks[index].at
            let time = isLong ? TimelinePanel.place(at) : "\(DecimalText.fixed(at, places: 2)) s"
            drawing.text(x: x + 88, y: ends[side] + 10, time, "when end")
            for line in entry {
                drawing.text(x: x + 98, y: ends[side] + 10, line, marks[index].weight == .error ? "bad" : "")
                ends[side] += 16
            }
            ends[side] += 3
        }
        var end = max(ends[0], ends[1])
        if leftOut > 0 {
            drawing.text(x: 12, y: end + 10, "\(leftOut) minor events omitted; the log has all of them", "quiet")
            end += 16
        }
        return end
    }

    /// Draws the legend of the colors, and returns its bottom edge.
    static func colours(_ story: RunTimeline, _ y: Double, in drawing: inout Drawing) -> Double {
        var keys: [(kind: String, words: String)] = []
        let items = story.items.prefix(4).enumerated().map { ("c\($0.offset)", $0.element.name) }
        if story.items.count <= 4 { keys += items } else { keys.append(("c0", "an item (four colors in turn)")) }
        if story.silences.contains(where: { $0.label == "start" }) {
            keys.append(("si-start", "silent before playback starts"))
        }
        if story.silences.contains(where: { $0.label == "silence" }) { keys.append(("si-silence", "silence")) }
        if !story.items.isEmpty || !story.control.isEmpty {
            keys.append(("it-loading", "item loading, player waiting"))
        }
        if story.items.contains(where: { $0.ready != nil }) { keys.append(("it-ready", "item ready")) }
        if story.items.contains(where: { $0.failed != nil }) { keys.append(("it-failed", "item failed")) }
        if !story.keepingUp.isEmpty { keys.append(("keeps", "likely to keep up")) }
        if !story.requests.isEmpty { keys.append(("media wait", "request waiting for its response")) }
        if story.requests.contains(where: { $0.outcome == .cancelled || $0.outcome == .open }) {
            keys.append(("given-up", "request canceled"))
        }
        if story.requests.contains(where: { $0.outcome == .failed }) { keys.append(("lost", "request failed")) }
        var x = 12.0
        var y = y
        for key in keys {
            let wide = 20 + Drawing.width(of: key.words, size: 11) + 16
            if x + wide > TimelineDrawing.width - 12 {
                x = 12
                y += 18
            }
            if key.kind.hasPrefix("si-") {
                drawing.hatching(x: x, y: y + 2, width: 14, height: 10, key.kind)
            } else {
                drawing.rect(x: x, y: y + 2, width: 14, height: 10, key.kind)
            }
            drawing.text(x: x + 20, y: y + 11, key.words, "tick")
            x += wide
        }
        return y + 14
    }
}
