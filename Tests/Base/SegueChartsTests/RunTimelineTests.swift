internal import Foundation
internal import FoundationXML
import SegueBase
import SegueEvents
import Testing

@testable import SegueCharts

@Suite struct `The timeline of a run` {
    private func log(_ events: [(Double, EventKind)]) -> EventLog {
        var log = EventLog()
        for (at, kind) in events { log.append(kind, at: Instant(seconds: at)) }
        return log
    }

    private func segment(_ number: Int, _ stream: String = "main") -> EventKind {
        .segmentLoaded(
            item: "item-1",
            stream: stream,
            number: number,
            bytes: 1000,
            start: Double(number) * 6,
            duration: 6,
            seconds: 1
        )
    }

    /// Plays from 2 s, is paused at 12 s at the position 10 s, and is followed by an item that is rejected.
    private var rejection: EventLog {
        log([
            (0, .queueInserted(item: "item-1", url: "http://a/index.m3u8")), (0, .queueCurrent(item: "item-1")),
            (0, .playerCommand(name: "play", item: "item-1")), (0, .itemLoading(item: "item-1")),
            (0, .requestBegan(request: 1, url: "http://a/0.ts", resource: "segment")),
            (1, .requestAnswered(request: 1, status: 200)),
            (2, .requestFinished(request: 1, bytes: 1000, seconds: 2)), (2, segment(0)),
            (2, .itemReadyToPlay(item: "item-1", duration: 60)), (2, .soundBegan(item: "item-1", position: 0)),
            (3, segment(1)), (11.5, .platformLifecycle(phase: "willResignActive")),
            (12, .platformPaused(item: "item-1", reason: "it has video")),
            (12, .soundEnded(item: "item-1", position: 10, reason: "platform")),
            (12.5, .queueInserted(item: "item-2", url: "http://a/index.m3u8?background=1")),
            (12.5, .queueRemoved(item: "item-1", reason: "advance")), (12.5, .queueCurrent(item: "item-2")),
            (12.5, .itemLoading(item: "item-2")), (12.5, .playerCommand(name: "play", item: "item-2")),
            (13, .platformRejected(item: "item-2", reason: "its tracks are not known")),
            (13, .itemFailed(item: "item-2", domain: "platform", code: 1, message: "its tracks are not known")),
            (40, .caseEnded(reason: "the scenario is done")),
        ])
    }

    @Test func `the buffer ahead follows segments and playhead`() {
        let buffer = RunTimeline(log: rejection).buffer
        func level(_ at: Double) -> [Double] { buffer.filter { $0.at == at }.map(\.value) }
        #expect(level(2).last == 6)
        // Up to 3 s one second was played; then another 6 s follow.
        #expect(level(3) == [5, 11])
        #expect(level(12).last == 2)
        #expect(level(12.5).last == 0)
    }

    @Test func `the stream with the smaller buffer counts`() {
        let story = RunTimeline(
            log: log([
                (0, .queueInserted(item: "item-1", url: "u")), (0, .queueCurrent(item: "item-1")), (1, segment(0)),
                (1, segment(0, "audio")), (2, segment(1)), (3, segment(1, "audio")),
            ])
        )
        #expect(story.buffer.filter { $0.at == 2 }.map(\.value) == [6, 6])
        #expect(story.buffer.last?.value == 12)
    }

    @Test func `the playhead moves on when video ends before audio`() {
        let story = RunTimeline(
            log: log([
                (0, .queueInserted(item: "item-1", url: "u")), (0, .queueCurrent(item: "item-1")), (0, segment(0)),
                (0, .playerRate(rate: 1, reason: "command")), (0, .soundBegan(item: "item-1", position: 0)),
                (0, .pictureBegan(item: "item-1", position: 0)),
                (2, .pictureEnded(item: "item-1", position: 2, reason: "pictures")), (5, segment(1)),
            ])
        )
        #expect(story.buffer.last?.value == 7)
    }

    @Test func `silences lie between the intent to play and the first audio`() {
        let story = RunTimeline(log: rejection)
        #expect(
            story.silences == [
                RunTimeline.Span(from: 0, to: 2, label: "start"), RunTimeline.Span(from: 12, to: 40, label: "silence"),
            ]
        )
    }

    @Test func `a rejected item has one mark, which mentions the missing segment`() {
        let marks = RunTimeline(log: rejection).marks.filter { $0.weight == .error }
        #expect(
            marks.map(\.label) == [
                "the platform rejects item-2: its tracks are not known; its first segment was not loaded yet"
            ]
        )
    }

    @Test func `the closer look shows the rejection and its cause`() throws {
        let window = try #require(RunTimeline(log: rejection).closerLook)
        #expect(window.contains(11.5) && window.contains(13) && window.upperBound < 16)
    }

    @Test func `throughput counts bytes while a response arrives`() {
        let rates = RunTimeline(log: rejection).throughput(in: 0...4, parts: 4)
        #expect(rates == [0, 8000, 0, 0])
    }

    @Test func `the drawing is well-formed and shows every lane`() throws {
        let svg = TimelineDrawing.svg(RunTimeline(log: rejection), title: "a <b> & \"c\"", about: ["2 < 3"])
        let reader = ElementReader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        for lane in ["app", "player", "items", "audio", "buffer", "throughput", "position", "requests"] {
            #expect(reader.texts.contains(lane), "no lane \(lane)")
        }
        #expect(reader.texts.contains { $0.hasPrefix("silence for 28.0 s") })
        #expect(reader.texts.contains("item-2 is rejected"))
        #expect(reader.texts.contains { $0.hasPrefix("Closer look") })
    }

    @Test func `hours of playback make a small drawing`() {
        var events: [(Double, EventKind)] = [
            (0, .queueInserted(item: "item-1", url: "u")), (0, .queueCurrent(item: "item-1")),
            (0, .playerCommand(name: "play", item: "item-1")), (1, .soundBegan(item: "item-1", position: 0)),
        ]
        for number in 0..<3000 {
            let at = 1 + Double(number) * 6
            events.append((at, .requestBegan(request: number, url: "u", resource: "segment")))
            events.append((at + 1, .requestFinished(request: number, bytes: 90_000, seconds: 1)))
            events.append((at + 1, segment(number)))
            events.append((at + 5, .itemStalled(item: "item-1", position: 0)))
        }
        let svg = TimelineDrawing.svg(RunTimeline(log: log(events)), title: "long")
        #expect(svg.utf8.count < 250_000)
        #expect(svg.contains("minor events omitted"))
    }

    @Test func `an empty log makes a drawing`() {
        #expect(XMLParser(data: Data(TimelineDrawing.svg(RunTimeline(log: EventLog()), title: "").utf8)).parse())
    }
}

/// Collects the texts of a drawing.
private final class ElementReader: NSObject, XMLParserDelegate {
    var texts: [String] = []
    private var isInText = false

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        isInText = name == "text"
        if isInText { texts.append("") }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if isInText { texts[texts.count - 1] += string }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        isInText = false
    }
}
