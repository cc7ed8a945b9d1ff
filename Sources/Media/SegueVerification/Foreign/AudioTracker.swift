internal import Foundation

/// Finds the place in the source that each stretch of delivered audio comes from, as both stream by.
///
/// Both are audio of ``AudioReducer/rate``. Delivered sample `d` is taken to be the source's sample `d - lag`; where
/// that stops being so, the place at which the audio goes on is searched for, first where timestamps say, then all
/// around.
struct AudioTracker {
    /// A stretch of delivered audio that is one stretch of the source, in samples.
    struct Piece: Equatable {
        var delivered: Range<Int>
        /// Delivered less source at its beginning and at its end: a little apart where the audio drifts.
        var firstLag: Int
        var lastLag: Int
        /// True if what was delivered between the stretch before and this one is silent, or nothing.
        var isSilentBefore = true
    }

    /// A delivered sample whose place in the source is known well.
    struct Anchor: Equatable {
        var delivered: Int
        var lag: Int
    }

    /// The stretches in order.
    private(set) var pieces: [Piece] = []
    private(set) var anchors: [Anchor] = []
    /// Short stretches in which the audio is gone.
    private(set) var dips: [Range<Int>] = []
    private(set) var channels: ChannelOrder
    /// Mean strengths of what is alike: of the source and as delivered.
    private(set) var strength = (source: 0.0, delivered: 0.0)
    var deliveredCount: Int { Int(delivered.end) }
    var sourceCount: Int { Int(source.end) }
    /// The first samples of both, for finding out what audio it is when it is not the one expected.
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
    /// From where on the place is not known.
    private var lost: Int? = 0
    private var failures = 0
    /// True if anything but silence was delivered.
    private var hasBegun = false
    private var blocks = 0
    private var usual = 0.0
    private var dip: Range<Int>?

    /// Samples that are compared together, a twentieth of a second, and the small steps in which ends are looked for.
    private static let (block, step) = (400, 80)
    /// The number of delivered samples are there before they are judged.
    private static let lookahead = 32_000
    /// How much of audio that is not the source's is held.
    private static let longestGap = 480_000
    /// The most that an encoder puts before the audio: 300 ms.
    private static let longestDelay = 2400
    /// The piece that is searched for.
    private static let piece = 4000
    /// Below this mean square audio says nothing.
    static let quiet = 3e-6

    /// A tracker.
    ///
    /// - Parameters:
    ///   - channels: The number of channels both have.
    ///   - least: The minimum correlation of audio that is the source's.
    ///   - reach: How far away, in seconds, audio is looked for.
    ///   - expected: The lag that timestamps tell of a delivered sample.
    ///   - pull: Gives the next samples of the source, channel by channel; nil at its end.
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

    /// Takes delivered samples, channel by channel.
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

    /// One channel out of many.
    ///
    /// Channels weigh a little differently, so that those that cancel each other are heard.
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

    /// Goes on where the place is known.
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

    /// A lag close by at which a block is the source's for sure: of audio that drifts.
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

    /// Where the audio parts from the source, in a block or right before it.
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

    /// True if what was delivered behind the last stretch is silent.
    var isSilentBehind: Bool {
        let first = max(pieces.last?.delivered.upperBound ?? 0, Int(delivered.first))
        return isSilent(first..<max(first, deliveredCount))
    }

    /// True if most of some delivered audio is silent: codecs let audio ring on where it ends.
    private func isSilent(_ samples: Range<Int>) -> Bool {
        let places = stride(from: samples.lowerBound, to: samples.upperBound, by: Self.step)
        let silent = places.count { place in
            let count = min(Self.step, samples.upperBound - place)
            return AudioSimilarity.strength(delivered, first: place, count: count) < max(30 * Self.quiet, usual / 64)
        }
        return silent * 2 >= Array(places).count
    }

    /// Looks for the place at which the audio goes on.
    private mutating func search() throws {
        let length = min(Self.piece, deliveredCount - cursor)
        let isLoud = AudioSimilarity.strength(delivered, first: cursor, count: length) > Self.quiet
        if isLoud, !hasBegun {
            // Of what lies at the very beginning, a part may come before the source's: that is told from what follows.
            hasBegun = true
            cursor = beginning()
            return
        }
        if length >= 800, isLoud {
            for candidate in [lag, expected(cursor)].compactMap({ $0 }) where cursor - candidate < sourceCount + reach {
                try fill(to: cursor - candidate + length + 1300)
                // Of audio that runs faster or slower only short pieces are alike.
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

    /// From where on the first audio is searched for: behind what an encoder may put before it, as long as it is loud.
    private func beginning() -> Int {
        let last = max(cursor, min(cursor + Self.longestDelay, deliveredCount - Self.piece))
        return stride(from: last, to: cursor, by: -Self.block).first { place in
            AudioSimilarity.strength(delivered, first: place, count: Self.block) > Self.quiet
        } ?? cursor
    }

    /// The lag near another at which a piece is the source's.
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

    /// A lag, if the audio goes on with it right here and not only later.
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

    /// Goes on with a lag that was found at the cursor.
    private mutating func resume(_ newLag: Int) {
        let from = max(lost ?? 0, newLag + Int(source.first), Int(delivered.first))
        var (start, firstLag) = (cursor, newLag)
        while start - Self.step >= from + abs(firstLag - newLag) {
            let wished = start - Self.step
            if judge(likeness(wished, lag: firstLag, count: Self.step)) == .unlike {
                // Of audio that drifts, what is before is a little beside.
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

    /// Follows audio that drifts.
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
        // What drifts takes its peak along: what lies beyond a valley is another wave of a tone.
        var top = lag - low
        while true {
            let best = [top - 1, top + 1].filter(found.indices.contains).max { found[$0] < found[$1] }
            guard let best, found[best] > found[top] else { break }
            top = best
        }
        guard Double(found[top]) >= least else { return }
        // A peak that hardly rises says nothing: low audio has no sharp one.
        if found[top] > found[lag - low] + 0.01 { self.lag = low + top }
        if isWhole { anchors.append(Anchor(delivered: start + length / 2, lag: self.lag ?? lag)) }
    }

    // MARK: - Likeness

    /// How much stronger audio is than in the source, as far as it is known.
    private var usualGain: Double {
        strength.source > 0 ? min(1, strength.delivered / strength.source) : 0
    }

    private enum Verdict { case alike, unlike, silent }

    private func judge(_ likeness: AudioSimilarity) -> Verdict {
        let floor = max(Self.quiet, usual / 300)
        if likeness.source < floor { return likeness.delivered < 30 * floor ? .silent : .unlike }
        // What a codec leaves of its neighbours where audio is gone is alike, too.
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
