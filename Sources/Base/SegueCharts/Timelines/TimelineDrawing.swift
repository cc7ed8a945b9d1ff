internal import SegueBase

/// Draws the timeline of a run as SVG: app, player, items, audio, buffer, throughput, position, requests, and events
/// over one time axis, with a closer look at the most important part.
package enum TimelineDrawing {
    static let width = 1000.0
    static let left = 150.0
    static let right = 984.0

    /// The maximum number of numbered events.
    private static let mostMarks = 22

    /// The drawing.
    ///
    /// `about`: smaller lines below the title, such as metrics. Returns a self-contained SVG element.
    package static func svg(_ story: RunTimeline, title: String, about: [String] = []) -> String {
        var drawing = Drawing()
        let (marks, leftOut) = story.numbered(most: mostMarks)
        var y = 24.0
        // Bold letters are a tenth wider.
        for (number, line) in Drawing.lines(title, width: width - 24, size: 16.5, most: 3).enumerated() {
            if number > 0 { y += 20 }
            drawing.text(x: 12, y: y, line, "title")
        }
        for line in about.flatMap({ Drawing.lines($0, width: width - 24, size: 12, most: 3) }) {
            y += 17
            drawing.text(x: 12, y: y, line, "quiet")
        }
        if story.hasNothing {
            y += 17
            drawing.text(x: 12, y: y, "No request was sent and nothing played.", "quiet")
        }
        y += 14
        let whole = TimelinePanel(window: 0...max(story.end, 0.001), left: left, right: right)
        y = panel(whole, of: story, marks: marks, isWhole: true, at: y, in: &drawing)
        if let window = story.closerLook {
            let closer = TimelinePanel(window: window, left: left, right: right)
            let times = [window.lowerBound, window.upperBound].map { TimelinePanel.time($0, in: 10) }
            y += 30
            drawing.text(x: 12, y: y, "Closer look, from \(times[0]) to \(times[1])", "title")
            y = panel(closer, of: story, marks: marks, isWhole: false, at: y + 10, in: &drawing)
        }
        y = TimelineLegend.events(marks, leftOut: leftOut, isLong: story.end > 180, y + 22, in: &drawing)
        y = TimelineLegend.colours(story, y + 8, in: &drawing)
        return drawing.document(
            title: title,
            width: width,
            height: y + 12,
            style: TimelineStyle.sheet,
            kind: "story"
        )
    }

    /// Draws the lanes of a part of the run, and returns their bottom edge.
    private static func panel(
        _ panel: TimelinePanel,
        of story: RunTimeline,
        marks: [RunTimeline.Mark],
        isWhole: Bool,
        at y: Double,
        in drawing: inout Drawing
    ) -> Double {
        let seen = marks.enumerated().filter { panel.window.contains($0.element.at) }
            .map { (number: $0.offset + 1, mark: $0.element) }
        let row = NumberRow(seen.map { panel.x($0.mark.at) }, in: left...right)
        var lanes = lanes(panel, story, marks: seen.map { panel.x($0.mark.at) }, isWhole: isWhole)
        lanes.insert(Lane(name: "events", height: row.height) { _, _ in }, at: 0)
        let bottom = lanes.reduce(y) { $0 + $1.height + gap } - gap
        for tick in panel.ticks(12) {
            drawing.line(x: panel.x(tick), y: y + row.height, toX: panel.x(tick), toY: bottom + 4, "grid")
        }
        var top = y
        for lane in lanes {
            let middle = top + min(lane.height, 60) / 2
            drawing.text(x: 12, y: lane.unit.isEmpty ? middle + 4 : middle, lane.name, "lane")
            drawing.text(x: 12, y: middle + 13, lane.unit, "tick")
            lane.draw(top, &drawing)
            top += lane.height + gap
        }
        for tick in panel.ticks(12) {
            let isLast = panel.x(tick) > right - 24
            let words = TimelinePanel.time(tick, in: panel.length)
            drawing.text(x: isLast ? right : panel.x(tick), y: bottom + 17, words, "tick \(isLast ? "end" : "mid")")
        }
        drawing.text(x: 12, y: bottom + 17, panel.length > 180 ? "time (h:mm:ss)" : "time", "tick")
        for (entry, place) in zip(seen, row.places) {
            let (x, kind) = (panel.x(entry.mark.at), "mark \(TimelineLegend.kind(of: entry.mark))")
            drawing.line(x: x, y: y + row.height, toX: x, toY: bottom, kind)
            if abs(x - place.x) > 0.5 || place.row < row.count - 1 {
                drawing.line(x: place.x, y: y + place.y + 7, toX: x, toY: y + row.height, kind)
            }
        }
        for (entry, place) in zip(seen, row.places) {
            TimelineLegend.number(entry.number, entry.mark, x: place.x, y: y + place.y, in: &drawing)
            let next = row.places.filter { $0.row == place.row && $0.x > place.x }.map(\.x).min() ?? width
            // The lines of the numbers above cross this row.
            let crossing = zip(seen, row.places).filter { $1.row < place.row }
                .map { (from: min(panel.x($0.mark.at), $1.x), to: max(panel.x($0.mark.at), $1.x)) }
            let words = Drawing.width(of: entry.mark.short, size: 12)
            let isCrossed = crossing.contains { $0.to > place.x + 8 && $0.from < place.x + 13 + words }
            if words <= next - place.x - 22, !isCrossed {
                let kind = "in \(TimelineLegend.kind(of: entry.mark))"
                drawing.text(x: place.x + 11, y: y + place.y + 4, entry.mark.short, kind)
            }
        }
        return bottom + 20
    }

    private static let gap = 8.0

    private struct Lane {
        let name: String
        var unit = ""
        let height: Double
        let draw: (Double, inout Drawing) -> Void
    }

    private static func lanes(_ panel: TimelinePanel, _ story: RunTimeline, marks: [Double], isWhole: Bool) -> [Lane] {
        let (rows, count) = TimelinePanel.rows(story.items, most: 8)
        let requests = RequestRows(story.requests)
        var lanes: [Lane] = []
        if story.phases.contains(where: { $0.label != "foreground" }) {
            lanes.append(Lane(name: "app", height: 18) { panel.app(story, $0, in: &$1) })
        }
        lanes.append(Lane(name: "player", height: 18) { panel.player(story, $0, in: &$1) })
        lanes.append(
            Lane(name: "items", height: Double(count) * 16) { panel.items(story, rows: rows, $0, in: &$1) }
        )
        lanes.append(Lane(name: "audio", height: 24) { panel.heard(story, $0, in: &$1) })
        if !story.video.isEmpty {
            lanes.append(Lane(name: "video", height: 8) { panel.video(story, $0, in: &$1) })
        }
        lanes.append(
            Lane(name: "buffer", unit: "s ahead", height: 52) { panel.buffer(story, y: $0, height: 52, in: &$1) }
        )
        if isWhole {
            let unit = TimelinePanel.rateUnit(
                story.throughput(in: panel.window, parts: TimelinePanel.rateParts).max() ?? 0
            )
            .name
            lanes.append(
                Lane(name: "throughput", unit: unit, height: 46) { panel.throughput(story, y: $0, height: 46, in: &$1) }
            )
            lanes.append(
                Lane(name: "position", unit: "m:ss in the item", height: 52) {
                    panel.position(story, y: $0, height: 52, in: &$1)
                }
            )
        }
        if !requests.kinds.isEmpty {
            lanes.append(
                Lane(name: "requests", height: requests.height) { requests.draw(panel, marks: marks, $0, in: &$1) }
            )
        }
        return lanes
    }
}

