internal import SegueBase

/// Derives the edits of the video from matched frames.
struct VideoReading {
    /// An edit at a position.
    struct Edit: Equatable {
        enum Kind: Equatable {
            case missing, repeated, frozen, blank, foreign, turned, reordered
            /// A shift in time relative to the preceding frames.
            case moved
            /// Two adjacent runs are swapped; the second has this many frames.
            case exchanged(Int)
            case missingHead, missingTail, overhang
            /// Frames before the source's first displayed one, such as those that its edit list omits.
            case ahead
        }
        var kind: Kind
        /// The number of frames and their duration in seconds; the delay for shifted ones.
        var count: Int
        var size: Double
        /// The number of the first affected delivered frame.
        var frame: Int
    }

    /// A run of delivered frames that is contiguous in the source.
    private struct Piece {
        var frames: Range<Int>
        var source: ClosedRange<Int>
        var offset: Double
        var nature: FrameMatch.Nature
        var isSure: Bool
    }

    /// The edits, in order.
    private(set) var edits: [Edit] = []
    /// The usual distance of delivered frames, in seconds.
    let interval: Double

    /// The numbers of delivered frames that continue steadily.
    private(set) var steady: [Int] = []

    private let matches: [FrameMatch]
    private let times: [Double]
    private let allowance: ContentAllowance
    private let sourceInterval: Double
    /// True if both have the same constant frame rate, so each frame must occur once.
    private let isStrict: Bool
    private let slack: Double
    /// The tolerance for times of equal-looking frames, in seconds; 0 if each has its own time.
    var looseness: Double { isStrict ? 0 : slack }

    /// True for very low bit rates, at which frames may look like their neighbors.
    private let isCoarse: Bool

    init(
        _ matches: [FrameMatch],
        sourceTimes times: [Double],
        _ allowance: ContentAllowance,
        isCoarse: Bool = false
    ) {
        self.isCoarse = isCoarse
        (self.matches, self.times, self.allowance) = (matches, times, allowance)
        let delivered = Steps(
            zip(matches, matches.dropFirst()).filter { $0.section == $1.section }.map { $1.time - $0.time }
        )
        let source = Steps(zip(times, times.dropFirst()).map { $1 - $0 })
        interval = delivered.usual ?? source.usual ?? 0.04
        sourceInterval = source.usual ?? interval
        isStrict = delivered.isSteady && source.isSteady && abs(interval - sourceInterval) < 0.012 * sourceInterval
        slack = isStrict ? 0.5 * interval : 1.05 * max(interval, sourceInterval)
        guard !matches.isEmpty, !times.isEmpty else { return }
        let pieces = behindHead(pieces())
        for piece in pieces where piece.frames.count > 2 && piece.nature != .blank && piece.nature != .foreign {
            steady += piece.frames.filter { number in
                let match = matches[number]
                return match.source >= 0
                    && isSteady(match.time - times[match.source], source: match.source, usual: piece.offset)
            }
        }
        readHead(pieces)
        read(pieces)
        readTail(pieces)
        edits.sort { $0.frame < $1.frame }
    }

    /// The steps between frames.
    private struct Steps {
        var usual: Double?
        var isSteady = false

        init(_ steps: [Double]) {
            let steps = steps.filter { $0 > 0.0005 && $0 < 10 }.sorted()
            guard steps.count > 1 else { return }
            let middle = steps[steps.count / 2]
            usual = middle
            // Times rounded to milliseconds make steps uneven.
            let near = steps.filter { abs($0 - middle) < max(0.0011, 0.1 * middle) }
            usual = near.reduce(0, +) / Double(max(1, near.count))
            isSteady = near.count * 10 >= steps.count * 9
        }
    }

    /// The number of missing frames that splits a run.
    private static let longestHole = 12

    // MARK: - Pieces

    /// The runs, without freezes.
    private mutating func pieces() -> [Piece] {
        var pieces: [Piece] = []
        var number = 0
        while number < matches.count {
            let end = standing(from: number)
            if let still = still(number..<end) {
                edits.append(still)
                // The first of them is correct; the others are reported.
                add(number, to: &pieces)
            } else {
                for frame in number..<end { add(frame, to: &pieces) }
            }
            number = end
        }
        return pieces
    }

    /// The number of the first frame that differs from a given one.
    private func standing(from number: Int) -> Int {
        var end = number + 1
        while end < matches.count, matches[number].source >= 0, matches[end].source == matches[number].source,
            matches[end].nature == .own, matches[end].section == matches[number].section
        {
            end += 1
        }
        return end
    }

