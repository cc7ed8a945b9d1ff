internal import SegueBase
internal import SegueCharts
internal import SeguePlayerModel

/// Draws a failing run above the nearest passing one, around the place where they part.
struct PartingDrawing {
    private static let width = 1000.0
    private static let left = 150.0
    private static let right = 984.0
    private static let row = 16.0
    private static let most = 7

    /// A label of a run: the steps at one time.
    private struct Label {
        let at: Double
        var words: [String]
        var isBad = false
        var isMain = false
    }

    private let nearest: NearestPassing
    private let parting: TraceComparison.Moment
    /// The times of both runs, in seconds after their origin.
    private let window: ClosedRange<Double>
    /// The scale of milliseconds.
    private let axis: Axis

    /// A drawing of the parting; nil if the runs do not part.
    init?(_ nearest: NearestPassing) {
        guard let parting = nearest.comparison.parting, let at = parting.failing else { return nil }
        let origin = nearest.comparison.origin
        let (start, other) = (origin?.failing ?? 0, origin?.passing ?? 0)
        var times = [
            at - start, parting.passing.map { $0 - other }, nearest.comparison.missed?.passing.map { $0 - other },
        ].compactMap(\.self)
        // A step that came much later would leave no room for the others.
        let most = 3 * (times.max() ?? 0)
        times += [nearest.comparison.missed?.failing.map { min(most, $0 - start) }].compactMap(\.self)
        let (low, high) = (min(0, times.min() ?? 0), max(times.max() ?? 0, 0.01))
        let margin = (high - low) * 0.25
        let window = low - margin / 2...high + margin
        (self.nearest, self.parting, self.window) = (nearest, parting, window)
        axis = Axis(window.lowerBound * 1000...window.upperBound * 1000, from: Self.left, to: Self.right)
    }

    /// The drawing as an SVG element, with the classes of a timeline and without their style.
    var svg: String {
        var drawing = Drawing()
        let comparison = nearest.comparison
        var y = 22.0
        drawing.text(x: 12, y: y, "Both runs around the instant at which they part", "title")
        y += 12
        let lanes = [
            ("fails", nearest.failingWords, labels(comparison.failing, comparison.origin?.failing, isFailing: true)),
            ("passes", nearest.passingWords, labels(comparison.passing, comparison.origin?.passing, isFailing: false)),
        ]
        let heights = lanes.map { Double(max(1, $0.2.count)) * Self.row + 14 }
        let bottom = y + heights.reduce(0, +) + 8
        drawTicks(from: y, to: bottom, in: &drawing)
        for (lane, height) in zip(lanes, heights) {
            draw(lane.2, verdict: lane.0, name: lane.1, at: y, height: height, in: &drawing)
            y += height + 8
        }
        y += 28
        let size = "\(Int(Self.width)) \(Int(y))"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(Int(Self.width))" height="\(Int(y))" \
            role="img" class="story"><title>\(MarkupText.escaped(nearest.sentences.joined(separator: "; ")))</title>\
            <rect width="100%" height="100%" class="page"/>\(drawing.body)\(drawing.over)</svg>
            """
    }

    private func drawTicks(from top: Double, to bottom: Double, in drawing: inout Drawing) {
        for tick in axis.ticks(10) {
            let place = axis.place(tick)
            drawing.line(x: place, y: top, toX: place, toY: bottom, "grid")
            drawing.text(x: place, y: bottom + 14, "\(DecimalText.short(tick, places: 3))", "tick mid")
        }
        drawing.text(x: 12, y: bottom + 14, "ms after \(nearest.comparison.origin?.noun ?? "the start")", "tick")
    }

    private func draw(
        _ labels: [Label],
        verdict: String,
        name: String,
        at y: Double,
        height: Double,
        in drawing: inout Drawing
    ) {
        let line = y + height - 8
        drawing.text(x: 12, y: y + height / 2, verdict, "lane")
        drawing.text(x: 12, y: y + height / 2 + 14, Drawing.cut(name, to: Self.left - 20, size: 11), "tick")
        drawing.line(x: Self.left, y: line, toX: Self.right, toY: line, "jump")
        for (index, label) in labels.enumerated() {
            let (place, kind) = (axis.place(label.at * 1000), label.isBad ? "bad" : label.isMain ? "main" : "side")
            let middle = y + Double(index) * Self.row + 8
            drawing.line(x: place, y: middle, toX: place, toY: line, "mark \(kind)")
            drawing.circle(x: place, y: line, radius: 4, "dot \(kind)")
            let time = DecimalText.short((label.at * 1000).rounded(), places: 0)
            let words = "\(label.words.joined(separator: ", ")), \(time) ms"
            let room = max(place - Self.left, Self.right - place) - 8
            let isLeft = place > (Self.left + Self.right) / 2
            let shown = Drawing.cut(words, to: room, size: 11)
            drawing.text(x: isLeft ? place - 6 : place + 6, y: middle + 4, shown, "in \(kind)\(isLeft ? " end" : "")")
        }
    }

    /// The labels of a run inside the window: the parting, the calls, the item's steps, and the platform's judgments.
    private func labels(_ trace: TransitionTrace, _ origin: Double?, isFailing: Bool) -> [Label] {
        let (origin, missed) = (origin ?? 0, nearest.comparison.missed)
        var labels: [Label] = []
        for step in trace.steps where window.contains(step.at - origin) {
            let transition = trace.transition(of: step)
            let isItem = transition.machine == .item && transition.to != "loading" && step.item == parting.item
            let isParting = transition == parting.transition && step.item == parting.item
            guard isItem || isParting || [.calls, .controls, .mediaService].contains(transition.machine) else {
                continue
            }
            if labels.last.map({ step.at - origin - $0.at > 0.0005 }) ?? true {
                labels.append(Label(at: step.at - origin, words: []))
            }
            let last = labels.count - 1
            let noun = TraceComparison.Moment(transition: transition, item: step.item).noun
            if isParting, isFailing {
                (labels[last].words, labels[last].isBad) = ([noun], true)
            } else if !labels[last].isBad, !labels[last].words.contains(noun) {
                labels[last].words.append(noun)
            }
            if let missed, transition == missed.transition, step.item == missed.item { labels[last].isMain = true }
        }
        return important(labels)
    }

    /// The labels of the parting, then the nearest ones to it.
    private func important(_ labels: [Label]) -> [Label] {
        guard labels.count > Self.most else { return labels }
        let kept = labels.indices.sorted { one, other in
            let (first, second) = (labels[one], labels[other])
            if first.isBad != second.isBad { return first.isBad }
            if first.isMain != second.isMain { return first.isMain }
            return abs(first.at) < abs(second.at)
        }.prefix(Self.most)
        return kept.sorted().map { labels[$0] }
    }
}
