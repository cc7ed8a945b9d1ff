internal import Foundation
internal import SegueBase

/// Compares delivered audio with the source's as both stream by, and reports where they differ.
///
/// Delivered sample `d` corresponds to source sample `d - lag`. Where that fails, the position at which the delivered
/// audio continues is searched for within a few seconds, and the difference is classified.
struct AudioComparator {
    /// The required similarity.
    enum Demand {
        case same
        /// The source's audio after a lossy codec.
        case alike
    }

    /// A section in which delivered audio and source differ.
    struct Difference: Equatable {
        enum Kind { case missing, repeated, inserted, silent, altered, shifted }
        var kind: Kind
        var count: Int64
        /// The first delivered sample.
        var delivered: Int64
        /// The first source sample.
        var source: Int64
    }

    /// The differences, in order.
    private(set) var differences: [Difference] = []
    /// The number of samples found correct.
    private(set) var compared: Int64 = 0
    /// The relative error of each block compared by similarity, with the source's level in decibels.
    private(set) var errors: [(delivered: Int64, level: Float, error: Float)] = []
    /// The offset by a few samples; unused if samples must be equal.
    private(set) var alignment: AudioAlignment

    /// The number of delivered samples so far, and of source samples.
    var deliveredCount: Int64 { delivered.end }
    var sourceCount: Int64 { source.end }
    private var source: AudioWindow { pulled.window }

    /// The number of delivered samples judged.
    private(set) var cursor: Int64
    /// The difference between a delivered sample's number and its number in the source, at the cursor.
    private(set) var lag: Int64

    /// True if audio differs from an exact copy only by noise that its decoder generates, as with AAC.
    private(set) var isNoisy = false

    private var demand: Demand
    private let reach: Int64
    private let lookahead: Int64
    private var block: Int64 { demand == .same ? 4096 : 1024 }
    private var delivered: AudioWindow
    private var pulled: PulledAudio
    private var failedSearches = 0
    /// True once anything but silence has been compared; before, all lags look alike.
    private(set) var hasHeardAudio = false
    /// The number of consecutive failed searches after which only every 64th position is searched.
    private static let patience = 8
    private var dips = DipDetector()

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - channels: The number of channels of both.
    ///   - rate: The sample rate of both, in hertz.
    ///   - lead: The number of delivered samples before the source's first.
    ///   - reach: The search range for lost audio, in seconds.
    ///   - pull: Returns the next source samples by channel; nil at the end.
    init(
        demand: Demand,
        channels: Int,
        rate: Int,
        lead: Int64,
        reach: Double,
        pull: @escaping () throws -> [[Float]]?
    ) {
        self.demand = demand
        lag = lead
        cursor = lead
        self.reach = Int64(reach * Double(rate))
        lookahead = Int64(max(rate / 2, 16384))
        delivered = AudioWindow(channels: channels)
        pulled = PulledAudio(channels: channels, pull: pull)
        alignment = AudioAlignment(rate: rate)
    }

    /// Feeds delivered samples by channel.
    mutating func push(_ samples: [[Float]]) throws {
        delivered.append(samples)
        while delivered.end - cursor >= lookahead { try compareBlock() }
        forget()
    }

    /// Ends the comparison; the rest of the source counts as missing.
    mutating func finish() throws {
        while cursor < delivered.end {
            let before = (cursor, lag)
            try compareBlock()
            // The source has ended; the rest is codec padding.
            if (cursor, lag) == before { break }
        }
        let place = max(0, min(cursor, delivered.end) - lag)
        let covered = max(place, 0)
        while !pulled.hasEnded {
            try pulled.fill(to: source.end + 65536)
            pulled.drop(before: source.end)
        }
        if source.end > covered {
            note(.missing, source.end - covered, delivered: cursor, source: covered)
        }
        for dip in dips.finish() { note(.silent, dip.count, delivered: dip.first, source: dip.first - lag) }
    }

    /// The number of delivered samples after the source's last.
    var trailing: Int64 { max(0, delivered.end - lag - source.end) }

    // MARK: - Steps

