/// The presentation times of a title's frames.
struct TitleClock: Sendable, Equatable {
    private let times: [Double]
    private let interval: Double

    /// Creates a clock with known frame times.
    init(times: [Double]) {
        self.times = times
        interval = times.count > 1 ? (times[times.count - 1] - times[0]) / Double(times.count - 1) : 0.04
    }

    /// Creates a clock with a constant frame rate.
    init(interval: Double) { (times, self.interval) = ([], interval) }

    /// True if the title has a frame with this number.
    func has(_ number: Int) -> Bool { times.isEmpty || times.indices.contains(number) }

    /// The presentation time of a frame.
    func time(of number: Int) -> Double {
        guard let last = times.last else { return Double(number) * interval }
        return times.indices.contains(number) ? times[number] : last + Double(number - times.count + 1) * interval
    }

    /// The duration of a frame.
    func length(of number: Int) -> Double {
        let length = number + 1 < times.count ? time(of: number + 1) - time(of: number) : interval
        return length > 0 ? length : interval
    }
}

/// The assignment of frames to titles by the audio heard at the time, because frame numbers alone are ambiguous.
struct TitleClocks {
    private let recording: Recording
    private let films: [Int]
    private let clocks: [TitleClock]
    private let unknown: TitleClock

    init(_ recording: Recording) {
        self.recording = recording
        clocks = recording.titles.map { TitleClock(times: $0.frameTimes) }
        films = recording.titles.indices.filter { !recording.titles[$0].frameTimes.isEmpty }
        unknown = TitleClock(interval: Self.interval(of: recording))
    }

    func clock(of title: Int?) -> TitleClock { title.map { clocks[$0] } ?? unknown }

    /// The title of a frame: the only one, or the one heard nearest in time.
    func title(at time: Double, showing number: Int) -> Int? {
        if films.count == 1 { return films[0] }
        var best: (distance: Double, title: Int)?
        for hearing in recording.hearings where clocks[hearing.title].has(number) {
            guard !recording.titles[hearing.title].frameTimes.isEmpty else { continue }
            // Audio at the frame's position is stronger evidence than audio near in time.
            let place = clocks[hearing.title].time(of: number)
            let inTime = max(hearing.first - time, time - hearing.end, 0)
            let inPlace = min(abs(hearing.source + (time - hearing.first) * hearing.speed - place), 5)
            guard inTime < 30 else { continue }
            let distance = inTime + inPlace
            if distance < best?.distance ?? .infinity { best = (distance, hearing.title) }
        }
        return best?.title
    }

    /// The standard frame interval that fits a recording best, for an unknown title.
    private static func interval(of recording: Recording) -> Double {
        var lengths: [Double] = []
        var before: (number: Int, first: Double)?
        for showing in recording.showings {
            guard case .number(let number) = showing.look else { continue }
            if let last = before, number > last.number, number - last.number < 10 {
                lengths.append((showing.first - last.first) / Double(number - last.number))
            }
            before = (number, showing.first)
        }
        guard !lengths.isEmpty else { return 0.04 }
        let middle = lengths.sorted()[lengths.count / 2]
        // The median is a multiple of the recording's interval; the mean of values near it is not.
        let near = lengths.filter { $0 < middle * 2 }
        let mean = near.reduce(0, +) / Double(near.count)
        let usual = [24000.0 / 1001, 24, 25, 30000.0 / 1001, 30, 48, 50, 60000.0 / 1001, 60].map { 1 / $0 }
        return usual.min { abs($0 - mean) < abs($1 - mean) } ?? mean
    }
}
