/// Follows decoded audio along its ``SoundSignal``, and tells which parts of the signal were there, in which order.
///
/// Feed it the audio of one channel from its beginning; it keeps a tenth of a second at most. Where the audio goes on
/// as it did, one comparison in each step confirms it; only where it does not is the place searched for.
package struct SoundTrail: Sendable {
    /// A stretch of audio that is one stretch of the signal.
    package struct Run: Sendable, Equatable {
        /// The number of its first sample among all samples that were fed.
        package var index: Int64

        /// The number of the signal's sample that it begins with.
        package var position: Int64

        /// The number of samples it is known to hold.
        package var count: Int64

        /// The minimum likeness of any of its windows.
        package var leastCorrelation: Double

        /// The signal's number for the sample after the run.
        package var end: Int64 { position + count }
    }

    /// What was recognized so far, in the order in which it was fed.
    package private(set) var runs: [Run] = []

    /// The number of samples lie in windows that were not recognized.
    package private(set) var unknownSamples: Int64 = 0

    /// The number of samples were fed.
    package private(set) var fed: Int64 = 0

    private let locator: AudioLocator
    private let confirming: AudioLocator
    private let channel: Int
    private let range: Range<Int64>
    private let window: Int
    private var waiting: [Float] = []
    private var failedSearches = 0

    /// After so many searches in a row without a result, only every hundredth window is searched for.
    private static let patience = 10

    /// A trail of one channel.
    ///
    /// - Parameters:
    ///   - signal: The signal at the rate of the audio that will be fed.
    ///   - channel: The channel of the signal.
    ///   - range: The samples of the signal that may occur.
    ///   - leastCorrelation: The likeness below which a window is not recognized.
    package init(signal: SoundSignal, channel: Int, range: Range<Int64>, leastCorrelation: Double = 0.4) {
        locator = AudioLocator(signal: signal, leastCorrelation: leastCorrelation)
        // Chance has few places to choose from where the place is known.
        confirming = AudioLocator(signal: signal, leastCorrelation: leastCorrelation / 2)
        self.channel = channel
        self.range = range
        window = max(signal.rate / 20, 200)
    }

    /// Takes the next samples.
    package mutating func feed(_ samples: [Float]) {
        waiting += samples
        fed += Int64(samples.count)
        var used = 0
        while waiting.count - used >= window {
            place(Array(waiting[used..<used + window]), at: fed - Int64(waiting.count - used))
            used += window
        }
        waiting.removeFirst(used)
    }

    /// Takes what is left at the end, if it goes on as before; it is too short to be searched for.
    package mutating func finish() {
        guard waiting.count >= window / 8, goesOn(waiting, at: fed - Int64(waiting.count)) else { return }
        waiting = []
    }

    /// Adds a piece to the last run, if it is what comes next in the signal.
    private mutating func goesOn(_ piece: [Float], at index: Int64) -> Bool {
        guard let last = runs.last, last.index + last.count == index else { return false }
        guard let found = confirming.confirm(piece, channel: channel, at: last.end) ?? nearby(piece, last.end) else {
            return false
        }
        runs[runs.count - 1].count += Int64(piece.count)
        runs[runs.count - 1].leastCorrelation = min(last.leastCorrelation, found.correlation)
        return true
    }

    /// Looks as far around a place as the signal is like itself, so that a shift by a few samples is seen.
    private func nearby(_ piece: [Float], _ position: Int64) -> AudioLocator.Location? {
        let slack = Int64(max(locator.signal.rate / 4000, 2))
        let range = position - slack..<position + slack + 1
        guard let found = confirming.locate(piece, channel: channel, in: range),
            // One sample to either side, for a codec that shifts the audio by a fraction.
            abs(found.position - position) <= 1
        else { return nil }
        return found
    }

    private mutating func place(_ piece: [Float], at index: Int64) {
        if goesOn(piece, at: index) { return }
        guard failedSearches < Self.patience || failedSearches % 100 == 0,
            let found = locator.locate(piece, channel: channel, in: range)
        else {
            failedSearches += 1
            unknownSamples += Int64(piece.count)
            return
        }
        failedSearches = 0
        // A window that begins where the last known one would have ended, had the one between been recognized, belongs
        // to the same run: what lay between was damaged, not lost.
        if let last = runs.last, abs((found.position - last.position) - (index - last.index)) <= 1 {
            runs[runs.count - 1].count = index - last.index + Int64(piece.count)
            runs[runs.count - 1].leastCorrelation = min(last.leastCorrelation, found.correlation)
            return
        }
        runs.append(
            Run(
                index: index,
                position: found.position,
                count: Int64(piece.count),
                leastCorrelation: found.correlation
            )
        )
    }
}
