internal import HeapModule

/// The order of an event queue: instants, priorities, and numbers, each with the slot of its payload.
@usableFromInline struct EventOrder {
    /// A scheduled payload.
    struct Place: Comparable {
        let instant: Instant
        let priority: UInt8
        let number: UInt64
        let slot: Int

        static func < (left: Place, right: Place) -> Bool {
            if left.instant != right.instant { return left.instant < right.instant }
            if left.priority != right.priority { return left.priority < right.priority }
            return left.number < right.number
        }

        static func == (left: Place, right: Place) -> Bool { left.number == right.number }
    }

    private var heap = Heap<Place>()
    /// The number in each slot; nil for a free slot.
    private var holders: [UInt64?] = []
    private var freeSlots: [Int] = []
    private var nextNumber: UInt64 = 0

    @usableFromInline private(set) var count = 0

    @usableFromInline init() {}

    /// The instant of the first place; nil if there is none.
    ///
    /// It is stored beside the heap, whose root is never a cancelled place, because reading the heap would retain it.
    @usableFromInline private(set) var firstInstant: Instant?

    @usableFromInline mutating func add(at instant: Instant, priority: Priority) -> (number: UInt64, slot: Int) {
        let number = nextNumber
        nextNumber += 1
        let slot = freeSlots.popLast() ?? holders.count
        if slot == holders.count { holders.append(number) } else { holders[slot] = number }
        heap.insert(Place(instant: instant, priority: priority.rawValue, number: number, slot: slot))
        if instant < firstInstant ?? Instant(nanoseconds: .max) || count == 0 { firstInstant = instant }
        count += 1
        return (number, slot)
    }

    /// Removes a place.
    ///
    /// - Returns: True if the place existed.
    @usableFromInline mutating func remove(_ number: UInt64, slot: Int) -> Bool {
        guard holders[slot] == number else { return false }
        free(slot)
        dropRemoved()
        return true
    }

    /// Removes the first place and returns it with its slot.
    @usableFromInline mutating func removeFirst() -> (instant: Instant, slot: Int)? {
        guard let first = heap.popMin() else { return nil }
        free(first.slot)
        dropRemoved()
        return (first.instant, first.slot)
    }

    /// Moves places to other instants.
    @usableFromInline mutating func move(_ instant: (Instant, _ slot: Int) -> Instant) {
        heap = Heap(
            heap.unordered.filter { holders[$0.slot] == $0.number }.map { place in
                Place(
                    instant: instant(place.instant, place.slot),
                    priority: place.priority,
                    number: place.number,
                    slot: place.slot
                )
            }
        )
        firstInstant = heap.min?.instant
    }

    private mutating func free(_ slot: Int) {
        holders[slot] = nil
        freeSlots.append(slot)
        count -= 1
    }

    private mutating func dropRemoved() {
        while let first = heap.min, holders[first.slot] != first.number { heap.removeMin() }
        firstInstant = heap.min?.instant
    }
}
