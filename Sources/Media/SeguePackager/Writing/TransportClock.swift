/// The schedule of a segment's clock references, in units of 90 kHz.
///
/// ISO/IEC 13818-1, 2.7.2, limits their distance to 0.1 s. They are carried by one stream's packets, or by separate
/// packets during its gaps. None is later than the start of the next segment.
struct TransportClock {
    /// The maximum distance of two references.
    static let interval: Int64 = 9000
    /// The maximum number of references in a gap.
    private static let most: Int64 = 400

    /// The time of the last reference; initially one interval before the first unit.
    private var last: Int64
    /// The decode time of the next segment's first unit; nil at the end.
    private let next: Int64?

    /// Creates a schedule that begins with the first unit.
    init(first: Int64, next: Int64?) { (last, self.next) = (first - Self.interval, next) }

    /// The references due before a unit at a time, given the next unit with its own reference.
    mutating func due(before time: Int64, own: Int64?) -> [Int64] {
        let coming = min(own ?? .max, next ?? .max)
        guard coming - last > Self.interval else { return [] }
        let first = max(last + Self.interval, time - Self.most * Self.interval)
        let end = min(time + 1, coming)
        guard first < end else { return [] }
        let times = Array(stride(from: first, to: end, by: Int(Self.interval)))
        last = times.last ?? last
        return times
    }

    /// The references due after the last unit.
    mutating func dueAtEnd() -> [Int64] { next.map { due(before: $0, own: nil) } ?? [] }

    /// The references in a unit of the clock's stream, at most `most`.
    ///
    /// `span` is the duration that they cover if no other stream's units can come between, otherwise 0.
    mutating func own(at time: Int64, span: Int64, most: Int) -> [Int64] {
        let times = Array(stride(from: time, to: time + max(1, span), by: Int(Self.interval)).prefix(max(1, most)))
        last = times.last ?? time
        return times
    }
}
