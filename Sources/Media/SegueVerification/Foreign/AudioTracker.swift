internal import Foundation

/// Finds the source position of each section of delivered audio as both stream by.
///
/// Both are at ``AudioReducer/rate``. Delivered sample `d` corresponds to source sample `d - lag`; where that fails,
/// the continuation is searched for, first near the timestamps, then in the surroundings.
struct AudioTracker {
    /// A section of delivered audio that is contiguous in the source, in samples.
    struct Piece: Equatable {
        var delivered: Range<Int>
        /// The lag at its start and end, which differ slightly if the audio drifts.
        var firstLag: Int
        var lastLag: Int
        /// True if the audio between the preceding section and this one is silent or absent.
        var isSilentBefore = true
    }

    /// A delivered sample with a reliable source position.
    struct Anchor: Equatable {
        var delivered: Int
        var lag: Int
    }

    /// The sections, in order.
    private(set) var pieces: [Piece] = []
    private(set) var anchors: [Anchor] = []
    /// Short sections in which the audio is missing.
    private(set) var dips: [Range<Int>] = []
    private(set) var channels: ChannelOrder
    /// The mean levels of matching audio, in the source and delivered.
    private(set) var strength = (source: 0.0, delivered: 0.0)
    var deliveredCount: Int { Int(delivered.end) }
    var sourceCount: Int { Int(source.end) }
    /// The first samples of both, to identify unexpected audio.
    private(set) var opening: (source: [Float], delivered: [Float]) = ([], [])

    private let least: Double
    private let reach: Int
    private let pull: () throws -> [[Float]]?
    private let expected: (Int) -> Int?

    private var delivered = AudioWindow(channels: 1)
    private var source = AudioWindow(channels: 1)
    private var sourceHasEnded = false
    private var cursor = 0
    private var lag: Int?
    /// The start of the unlocated audio.
    private var lost: Int? = 0
    private var failures = 0
    /// True once anything but silence was delivered.
    private var hasBegun = false
    private var blocks = 0
    private var usual = 0.0
    private var dip: Range<Int>?

    /// The block size in samples, a twentieth of a second, and the step for locating ends.
    private static let (block, step) = (400, 80)
    /// The number of delivered samples buffered before judgement.
    private static let lookahead = 32_000
    /// The maximum length of unlocated audio held.
    private static let longestGap = 480_000
    /// The maximum encoder delay: 300 ms.
    private static let longestDelay = 2400
    /// The length of a searched piece.
    private static let piece = 4000
    /// The mean square below which audio is silent.
    static let quiet = 3e-6

    /// Creates a tracker.
    ///
    /// - Parameters:
    ///   - channels: The number of channels both have.
    ///   - least: The minimum correlation of matching audio.
    ///   - reach: The search range, in seconds.
    ///   - expected: Returns the lag that timestamps imply for a delivered sample.
    ///   - pull: Returns the next source samples by channel; nil at the end.
    init(
        channels: Int,
        least: Double,
        reach: Double,
        expected: @escaping (Int) -> Int?,
        pull: @escaping () throws -> [[Float]]?
    ) {
        self.least = least
        self.reach = Int(reach * AudioReducer.rate)
        self.expected = expected
        self.pull = pull
        self.channels = ChannelOrder(channels: channels)
    }

    /// Feeds delivered samples by channel.
    mutating func push(_ planes: [[Float]]) throws {
        let mix = Self.mixed(planes)
        if opening.delivered.count < 160_000 { opening.delivered += mix }
        delivered.append([mix])
        channels.delivered(planes)
        while deliveredCount - cursor >= Self.lookahead { try advance() }
        forget()
    }

    /// Ends the comparison.
    mutating func finish() throws {
        while cursor < deliveredCount { try advance() }
        endDip()
        channels.finish(at: cursor)
        while !sourceHasEnded {
            try fill(to: sourceCount + 65_536)
            if cursor > 0 { source.drop(before: source.end) }
        }
    }

