internal import SegueBase

/// A section of video under construction.
struct VideoStretch {
    /// A frame that was seen.
    struct Point {
        var number: Int
        var source: Double
        /// The times of its appearance and disappearance.
        var first: Double
        var gone: Double
    }

    var title: Int?
    var video: Observation.Video
    var points: [Point] = []
    var start: Double { video.start }
    var end: Double { video.end }
}

/// Splits frames into sections in which a title advances with the recording's clock.
struct VideoStretches {
    private(set) var stretches: [VideoStretch] = []

    private let recording: Recording
    private let clocks: TitleClocks
    private var current: Open?

    /// The refresh interval of a display: at most 1/60 s.
    private static let refresh = 1.0 / 60

    /// The maximum time without a frame of the title, in seconds, even if it continues in sync.
    private static let longestGap = 0.5

    /// The number of recent frames that determine the title's position.
    private static let memory = 25

    private struct Open {
        var title: Int?
        var clock: TitleClock
        var seen: [Seen] = []
        var unreadable = 0
        var offsets: [Double] = []

        /// The title's start on the recording's clock, from recent frames.
        var offset: Double {
            offsets.suffix(VideoStretches.memory).sorted()[min(offsets.count, VideoStretches.memory) / 2]
        }
    }

    /// A frame and the gap before it.
    private struct Seen {
        var number: Int
        var showing: Recording.Showing
        /// The disappearance: the start of the next frame or of darkness.
        var gone: Double
        /// The number of unreadable recorded frames before it.
        var unreadableBefore: Int
    }

    init(_ recording: Recording) {
        self.recording = recording
        clocks = TitleClocks(recording)
        let shown = numbered(recording.showings)
        for (index, seen) in shown.enumerated() {
            take(seen, next: index + 1 < shown.count ? shown[index + 1] : nil)
        }
        close()
    }

    /// Merges consecutive images of the same frame.
    private func numbered(_ showings: [Recording.Showing]) -> [Seen] {
        var shown: [Seen] = []
        var unreadable = 0
        var unclearFrom: Double?
        var isDark = false
        for showing in showings {
            switch showing.look {
            case .unreadable:
                unreadable += showing.count
                unclearFrom = unclearFrom ?? showing.first
            case .dark:
                if !isDark, let last = shown.indices.last { shown[last].gone = unclearFrom ?? showing.first }
                isDark = true
            case .number(let number):
                if let last = shown.indices.last {
                    if shown[last].number == number, !isDark {
                        shown[last].showing.last = showing.last
                        shown[last].showing.count += showing.count
                        shown[last].gone = showing.last + recording.frameInterval
                        (unreadable, unclearFrom) = (0, nil)
                        continue
                    }
                    if !isDark { shown[last].gone = unclearFrom ?? showing.first }
                }
                let gone = showing.last + recording.frameInterval
                shown.append(Seen(number: number, showing: showing, gone: gone, unreadableBefore: unreadable))
                (unreadable, unclearFrom, isDark) = (0, nil, false)
            }
        }
        return shown
    }

    private func tolerance(_ clock: TitleClock, _ number: Int) -> Double {
        clock.length(of: number) + recording.frameInterval + Self.refresh
    }

    private func follows(_ seen: Seen, _ open: Open) -> Bool {
        guard let last = open.seen.last, seen.number > last.number, open.clock.has(seen.number),
            seen.showing.first - last.gone <= Self.longestGap
        else { return false }
        let expected = open.offset + open.clock.time(of: seen.number)
        return abs(seen.showing.first - expected) <= tolerance(open.clock, seen.number)
    }

    private mutating func take(_ seen: Seen, next: Seen?) {
        if let open = current, clocks.title(at: seen.showing.first, showing: seen.number) == open.title {
            if follows(seen, open) { return add(seen) }
            // A single recorded frame that fits neither neighbor was misread.
            if seen.showing.count == 1, let next, follows(next, open) { return }
        }
        close()
        let title = clocks.title(at: seen.showing.first, showing: seen.number)
        current = Open(title: title, clock: clocks.clock(of: title))
        add(seen)
    }

    private mutating func add(_ seen: Seen) {
        guard var open = current else { return }
        open.offsets.append(seen.showing.first - open.clock.time(of: seen.number))
        open.seen.append(seen)
        current = open
    }

    private mutating func close() {
        guard let open = current, let first = open.seen.first, let last = open.seen.last else { return }
        current = nil
        let (clock, interval) = (open.clock, recording.frameInterval)
        let end = min(last.showing.first + clock.length(of: last.number), last.showing.last + interval)
        var video = Observation.Video(
            title: open.title.map { recording.titles[$0].name },
            start: first.showing.first,
            end: end,
            source: clock.time(of: first.number),
            sourceEnd: clock.time(of: last.number) + clock.length(of: last.number),
            firstNumber: first.number,
            lastNumber: last.number,
            seen: open.seen.count,
            dropped: 0,
            unseen: 0,
            repeated: 0,
            longestFreeze: 0
        )
        count(open, into: &video)
        video.variants = variants(open)
        var line = FittedLine()
        for seen in open.seen { line.add(seen.showing.first, clock.time(of: seen.number)) }
        if end - video.start >= 10 { video.driftPPM = line.slope.map { ($0 - 1) * 1e6 } }
        var stretch = VideoStretch(title: open.title, video: video)
        stretch.points = open.seen.map {
            VideoStretch.Point(
                number: $0.number,
                source: clock.time(of: $0.number),
                first: $0.showing.first,
                gone: $0.gone
            )
        }
        stretches.append(stretch)
    }

    private func variants(_ open: Open) -> [Observation.Variant] {
        var variants: [Observation.Variant] = []
        for seen in open.seen {
            guard let mark = seen.showing.mark else { continue }
            if let last = variants.indices.last, variants[last].mark == mark {
                variants[last].seen += 1
            } else {
                let (start, source) = (seen.showing.first, open.clock.time(of: seen.number))
                variants.append(Observation.Variant(mark: mark, start: start, source: source, seen: 1))
            }
        }
        return variants
    }

    /// Counts missing and frozen frames between the first and the last.
    private func count(_ open: Open, into video: inout Observation.Video) {
        let interval = recording.frameInterval
        for (before, after) in zip(open.seen, open.seen.dropFirst()) {
            let length = open.clock.length(of: before.number)
            let missing = after.number - before.number - 1
            if missing > 0 {
                // Every frame displayed for its full duration is recorded, unless the recording's frames are as long.
                let isSampled = length > interval * 1.1
                let explained = isSampled ? min(after.unreadableBefore, missing) : explainedLosses(missing, length)
                video.unseen += explained
                video.dropped += missing - explained
            }
            let shown = before.gone - before.showing.first
            if shown > length + interval + Self.refresh {
                video.repeated += max(1, Int(((shown - length) / length).rounded()))
                video.longestFreeze = max(video.longestFreeze, shown)
            }
        }
    }

    /// The number of consecutive frames that a low recording rate explains as missing.
    private func explainedLosses(_ missing: Int, _ length: Double) -> Int {
        guard length > 0 else { return missing }
        return min(missing, Int((recording.frameInterval / length).rounded(.up)))
    }
}
