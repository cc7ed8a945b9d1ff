package import SegueProxy

/// What becomes of a case: what the server gets, and what is done towards the client.
package struct FaultRun: Equatable {
    /// What the server gets.
    package private(set) var forwarded: [UInt8] = []
    /// What is done towards the client, bytes that follow one another in one.
    package private(set) var actions: [FaultFilter.Action] = []

    /// Bytes for the client behind the last action.
    private var open: [UInt8] = []

    private struct Step {
        var isAnswer: Bool
        var bytes: [UInt8]
    }

    /// Hands a case to a filter.
    ///
    /// - Parameters:
    ///   - fault: The case.
    ///   - pieces: The sizes in which bytes come; the case's own unless given.
    package init(_ fault: FaultCase, pieces: [Int]? = nil) {
        var filter = FaultFilter()
        var sizes = (pieces ?? fault.pieces).filter { $0 > 0 }
        if sizes.isEmpty { sizes = [1] }
        var (met, turn) = (0, 0)
        for step in Self.steps(fault) {
            var rest = step.bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(sizes[turn % sizes.count]))
                rest = rest.dropFirst(piece.count)
                turn += 1
                if step.isAnswer {
                    filter.answer(piece)
                } else {
                    forwarded += filter.request(piece) { _ in
                        defer { met += 1 }
                        return met < fault.exchanges.count ? fault.exchanges[met].fault?.effect : nil
                    }
                }
                take(&filter)
            }
        }
        if fault.ends { filter.answerEnded() }
        take(&filter)
        join()
    }

    private mutating func take(_ filter: inout FaultFilter) {
        while let action = filter.next() {
            if case .send(let bytes) = action {
                open += bytes
            } else {
                join()
                actions.append(action)
            }
        }
    }

    private mutating func join() {
        if !open.isEmpty { actions.append(.send(open)) }
        open = []
    }

    private static func steps(_ fault: FaultCase) -> [Step] {
        let requests = fault.exchanges.map { Step(isAnswer: false, bytes: $0.request) }
        let answers = fault.exchanges.map { exchange in
            Step(isAnswer: true, bytes: exchange.fault?.isLocal == true ? [] : exchange.answer)
        }
        var steps = fault.isPipelined ? requests + answers : zip(requests, answers).flatMap { [$0, $1] }
        for damage in fault.damages { apply(damage, to: &steps) }
        return steps
    }

    private static func apply(_ damage: FaultCase.Damage, to steps: inout [Step]) {
        let own = steps.indices.filter { steps[$0].isAnswer == damage.isAnswer && !steps[$0].bytes.isEmpty }
        guard !own.isEmpty else { return }
        let whole = own.reduce(0) { $0 + steps[$1].bytes.count }
        var place = whole * min(999, max(0, damage.place)) / 1000
        for index in own {
            let count = steps[index].bytes.count
            guard place >= count else {
                let end = min(count, place + max(0, damage.removed))
                return steps[index].bytes.replaceSubrange(place..<end, with: damage.text.latin)
            }
            place -= count
        }
    }

    /// All that the client gets.
    package var sent: [UInt8] {
        actions.flatMap { action -> [UInt8] in if case .send(let bytes) = action { bytes } else { [] } }
    }
}
