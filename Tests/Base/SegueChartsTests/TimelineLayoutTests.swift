import SegueBase
import SegueEvents
import Testing

@testable import SegueCharts

@Suite struct `The layout of a timeline` {
    private static let title =
        "a folder/a_long_name_of_a_file__of_somebody.mp4: background-and-return · 3g · ios-4.3 · app"

    @Test(arguments: 0..<40)
    func `text overlaps no other text, number, or request, and stays in the drawing`(seed: Int) {
        var stories = MadeStories(seed: seed)
        for _ in 0..<10 {
            let story = stories.next()
            let boxes = DrawnBoxes(TimelineDrawing.svg(story, title: Self.title, about: [Self.title + Self.title]))
            let requests = boxes.rects.filter { box in
                ["media", "media wait", "list", "list wait", "lost", "given-up"].contains(box.kind)
                    && box.bottom - box.top < 9
            }
            #expect(boxes.isWellFormed && boxes.size.height > 100)
            for (index, text) in boxes.texts.enumerated() {
                #expect(
                    text.left >= 0 && text.right <= boxes.size.width && text.top >= 0
                        && text.bottom <= boxes.size.height,
                    "\(text) leaves \(boxes.size)"
                )
                let other = boxes.texts.dropFirst(index + 1).first(where: text.meets)
                #expect(other == nil, "\(text) lies over \(String(describing: other))")
                guard !text.kind.contains("digit") else { continue }
                #expect(!boxes.circles.contains(where: text.meets), "\(text) lies over a number")
                #expect(!requests.contains(where: text.meets), "\(text) lies over a request")
            }
            for (index, circle) in boxes.circles.enumerated() {
                #expect(
                    !boxes.circles.dropFirst(index + 1).contains(where: circle.meets),
                    "numbers lie over each other"
                )
                #expect(circle.right <= boxes.size.width)
            }
            // A rectangle in the page's background color would hide what lies below it.
            #expect(!boxes.rects.contains { $0.kind == "page" })
        }
    }

    @Test func `a drawing has no id, which would have to be unique in the page`() {
        var stories = MadeStories(seed: 7)
        for _ in 0..<20 {
            let svg = TimelineDrawing.svg(stories.next(), title: "")
            #expect(DrawnBoxes(svg).ids.isEmpty && !svg.contains("url(#"))
        }
    }

    @Test func `a silence is hatched`() {
        var story = RunTimeline()
        (story.end, story.wished) = (10, 0)
        let stretch = RunTimeline.Stretch(from: 2, to: 5, item: "a", start: 0, end: 3, reason: "")
        story.audio = [stretch]
        let svg = TimelineDrawing.svg(story, title: "")
        #expect(svg.contains("class=\"si-silence-stripes\"") && svg.contains("class=\"si-start-stripes\""))
    }

    @Test func `an empty run has a message`() {
        let svg = TimelineDrawing.svg(RunTimeline(log: EventLog()), title: "a")
        #expect(svg.contains("No request was sent and nothing played."))
        var story = RunTimeline()
        story.requests = [RunTimeline.Request(from: 0, to: 1, kind: "playlist")]
        #expect(!TimelineDrawing.svg(story, title: "a").contains("No request was sent"))
    }

    @Test func `the cause of a failure is numbered, however many events there are`() {
        var story = RunTimeline()
        story.end = 400
        for second in 0..<400 {
            story.marks.append(RunTimeline.Mark(at: Double(second), label: "stall \(second)", weight: .error))
        }
        story.marks[350].label = "what counts"
        story.findings = [RunTimeline.Finding(rule: "r", message: "m", at: 350)]
        let (marks, left) = story.numbered(most: 22)
        #expect(marks.count == 22 && left == 378)
        #expect(marks.contains { $0.label == "what counts" })
        #expect(marks.map(\.at) == marks.map(\.at).sorted())
    }

    @Test func `marks of one instant keep all their labels, each once`() {
        var story = RunTimeline()
        story.marks = ["item-10 failed", "item-1", "item-1"].map {
            RunTimeline.Mark(at: 1, label: $0, short: $0, weight: .error)
        }
        let (marks, _) = story.numbered(most: 22)
        #expect(marks.map(\.label) == ["item-10 failed; item-1"])
        #expect(marks.map(\.short) == ["item-10 failed, item-1"])
    }

    @Test func `the reason of a wait is apart from the status`() {
        var log = EventLog()
        log.append(.playerTimeControl(status: "waiting", waitingFor: "toMinimizeStalls"), at: .zero)
        log.append(.playerTimeControl(status: "playing", waitingFor: ""), at: Instant(seconds: 2))
        log.append(.playerTimeControl(status: "paused", waitingFor: ""), at: Instant(seconds: 4))
        let story = RunTimeline(log: log)
        #expect(story.control.map(\.label) == ["waiting", "playing"])
        #expect(story.control.map(\.detail) == ["toMinimizeStalls", nil])
    }
}
