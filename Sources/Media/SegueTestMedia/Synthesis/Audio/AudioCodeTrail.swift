/// Tracks decoded audio along its ``AudioSignal`` and records which parts occur in which order.
///
/// It takes one channel from the start and keeps at most a tenth of a second. Continuous audio takes one comparison per
/// step; only a discontinuity requires a search.
package struct AudioCodeTrail: Sendable {
    /// A section that is contiguous in the signal.
    package struct Run: Sendable, Equatable {
        /// The first sample's number in the audio.
        package var index: Int64

        /// The first sample's number in the signal.
        package var position: Int64

        /// The number of samples.
        package var count: Int64

        /// The minimum correlation of a window.
        package var leastCorrelation: Double

        /// The signal's number for the sample after the run.
        package var end: Int64 { position + count }
    }

    /// The runs so far, in order.
    package private(set) var runs: [Run] = []

    /// The number of samples in unrecognized windows.
    package private(set) var unknownSamples: Int64 = 0

    /// The number of samples fed.
    package private(set) var fed: Int64 = 0

    private let locator: AudioLocator
    private let confirming: AudioLocator
    private let channel: Int
    private let range: Range<Int64>
    private let window: Int
    private var waiting: [Float] = []
    private var failedSearches = 0

    /// The number of failed searches after which only every hundredth window is searched.
    private static let patience = 10

    /// Creates a trail of one channel at the audio's rate; `range` is the part of the signal that may occur,
    /// `leastCorrelation` the minimum for recognition.
    package init(signal: AudioSignal, channel: Int, range: Range<Int64>, leastCorrelation: Double = 0.4) {
        locator = AudioLocator(signal: signal, leastCorrelation: leastCorrelation)
        // At a known position, chance has few alternatives.
        confirming = AudioLocator(signal: signal, leastCorrelation: leastCorrelation / 2)
        self.channel = channel
        self.range = range
        window = max(signal.rate / 20, 200)
    }

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

    /// Processes the remaining samples, which are too short for a search, if they continue the run.
    package mutating func finish() {
        guard waiting.count >= window / 8, goesOn(waiting, at: fed - Int64(waiting.count)) else { return }
        waiting = []
    }

    /// Extends the last run if a piece continues it.
    private mutating func goesOn(_ piece: [Float], at index: Int64) -> Bool {
        guard let last = runs.last, last.index + last.count == index else { return false }
        guard let found = confirming.confirm(piece, channel: channel, at: last.end) ?? nearby(piece, last.end) else {
            return false
        }
        runs[runs.count - 1].count += Int64(piece.count)
        runs[runs.count - 1].leastCorrelation = min(last.leastCorrelation, found.correlation)
        return true
    }

    /// Searches around a position as far as the signal correlates with itself, to detect small shifts.
    private func nearby(_ piece: [Float], _ position: Int64) -> AudioLocator.Location? {
        let slack = Int64(max(locator.signal.rate / 4000, 2))
        let range = position - slack..<position + slack + 1
        guard let found = confirming.locate(piece, channel: channel, in: range),
            // One sample to either side, for codecs that shift the audio by a fraction.
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
        // If a window begins where an unrecognized predecessor would have ended, it belongs to the same run: the audio
        // in between was damaged, not lost.
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
