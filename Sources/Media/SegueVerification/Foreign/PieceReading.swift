/// Derives the edits from the sections of delivered audio and their source positions.
///
/// All values are seconds. `delivered` is the position in the concatenated delivery, independent of timestamps.
struct PieceReading {
    /// A section that is contiguous in the source.
    struct Piece: Equatable {
        var delivered: Range<Double>
        var source: Range<Double>
    }

    /// An edit at a position.
    struct Edit: Equatable {
        enum Kind: Equatable {
            case missing, repeated, inserted, altered
            /// Two adjacent sections are swapped.
            case exchanged(Double)
            /// Missing at the start, missing at the end, and surplus at the end.
            case missingHead, missingTail, overhang
        }
        var kind: Kind
        /// The size, in seconds.
        var size: Double
        /// The position in the delivery, and the length of the content there.
        var delivered: Double
        var length: Double
        /// The position in the source.
        var source: Double
    }

    /// Derives the edits in order; positions within `slack` of each other count as equal.
    static func edits(_ pieces: [Piece], delivered: Double, source: Double, slack: Double) -> [Edit] {
        guard let first = pieces.first, let last = pieces.last else { return [] }
        var edits: [Edit] = []
        // Unrecognized content in place of the beginning is not missing.
        let size = first.source.lowerBound - first.delivered.lowerBound
        if size > slack {
            edits.append(Edit(kind: .missingHead, size: size, delivered: 0, length: 0, source: 0))
        }
        var (before, number) = (first, 1)
        while number < pieces.count {
            let (here, rest) = (pieces[number], pieces[(number + 1)...].prefix(2))
            if let next = rest.first, let exchange = exchange(before, here: here, rest: Array(rest), slack: slack) {
                edits.append(exchange)
                // The following content continues at the end of the first of the two.
                before = Piece(delivered: next.delivered, source: here.source)
                number += 2
            } else {
                edits += change(from: before, to: here, slack)
                before = here
                number += 1
            }
        }
        let end = max(last.source.upperBound, 0)
        if source - end > slack {
            edits.append(
                Edit(
                    kind: .missingTail,
                    size: source - end,
                    delivered: last.delivered.upperBound,
                    length: 0,
                    source: end
                )
            )
        }
        if delivered - last.delivered.upperBound > slack {
            let size = delivered - last.delivered.upperBound
            edits.append(
                Edit(kind: .overhang, size: size, delivered: last.delivered.upperBound, length: size, source: end)
            )
        }
        return edits
    }

    /// True if a section and the next one are swapped.
    private static func exchange(_ before: Piece, here: Piece, rest: [Piece], slack: Double) -> Edit? {
        guard let next = rest.first else { return nil }
        let skipped = here.source.lowerBound - before.source.upperBound
        guard skipped > slack, abs(next.source.lowerBound - before.source.upperBound) <= slack,
            abs(next.source.upperBound - here.source.lowerBound) <= 2 * slack,
            here.delivered.lowerBound - before.delivered.upperBound <= slack
        else { return nil }
        if rest.count > 1, abs(rest[1].source.lowerBound - here.source.upperBound) > 2 * slack { return nil }
        let length = here.source.upperBound - here.source.lowerBound
        return Edit(
            kind: .exchanged(length),
            size: skipped,
            delivered: here.delivered.lowerBound,
            length: length + skipped,
            source: before.source.upperBound
        )
    }

    private static func change(from before: Piece, to here: Piece, _ slack: Double) -> [Edit] {
        let gap = max(0, here.delivered.lowerBound - before.delivered.upperBound)
        let jump = here.source.lowerBound - before.source.upperBound
        func edit(_ kind: Edit.Kind, _ size: Double) -> Edit {
            let at = before.delivered.upperBound
            return Edit(kind: kind, size: size, delivered: at, length: gap, source: before.source.upperBound)
        }
        if abs(gap - jump) <= slack { return gap > 0 ? [edit(.altered, gap)] : [] }
        if jump > gap {
            // Content in place of a longer section is not the source's either.
            return [edit(.missing, jump - gap)] + (gap > 4 * slack ? [edit(.altered, gap)] : [])
        }
        if jump < -slack, gap < -jump {
            return [edit(.repeated, -jump)] + (gap > 4 * slack ? [edit(.inserted, gap)] : [])
        }
        return [edit(.inserted, gap - jump)]
    }
}
