/// When a segment's clock references come, in units of 90 kHz.
///
/// ISO/IEC 13818-1, 2.7.2, has them at most 0.1 s apart. They ride on the packets of one stream; where that stream has
/// no packet for longer, they come in packets of their own. None is after what the next segment begins with.
struct TransportClock {
    /// The maximum distance of two references.
    static let interval: Int64 = 9000
    /// No gap in the content is filled with more references than this.
    private static let most: Int64 = 400

    /// When the last reference was; before anything, an interval before the first unit.
    private var last: Int64
    /// When the next segment's first unit is decoded; nil when nothing comes any more.
    private let next: Int64?

    /// A clock for units from the first on.
    init(first: Int64, next: Int64?) { (last, self.next) = (first - Self.interval, next) }

    /// The references that have to come before a unit.
    ///
    /// - Parameters:
    ///   - time: When the unit is decoded.
    ///   - own: When the next unit is decoded that brings a reference of its own; nil when there is none.
    /// - Returns: Their times.
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

    /// The references that have to come after the last unit.
    mutating func dueAtEnd() -> [Int64] { next.map { due(before: $0, own: nil) } ?? [] }

    /// The references in a unit of the stream that carries the clock.
    ///
    /// - Parameters:
    ///   - time: When the unit is decoded.
    ///   - span: How long it lasts, where no other stream's units may have to come meanwhile; else 0.
    ///   - most: The number of there is room for.
    /// - Returns: Their times.
    mutating func own(at time: Int64, span: Int64, most: Int) -> [Int64] {
        let times = Array(stride(from: time, to: time + max(1, span), by: Int(Self.interval)).prefix(max(1, most)))
        last = times.last ?? time
        return times
    }
}
