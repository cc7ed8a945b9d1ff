internal import SegueBase
internal import SegueCharts

/// A chart of a network: rates and delays over time, with outages, handovers, and portals.
package enum NetworkDiagram {
    private static let width = 1000.0
    private static let left = 74.0
    private static let right = 980.0
    private static let rates = 92.0...300.0
    private static let delays = 340.0...440.0
    private static let height = 490.0

    /// Draws the chart as an SVG document.
    package static func svg(of profile: LinkProfile) -> String {
        let course = NetworkCourse(profile)
        let time = Axis(0...course.length, from: left, to: right)
        var drawing = Drawing()
        head(of: profile, in: &drawing)
        bands(course, of: profile, over: time, in: &drawing)
        rateGraph(course, time, in: &drawing)
        delayGraph(course, time, in: &drawing)
        timeAxis(time, in: &drawing)
        handoverMarks(course, of: profile, over: time, in: &drawing)
        return drawing.document(title: profile.name, width: width, height: height, style: style) + "\n"
    }

    private static let style = """
        .page{fill:#fff}text{font:12px system-ui,sans-serif;fill:#26323c}.title{font-weight:600;font-size:15px}\
        .small{fill:#66757f}.mid{text-anchor:middle}.end{text-anchor:end}.grid{stroke:#e3e9ed;stroke-width:1}.frame{fill:none;stroke:#b8c4cc}\
        .down{fill:none;stroke:#3c78b4;stroke-width:1.5}.area{fill:#3c78b4;fill-opacity:.18}\
        .up{fill:none;stroke:#d08b1d;stroke-width:1.5;stroke-dasharray:8 4}.upband{fill:#d08b1d;fill-opacity:.18}\
        .outage{fill:#c0392b;fill-opacity:.12}.portal{fill:#8a6bbe;fill-opacity:.16}\
        .handover{stroke:#c0392b;stroke-width:1.5;stroke-dasharray:4 3}.red{fill:#c0392b}
        """

    /// Draws the name, the description, the parameters without a time, and the legend.
    private static func head(of profile: LinkProfile, in drawing: inout Drawing) {
        var numbers = [queue(profile.queue)]
        let losses = [profile.down, profile.up].map { shown(($0.loss + ($0.bursts?.share ?? 0)) * 100) + " %" }
        if losses != ["0 %", "0 %"] { numbers.append("loss \(losses[0]) down, \(losses[1]) up") }
        if profile.dns > .zero { numbers.append("DNS \(shown(profile.dns.seconds * 1000)) ms") }
        for state in profile.radio {
            numbers.append("radio waits \(shown(state.promotion.seconds)) s after \(shown(state.idle.seconds)) s idle")
        }
        if !profile.faults.isEmpty { numbers.append("faults of requests: \(profile.faults.count)") }
        drawing.text(x: left, y: 26, profile.name, "title")
        drawing.text(x: left, y: 46, profile.about.isEmpty ? profile.source : profile.about, "small")
        drawing.text(x: left, y: 64, numbers.joined(separator: ", "), "small")
        var legend: [(mark: String, words: String)] = [("down", "down"), ("up", "up")]
        if !profile.outages.isEmpty { legend.append(("outage", "outage")) }
        if !profile.handovers.isEmpty { legend.append(("handover", "handover")) }
        if !profile.portals.isEmpty { legend.append(("portal", "portal")) }
        var at = right - 100 * Double(legend.count)
        for (mark, words) in legend {
            if ["outage", "portal"].contains(mark) {
                drawing.rect(x: at, y: 14, width: 22, height: 12, mark)
            } else {
                drawing.line(x: at, y: 20, toX: at + 22, toY: 20, mark)
            }
            drawing.text(x: at + 28, y: 24, words)
            at += 100
        }
    }

    private static func queue(_ queue: LinkProfile.Queue) -> String {
        switch queue {
        case .packets(let count): "queue of \(count) packets"
        case .bytes(let count): "queue of \(count) bytes"
        }
    }

    /// Draws outages and portals behind both graphs.
    private static func bands(
        _ course: NetworkCourse,
        of profile: LinkProfile,
        over time: Axis,
        in drawing: inout Drawing
    ) {
        for (name, spells) in [("outage", profile.outages + profile.handovers), ("portal", profile.portals)] {
            for spell in course.spells(spells) {
                let x = time.place(spell.lowerBound)
                let width = max(1, time.place(spell.upperBound) - x)
                for panel in [rates, delays] {
                    drawing.rect(
                        x: x,
                        y: panel.lowerBound,
                        width: width,
                        height: panel.upperBound - panel.lowerBound,
                        name
                    )
                }
            }
        }
    }

    private static func rateGraph(_ course: NetworkCourse, _ time: Axis, in drawing: inout Drawing) {
        let (down, up) = (course.rates(.down), course.rates(.up))
        let most = (down + up).compactMap(\.bitsPerSecond).max() ?? 0
        let (unit, scale) = most >= 1e9 ? ("Gbit/s", 1e9) : most >= 1.5e6 ? ("Mbit/s", 1e6) : ("kbit/s", 1e3)
        let axis = Axis(0...max(most / scale * 1.08, 1), from: rates.upperBound, to: rates.lowerBound)
        func points(_ steps: [NetworkCourse.RateStep]) -> [(Double, Double)] {
            steps.map { (time.place($0.start), $0.bitsPerSecond.map { axis.place($0 / scale) } ?? rates.lowerBound) }
        }
        let hasNone = [down, up].map { $0.contains { $0.bitsPerSecond == nil } }
        let note = [("down", hasNone[0]), ("up", hasNone[1])].filter(\.1).map { "\($0.0): no limit" }
        grid(axis, across: rates, unit: most == 0 ? "" : unit, in: &drawing)
        let floor = "V\(Drawing.short(rates.upperBound))H\(Drawing.short(left))Z"
        drawing.path(stairs(points(down)) + floor, "area")
        drawing.path(stairs(points(down)), "down")
        drawing.path(stairs(points(up)), "up")
        drawing.text(x: left + 6, y: rates.lowerBound + 15, note.joined(separator: ", "), "small")
    }

    private static func delayGraph(_ course: NetworkCourse, _ time: Axis, in drawing: inout Drawing) {
        let both = [(course.delays(.down), "down", "area"), (course.delays(.up), "up", "upband")]
        let most = both.flatMap(\.0).map(\.range.upperBound).max() ?? 0
        let axis = Axis(0...max(most * 1000 * 1.15, 1), from: delays.upperBound, to: delays.lowerBound)
        grid(axis, across: delays, unit: "ms one way", in: &drawing)
        for (steps, line, band) in both {
            let low = steps.map { (time.place($0.start), axis.place($0.range.lowerBound * 1000)) }
            let high = steps.map { (time.place($0.start), axis.place($0.range.upperBound * 1000)) }
            for (index, point) in high.enumerated() {
                let end = index + 1 < high.count ? high[index + 1].0 : right
                drawing.rect(x: point.0, y: point.1, width: end - point.0, height: low[index].1 - point.1, band)
            }
            drawing.path(stairs(high), line)
            drawing.path(stairs(low), line)
        }
    }

    private static func timeAxis(_ time: Axis, in drawing: inout Drawing) {
        for tick in time.ticks(9) {
            drawing.text(x: time.place(tick), y: delays.upperBound + 18, shown(tick), "small mid")
        }
        drawing.text(x: right, y: delays.upperBound + 36, "seconds since the run began", "small end")
    }

    private static func handoverMarks(
        _ course: NetworkCourse,
        of profile: LinkProfile,
        over time: Axis,
        in drawing: inout Drawing
    ) {
        for spell in course.spells(profile.handovers) {
            let x = time.place(spell.lowerBound)
            drawing.line(x: x, y: rates.lowerBound, toX: x, toY: delays.upperBound, "handover")
        }
    }

    /// Draws the frame of a graph with lines and numbers.
    private static func grid(
        _ axis: Axis,
        across panel: ClosedRange<Double>,
        unit: String,
        in drawing: inout Drawing
    ) {
        for tick in unit.isEmpty ? [] : axis.ticks(5) {
            let y = axis.place(tick)
            drawing.line(x: left, y: y, toX: right, toY: y, "grid")
            drawing.text(x: left - 6, y: y + 4, shown(tick), "small end")
        }
        drawing.text(x: left, y: panel.lowerBound - 6, unit, "small")
        drawing.rect(
            x: left,
            y: panel.lowerBound,
            width: right - left,
            height: panel.upperBound - panel.lowerBound,
            "frame"
        )
    }

    /// A step line, which keeps each value until the next one.
    private static func stairs(_ points: [(Double, Double)]) -> String {
        guard let first = points.first else { return "" }
        return "M\(Drawing.short(first.0)) \(Drawing.short(first.1))"
            + points.dropFirst().map { "H\(Drawing.short($0.0))V\(Drawing.short($0.1))" }.joined()
            + "H\(Drawing.short(right))"
    }

    /// A number with at most two decimals.
    private static func shown(_ number: Double) -> String { DecimalText.short(number, places: 2) }
}