    private func still(_ frames: Range<Int>) -> Edit? {
        guard frames.count > 1, let first = frames.first else { return nil }
        let source = matches[first].source
        let own = times.indices.contains(source + 1) ? times[source + 1] - times[source] : sourceInterval
        let shown = matches[frames.upperBound - 1].time + interval - matches[first].time
        guard shown - own > (isStrict ? 0.5 : 2.5) * max(interval, isStrict ? 0 : sourceInterval) else { return nil }
        // A freeze at the end is permitted.
        guard source + 1 < times.count else { return nil }
        return Edit(kind: .frozen, count: frames.count - 1, size: shown - own, frame: first + 1)
    }

    /// True if a frame has its neighbors' offset, or lies within its source frame's display time.
    private func isSteady(_ offset: Double, source: Int, usual: Double) -> Bool {
        let late = offset - usual
        guard !isStrict, late > 0 else { return abs(late) <= slack }
        let own = times.indices.contains(source + 1) ? times[source + 1] - times[source] : sourceInterval
        return late <= slack + own
    }

    private func add(_ number: Int, to pieces: inout [Piece]) {
        let match = matches[number]
        let offset = match.source >= 0 ? match.time - times[match.source] : 0
        if let last = pieces.last, last.nature == match.nature,
            matches[number - 1].section == match.section || match.source < 0
        {
            let isSame: Bool =
                match.source < 0
                || abs(offset - last.offset) <= slack && match.source >= last.source.upperBound
                    && match.source - last.source.upperBound < Self.longestHole
            if isSame {
                pieces[pieces.count - 1].frames = last.frames.lowerBound..<number + 1
                if match.source >= 0 {
                    pieces[pieces.count - 1].source = last.source.lowerBound...max(match.source, last.source.upperBound)
                }
                pieces[pieces.count - 1].isSure = last.isSure || match.isSure
                return
            }
        }
        let source = max(0, match.source)
        pieces.append(
            Piece(
                frames: number..<number + 1,
                source: source...source,
                offset: offset,
                nature: match.nature,
                isSure: match.isSure
            )
        )
    }

    // MARK: - What was done

    /// The runs without frames before the source's first, which are reported.
    ///
    /// A run that starts with the source's first frame is a repetition, and one that does not recur later was moved.
    private mutating func behindHead(_ pieces: [Piece]) -> [Piece] {
        func isOwn(_ piece: Piece) -> Bool { piece.nature == .own || piece.nature == .turned }
        let begin = pieces.lastIndex { isOwn($0) && $0.source.lowerBound == 0 && $0.frames.count > 2 }
        guard let begin, let first = pieces.first, !isOwn(first) || first.source.lowerBound > 0,
            pieces[..<begin].allSatisfy({ !isOwn($0) || $0.source.upperBound <= pieces[begin].source.upperBound })
        else { return pieces }
        let ahead = pieces[begin].frames.lowerBound
        note(.ahead, count: ahead, size: length(0..<ahead), at: 0)
        return Array(pieces[begin...])
    }

    private mutating func readHead(_ pieces: [Piece]) {
        guard let first = pieces.first(where: { $0.nature == .own || $0.nature == .turned }) else { return }
        let late = times[first.source.lowerBound] - times[0]
        if late > allowance.pictureHead + 0.5 * sourceInterval, first.frames.lowerBound == 0, isStrict || late > slack {
            note(.missingHead, count: first.source.lowerBound, size: late, at: 0)
        }
    }

    private mutating func readTail(_ pieces: [Piece]) {
        guard let last = pieces.last(where: { $0.nature == .own || $0.nature == .turned }), let end = times.last else {
            return
        }
        let furthest = pieces.filter { $0.nature == .own || $0.nature == .turned }.map(\.source.upperBound).max() ?? 0
        let missing = end - times[furthest]
        if missing > allowance.tail + 0.5 * sourceInterval {
            note(.missingTail, count: times.count - 1 - furthest, size: missing, at: matches.count - 1)
        }
        let extra = matches.count - last.frames.upperBound
        if extra > 0, Double(extra) * interval > allowance.overhang, furthest + extra >= times.count - 1 {
            note(.overhang, count: extra, size: Double(extra) * interval, at: last.frames.upperBound)
        }
    }

    private mutating func read(_ all: [Piece]) {
        for piece in all where piece.nature != .own {
            // Frames behind the end are reported there.
            guard piece.frames.upperBound < matches.count || piece.nature == .turned || !endsFilm(piece) else {
                continue
            }
            let kind: Edit.Kind = piece.nature == .blank ? .blank : piece.nature == .turned ? .turned : .foreign
            note(kind, count: piece.frames.count, size: length(piece.frames), at: piece.frames.lowerBound)
        }
        for piece in all where piece.nature == .own { readHoles(piece) }
        let shown = strays(out: all.filter { $0.nature == .own || $0.nature == .turned })
        var number = 1
        while number < shown.count {
            let (before, here) = (shown[number - 1], shown[number])
            if number + 1 < shown.count,
                isExchange(before, here: here, next: shown[number + 1], behind: shown.dropFirst(number + 2).first)
            {
                let other = shown[number + 1].source.count
                note(
                    .exchanged(other),
                    count: here.source.count,
                    size: length(here.frames),
                    at: here.frames.lowerBound
                )
                number += 3
                continue
            }
            change(before, here)
            number += 1
        }
    }

