import SegueOrigin

/// The source of a body's bytes.
enum BodySource: Sendable {
    /// A part that is read together with others in one thread switch.
    enum Part: Sendable {
        case held(HeldBytes.Hold, Range<Int>)
        case file(FileReader, Range<Int64>)
    }

    case held(HeldBytes.Hold, Range<Int>)
    /// Bytes that are made piece by piece; a single piece may exist already.
    case made(PiecewiseBody, Range<Int64>, KeptBytes?)
    case file(FileReader, Range<Int64>)
    /// Small consecutive parts and their total size, for which there is always room.
    case gathered([Part], count: Int)

    /// The same sources with small parts combined, which saves thread switches and writes.
    static func gathering(_ sources: [BodySource]) -> [BodySource] {
        var result: [BodySource] = []
        for source in sources {
            guard let (part, count) = source.small else {
                result.append(source)
                continue
            }
            if case .gathered(let before, let sum)? = result.last, sum + count <= SendingBudget.minimumPiece {
                result[result.count - 1] = .gathered(before + [part], count: sum + count)
            } else {
                result.append(.gathered([part], count: count))
            }
        }
        return result
    }

    /// The source as a small part with its length, or nil if it is too large.
    private var small: (Part, count: Int)? {
        switch self {
        case .held(let hold, let range) where range.count <= SendingBudget.minimumPiece:
            return (.held(hold, range), range.count)
        case .file(let reader, let range) where range.upperBound - range.lowerBound <= SendingBudget.minimumPiece:
            return (.file(reader, range), Int(range.upperBound - range.lowerBound))
        default: return nil
        }
    }
}