    /// Mixes channels with slightly different weights, so that canceling channels remain audible.
    static func mixed(_ planes: [[Float]]) -> [Float] {
        guard planes.count > 1, var mix = planes.first else { return planes.first ?? [] }
        let scale = 1 / Float(planes.count)
        for index in mix.indices {
            for channel in 1..<planes.count { mix[index] += planes[channel][index] * (channel % 2 == 1 ? 0.7 : 1) }
            mix[index] *= scale
        }
        return mix
    }

    // MARK: - Steps

    private mutating func advance() throws {
        if let lag, lost == nil { try follow(lag) } else { try search() }
    }

    /// Continues at a known position.
    private mutating func follow(_ lag: Int) throws {
        var count = min(Self.block, deliveredCount - cursor)
        try fill(to: cursor - lag + count + 64)
        count = min(count, sourceCount - (cursor - lag))
        guard count >= Self.step || count == deliveredCount - cursor, count > 0, cursor - lag >= Int(source.first)
        else {
            lose(at: cursor)
            return
        }
        var (likeness, lag) = (likeness(cursor, lag: lag, count: count), lag)
        if judge(likeness) == .unlike, let nudged = nudged(lag, count) { (likeness, lag) = nudged }
        usual += (likeness.source - usual) / 16
        switch judge(likeness) {
        case .unlike where count >= Self.step:
            lose(at: parting(lag, count))
            return
        case .alike:
            strength.source += likeness.source * Double(count)
            strength.delivered += likeness.delivered * Double(count)
            channels.compare(from: cursor, lag: lag, count: count)
            lookForDips(lag, count)
        default: endDip()
        }
        cursor += count
        pieces[pieces.count - 1].delivered = pieces[pieces.count - 1].delivered.lowerBound..<cursor
        blocks += 1
        align(lag)
        pieces[pieces.count - 1].lastLag = self.lag ?? lag
    }

    /// A nearby lag at which a block clearly matches, for drifting audio.
    private mutating func nudged(_ lag: Int, _ count: Int) -> (AudioSimilarity, Int)? {
        let candidates = [1, -1, 2, -2, 3, -3].map { lag + $0 }.filter { candidate in
            cursor - candidate >= Int(source.first) && cursor - candidate + count <= sourceCount
        }
        let found = candidates.map { (likeness(cursor, lag: $0, count: count), $0) }.max {
            $0.0.correlation < $1.0.correlation
        }
        guard let found, found.0.correlation >= max(least, 0.7), judge(found.0) == .alike else { return nil }
        self.lag = found.1
        return found
    }

    /// The position, in a block or directly before it, at which the audio stops matching.
    private func parting(_ lag: Int, _ count: Int) -> Int {
        let begin = pieces.last?.delivered.lowerBound ?? cursor
        var place = max(begin, cursor - Self.block, lag + Int(source.first))
        while place + 2 * Self.step <= cursor + count {
            let isGone = [place, place + Self.step].allSatisfy {
                judge(likeness($0, lag: lag, count: Self.step)) == .unlike
            }
            if isGone { return place }
            place += Self.step
        }
        return max(begin, cursor)
    }

    private mutating func lose(at sample: Int) {
        endDip()
        if let last = pieces.last { pieces[pieces.count - 1].delivered = last.delivered.lowerBound..<sample }
        lost = sample
        cursor = max(sample, cursor)
        failures = 0
    }

    /// True if the audio behind the last section is silent.
    var isSilentBehind: Bool {
        let first = max(pieces.last?.delivered.upperBound ?? 0, Int(delivered.first))
        return isSilent(first..<max(first, deliveredCount))
    }

    /// True if most of a range is silent; codecs let audio ring at its end.
    private func isSilent(_ samples: Range<Int>) -> Bool {
        let places = stride(from: samples.lowerBound, to: samples.upperBound, by: Self.step)
        let silent = places.count { place in
            let count = min(Self.step, samples.upperBound - place)
            return AudioSimilarity.strength(delivered, first: place, count: count) < max(30 * Self.quiet, usual / 64)
        }
        return silent * 2 >= Array(places).count
    }

