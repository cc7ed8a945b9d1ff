internal import SegueBase

/// What is still to happen on a link, in order of time.
///
/// Packets leave a lane in order, so their arrivals mostly come in order too; they wait in rows, one for each direction
/// and one for delayed acknowledgements, in front of an ordinary queue for all that does not. At the same instant rows
/// come first, and among them what was planned first.
struct LinkQueue: ~Copyable {
    /// Names what was planned, so that it can be taken back.
    struct Token: Hashable {
        fileprivate let row: Int?
        fileprivate let number: Int
        fileprivate let token: EventQueue<SimulatedLink.Entry>.Token?
    }

    struct Item {
        let instant: Instant
        let number: Int
        let entry: SimulatedLink.Entry
    }

    /// Items in order of time and number.
    private struct Row {
        var items: [Item] = []
        var head = 0

        /// What is still in it.
        var rest: ArraySlice<Item> { items[head...] }

        /// When the last of it is; the beginning of time where nothing is there.
        var last: Int64 { head < items.count ? items[items.count - 1].instant.nanoseconds : .min }
        var first: Item? { head < items.count ? items[head] : nil }
        var count: Int { items.count - head }

        mutating func removeFirst() {
            head += 1
            if head == items.count {
                items.removeAll(keepingCapacity: true)
                head = 0
            } else if head > 4096, head * 2 > items.count {
                items.removeFirst(head)
                head = 0
            }
        }

        /// Takes an item back, which is mostly the last.
        mutating func remove(_ number: Int) {
            guard let index = items[head...].lastIndex(where: { $0.number <= number }), items[index].number == number
            else { return }
            items.remove(at: index)
            if head == items.count { (items, head) = ([], 0) }
        }
    }

    private var rows = [Row(), Row(), Row()]
    private var others = EventQueue<SimulatedLink.Entry>()
    private var nextOther: Instant?
    private var nextNumber = 0
    /// The row that has what comes next; nil for the queue, also where nothing comes.
    private var nextRow: Int?

    /// When the next thing happens; nil when there is none.
    private(set) var nextInstant: Instant?

    /// How much is left to happen.
    var count: Int { rows.reduce(others.count) { $0 + $1.count } }

    /// Plans something.
    ///
    /// - Returns: A token that takes it back.
    mutating func schedule(_ entry: SimulatedLink.Entry, at instant: Instant) -> Token {
        nextNumber += 1
        if let row = entry.happening.row, rows[row].last <= instant.nanoseconds {
            rows[row].items.append(Item(instant: instant, number: nextNumber, entry: entry))
            if rows[row].count == 1 { findNext() }
            return Token(row: row, number: nextNumber, token: nil)
        }
        let token = others.schedule(entry, at: instant)
        nextOther = others.nextInstant
        findNext()
        return Token(row: nil, number: nextNumber, token: token)
    }

    /// Takes something back; does nothing when it has happened already.
    mutating func cancel(_ token: Token) {
        if let row = token.row {
            rows[row].remove(token.number)
        } else if let token = token.token {
            others.cancel(token)
            nextOther = others.nextInstant
        }
        findNext()
    }

    /// Takes out what happens next, with its time.
    mutating func popNext() -> (instant: Instant, entry: SimulatedLink.Entry)? {
        guard let nextRow else {
            guard let (instant, entry) = others.popNext() else { return nil }
            nextOther = others.nextInstant
            findNext()
            return (instant, entry)
        }
        guard let item = rows[nextRow].first else { return nil }
        rows[nextRow].removeFirst()
        findNext()
        return (item.instant, item.entry)
    }

    /// Takes out what happens next, with its time, if it belongs to the steady flow of one connection's way down.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - logCount: How much of the other way's log its sender knows.
    ///   - limit: Until when.
    /// - Returns: What happens; nil where something else comes first.
    mutating func popFlow(
        of connection: LinkConnection,
        knowing logCount: Int,
        until limit: Instant
    ) -> (instant: Instant, happening: SimulatedLink.Happening)? {
        guard let nextRow, let item = rows[nextRow].first, item.instant.nanoseconds <= limit.nanoseconds,
            item.entry.connection == connection,
            item.entry.happening.flows(knowing: logCount)
        else { return nil }
        rows[nextRow].removeFirst()
        findNext()
        return (item.instant, item.entry.happening)
    }

    /// Moves packets to other times.
    ///
    /// - Parameter time: The time of an entry, given its present one; delayed acknowledgements stay where they are.
    mutating func move(_ time: (Instant, SimulatedLink.Entry) -> Instant) {
        for row in 0..<2 {
            let moved = rows[row].items[rows[row].head...].map { item in
                Item(instant: time(item.instant, item.entry), number: item.number, entry: item.entry)
            }
            rows[row] = Row(items: moved.sorted { ($0.instant, $0.number) < ($1.instant, $1.number) })
        }
        others.move(time)
        nextOther = others.nextInstant
        findNext()
    }

