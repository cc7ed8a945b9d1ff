internal import SegueBase

/// A tracker of test media's audio in a recording, through gaps, jumps, noise, and clock drift.
///
/// It takes a mono mix at ``rate`` and keeps a fifth of a second. Positions are found by correlation with
/// ``AudioLocator``; starts, ends, and gaps by the likelihood of each sample, to a fraction of a millisecond.
package struct AudioFollower: Sendable {
    /// The expected sample rate, in hertz; the signal ends at 3.4 kHz.
    package static let rate = 16000

    /// A section of the recording in which a voice is uninterrupted.
    package struct Stretch: Sendable, Equatable {
        /// The voice's index.
        package var voice: Int
        /// The first sample in the recording.
        package var first: Int64
        /// The sample after the last.
        package var end: Int64
        /// The voice's position at sample `first`, in seconds of content.
        package var start: Double
        /// The content's speed relative to the recording.
        package var speed: Double
        /// The number of silent samples since the preceding section.
        package var silentBefore: Int64
        /// The minimum correlation of a window, from 0 to 1.
        package var leastCorrelation: Double
    }

    /// The completed sections.
    package private(set) var stretches: [Stretch] = []

    /// The number of samples fed.
    package private(set) var fed: Int64 = 0

    private static let window = rate / 10
    /// The minimum gap distinguishable from noise: 8 ms.
    private static let leastHole = rate / 125
    /// The search interval, in windows, after a long time without a match; skipped windows are examined on a match.
    private static let pause = 20
    /// The offset in samples that counts as a jump.
    private static let leastJump: Int64 = 3

    private let voices: [AudioVoice]
    private let signals: [AudioSignal]
    private var waiting: [Float] = []
    /// The preceding windows: the last match, or those searched since.
    private var past: [[Float]] = []
    private var previous: [Float] { past.last ?? [] }
    private var open: Open?
    private var lastVoice: Int?
    private var failedSearches = 0
    private var silent: Int64 = 0
    private var silence = Silence()
    private var lastHoleEnd: Int64 = 0

    /// An ongoing section.
    private struct Open: Sendable {
        var voice: Int
        var channel: Int
        var first: Int64
        /// The position of the last window's start, in samples, and the window's place in the recording.
        var position: Int64
        var index: Int64
        var mix: MixedVoice
        var line = FittedLine()
        var silentBefore: Int64
        var leastCorrelation: Double
    }

    /// Creates a follower of the given voices.
    package init(voices: [AudioVoice]) {
        self.voices = voices
        signals = voices.map { AudioSignal(seed: $0.seed, rate: Self.rate) }
    }

    package mutating func feed(_ samples: [Float]) {
        waiting += samples
        fed += Int64(samples.count)
        var used = 0
        while waiting.count - used >= Self.window {
            step(Array(waiting[used..<used + Self.window]), at: fed - Int64(waiting.count - used))
            used += Self.window
        }
        waiting.removeFirst(used)
    }

    /// Processes the remaining samples at the end.
    package mutating func finish() {
        guard open != nil else { return }
        close(with: waiting, at: fed - Int64(waiting.count))
    }

    private mutating func step(_ piece: [Float], at index: Int64) {
        defer { remember(piece) }
        if let open {
            if let found = goesOn(open, piece) {
                take(found, piece, at: index)
                return
            }
            close(with: piece, at: index)
        }
        if Silence.loudness(of: piece[...]) > Silence.limit { search(piece, at: index) }
        let (from, to) = (stretches.last?.end ?? 0, open?.first ?? .max)
        // Silence in the piece that starts a section lies before the section.
        let count = silence.count(in: piece, at: index, from: from, to: to)
        if open == nil { silent += count } else { open?.silentBefore += count }
    }

    private mutating func remember(_ piece: [Float]) {
        if open != nil { past.removeAll(keepingCapacity: true) }
        if past.count == Self.pause { past.removeFirst() }
        past.append(piece)
    }

    // MARK: - Following

    private func goesOn(_ open: Open, _ piece: [Float]) -> AudioLocator.Location? {
        let expected = open.position + Int64(Self.window)
        let locator = AudioLocator(signal: signals[open.voice], leastCorrelation: 0.25)
        if let found = locator.confirm(piece, channel: open.channel, at: expected) { return found }
        let slack = Int64(Self.rate / 1000)
        guard let found = locator.locate(piece, channel: open.channel, in: expected - slack..<expected + slack + 1),
            abs(found.position - expected) <= Self.leastJump
        else { return nil }
        return found
    }

    private mutating func take(_ found: AudioLocator.Location, _ piece: [Float], at index: Int64) {
        guard var open else { return }
        (open.position, open.index) = (found.position, index)
        open.leastCorrelation = min(open.leastCorrelation, found.correlation)
        let both = (previous + piece)[...]
        let (evidence, power) = open.mix.evidence(in: both, at: found.position - Int64(previous.count))
        self.open = open
        let start = index - Int64(previous.count)
        if let hole = AudioEdges.hole(evidence, power: power, least: Self.leastHole),
            hole.upperBound <= both.count - Self.leastHole,
            start + Int64(hole.lowerBound) > max(lastHoleEnd, open.first)
        {
            let (end, next) = (start + Int64(hole.lowerBound), start + Int64(hole.upperBound))
            breakOff(from: end, to: next, silent: silence.count(in: previous + piece, at: start, from: end, to: next))
            lastHoleEnd = start + Int64(hole.upperBound)
        } else {
            silence.voice = Silence.loudness(of: piece[...])
            self.open?.line.add(Double(index), Double(found.position))
            self.open?.mix = MixedVoice(
                voices[open.voice],
                signal: signals[open.voice],
                of: piece[...],
                at: found.position
            )
        }
    }

    /// Ends the section at a short gap, and starts another one after it.
    private mutating func breakOff(from end: Int64, to next: Int64, silent: Int64) {
        guard var open else { return }
        add(open, until: end)
        open.first = next
        open.line = FittedLine()
        open.line.add(Double(open.index), Double(open.position))
        open.silentBefore = silent
        self.open = open
    }

    // MARK: - Beginnings and ends

    private mutating func search(_ piece: [Float], at index: Int64) {
        guard failedSearches < 10 || failedSearches % Self.pause == 0, let (voice, channel, found) = locate(piece)
        else {
            failedSearches += 1
            return
        }
        failedSearches = 0
        lastVoice = voice
        let mix = MixedVoice(voices[voice], signal: signals[voice], of: piece[...], at: found.position)
        // It may have begun in windows that were not searched.
        let known = windowsBefore(found, voice: voice, channel: channel)
        let begin = index - Int64(known.count)
        let before = past.dropLast(known.count / Self.window).last ?? []
        let around = (before + known + piece)[...]
        let position = found.position - Int64(known.count + before.count)
        let (evidence, _) = mix.evidence(in: around.prefix(before.count + Self.window), at: position)
        var first = begin - Int64(before.count) + Int64(AudioEdges.beginning(evidence))
        if let last = stretches.last, first - last.end < Int64(Self.rate / 1000) { first = max(first, last.end) }
        var open = Open(
            voice: voice,
            channel: channel,
            first: first,
            position: found.position,
            index: index,
            mix: mix,
            silentBefore: silent,
            leastCorrelation: found.correlation
        )
        open.line.add(Double(index), Double(found.position))
        silent = 0
        self.open = open
    }

    /// The windows directly before a match that lead to it.
    private func windowsBefore(_ found: AudioLocator.Location, voice: Int, channel: Int) -> [Float] {
        let locator = AudioLocator(signal: signals[voice], leastCorrelation: 0.25)
        var count = 0
        for window in past.reversed() {
            let position = found.position - Int64((count + 1) * Self.window)
            guard locator.correlation(of: window, channel: channel, at: position) >= 0.25 else { break }
            count += 1
        }
        return Array(past.suffix(count).joined())
    }

    private func locate(_ piece: [Float]) -> (Int, Int, AudioLocator.Location)? {
        let order = [lastVoice].compactMap { $0 } + voices.indices.filter { $0 != lastVoice }
        for voice in order {
            let seconds = voices[voice].seconds
            let rate = Double(Self.rate)
            let range = Int64(seconds.lowerBound * rate) - Int64(Self.window)..<Int64(seconds.upperBound * rate) + 1
            let locator = AudioLocator(signal: signals[voice], leastCorrelation: 0.35)
            for channel in voices[voice].telling {
                if let found = locator.locate(piece, channel: channel, in: range) { return (voice, channel, found) }
            }
        }
        return nil
    }

    /// Ends the section in the last matching window or in the piece after it.
    private mutating func close(with piece: [Float], at index: Int64) {
        guard let open else { return }
        let both = (previous + piece)[...]
        let begin = index - Int64(previous.count)
        let (evidence, _) = open.mix.evidence(in: both, at: open.position + (begin - open.index))
        let end = begin + Int64(AudioEdges.end(evidence))
        add(open, until: end)
        // Silence in the piece itself is counted when the section ends there.
        silent += silence.count(in: previous, at: begin, from: end, to: index)
        self.open = nil
    }

    private mutating func add(_ open: Open, until end: Int64) {
        guard end > open.first else { return }
        let speed = open.line.slope ?? 1
        let start = open.line.value(at: Double(open.first), slope: speed) / Double(Self.rate)
        stretches.append(
            Stretch(
                voice: open.voice,
                first: open.first,
                end: end,
                start: start,
                speed: speed,
                silentBefore: open.silentBefore,
                leastCorrelation: open.leastCorrelation
            )
        )
    }
}
