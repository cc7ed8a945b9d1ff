internal import SegueBase

/// The future events of a link, in order of time.
///
/// Packets leave a lane in order, so their arrivals are mostly in order as well. They wait in rows, one for each
/// direction and one for delayed acknowledgements; a priority queue holds everything else. At the same instant, rows
/// precede the priority queue, and within rows the order of scheduling applies.
struct LinkQueue: ~Copyable {
    /// Identifies a scheduled event.
    struct Token: Hashable {
        fileprivate let row: Int?
        fileprivate let number: Int
        fileprivate let token: EventQueue<Entry>.Token?
    }

    struct Entry {
        let connection: LinkConnection
        let event: LinkEvent
    }

    struct Item {
        let instant: Instant
        let number: Int
        let entry: Entry
    }

    /// Items in order of time and number.
    private struct Row {
        var items: [Item] = []
        var head = 0

        /// The remaining items.
        var rest: ArraySlice<Item> { items[head...] }

        /// The time of the last item; the minimum for an empty row.
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

        /// Removes an item, which is mostly the last one.
        mutating func remove(_ number: Int) {
            guard let index = items[head...].lastIndex(where: { $0.number <= number }), items[index].number == number
            else { return }
            items.remove(at: index)
            if head == items.count { (items, head) = ([], 0) }
        }
    }

    private var rows = [Row(), Row(), Row()]
    private var others = EventQueue<Entry>()
    private var nextOther: Instant?
    private var nextNumber = 0
    /// The row with the next event; nil for the priority queue.
    private var nextRow: Int?

    /// The time of the next event; nil if there is none.
    private(set) var nextInstant: Instant?

    /// The number of events.
    var count: Int { rows.reduce(others.count) { $0 + $1.count } }

    /// Schedules an event.
    ///
    /// - Returns: A token for ``cancel(_:)``.
    mutating func schedule(_ entry: Entry, at instant: Instant) -> Token {
        nextNumber += 1
        if let row = entry.event.row, rows[row].last <= instant.nanoseconds {
            rows[row].items.append(Item(instant: instant, number: nextNumber, entry: entry))
            if rows[row].count == 1 { findNext() }
            return Token(row: row, number: nextNumber, token: nil)
        }
        let token = others.schedule(entry, at: instant)
        nextOther = others.nextInstant
        findNext()
        return Token(row: nil, number: nextNumber, token: token)
    }

    /// Cancels an event, unless it has happened already.
    mutating func cancel(_ token: Token) {
        if let row = token.row {
            rows[row].remove(token.number)
        } else if let token = token.token {
            others.cancel(token)
            nextOther = others.nextInstant
        }
        findNext()
    }

    /// Removes the next event and returns it with its time.
    mutating func popNext() -> (instant: Instant, entry: Entry)? {
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

    /// Removes the next event if it belongs to the steady download of one connection.
    ///
    /// - Parameters:
    ///   - logCount: The part of the upward log that its sender knows.
    /// - Returns: The event; nil if another one comes first.
    mutating func popFlow(
        of connection: LinkConnection,
        knowing logCount: Int,
        until limit: Instant
    ) -> (instant: Instant, event: LinkEvent)? {
        guard let nextRow, let item = rows[nextRow].first, item.instant.nanoseconds <= limit.nanoseconds,
            item.entry.connection == connection,
            item.entry.event.flows(knowing: logCount)
        else { return nil }
        rows[nextRow].removeFirst()
        findNext()
        return (item.instant, item.entry.event)
    }

    /// Moves packets to other times.
    ///
    /// - Parameter time: Returns the new time of an entry, given its current one; delayed acknowledgements are not
    ///   moved.
    mutating func move(_ time: (Instant, Entry) -> Instant) {
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

    /// The events that a train takes over.
    struct TrainRows {
        /// The arrivals from the next segment on; nil for a lost one.
        let segments: [Item?]
        let acknowledgements: [(item: Item, logCount: Int)]
        let timer: Item?
    }

    /// True if no packet is in flight and no acknowledgement is delayed.
    var hasEmptyRows: Bool { rows.allSatisfy { $0.count == 0 } }

    /// Returns a number for an event that a train schedules itself.
    mutating func number() -> Int {
        nextNumber += 1
        return nextNumber
    }

    /// Removes all events from the rows if they are exactly those of a steady stream.
    ///
    /// - Parameters:
    ///   - connection: The connection of the stream.
    ///   - known: The part of the upward log that its sender knows.
    ///   - hasTimer: True if an acknowledgement is delayed.
    /// - Returns: The events; nil if there are others.
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
                case .segment(.down, let arrival, let logCount) = item.entry.event, logCount <= known,
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
                case .acknowledgement(.down, let logCount) = item.entry.event
            else { return nil }
            acknowledgements.append((item, logCount))
        }
        if let timer = rows[2].first {
            guard timer.entry.connection == connection, case .acknowledgementDue(.down) = timer.entry.event
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

    /// Returns an event of a train to the queue; ``hasPutBack()`` must follow.
    @discardableResult
    mutating func putBack(_ entry: Entry, _ number: Int, at nanoseconds: Int64) -> Token {
        guard let row = entry.event.row, rows[row].last <= nanoseconds else {
            return schedule(entry, at: Instant(nanoseconds: nanoseconds))
        }
        rows[row].items.append(Item(instant: Instant(nanoseconds: nanoseconds), number: number, entry: entry))
        return Token(row: row, number: number, token: nil)
    }

    /// Completes the return of a train's events.
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

extension LinkEvent {
    /// Returns whether the event concerns the downward direction only.
    fileprivate func flows(knowing known: Int) -> Bool {
        switch self {
        case .segment(.down, _, let logCount): logCount <= known
        case .acknowledgement(.down, _), .acknowledgementDue(.down): true
        default: false
        }
    }

    /// The row in whose order the event mostly comes; nil for none.
    fileprivate var row: Int? {
        switch self {
        case .segment(.down, _, _), .acknowledgement(.up, _): 0
        case .segment(.up, _, _), .acknowledgement(.down, _): 1
        case .acknowledgementDue: 2
        default: nil
        }
    }
}
