extension Condition.NumberSubject {
    /// True if the number changes with time alone.
    var isMoving: Bool {
        switch self {
        case .position, .buffered, .heard, .played, .time, .preloaded: true
        case .duration, .rate, .queue, .item, .stalls, .requests, .segments, .bytes, .watched, .downloaded, .overdue,
            .entries, .errors, .code, .httpStatus, .failures:
            false
        }
    }
}

extension Condition {
    /// True if the condition may change with time alone.
    ///
    /// Requirements on fields of events are evaluated when the event arrives.
    package var isMoving: Bool {
        switch self {
        case .number(let subject, let comparison): subject.isMoving || comparison.isMoving
        case .events(_, let count, _): count.isMoving
        case .word, .flag: false
        case .all(let parts), .any(let parts): parts.contains(where: \.isMoving)
        case .not(let part): part.isMoving
        }
    }

    /// All event counts in the condition.
    package var counts: [(match: EventMatch, since: String?)] {
        switch self {
        case .events(let match, _, let since): [(match, since)]
        case .number, .word, .flag: []
        case .all(let parts), .any(let parts): parts.flatMap(\.counts)
        case .not(let part): part.counts
        }
    }
}

extension Comparison {
    fileprivate var isMoving: Bool { value.term.isMoving || tolerance?.term.isMoving ?? false }
}

extension Expression.Term {
    fileprivate var isMoving: Bool {
        switch self {
        case .number: false
        case .name(let name): Condition.NumberSubject(rawValue: name)?.isMoving ?? false
        case .negative(let term): term.isMoving
        case .combined(_, let left, let right): left.isMoving || right.isMoving
        case .call(_, let terms): terms.contains(where: \.isMoving)
        }
    }
}