    /// True if unmatched frames follow the source's end.
    private func endsFilm(_ piece: Piece) -> Bool {
        guard let before = matches[..<piece.frames.lowerBound].last(where: { $0.source >= 0 }) else { return false }
        return before.source + 2 >= times.count
    }

    /// Reports and removes single mismatched frames.
    private mutating func strays(out pieces: [Piece]) -> [Piece] {
        var kept: [Piece] = []
        for (number, piece) in pieces.enumerated() {
            let isShort = piece.frames.count <= (isCoarse ? 5 : 2)
            if isShort, let before = kept.last {
                let after = pieces[(number + 1)...].first { $0.frames.count > (isCoarse ? 5 : 2) }
                let isBetween =
                    after.map {
                        abs(before.offset - $0.offset) <= slack && $0.source.lowerBound > before.source.upperBound
                    } ?? isCoarse
                if isBetween {
                    let apart = abs(piece.offset - before.offset)
                    let isWrong =
                        piece.isSure && apart > (isCoarse ? max(2.5 * interval, 0.1) : slack * (isStrict ? 1 : 2))
                    if isWrong {
                        note(
                            .reordered,
                            count: piece.frames.count,
                            size: length(piece.frames),
                            at: piece.frames.lowerBound
                        )
                    }
                    continue
                }
            }
            kept.append(piece)
        }
        return kept
    }

    private func isExchange(_ before: Piece, here: Piece, next: Piece, behind: Piece?) -> Bool {
        guard here.source.lowerBound > before.source.upperBound + 1,
            abs(next.source.lowerBound - before.source.upperBound - 1) <= 1,
            abs(next.source.upperBound + 1 - here.source.lowerBound) <= 1, next.frames.count > 2
        else { return false }
        return behind.map { abs($0.source.lowerBound - here.source.upperBound - 1) <= 1 } ?? true
    }

    /// Reports missing frames within a run whose times are steady.
    private mutating func readHoles(_ piece: Piece) {
        guard !allowance.allowsDroppedPictures else { return }
        let usual = allowance.allowsFewerPictures ? max(1, (interval / sourceInterval).rounded()) : 1
        for number in piece.frames.dropFirst() {
            let (before, here) = (matches[number - 1], matches[number])
            guard before.source >= 0, here.source > before.source + 1 else { continue }
            let isHole = isStrict || here.time - before.time > 1.6 * interval
            guard isHole, here.time - before.time > 1.6 * (times[before.source + 1] - times[before.source]) else {
                continue
            }
            let missing = here.source - before.source - Int(usual)
            if missing > 0 { note(.missing, count: missing, size: Double(missing) * sourceInterval, at: number) }
        }
    }

    private mutating func change(_ before: Piece, _ here: Piece) {
        let at = here.frames.lowerBound
        // Mismatched and frozen frames take their time.
        let between = Double(at - before.frames.upperBound) * interval
        let jump = times[here.source.lowerBound] - times[before.source.upperBound]
        let frames = here.source.lowerBound - before.source.upperBound - 1
        let isElsewhere = matches[at].section != matches[at - 1].section
        let missing = jump - between - max(interval, isStrict ? sourceInterval : 0)
        if frames < 0 {
            note(.repeated, count: -frames, size: -jump + sourceInterval, at: at)
        } else if missing > slack {
            note(.missing, count: Int((missing / sourceInterval).rounded()), size: missing, at: at)
        } else if !isElsewhere {
            let moved = here.offset - before.offset
            // Freezes that delay other frames were already reported.
            if abs(moved) > max(slack, allowance.step), between == 0 || abs(moved - between) > slack {
                note(.moved, count: here.frames.count, size: moved, at: at)
            }
        }
    }

    private func length(_ frames: Range<Int>) -> Double { Double(frames.count) * interval }

    private mutating func note(_ kind: Edit.Kind, count: Int, size: Double, at frame: Int) {
        // At a low bit rate, nearly equal frames cannot be distinguished.
        if isCoarse, count <= 2, kind == .missing || kind == .repeated { return }
        edits.append(Edit(kind: kind, count: count, size: size, frame: frame))
    }
}
