import SegueTestMedia
import Testing

/// A 25 fps video on a screen filmed by a camera.
private struct FilmedScreen {
    /// The screen's content from each time on, in milliseconds.
    private var shown: [(from: Double, look: Recording.Look, mark: Int?)] = []
    private(set) var now: Double

    static let title = Recording.Title(name: "film", frameTimes: (0..<300).map { Double($0) / 25 })

    init(startingAt now: Double = 1) {
        shown = [(0, .dark, nil)]
        self.now = now
    }

    mutating func play(_ numbers: Range<Int>, each length: Double = 0.04, mark: Int? = nil) {
        for number in numbers { show(.number(number), for: length, mark: mark) }
    }

    mutating func show(_ look: Recording.Look, for length: Double, mark: Int? = nil) {
        shown.append((now, look, mark))
        now += length
    }

    func filmed(at rate: Double, hearing hearings: [Recording.Hearing] = []) -> Recording {
        let ending = shown + [(now, .dark, nil)]
        var showings: [Recording.Showing] = []
        var next = 0
        // The camera starts slightly off the screen's clock.
        var time = 0.0013
        while time < now + 0.5 {
            while next < ending.count, ending[next].from <= time { next += 1 }
            let (look, mark) = (ending[next - 1].look, ending[next - 1].mark)
            if let last = showings.indices.last, showings[last].look == look, showings[last].mark == mark {
                showings[last].last = time
                showings[last].count += 1
            } else {
                showings.append(Recording.Showing(look, first: time, last: time, count: 1, mark: mark))
            }
            time += 1 / rate
        }
        return Recording(
            duration: time,
            frameInterval: 1 / rate,
            firstChange: showings.dropFirst().first?.first,
            titles: [Self.title],
            showings: showings,
            hearings: hearings
        )
    }

    func observed(at rate: Double) -> Observation { Observation(of: filmed(at: rate)) }
}

