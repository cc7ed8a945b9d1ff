import SegueOrigin

/// Where the bytes of a body come from.
enum BodySource: Sendable {
    /// What can be read with others in one turn of a thread.
    enum Part: Sendable {
        case held(HeldBytes.Hold, Range<Int>)
        case file(FileReader, Range<Int64>)
    }

    case held(HeldBytes.Hold, Range<Int>)
    /// Made piece by piece; the only piece may be there already.
    case made(PiecewiseBody, Range<Int64>, KeptBytes?)
    case file(FileReader, Range<Int64>)
    /// Small parts one after another, and how many bytes they are together: no more than there is always room for.
    case gathered([Part], count: Int)

    /// The same bytes, with small parts gathered: each would cost a change of threads and a write.
    static func gathering(_ sources: [BodySource]) -> [BodySource] {
        var result: [BodySource] = []
        for source in sources {
            guard let (part, count) = source.small else {
                result.append(source)
                continue
            }
            if case .gathered(let before, let sum)? = result.last, sum + count <= SendingBudget.leastPiece {
                result[result.count - 1] = .gathered(before + [part], count: sum + count)
            } else {
                result.append(.gathered([part], count: count))
            }
        }
        return result
    }

    /// The source as a part to be gathered, and its length; nil for what is too large for it.
    private var small: (Part, count: Int)? {
        switch self {
        case .held(let hold, let range) where range.count <= SendingBudget.leastPiece:
            return (.held(hold, range), range.count)
        case .file(let reader, let range) where range.upperBound - range.lowerBound <= SendingBudget.leastPiece:
            return (.file(reader, range), Int(range.upperBound - range.lowerBound))
        default: return nil
        }
    }
}