    /// Searches for the position at which the audio continues.
    private mutating func search() throws {
        let length = min(Self.piece, deliveredCount - cursor)
        let isLoud = AudioSimilarity.strength(delivered, first: cursor, count: length) > Self.quiet
        if isLoud, !hasBegun {
            // At the very start, some audio may precede the source's; the following audio tells.
            hasBegun = true
            cursor = beginning()
            return
        }
        if length >= 800, isLoud {
            for candidate in [lag, expected(cursor)].compactMap({ $0 }) where cursor - candidate < sourceCount + reach {
                try fill(to: cursor - candidate + length + 1300)
                // In audio at another speed, only short pieces match.
                for length in [length, 1200] where length <= deliveredCount - cursor {
                    if let found = near(candidate, length, slack: candidate == lag ? 24 : 1200) {
                        resume(found)
                        return
                    }
                }
            }
            if failures < 8 || failures.isMultiple(of: 256), length >= 2000 {
                let middle = cursor - (lag ?? expected(cursor) ?? 0)
                try fill(to: middle + reach)
                if let found = everywhere(length, near: cursor - middle) {
                    resume(found)
                    return
                }
            }
            failures += 1
        }
        cursor = min(cursor + Self.block, deliveredCount)
    }

    /// The start of the search for the first audio: behind a possible encoder delay, if loud enough.
    private func beginning() -> Int {
        let last = max(cursor, min(cursor + Self.longestDelay, deliveredCount - Self.piece))
        return stride(from: last, to: cursor, by: -Self.block).first { place in
            AudioSimilarity.strength(delivered, first: place, count: Self.block) > Self.quiet
        } ?? cursor
    }

    /// The lag near another one at which a piece matches.
    private func near(_ candidate: Int, _ length: Int, slack: Int) -> Int? {
        let low = max(candidate - slack, cursor + length - sourceCount)
        let high = min(candidate + slack, cursor - Int(source.first))
        guard low <= high else { return nil }
        return begins(search(from: cursor).best(length, lags: low...high, near: candidate, least: max(least, 0.55)))
    }

    private func everywhere(_ length: Int, near middle: Int) -> Int? {
        let low = max(middle - reach, cursor + length - sourceCount)
        let high = min(middle + reach, cursor - Int(source.first))
        guard low <= high else { return nil }
        return begins(search(from: cursor).best(length, lags: low...high, near: middle, least: max(least, 0.65)))
    }

    /// A lag, if the audio already matches here and not only later.
    private func begins(_ lag: Int?) -> Int? {
        guard let lag, judge(likeness(cursor, lag: lag, count: min(Self.block, deliveredCount - cursor))) == .alike
        else {
            return nil
        }
        return lag
    }

    /// A search from a delivered sample on.
    private func search(from sample: Int) -> LagSearch {
        LagSearch(delivered: delivered, source: source, cursor: sample, isFirst: pieces.isEmpty)
    }

    /// Continues with a lag found at the cursor.
    private mutating func resume(_ newLag: Int) {
        let from = max(lost ?? 0, newLag + Int(source.first), Int(delivered.first))
        var (start, firstLag) = (cursor, newLag)
        while start - Self.step >= from + abs(firstLag - newLag) {
            let wished = start - Self.step
            if judge(likeness(wished, lag: firstLag, count: Self.step)) == .unlike {
                // In drifting audio, earlier samples have a slightly different lag.
                let beside = [firstLag - 1, firstLag + 1].first { lag in
                    let length = min(5 * Self.step, wished - from)
                    return length >= Self.step && wished - length - lag >= Int(source.first)
                        && likeness(wished - length, lag: lag, count: length + Self.step).correlation > 0.7
                }
                guard let beside else { break }
                firstLag = beside
            }
            start = wished
        }
        if start - from < Self.step { start = min(start, from) }
        let gap = max(lost ?? 0, Int(delivered.first))
        anchors.append(Anchor(delivered: cursor, lag: newLag))
        cursor = min(cursor + Self.block, deliveredCount)
        pieces.append(
            Piece(
                delivered: start..<cursor,
                firstLag: firstLag,
                lastLag: newLag,
                isSilentBefore: isSilent(gap..<max(gap, start))
            )
        )
        (lag, lost, failures, blocks) = (newLag, nil, 0, 0)
    }

