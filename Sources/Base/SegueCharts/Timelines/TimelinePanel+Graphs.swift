extension TimelinePanel {
    /// Draws the frame of a graph with its minimum and maximum.
    func frame(_ scale: TimelineScale, _ labels: (low: String, high: String), in drawing: inout Drawing) {
        drawing.rect(x: left, y: scale.y, width: right - left, height: scale.height, "frame")
        drawing.line(x: left, y: scale.y + scale.height / 2, toX: right, toY: scale.y + scale.height / 2, "grid")
        drawing.text(x: left - 6, y: scale.y + 9, labels.high, "tick end")
        drawing.text(x: left - 6, y: scale.y + scale.height, labels.low, "tick end")
    }

    /// Draws the media ahead of the playhead, and the times during which playback was likely to keep up.
    func buffer(_ story: RunTimeline, y: Double, height: Double, in drawing: inout Drawing) {
        let points = seen(story.buffer)
        let scale = TimelineScale(most: max(points.map(\.value).max() ?? 0, 1), y: y, height: height)
        let coordinates = thinned(points.map { (x($0.at), scale.place($0.value)) })
        if let first = coordinates.first, let last = coordinates.last {
            let base = Drawing.short(scale.place(0))
            let area =
                Drawing.polyline(coordinates) + "L\(Drawing.short(last.x)) \(base)L\(Drawing.short(first.x)) \(base)Z"
            drawing.path(area, "area")
            drawing.path(Drawing.polyline(coordinates), "level")
        }
        frame(scale, ("0", Drawing.short(scale.top)), in: &drawing)
        for span in story.keepingUp {
            if let place = place(span.from, span.to, least: 0.8) {
                drawing.rect(x: place.x, y: y + height - 3, width: place.width, height: 3, "keeps")
            }
        }
    }

    /// The number of parts of the throughput graph.
    static let rateParts = 280

    /// The unit for a bit rate.
    static func rateUnit(_ most: Double) -> (name: String, factor: Double) {
        most >= 1_500_000 ? ("Mbit/s", 1e6) : ("kbit/s", 1e3)
    }

    func throughput(_ story: RunTimeline, y: Double, height: Double, in drawing: inout Drawing) {
        let parts = TimelinePanel.rateParts
        let rates = story.throughput(in: window, parts: parts)
        let most = rates.max() ?? 0
        let factor = TimelinePanel.rateUnit(most).factor
        let scale = TimelineScale(most: most / factor, y: y, height: height)
        let width = (right - left) / Double(parts)
        var data = "M\(Drawing.short(left)) \(Drawing.short(scale.place(0)))"
        for (part, rate) in rates.enumerated() where part == 0 || rate != rates[part - 1] {
            data += "H\(Drawing.short(left + Double(part) * width))V\(Drawing.short(scale.place(rate / factor)))"
        }
        drawing.path(data + "H\(Drawing.short(right))V\(Drawing.short(scale.place(0)))Z", "rate")
        frame(scale, ("0", Drawing.short(scale.top)), in: &drawing)
    }

    /// Draws the playhead's position in each item; dots connect the stretches.
    func position(_ story: RunTimeline, y: Double, height: Double, in drawing: inout Drawing) {
        let stretches = story.played.filter { shows($0.from, $0.to) }
        let most = stretches.map { max($0.start, $0.end) }.max() ?? 1
        let scale = TimelineScale(exactly: max(most, 1), y: y, height: height)
        var last: (x: Double, y: Double)?
        var jumps: [String] = []
        for stretch in stretches {
            let rate = (stretch.end - stretch.start) / max(stretch.to - stretch.from, 1e-9)
            let from = max(stretch.from, window.lowerBound)
            let to = min(stretch.to, window.upperBound)
            let start = (x(from), scale.place(stretch.start + (from - stretch.from) * rate))
            let end = (x(to), scale.place(stretch.start + (to - stretch.from) * rate))
            if let last, abs(last.x - start.0) + abs(last.y - start.1) > 1 {
                jumps.append(Drawing.polyline([last, (start.0, start.1)]))
            }
            drawing.path(Drawing.polyline([start, end]), "head s\(story.colour(of: stretch.item))")
            last = end
        }
        if !jumps.isEmpty { drawing.path(jumps.joined(), "jump") }
        frame(scale, ("0:00", TimelinePanel.clock(scale.top)), in: &drawing)
    }

    /// The points in the window and the line's crossings of its edges.
    private func seen(_ points: [RunTimeline.Point]) -> [RunTimeline.Point] {
        guard let before = points.lastIndex(where: { $0.at <= window.lowerBound }) ?? points.indices.first else {
            return []
        }
        let after = points.firstIndex { $0.at >= window.upperBound } ?? points.count - 1
        guard before <= after else { return [] }
        var seen = Array(points[before...after])
        if seen.count > 1, seen[0].at < window.lowerBound {
            seen[0] = between(seen[0], and: seen[1], at: window.lowerBound)
        }
        let last = seen.count - 1
        if last > 0, seen[last].at > window.upperBound {
            seen[last] = between(seen[last - 1], and: seen[last], at: window.upperBound)
        }
        return seen
    }

    private func between(_ first: RunTimeline.Point, and second: RunTimeline.Point, at: Double) -> RunTimeline.Point {
        guard second.at > first.at else { return RunTimeline.Point(at: at, value: second.value) }
        let share = (at - first.at) / (second.at - first.at)
        return RunTimeline.Point(at: at, value: first.value + share * (second.value - first.value))
    }

    /// The points without those that coincide with their neighbors; minima and maxima stay.
    private func thinned(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        var kept: [(x: Double, y: Double)] = []
        for point in points {
            if let last = kept.last, abs(last.x - point.x) < 0.05, abs(last.y - point.y) < 0.05 { continue }
            kept.append(point)
        }
        return kept
    }
}
