internal import Timeline

/// Follows the sound of a recording along the voices of test media, through gaps, jumps, noise and a clock that drifts.
///
/// Feed it one channel, mixed of all, at ``rate``; it keeps a fifth of a second. Places are found by correlation with
/// ``SoundLocator``, and where a voice begins, ends or is missing by the likelihood of each sample, so that it is known
/// to a fraction of a millisecond.
package struct SoundFollower: Sendable {
    /// Samples a second that it wants; the signal ends at 3.4 kHz.
    package static let rate = 16000

    /// A stretch of the recording in which a voice is heard without a break.
    package struct Stretch: Sendable, Equatable {
        /// The number of the voice.
        package var voice: Int
        /// The first sample of the recording.
        package var first: Int64
        /// The sample of the recording after the last.
        package var end: Int64
        /// Where on the content's timeline the voice is at sample `first`, in seconds.
        package var start: Double
        /// Seconds of content in a second of the recording.
        package var speed: Double
        /// Samples since the stretch before that were silent.
        package var silentBefore: Int64
        /// The least likeness of any of its windows, from 0 to 1.
        package var leastCorrelation: Double
    }

    /// What was heard and is over.
    package private(set) var stretches: [Stretch] = []

    /// How many samples were fed.
    package private(set) var fed: Int64 = 0

    private static let window = rate / 10
    /// The shortest time without the voice that is told from noise: 8 ms.
    private static let leastHole = rate / 125
    /// A voice that is so many samples off has jumped.
    private static let leastJump: Int64 = 3
    /// Below this, full scale being 1, it is silent: -60 dB.
    private static let silence: Float = 0.001

    private let voices: [SoundVoice]
    private let signals: [SoundSignal]
    private var waiting: [Float] = []
    private var previous: [Float] = []
    private var open: Open?
    private var lastVoice: Int?
    private var failedSearches = 0
    private var silent: Int64 = 0
    private var lastHoleEnd: Int64 = 0

    /// A stretch that goes on.
    private struct Open: Sendable {
        var voice: Int
        var channel: Int
        var first: Int64
        /// The place, in samples, of the last window's beginning, and that window's place in the recording.
        var position: Int64
        var index: Int64
        var mix: MixedVoice
        var line = FittedLine()
        var silentBefore: Int64
        var leastCorrelation: Double
    }

    /// A follower of any of these voices.
    package init(voices: [SoundVoice]) {
        self.voices = voices
        signals = voices.map { SoundSignal(seed: $0.seed, rate: Self.rate) }
    }

    /// Takes the next samples.
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

    /// Takes what is left at the end.
    package mutating func finish() {
        guard open != nil else { return }
        close(with: waiting, at: fed - Int64(waiting.count))
    }

    private mutating func step(_ piece: [Float], at index: Int64) {
        defer { previous = piece }
        if let open {
            if let found = goesOn(open, piece) {
                take(found, piece, at: index)
                return
            }
            close(with: piece, at: index)
        }
        let energy = piece.reduce(0) { $0 + $1 * $1 } / Float(piece.count)
        guard energy > Self.silence * Self.silence else {
            silent += Int64(piece.count)
            return
        }
        search(piece, at: index)
    }

    // MARK: - Following

    private func goesOn(_ open: Open, _ piece: [Float]) -> SoundLocator.Location? {
        let expected = open.position + Int64(Self.window)
        let locator = SoundLocator(signal: signals[open.voice], leastCorrelation: 0.25)
        if let found = locator.confirm(piece, channel: open.channel, at: expected) { return found }
        let slack = Int64(Self.rate / 1000)
        guard let found = locator.locate(piece, channel: open.channel, in: expected - slack..<expected + slack + 1),
            abs(found.position - expected) <= Self.leastJump
        else { return nil }
        return found
    }

    private mutating func take(_ found: SoundLocator.Location, _ piece: [Float], at index: Int64) {
        guard var open else { return }
        (open.position, open.index) = (found.position, index)
        open.leastCorrelation = min(open.leastCorrelation, found.correlation)
        let both = (previous + piece)[...]
        let (evidence, power) = open.mix.evidence(in: both, at: found.position - Int64(previous.count))
        self.open = open
        let start = index - Int64(previous.count)
        if let hole = SoundEdges.hole(evidence, power: power, least: Self.leastHole), hole.upperBound < both.count,
            start + Int64(hole.lowerBound) > max(lastHoleEnd, open.first)
        {
            breakOff(from: start + Int64(hole.lowerBound), to: start + Int64(hole.upperBound))
            lastHoleEnd = start + Int64(hole.upperBound)
        } else {
            self.open?.line.add(Double(index), Double(found.position))
            self.open?.mix = MixedVoice(
                voices[open.voice],
                signal: signals[open.voice],
                of: piece[...],
                at: found.position
            )
        }
    }

    /// Ends the stretch where the voice is missing for a moment, and begins another after it.
    private mutating func breakOff(from end: Int64, to next: Int64) {
        guard var open else { return }
        add(open, until: end)
        open.first = next
        open.line = FittedLine()
        open.line.add(Double(open.index), Double(open.position))
        open.silentBefore = next - end
        self.open = open
    }

    // MARK: - Beginnings and ends

    private mutating func search(_ piece: [Float], at index: Int64) {
        guard failedSearches < 10 || failedSearches % 20 == 0, let (voice, channel, found) = locate(piece) else {
            failedSearches += 1
            return
        }
        failedSearches = 0
        lastVoice = voice
        let mix = MixedVoice(voices[voice], signal: signals[voice], of: piece[...], at: found.position)
        let (evidence, _) = mix.evidence(in: (previous + piece)[...], at: found.position - Int64(previous.count))
        var first = index - Int64(previous.count) + Int64(SoundEdges.beginning(evidence))
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

    private func locate(_ piece: [Float]) -> (Int, Int, SoundLocator.Location)? {
        let order = [lastVoice].compactMap { $0 } + voices.indices.filter { $0 != lastVoice }
        for voice in order {
            let seconds = voices[voice].seconds
            let rate = Double(Self.rate)
            let range = Int64(seconds.lowerBound * rate) - Int64(Self.window)..<Int64(seconds.upperBound * rate) + 1
            let locator = SoundLocator(signal: signals[voice], leastCorrelation: 0.35)
            for channel in voices[voice].telling {
                if let found = locator.locate(piece, channel: channel, in: range) { return (voice, channel, found) }
            }
        }
        return nil
    }

    /// Ends the stretch in the last window that was recognized or in the piece after it.
    private mutating func close(with piece: [Float], at index: Int64) {
        guard let open else { return }
        let both = (previous + piece)[...]
        let begin = index - Int64(previous.count)
        let (evidence, _) = open.mix.evidence(in: both, at: open.position + (begin - open.index))
        add(open, until: begin + Int64(SoundEdges.end(evidence)))
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