    /// Follows drifting audio.
    private mutating func align(_ lag: Int) {
        let isWhole = blocks.isMultiple(of: 10)
        let (length, slack) = isWhole ? (2000, 24) : (800, 2)
        let start = cursor - length
        let low = max(lag - slack, start + length - sourceCount)
        let high = min(lag + slack, start - Int(source.first))
        guard start >= max(Int(delivered.first), pieces.last?.delivered.lowerBound ?? 0), low <= lag, lag <= high,
            AudioSimilarity.strength(delivered, first: start, count: length) > Self.quiet
        else { return }
        let found = search(from: start).correlations(length, lags: low...high)
        // A drifting peak moves continuously; a peak beyond a valley is another period of a tone.
        var top = lag - low
        while true {
            let best = [top - 1, top + 1].filter(found.indices.contains).max { found[$0] < found[$1] }
            guard let best, found[best] > found[top] else { break }
            top = best
        }
        guard Double(found[top]) >= least else { return }
        // A low peak means nothing: low tones have no sharp one.
        if found[top] > found[lag - low] + 0.01 { self.lag = low + top }
        if isWhole { anchors.append(Anchor(delivered: start + length / 2, lag: self.lag ?? lag)) }
    }

    // MARK: - Likeness

    /// The gain relative to the source, as far as known.
    private var usualGain: Double {
        strength.source > 0 ? min(1, strength.delivered / strength.source) : 0
    }

    private enum Verdict { case alike, unlike, silent }

    private func judge(_ likeness: AudioSimilarity) -> Verdict {
        let floor = max(Self.quiet, usual / 300)
        if likeness.source < floor { return likeness.delivered < 30 * floor ? .silent : .unlike }
        // The residue that a codec leaves of neighboring audio also correlates.
        guard likeness.delivered > likeness.source * usualGain / 64 else { return .unlike }
        return likeness.correlation >= least ? .alike : .unlike
    }

    private func likeness(_ sample: Int, lag: Int, count: Int) -> AudioSimilarity {
        guard sample - lag >= Int(source.first), sample - lag <= sourceCount else {
            return delivered.withSamples(from: Int64(sample)) {
                AudioSimilarity(source: UnsafeBufferPointer(rebasing: $0[..<0]), delivered: $0, count: count)
            }
        }
        return delivered.withSamples(from: Int64(sample)) { delivered in
            source.withSamples(from: Int64(sample - lag)) {
                AudioSimilarity(source: $0, delivered: delivered, count: count)
            }
        }
    }

    private mutating func lookForDips(_ lag: Int, _ count: Int) {
        var place = cursor
        while place + Self.step <= cursor + count {
            let likeness = likeness(place, lag: lag, count: Self.step)
            let isGone =
                likeness.source > max(1e-5, usual / 16) && likeness.delivered < likeness.source / 100
            if isGone {
                dip = (dip?.lowerBound ?? place)..<place + Self.step
            } else {
                endDip()
            }
            place += Self.step
        }
    }

    private mutating func endDip() {
        if let dip { dips.append(dip) }
        dip = nil
    }

    // MARK: - Windows

    private mutating func fill(to sample: Int) throws {
        while !sourceHasEnded, sourceCount < sample {
            guard let planes = try pull() else {
                sourceHasEnded = true
                return
            }
            let mix = Self.mixed(planes)
            if opening.source.count < 320_000 { opening.source += mix }
            source.append([mix])
            channels.source(planes)
        }
    }

    private mutating func forget() {
        let first = max(min(lost ?? cursor, cursor) - 2 * Self.piece, cursor - Self.longestGap)
        delivered.drop(before: Int64(max(0, first)))
        let place = cursor - (lag ?? 0)
        source.drop(before: Int64(max(0, place - reach)))
        channels.forget(before: first, source: place - reach)
    }
}

extension AudioSimilarity {
    /// The mean square of some samples of a window.
    static func strength(_ window: AudioWindow, first: Int, count: Int) -> Double {
        guard count > 0 else { return 0 }
        return window.withSamples(from: Int64(first)) { samples in
            let some = UnsafeBufferPointer(rebasing: samples[..<min(count, samples.count)])
            return Double(AudioMath.product(some, some)) / Double(count)
        }
    }
}