/// Positions of numbers above an axis without overlaps.
private struct NumberRow {
    private(set) var places: [(x: Double, y: Double, row: Int)] = []
    private(set) var count = 1

    var height: Double { Double(count) * 18 + 4 }

    init(_ wished: [Double], in range: ClosedRange<Double>) {
        let distance = 17.0
        var ends: [Double] = []
        for x in wished {
            if let free = ends.firstIndex(where: { x - $0 >= distance }) {
                ends[free] = x
                places.append((x, 0, free))
            } else if ends.count < 4 {
                ends.append(x)
                places.append((x, 0, ends.count - 1))
            } else {
                let row = ends.indices.min { ends[$0] < ends[$1] } ?? 0
                ends[row] += distance
                places.append((ends[row], 0, row))
            }
        }
        // A number moved beyond the right edge pushes the ones before it to the left.
        for row in ends.indices {
            var most = range.upperBound
            for index in places.indices.reversed() where places[index].row == row {
                places[index].x = min(places[index].x, most)
                most = places[index].x - distance
            }
        }
        count = max(1, ends.count)
        // The lowest row fits the most numbers.
        for index in places.indices {
            let row = count - 1 - places[index].row
            places[index].row = row
            places[index].y = Double(row) * 18 + 9
        }
    }
}
