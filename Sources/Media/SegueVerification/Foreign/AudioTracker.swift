internal import SegueBase

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
    private(set) var audio: TrackedAudio
    private(set) var matcher: AudioMatcher
    private var missing = MissingAudio()

    private let reach: Int
    private let expected: (Int) -> Int?

    private var cursor = 0
    private var lag: Int?
    /// The start of the unlocated audio.
    private var lost: Int? = 0
    private var failures = 0
    /// True once anything but silence was delivered.
    private var hasBegun = false
    private var blocks = 0

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

    /// Short sections in which the audio is missing.
    var dips: [Range<Int>] { missing.found }
    var deliveredCount: Int { audio.deliveredCount }
    var sourceCount: Int { audio.sourceCount }

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
        self.reach = Int(reach * AudioReducer.rate)
        self.expected = expected
        audio = TrackedAudio(channels: channels, pull: pull)
        matcher = AudioMatcher(least: least)
    }

    /// Feeds delivered samples by channel.
    mutating func push(_ planes: [[Float]]) throws {
        audio.push(planes)
        while deliveredCount - cursor >= Self.lookahead { try advance() }
        forget()
    }

    /// Ends the comparison.
    mutating func finish() throws {
        while cursor < deliveredCount { try advance() }
        missing.end()
        try audio.finish(at: cursor)
    }

    // MARK: - Steps

    private mutating func advance() throws {
        if let lag, lost == nil { try follow(lag) } else { try search() }
    }

    /// Continues at a known position.
    private mutating func follow(_ lag: Int) throws {
        var count = min(Self.block, deliveredCount - cursor)
        try audio.fill(to: cursor - lag + count + 64)
        count = min(count, sourceCount - (cursor - lag))
        guard count >= Self.step || count == deliveredCount - cursor, count > 0, cursor - lag >= audio.firstSource
        else {
            lose(at: cursor)
            return
        }
        var (likeness, lag) = (audio.likeness(cursor, lag: lag, count: count), lag)
        if matcher.judge(likeness) == .unlike, let nudged = nudged(lag, count) { (likeness, lag) = nudged }
        matcher.note(likeness)
        switch matcher.judge(likeness) {
        case .unlike where count >= Self.step:
            lose(at: parting(lag, count))
            return
        case .alike:
            matcher.add(likeness, count: count)
            audio.channels.compare(from: cursor, lag: lag, count: count)
            lookForDips(lag, count)
        default: missing.end()
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
            cursor - candidate >= audio.firstSource && cursor - candidate + count <= sourceCount
        }
        let found = candidates.map { (audio.likeness(cursor, lag: $0, count: count), $0) }.max {
            $0.0.correlation < $1.0.correlation
        }
        guard let found, found.0.correlation >= max(matcher.least, 0.7), matcher.judge(found.0) == .alike else {
            return nil
        }
        self.lag = found.1
        return found
    }

    /// The position, in a block or directly before it, at which the audio stops matching.
    private func parting(_ lag: Int, _ count: Int) -> Int {
        let begin = pieces.last?.delivered.lowerBound ?? cursor
        var place = max(begin, cursor - Self.block, lag + audio.firstSource)
        while place + 2 * Self.step <= cursor + count {
            let isGone = [place, place + Self.step].allSatisfy {
                judge($0, lag: lag, count: Self.step) == .unlike
            }
            if isGone { return place }
            place += Self.step
        }
        return max(begin, cursor)
    }

    private mutating func lose(at sample: Int) {
        missing.end()
        if let last = pieces.last { pieces[pieces.count - 1].delivered = last.delivered.lowerBound..<sample }
        lost = sample
        cursor = max(sample, cursor)
        failures = 0
    }

    /// True if the audio behind the last section is silent.
    var isSilentBehind: Bool {
        let first = max(pieces.last?.delivered.upperBound ?? 0, audio.firstDelivered)
        return isSilent(first..<max(first, deliveredCount))
    }

    /// True if most of a range is silent; codecs let audio ring at its end.
    private func isSilent(_ samples: Range<Int>) -> Bool {
        let places = stride(from: samples.lowerBound, to: samples.upperBound, by: Self.step)
        let silent = places.count { place in
            let count = min(Self.step, samples.upperBound - place)
            return audio.strength(at: place, count: count) < matcher.silence
        }
        return silent * 2 >= Array(places).count
    }

    /// Searches for the position at which the audio continues.
    private mutating func search() throws {
        let length = min(Self.piece, deliveredCount - cursor)
        let isLoud = audio.strength(at: cursor, count: length) > AudioMatcher.quiet
        if isLoud, !hasBegun {
            // At the very start, some audio may precede the source's; the following audio tells.
            hasBegun = true
            cursor = beginning()
            return
        }
        if length >= 800, isLoud {
            for candidate in [lag, expected(cursor)].compactMap({ $0 }) where cursor - candidate < sourceCount + reach {
                try audio.fill(to: cursor - candidate + length + 1300)
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
                try audio.fill(to: middle + reach)
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
            audio.strength(at: place, count: Self.block) > AudioMatcher.quiet
        } ?? cursor
    }

    /// The lag near another one at which a piece matches.
    private func near(_ candidate: Int, _ length: Int, slack: Int) -> Int? {
        let low = max(candidate - slack, cursor + length - sourceCount)
        let high = min(candidate + slack, cursor - audio.firstSource)
        guard low <= high else { return nil }
        return begins(
            search(from: cursor).best(length, lags: low...high, near: candidate, least: max(matcher.least, 0.55))
        )
    }

    private func everywhere(_ length: Int, near middle: Int) -> Int? {
        let low = max(middle - reach, cursor + length - sourceCount)
        let high = min(middle + reach, cursor - audio.firstSource)
        guard low <= high else { return nil }
        return begins(
            search(from: cursor).best(length, lags: low...high, near: middle, least: max(matcher.least, 0.65))
        )
    }

    /// A lag, if the audio already matches here and not only later.
    private func begins(_ lag: Int?) -> Int? {
        guard let lag, judge(cursor, lag: lag, count: min(Self.block, deliveredCount - cursor)) == .alike
        else {
            return nil
        }
        return lag
    }

    /// A search from a delivered sample on.
    private func search(from sample: Int) -> LagSearch {
        audio.search(from: sample, isFirst: pieces.isEmpty)
    }

    /// Continues with a lag found at the cursor.
    private mutating func resume(_ newLag: Int) {
        let from = max(lost ?? 0, newLag + audio.firstSource, audio.firstDelivered)
        var (start, firstLag) = (cursor, newLag)
        while start - Self.step >= from + abs(firstLag - newLag) {
            let wished = start - Self.step
            if judge(wished, lag: firstLag, count: Self.step) == .unlike {
                // In drifting audio, earlier samples have a slightly different lag.
                let beside = [firstLag - 1, firstLag + 1].first { lag in
                    let length = min(5 * Self.step, wished - from)
                    return length >= Self.step && wished - length - lag >= audio.firstSource
                        && audio.likeness(wished - length, lag: lag, count: length + Self.step).correlation > 0.7
                }
                guard let beside else { break }
                firstLag = beside
            }
            start = wished
        }
        if start - from < Self.step { start = min(start, from) }
        let gap = max(lost ?? 0, audio.firstDelivered)
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
        let high = min(lag + slack, start - audio.firstSource)
        guard start >= max(audio.firstDelivered, pieces.last?.delivered.lowerBound ?? 0), low <= lag, lag <= high,
            audio.strength(at: start, count: length) > AudioMatcher.quiet
        else { return }
        let found = search(from: start).correlations(length, lags: low...high)
        // A drifting peak moves continuously; a peak beyond a valley is another period of a tone.
        var top = lag - low
        while true {
            let best = [top - 1, top + 1].filter(found.indices.contains).max { found[$0] < found[$1] }
            guard let best, found[best] > found[top] else { break }
            top = best
        }
        guard Double(found[top]) >= matcher.least else { return }
        // A low peak means nothing: low tones have no sharp one.
        if found[top] > found[lag - low] + 0.01 { self.lag = low + top }
        if isWhole { anchors.append(Anchor(delivered: start + length / 2, lag: self.lag ?? lag)) }
    }

    private func judge(_ sample: Int, lag: Int, count: Int) -> AudioMatcher.Verdict {
        matcher.judge(audio.likeness(sample, lag: lag, count: count))
    }

    private mutating func lookForDips(_ lag: Int, _ count: Int) {
        var place = cursor
        while place + Self.step <= cursor + count {
            let likeness = audio.likeness(place, lag: lag, count: Self.step)
            if matcher.isMissing(likeness) {
                missing.extend(by: place..<place + Self.step)
            } else {
                missing.end()
            }
            place += Self.step
        }
    }

    private mutating func forget() {
        let first = max(min(lost ?? cursor, cursor) - 2 * Self.piece, cursor - Self.longestGap)
        audio.forget(before: first, source: cursor - (lag ?? 0) - reach)
    }
}