@Suite struct `Frames of a recording` {
    @Test(arguments: [25.0, 30, 50, 59.94, 60, 120, 240])
    func `flawless playback is one section without faults`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<275)
        let observation = screen.observed(at: rate)
        #expect(observation.video.count == 1)
        #expect(observation.breaks.isEmpty)
        let video = try #require(observation.video.first)
        #expect((video.dropped, video.repeated, video.seen) == (0, 0, 275))
        #expect(video.firstNumber == 0 && video.lastNumber == 274)
        #expect(video.start - 1 >= 0 && video.start - 1 < 1 / rate)
        #expect(abs(try #require(video.driftPPM)) < 1500)
        #expect(observation.startUp.from == video.start)
    }

    @Test(arguments: [25.0, 50, 60, 120])
    func `a variant switch is reported without a gap`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50, mark: 1)
        // The previous frame stays briefly, as after a decoder restart, and one is unreadable.
        screen.show(.number(49), for: 0.04, mark: 2)
        screen.play(51..<60, mark: 2)
        screen.play(60..<61)
        screen.play(61..<100, mark: 2)
        screen.play(100..<150, mark: 1)
        let observation = screen.observed(at: rate)
        #expect(observation.breaks.isEmpty)
        let variants = try #require(observation.video.first).variants
        #expect(variants.map(\.mark) == [1, 2, 1])
        #expect(variants.map(\.seen) == [50, 48, 50])
        #expect(variants.map { ($0.source * 25).rounded() } == [0, 51, 100])
        for (variant, at) in zip(variants, [1.0, 3.04, 5]) {
            #expect(variant.start - at >= 0 && variant.start - at <= 1 / rate)
        }
        #expect(observation.text.contains("video  film, variant 1, 0.000 to 6.000"))
        #expect(observation.text.contains("video  variant 2 from 2.040 on"))
    }

    @Test(arguments: [50.0, 60, 120])
    func `missing frames are counted`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        // The previous frame stays instead.
        screen.show(.number(49), for: 0.08)
        screen.play(52..<100)
        let video = try #require(screen.observed(at: rate).video.first)
        #expect((video.dropped, video.repeated, video.seen) == (2, 2, 98))
        #expect(abs(video.longestFreeze - 0.12) <= 1 / rate)
    }

    @Test(arguments: [50.0, 60, 120])
    func `a doubled frame is reported at twice the recording rate`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(.number(49), for: 0.04)
        screen.play(50..<100)
        let observation = screen.observed(at: rate)
        #expect(observation.video.count == 1)
        #expect(observation.video.map(\.repeated) == [1])
        #expect(observation.video.map(\.dropped) == [0])
    }

    @Test(arguments: [25.0, 30, 60, 120])
    func `a stall is a gap with a frozen frame and nothing skipped`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(.number(49), for: 1.5)
        screen.play(50..<100)
        let observation = screen.observed(at: rate)
        #expect(observation.video.count == 2)
        let pause = try #require(observation.breaks.first)
        #expect(abs(pause.end - pause.start - 1.5) <= 1 / rate + 1e-9)
        #expect(pause.frozen == pause.end - pause.start)
        #expect(abs(try #require(pause.jump)) < 1e-9)
    }

    @Test(arguments: [30.0, 60])
    func `darkness is distinguished from a frozen frame`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(.dark, for: 0.8)
        screen.show(.unreadable, for: 0.4)
        screen.play(150..<200)
        let pause = try #require(screen.observed(at: rate).breaks.first)
        #expect(abs(pause.empty - 0.8) <= 2 / rate)
        #expect(abs(pause.unknown - 0.4) <= 2 / rate)
        #expect(pause.frozen <= 1 / rate)
        #expect(abs(try #require(pause.jump) - 4) < 1e-9)
    }

    @Test(arguments: [Recording.Look.dark, .unreadable])
    func `an obstruction is a gap, unless it is short`(
        look: Recording.Look
    ) throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(look, for: 2)
        screen.play(100..<150)
        let pause = try #require(screen.observed(at: 50).breaks.first)
        #expect(abs((look == .dark ? pause.empty : pause.unknown) - 2) <= 0.04)
        #expect(abs(try #require(pause.jump) - 2) < 1e-9)
        var blinking = FilmedScreen()
        blinking.play(0..<50)
        blinking.show(look, for: 0.2)
        blinking.play(55..<100)
        #expect(blinking.observed(at: 50).breaks.isEmpty)
    }

    @Test func `a jump back is reported as repeated`() throws {
        var screen = FilmedScreen()
        screen.play(0..<100)
        screen.play(25..<75)
        let pause = try #require(screen.observed(at: 60).breaks.first)
        #expect(abs(try #require(pause.jump) + 3) < 1e-9)
        #expect(pause.end - pause.start < 1.0 / 60 + 1e-9)
    }

    @Test func `a number misread once changes nothing`() throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(.number(50), for: 0.02)
        screen.show(.number(222), for: 0.02)
        screen.play(51..<100)
        let observation = screen.observed(at: 60)
        #expect(observation.video.count == 1)
        #expect(observation.video.map(\.dropped) == [0])
    }

    @Test func `frames blended with their successors are not frozen`() throws {
        var screen = FilmedScreen()
        for number in stride(from: 0, to: 100, by: 5) {
            screen.show(.number(number), for: 1.0 / 30)
            screen.show(.unreadable, for: 5.0 / 30)
        }
        let video = try #require(screen.observed(at: 30).video.first)
        #expect((video.seen, video.dropped, video.repeated) == (20, 0, 0))
    }

    @Test func `two frames blended in one recorded frame are not lost`() throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(.unreadable, for: 0.08)
        screen.play(52..<100)
        let video = try #require(screen.observed(at: 30).video.first)
        #expect((video.dropped, video.unseen) == (0, 2))
    }

    @Test(arguments: [-0.12, 0, 0.04, 0.3], [30.0, 50, 120])
    func `late audio is measured to half a recorded frame`(late: Double, rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<200)
        let hearing = Recording.Hearing(title: 0, first: 1 + late, end: 9 + late, source: 0)
        let observation = Observation(of: screen.filmed(at: rate, hearing: [hearing]))
        let offset = try #require(observation.video.first?.audioOffset)
        #expect(abs(offset.median - late * 1000) <= offset.error + 0.001)
        #expect(abs(offset.error - 500 / rate) < 1e-9)
    }

    @Test func `the audio determines which of two titles is seen`() {
        var screen = FilmedScreen()
        screen.play(0..<100)
        screen.play(0..<50)
        var recording = screen.filmed(at: 60)
        recording.titles = [
            Recording.Title(name: "other", frameTimes: FilmedScreen.title.frameTimes), FilmedScreen.title,
        ]
        recording.hearings = [
            Recording.Hearing(title: 1, first: 1, end: 5, source: 0),
            Recording.Hearing(title: 0, first: 5, end: 7, source: 0),
        ]
        let observation = Observation(of: recording)
        #expect(observation.video.map(\.title) == ["film", "other"])
        #expect(observation.breaks.map(\.jump) == [nil, nil])
    }
}