    private mutating func compareBlock() throws {
        try pulled.fill(to: cursor - lag + block + 64)
        let place = cursor - lag
        guard place >= 0 else {
            cursor = min(lag, delivered.end)
            return
        }
        let length = min(block, delivered.end - cursor, source.end - place)
        guard length > 0 else {
            // Beyond the source's end, skip what the lookahead would keep.
            if pulled.hasEnded, delivered.end - cursor >= lookahead { cursor = min(cursor + block, delivered.end) }
            return
        }
        let good = demand == .same ? sameLength(length) : alikeLength(length)
        if !hasHeardAudio, good > 0 {
            // Equal samples identify a position as soon as one of them is nonzero.
            hasHeardAudio = strength(cursor, cursor + good) > (demand == .same ? 0 : AudioSimilarity.quiet)
        }
        cursor += good
        compared += good
        if good < length { try resume() }
    }

    /// The number of equal samples from the cursor on.
    private func sameLength(_ length: Int64) -> Int64 {
        let count = Int(length) * delivered.channels
        let first = delivered.withSamples(from: cursor) { delivered in
            source.withSamples(from: cursor - lag) { source in
                (0..<count).first { delivered[$0] != source[$0] } ?? count
            }
        }
        return Int64(first / delivered.channels)
    }

    /// The length if the block at the cursor is similar, otherwise 0.
    private mutating func alikeLength(_ length: Int64) -> Int64 {
        let likeness = likeness(at: cursor, lag: lag, length: length)
        guard likeness.isAlike || length < block else { return 0 }
        if likeness.source >= AudioSimilarity.quiet, length == block {
            errors.append((cursor, Float(10 * log10(likeness.source)), Float(likeness.error)))
            if alignment.wantsBlock(at: cursor), cursor - lag - 32 >= source.first {
                alignment.add(
                    delivered: delivered.mono(from: cursor, count: Int(block)),
                    source: source.mono(from: cursor - lag - 32, count: Int(block) + 64),
                    at: cursor
                )
            }
        }
        lookForDips(length)
        return length
    }

    private mutating func lookForDips(_ length: Int64) {
        let channels = delivered.channels
        let (cursor, lag) = (self.cursor, self.lag)
        delivered.withSamples(from: cursor) { delivered in
            source.withSamples(from: cursor - lag) { source in
                let count = min(Int(length), delivered.count / channels, source.count / channels)
                dips.look(delivered: delivered, source: source, count: count, channels: channels, at: cursor)
            }
        }
        for dip in dips.found() { note(.silent, dip.count, delivered: dip.first, source: dip.first - lag) }
    }

    private func likeness(at sample: Int64, lag: Int64, length: Int64) -> AudioSimilarity {
        delivered.withSamples(from: sample) { delivered in
            source.withSamples(from: sample - lag) { source in
                AudioSimilarity(source: source, delivered: delivered, count: Int(length) * self.delivered.channels)
            }
        }
    }

    /// Finds where the delivered audio continues after a difference at the cursor.
    private mutating func resume() throws {
        let start = cursor
        try pulled.fill(to: start - lag + reach)
        let end = min(start + lookahead, delivered.end)
        let piece: Int64 = demand == .same ? 256 : 4096
        var probe = start
        var step: Int64 = demand == .same ? 64 : 2048
        while probe + piece <= end, failedSearches < Self.patience || failedSearches % 64 == 0 {
            if let place = locate(probe, length: piece) {
                settle(from: start, probe: probe, newLag: probe - place)
                failedSearches = 0
                return
            }
            probe += step
            // Small steps nearby, where most differences end, and larger ones beyond.
            step = min(step * 2, 4096)
        }
        failedSearches += 1
        if demand == .same, failedSearches <= Self.patience, delivered.end - start >= 8192, isLikeSource(from: start) {
            isNoisy = true
            demand = .alike
            return
        }
        // No match within the lookahead: all of it differs, and the position is kept.
        let length = max(
            min(demand == .same ? lookahead / 2 : block, delivered.end - start, source.end - (start - lag)),
            1
        )
        note(altered(start, start + length), length, delivered: start, source: start - lag)
        cursor = start + length
    }

    /// True if audio that is not a copy of the source's is close to it anywhere.
    private func isLikeSource(from sample: Int64) -> Bool {
        let piece = delivered.mono(from: sample + 4096, count: 4096)
        guard let found = AudioSearch.alike(piece, in: source) else { return false }
        return found.correlation > 0.8
    }