    // MARK: Trains

    /// What a train takes out of the rows.
    struct TrainRows {
        /// The segments' comings, from the first that has not come; nil for one that was lost.
        let segments: [Item?]
        let acknowledgements: [(item: Item, logCount: Int)]
        let timer: Item?
    }

    /// Whether no packet is under way, and none is to be acknowledged later.
    var hasEmptyRows: Bool { rows.allSatisfy { $0.count == 0 } }

    /// A number for something that a train plans, which is in no row.
    mutating func number() -> Int {
        nextNumber += 1
        return nextNumber
    }

    /// Takes everything out of the rows, where it is no more and no less than what is under way of a steady stream.
    ///
    /// - Parameters:
    ///   - connection: The stream's connection.
    ///   - steady: The stream.
    ///   - known: How much of the other way's log its sender knows.
    ///   - hasTimer: Whether an acknowledgement is to be sent later.
    /// - Returns: What was in them; nil where it is something else.
    mutating func takeTrain(
        of connection: LinkConnection,
        _ steady: SimulatedStream.Steady,
        knowing known: Int,
        hasTimer: Bool
    ) -> TrainRows? {
        guard rows[0].count <= steady.end - steady.next, rows[2].count == (hasTimer ? 1 : 0),
            rows[0].count + rows[1].count + rows[2].count > 0
        else { return nil }
        var segments: [Item?] = []
        for item in rows[0].rest {
            guard item.entry.connection == connection,
                case .segment(.down, let arrival, let logCount) = item.entry.happening, logCount <= known,
                arrival.segment < steady.end, arrival.segment >= steady.next + segments.count,
                arrival.transmission == arrival.segment + steady.transmissionOffset,
                !segments.isEmpty || arrival.segment == steady.next
            else { return nil }
            while steady.next + segments.count < arrival.segment { segments.append(nil) }
            segments.append(item)
        }
        while steady.next + segments.count < steady.end { segments.append(nil) }
        var acknowledgements: [(item: Item, logCount: Int)] = []
        for item in rows[1].rest {
            guard item.entry.connection == connection,
                case .acknowledgement(.down, let logCount) = item.entry.happening
            else { return nil }
            acknowledgements.append((item, logCount))
        }
        if let timer = rows[2].first {
            guard timer.entry.connection == connection, case .acknowledgementDue(.down) = timer.entry.happening
            else { return nil }
        }
        let taken = TrainRows(
            segments: segments,
            acknowledgements: acknowledgements,
            timer: rows[2].first
        )
        rows = [Row(), Row(), Row()]
        findNext()
        return taken
    }

    /// Puts back what a train had taken out, or has planned itself; to be followed by ``hasPutBack()``.
    @discardableResult
    mutating func putBack(_ entry: SimulatedLink.Entry, _ number: Int, at nanoseconds: Int64) -> Token {
        guard let row = entry.happening.row, rows[row].last <= nanoseconds else {
            return schedule(entry, at: Instant(nanoseconds: nanoseconds))
        }
        rows[row].items.append(Item(instant: Instant(nanoseconds: nanoseconds), number: number, entry: entry))
        return Token(row: row, number: number, token: nil)
    }

    /// Everything has been put back.
    mutating func hasPutBack() { findNext() }

    private mutating func findNext() {
        var best: (instant: Int64, number: Int) = (.max, .max)
        nextRow = nil
        for row in rows.indices {
            guard let item = rows[row].first else { continue }
            let instant = item.instant.nanoseconds
            if best.instant < instant || best.instant == instant && best.number < item.number { continue }
            best = (instant, item.number)
            nextRow = row
        }
        if let nextOther, nextRow == nil || nextOther.nanoseconds < best.instant {
            nextRow = nil
            nextInstant = nextOther
        } else {
            nextInstant = nextRow.map { _ in Instant(nanoseconds: best.instant) }
        }
    }
}

extension SimulatedLink.Happening {
    /// Whether it is about the way down alone.
    fileprivate func flows(knowing known: Int) -> Bool {
        switch self {
        case .segment(.down, _, let logCount): logCount <= known
        case .acknowledgement(.down, _), .acknowledgementDue(.down): true
        default: false
        }
    }

    /// The row of arrivals in whose order it mostly comes; nil for none.
    fileprivate var row: Int? {
        switch self {
        case .segment(.down, _, _), .acknowledgement(.up, _): 0
        case .segment(.up, _, _), .acknowledgement(.down, _): 1
        case .acknowledgementDue: 2
        default: nil
        }
    }
}
