@testable import SegueCharts

/// Random timelines, which are fuller and more awkward than those of real runs; a seed always produces the same ones.
struct MadeStories {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    private mutating func number(below most: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, most)
    }

    private mutating func share() -> Double { Double(number(below: 1_000_001)) / 1_000_000 }

    private mutating func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }

    /// The next timeline.
    mutating func next() -> RunTimeline {
        var story = RunTimeline()
        story.end = one(of: [0, 0.2, 3, 45, 100, 240, 9000]) * (0.5 + share())
        let end = story.end
        story.phases = spans(["foreground", "leaving", "background", "suspended", "returning"], end)
        story.control = spans(["playing", "paused", "waiting"], end)
        for place in story.control.indices where story.control[place].label == "waiting" {
            story.control[place].detail = place % 2 == 0 ? "toMinimizeStalls" : "mediaService"
        }
        story.keepingUp = spans(["likely to keep up"], end)
        for place in 0..<number(below: 13) {
            let from = share() * end
            var item = RunTimeline.Item(
                name: "item-\(place + 1)",
                url: one(of: ["u", "u?background=1"]),
                from: from,
                to: end
            )
            item.loading = from
            if number(below: 4) > 0 { item.ready = from + share() * (end - from) }
            let last = item.ready ?? from
            if number(below: 4) == 0 { item.failed = last + share() * (end - last) }
            item.current = [RunTimeline.Span(from: from, to: end, label: item.name)]
            story.items.append(item)
        }
        if number(below: 5) > 0 { story.wished = share() * end / 4 }
        story.audio = stretches(end)
        story.video = stretches(end)
        for _ in 0..<number(below: 40) {
            story.buffer.append(RunTimeline.Point(at: share() * end, value: share() * 90))
        }
        story.buffer.sort { $0.at < $1.at }
        for _ in 0..<number(below: 60) {
            let from = share() * end
            var request = RunTimeline.Request(
                from: from,
                to: min(end, from + share() * share() * end / 2),
                kind: "segment"
            )
            request.kind = one(of: ["segment", "segment", "segment", "playlist", "map", "key"])
            request.outcome = one(of: [.finished, .finished, .failed, .cancelled, .open])
            request.answered = number(below: 4) > 0 ? (from + request.to) / 2 : nil
            request.bytes = number(below: 3_000_000)
            story.requests.append(request)
        }
        story.requests.sort { $0.from < $1.from }
        mark(&story)
        return story
    }

    private mutating func mark(_ story: inout RunTimeline) {
        let near = share() * story.end
        let count = one(of: [0, 1, 5, 30, 200])
        for _ in 0..<count {
            // Many are close to each other, and at the ends.
            let at = one(of: [share() * story.end, near + share() * 0.02, story.end, story.end - share() * 0.01, 0])
            let words = one(of: [
                "stall", "", "item-2 is rejected", "1st segment, item-1 is ready", "play", "user leaves",
            ])
            let label = String(repeating: "the platform pauses item-1: everything ", count: 1 + number(below: 5))
            let weight = one(of: [RunTimeline.Mark.Weight.detail, .step, .decision, .error])
            story.marks.append(
                RunTimeline.Mark(at: min(max(at, 0), story.end), label: label, short: words, weight: weight)
            )
        }
        story.marks.sort { $0.at < $1.at }
        for rule in 0..<number(below: 3) {
            story.findings.append(
                RunTimeline.Finding(rule: "rule-\(rule)", message: "m", at: story.end, subject: .background)
            )
        }
    }

    private mutating func spans(_ labels: [String], _ end: Double) -> [RunTimeline.Span] {
        var spans: [RunTimeline.Span] = []
        var at = 0.0
        while at < end, spans.count < 40 {
            let to = min(end, at + share() * share() * end)
            if to > at { spans.append(RunTimeline.Span(from: at, to: to, label: one(of: labels))) }
            at = to + (number(below: 3) == 0 ? share() * end / 20 : 0)
        }
        return spans
    }

    private mutating func stretches(_ end: Double) -> [RunTimeline.Stretch] {
        spans(["item-1", "item-2", "item-3"], end).map { span in
            let start = share() * 4000
            return RunTimeline.Stretch(
                from: span.from,
                to: span.to,
                item: span.label,
                start: start,
                end: start + span.to - span.from,
                reason: "end"
            )
        }
    }
}