    /// The source sample of a piece of delivered audio.
    private func locate(_ sample: Int64, length: Int64) -> Int64? {
        switch demand {
        case .same:
            let count = Int(length) * delivered.channels
            let piece = delivered.withSamples(from: sample) { Array($0.prefix(count)) }
            return AudioSearch.exact(piece, in: source, near: sample - lag)
        case .alike:
            let here = sample - lag
            if here >= source.first, here + length <= source.end {
                let likeness = likeness(at: sample, lag: lag, length: length)
                if likeness.isAlike && likeness.source >= AudioSimilarity.quiet { return here }
            }
            let piece = delivered.mono(from: sample, count: Int(length))
            let strength = piece.reduce(0.0) { $0 + Double($1 * $1) } / Double(max(piece.count, 1))
            guard strength > AudioSimilarity.quiet, let found = AudioSearch.alike(piece, in: source),
                found.correlation >= 0.6
            else { return nil }
            return found.place
        }
    }

    /// Classifies the section between a difference and the continuation.
    private mutating func settle(from start: Int64, probe: Int64, newLag: Int64) {
        let resumed = walkBack(from: probe, to: start, lag: newLag)
        let gap = resumed - start
        let sourceGap = (resumed - newLag) - (start - lag)
        let place = start - lag
        let isStart = !hasHeardAudio
        hasHeardAudio = true
        if sourceGap > gap {
            note(.missing, sourceGap - gap, delivered: start, source: place)
            if gap > 0, demand == .same { note(altered(start, resumed), gap, delivered: start, source: place) }
        } else if sourceGap < gap {
            let extra = gap - sourceGap
            if isStart {
                note(.shifted, extra, delivered: start, source: place)
            } else if sourceGap < (demand == .same ? 0 : -block) {
                note(.repeated, extra, delivered: start, source: place)
            } else {
                let isSilent = strength(start, start + min(extra, gap)) < AudioSimilarity.quiet / 100
                note(isSilent ? .silent : .inserted, extra, delivered: start, source: place)
            }
        } else if gap > 0 {
            note(altered(start, resumed), gap, delivered: start, source: place)
            if demand == .alike { lookForDips(gap) }
        }
        let isSame = newLag == lag && gap == 0
        lag = newLag
        cursor = max(resumed, start)
        if isSame {
            // A barely similar block in a longer similar piece.
            lookForDips(block)
            cursor = min(start + block, delivered.end)
            compared += cursor - start
        }
    }

    /// The first delivered sample, back from a known one, that agrees with a lag.
    private func walkBack(from probe: Int64, to start: Int64, lag: Int64) -> Int64 {
        var sample = probe
        let channels = delivered.channels
        let step: Int64 = demand == .same ? 1 : 128
        while sample - step >= start, sample - step - lag >= source.first {
            let isRight =
                demand == .alike
                ? likeness(at: sample - step, lag: lag, length: step).isAlike
                : delivered.withSamples(from: sample - step) { delivered in
                    source.withSamples(from: sample - step - lag) { source in
                        (0..<channels).allSatisfy { delivered[$0] == source[$0] }
                    }
                }
            guard isRight else { break }
            sample -= step
        }
        return sample
    }

    private func altered(_ first: Int64, _ end: Int64) -> Difference.Kind {
        let length = Int(min(end, delivered.end) - first) * delivered.channels
        let place = max(first - lag, source.first)
        let likeness = delivered.withSamples(from: first) { delivered in
            source.withSamples(from: min(place, source.end)) {
                AudioSimilarity(source: $0, delivered: delivered, count: length)
            }
        }
        return likeness.delivered < likeness.source / 10_000 && likeness.source > AudioSimilarity.quiet
            ? .silent : .altered
    }

    private func strength(_ first: Int64, _ end: Int64) -> Double {
        let length = Int(max(0, min(end, delivered.end) - first)) * delivered.channels
        return delivered.withSamples(from: first) { samples in
            samples.prefix(length).reduce(0.0) { $0 + Double($1 * $1) } / Double(max(length, 1))
        }
    }

    private mutating func note(_ kind: Difference.Kind, _ count: Int64, delivered: Int64, source: Int64) {
        // Consecutive differences of one kind are merged.
        if let last = differences.last, last.kind == kind, last.delivered + last.count == delivered {
            differences[differences.count - 1].count += count
        } else {
            differences.append(Difference(kind: kind, count: count, delivered: delivered, source: source))
        }
    }

    private mutating func forget() {
        delivered.drop(before: min(cursor, delivered.end) - 64)
        pulled.drop(before: cursor - lag - reach)
    }
}
