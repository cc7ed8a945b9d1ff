package import SegueBase

/// The times of the text in a TTML document of a segment.
package struct TimedTextFacts: Sendable, Equatable {
    /// The earliest begin in seconds.
    package var begin: Rational
    /// The latest end in seconds; the latest begin if no end is given.
    package var end: Rational
    /// `ttp:timeBase` if it is not `media`.
    package var otherTimeBase: String?
    /// The first time in frames or ticks whose rate the document does not state; nil if there is none.
    package var unratedTime: String?

    private static let sizeLimit = 1 << 20
    private static let timeLimit = 100_000

    package init(begin: Rational, end: Rational) { (self.begin, self.end) = (begin, end) }

    /// Parses the times of a document; nil without text that has times.
    init?(_ bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes.prefix(Self.sizeLimit), as: UTF8.self)
        var clock = TimedTextClock()
        // Times of an element are relative to those of its parent (TTML2, 12.1).
        var bases: [Rational] = []
        var times: [Rational] = []
        for tag in text.split(separator: "<").prefix(Self.timeLimit) {
            guard let body = tag.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false).first else {
                continue
            }
            let isEnd = body.hasPrefix("/")
            let name = body.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" }
            let local = name.split(separator: ":").last.map(String.init) ?? ""
            if local == "tt", !isEnd { clock = TimedTextClock(body) }
            guard ["body", "div", "p", "span"].contains(local) else { continue }
            guard !isEnd else {
                _ = bases.popLast()
                continue
            }
            let base = bases.last ?? .zero
            let begin = TimedTextClock.attribute("begin", of: body).flatMap { clock.time($0) }
            let end = TimedTextClock.attribute("end", of: body).flatMap { clock.time($0) }
            if local == "p" || local == "span" { times += [begin, end].compactMap { $0.map { $0 + base } } }
            if !body.hasSuffix("/") { bases.append(base + (begin ?? .zero)) }
        }
        guard let begin = times.min(), let end = times.max() else { return nil }
        self.init(begin: begin, end: end)
        (otherTimeBase, unratedTime) = (clock.otherTimeBase, clock.unrated)
    }
}

/// The clock of a TTML document (TTML2, 12.3.1).
private struct TimedTextClock {
    private var frameRate = Rational(30)
    private var statesFrameRate = false
    private var tickRate: Rational?
    private(set) var otherTimeBase: String?
    /// The first time in a unit whose rate is not stated.
    private(set) var unrated: String?

    init() {}

    init(_ root: Substring) {
        let rate = Self.attribute("frameRate", of: root).flatMap { Int64($0) }
        if let rate, (1...1000).contains(rate) { (frameRate, statesFrameRate) = (Rational(rate), true) }
        let base = Self.attribute("timeBase", of: root).map { String($0.prefix(16)) }
        if base != "media" { otherTimeBase = base }
        if let factors = Self.attribute("frameRateMultiplier", of: root)?.split(separator: " ").map({ Int64($0) }),
            factors.count == 2, let over = factors[0], let under = factors[1], (1...100_000).contains(over),
            (1...100_000).contains(under)
        {
            frameRate = frameRate * Rational(over, under)
        }
        let ticks = Self.attribute("tickRate", of: root).flatMap { Int64($0) }
        if let ticks, (1...1_000_000_000).contains(ticks) { tickRate = Rational(ticks) }
    }

    /// The value of an attribute with any prefix; nil without one.
    static func attribute(_ name: String, of tag: Substring) -> Substring? {
        var rest = tag
        while let range = rest.firstRange(of: name + "=") {
            let before = rest[..<range.lowerBound].last
            let value = rest[range.upperBound...]
            rest = value
            guard let before, before.isWhitespace || before == ":", let quote = value.first,
                quote == "\"" || quote == "'"
            else { continue }
            return value.dropFirst().prefix { $0 != quote }
        }
        return nil
    }

    /// Parses a time such as `00:00:01.500`, `00:00:01:12`, `1.5s`, or `1500t`.
    mutating func time(_ text: Substring) -> Rational? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count >= 3 {
            guard let hours = Int64(parts[0]), let minutes = Int64(parts[1]), let seconds = Self.decimal(parts[2]),
                (0...1_000_000).contains(hours), (0..<60).contains(minutes)
            else { return nil }
            if parts.count > 3, !statesFrameRate { unrated = unrated ?? String(text.prefix(20)) }
            let frames = parts.count > 3 ? Self.decimal(parts[3]) ?? .zero : .zero
            return Rational(hours * 3600 + minutes * 60) + seconds + frames / frameRate
        }
        let units: [(String, Rational)] = [
            ("ms", Rational(1, 1000)), ("h", Rational(3600)), ("m", Rational(60)), ("s", Rational(1)),
            ("f", Rational(1) / frameRate), ("t", Rational(1) / (tickRate ?? frameRate)),
        ]
        for (unit, length) in units where text.hasSuffix(unit) {
            let isUnrated = unit == "f" && !statesFrameRate || unit == "t" && tickRate == nil
            if isUnrated { unrated = unrated ?? String(text.prefix(20)) }
            return Self.decimal(text.dropLast(unit.count)).map { $0 * length }
        }
        return nil
    }

    private static func decimal(_ text: Substring) -> Rational? {
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = halves.first.flatMap({ Int64($0) }), (0...1_000_000_000_000).contains(whole) else {
            return nil
        }
        guard halves.count == 2 else { return Rational(whole) }
        let digits = halves[1].prefix(6)
        guard let fraction = Int64(digits), fraction >= 0 else { return nil }
        let scale = digits.reduce(Int64(1)) { scale, _ in scale * 10 }
        return Rational(whole) + Rational(fraction, scale)
    }
}
