import SegueTestMedia
import Testing

/// A film of 25 frames per second on a screen that a camera films.
private struct FilmedScreen {
    /// What the screen shows from when on, in thousandths of a second.
    private var shown: [(from: Double, look: Recording.Look, mark: Int?)] = []
    private(set) var now: Double

    static let title = Recording.Title(name: "film", pictureTimes: (0..<300).map { Double($0) / 25 })

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
        // The camera begins a little off the screen's clock.
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
            pictureInterval: 1 / rate,
            firstChange: showings.dropFirst().first?.first,
            titles: [Self.title],
            showings: showings,
            hearings: hearings
        )
    }

    func observed(at rate: Double) -> Observation { Observation(of: filmed(at: rate)) }
}

@Suite struct `Pictures of a recording` {
    @Test(arguments: [25.0, 30, 50, 59.94, 60, 120, 240])
    func `a film that is played well is one stretch without faults`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<275)
        let observation = screen.observed(at: rate)
        #expect(observation.pictures.count == 1)
        #expect(observation.breaks.isEmpty)
        let pictures = try #require(observation.pictures.first)
        #expect((pictures.dropped, pictures.repeated, pictures.seen) == (0, 0, 275))
        #expect(pictures.firstNumber == 0 && pictures.lastNumber == 274)
        #expect(pictures.start - 1 >= 0 && pictures.start - 1 < 1 / rate)
        #expect(abs(try #require(pictures.driftPPM)) < 1500)
        #expect(observation.startUp.from == pictures.start)
    }

    @Test(arguments: [25.0, 50, 60, 120])
    func `a switch of the variant is told, and no break`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50, mark: 1)
        // The frame before stands for a moment, as a decoder that begins anew may have it, and one cannot be read.
        screen.show(.number(49), for: 0.04, mark: 2)
        screen.play(51..<60, mark: 2)
        screen.play(60..<61)
        screen.play(61..<100, mark: 2)
        screen.play(100..<150, mark: 1)
        let observation = screen.observed(at: rate)
        #expect(observation.breaks.isEmpty)
        let variants = try #require(observation.pictures.first).variants
        #expect(variants.map(\.mark) == [1, 2, 1])
        #expect(variants.map(\.seen) == [50, 48, 50])
        #expect(variants.map { ($0.source * 25).rounded() } == [0, 51, 100])
        for (variant, at) in zip(variants, [1.0, 3.04, 5]) {
            #expect(variant.start - at >= 0 && variant.start - at <= 1 / rate)
        }
        #expect(observation.text.contains("picture  film, variant 1, 0.000 to 6.000"))
        #expect(observation.text.contains("picture  variant 2 from 2.040 on"))
    }

    @Test(arguments: [50.0, 60, 120])
    func `pictures left out are counted`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        // The frame before stands in their place.
        screen.show(.number(49), for: 0.08)
        screen.play(52..<100)
        let pictures = try #require(screen.observed(at: rate).pictures.first)
        #expect((pictures.dropped, pictures.repeated, pictures.seen) == (2, 2, 98))
        #expect(abs(pictures.longestFreeze - 0.12) <= 1 / rate)
    }

    @Test(arguments: [50.0, 60, 120])
    func `one picture that stands twice as long is told when the recording has twice as many`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(.number(49), for: 0.04)
        screen.play(50..<100)
        let observation = screen.observed(at: rate)
        #expect(observation.pictures.count == 1)
        #expect(observation.pictures.map(\.repeated) == [1])
        #expect(observation.pictures.map(\.dropped) == [0])
    }

    @Test(arguments: [25.0, 30, 60, 120])
    func `a stall is a break in which the picture stands, and nothing is left out`(rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(.number(49), for: 1.5)
        screen.play(50..<100)
        let observation = screen.observed(at: rate)
        #expect(observation.pictures.count == 2)
        let pause = try #require(observation.breaks.first)
        #expect(abs(pause.end - pause.start - 1.5) <= 1 / rate + 1e-9)
        #expect(pause.frozen == pause.end - pause.start)
        #expect(abs(try #require(pause.jump)) < 1e-9)
    }

    @Test(arguments: [30.0, 60])
    func `darkness between two places is told from a picture that stands`(rate: Double) throws {
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
    func `what hides the picture is a break though the film goes on behind it, and for a moment it is none`(
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

    @Test func `a jump back is told as repeated`() throws {
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
        #expect(observation.pictures.count == 1)
        #expect(observation.pictures.map(\.dropped) == [0])
    }

    @Test func `pictures that are mixed with the next ones do not stand still`() throws {
        var screen = FilmedScreen()
        for number in stride(from: 0, to: 100, by: 5) {
            screen.show(.number(number), for: 1.0 / 30)
            screen.show(.unreadable, for: 5.0 / 30)
        }
        let pictures = try #require(screen.observed(at: 30).pictures.first)
        #expect((pictures.seen, pictures.dropped, pictures.repeated) == (20, 0, 0))
    }

    @Test func `two pictures mixed in one of the recording are no loss`() throws {
        var screen = FilmedScreen()
        screen.play(0..<50)
        screen.show(.unreadable, for: 0.08)
        screen.play(52..<100)
        let pictures = try #require(screen.observed(at: 30).pictures.first)
        #expect((pictures.dropped, pictures.unseen) == (0, 2))
    }

    @Test(arguments: [-0.12, 0, 0.04, 0.3], [30.0, 50, 120])
    func `sound that is late by so much is told to half a picture of the recording`(late: Double, rate: Double) throws {
        var screen = FilmedScreen()
        screen.play(0..<200)
        let hearing = Recording.Hearing(title: 0, first: 1 + late, end: 9 + late, source: 0)
        let observation = Observation(of: screen.filmed(at: rate, hearing: [hearing]))
        let offset = try #require(observation.pictures.first?.soundOffset)
        #expect(abs(offset.median - late * 1000) <= offset.error + 0.001)
        #expect(abs(offset.error - 500 / rate) < 1e-9)
    }

    @Test func `the sound says which of two films is seen`() {
        var screen = FilmedScreen()
        screen.play(0..<100)
        screen.play(0..<50)
        var recording = screen.filmed(at: 60)
        recording.titles = [
            Recording.Title(name: "other", pictureTimes: FilmedScreen.title.pictureTimes), FilmedScreen.title,
        ]
        recording.hearings = [
            Recording.Hearing(title: 1, first: 1, end: 5, source: 0),
            Recording.Hearing(title: 0, first: 5, end: 7, source: 0),
        ]
        let observation = Observation(of: recording)
        #expect(observation.pictures.map(\.title) == ["film", "other"])
        #expect(observation.breaks.map(\.jump) == [nil, nil])
    }
}
