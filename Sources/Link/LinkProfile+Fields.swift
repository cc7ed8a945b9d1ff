internal import Harness
internal import Timeline

extension LinkProfile {
    init(_ fields: HarnessFields) throws(HarnessError) {
        var fields = fields
        let name = try fields.requiredText("name")
        let about = try fields.text("about") ?? ""
        let source = try fields.text("source") ?? ""
        let down = try Direction("down", of: &fields)
        let up = try Direction("up", of: &fields)
        let queue = try fields.quantity(
            "queue",
            "a number of packets or bytes, such as 1000 packets",
            Queue.init(text:)
        )
        let dns = try fields.quantity("dns", "a duration such as 100 ms", Quantity.duration)
        let window = try fields.integer("initial-window", in: 1...1000)
        var outages: [Outage] = []
        for entry in try fields.list("outages") { outages.append(try Outage(entry)) }
        try fields.finish()
        self.init(
            name: name,
            about: about,
            source: source,
            down: down,
            up: up,
            queue: queue ?? .packets(1000),
            dns: dns ?? .zero,
            initialWindow: window ?? 10,
            outages: outages
        )
    }
}

extension LinkProfile.Direction {
    fileprivate init(_ key: String, of parent: inout HarnessFields) throws(HarnessError) {
        guard var fields = try parent.fields(key) else { throw parent.error(key, "is missing") }
        guard let rate = try fields.quantity("rate", "a rate such as 780 kbit/s", Quantity.bitsPerSecond) else {
            throw fields.error("rate", "is missing")
        }
        let delay = try fields.quantity("delay", "a duration or range such as 100 ms or 150-550 ms", Quantity.durations)
        let loss = try fields.quantity("loss", "a share from 0 % to below 100 %", Quantity.share)
        try fields.finish()
        self.init(bitsPerSecond: rate, delay: delay ?? .zero...(.zero), loss: loss ?? 0)
    }
}

extension LinkProfile.Outage {
    fileprivate init(_ fields: HarnessFields) throws(HarnessError) {
        var fields = fields
        let wanted = "a duration such as 30 s"
        guard let start = try fields.quantity("at", wanted, Quantity.duration) else {
            throw fields.error("at", "is missing")
        }
        guard let length = try fields.quantity("for", wanted, Quantity.duration), length > .zero else {
            throw fields.error("for", "must be there and above zero")
        }
        let period = try fields.quantity("every", wanted, Quantity.duration)
        if let period, period <= length { throw fields.error("every", "must be longer than the outage") }
        try fields.finish()
        self.init(start: start, length: length, period: period)
    }
}

extension LinkProfile.Queue {
    fileprivate init?(text: String) {
        guard let (number, unit) = Quantity.split(text), number.denominator == 1, number >= Rational(1),
            number <= Rational(1_000_000_000)
        else { return nil }
        switch unit {
        case "packets", "packet": self = .packets(Int(number.numerator))
        case "bytes": self = .bytes(Int(number.numerator))
        default: return nil
        }
    }
}

extension HarnessFields {
    /// Takes out a number with a unit.
    fileprivate mutating func quantity<Value>(
        _ key: String,
        _ wanted: String,
        _ read: (String) -> Value?
    ) throws(HarnessError) -> Value? {
        guard let text = try text(key) else { return nil }
        guard let value = read(text) else { throw error(key, "is \(text), must be \(wanted)") }
        return value
    }
}

/// Numbers with their units, exact.
private enum Quantity {
    /// The number and the unit of a text such as `780 kbit/s`; the unit may follow at once.
    static func split(_ text: String) -> (Rational, String)? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "/") }
        guard number.count <= 12, let value = Rational(decimal: String(number)) else { return nil }
        return (value, String(text.dropFirst(number.count).drop { $0 == " " }))
    }

    static func bitsPerSecond(_ text: String) -> Int64? {
        guard let (number, unit) = split(text) else { return nil }
        let scales: [String: Int64] = ["bit/s": 1, "kbit/s": 1000, "Mbit/s": 1_000_000, "Gbit/s": 1_000_000_000]
        guard let scale = scales[unit], number > .zero, number <= Rational(1_000_000_000_000, scale) else { return nil }
        return max(1, number.rounded(scale: scale))
    }

    static func duration(_ text: String) -> Duration? {
        guard let (number, unit) = split(text) else { return nil }
        let scales: [String: Rational] = ["us": Rational(1, 1_000_000), "ms": Rational(1, 1000), "s": Rational(1)]
        guard let scale = scales[unit], number <= Rational(1_000_000) else { return nil }
        return Duration(number * scale)
    }

    static func durations(_ text: String) -> ClosedRange<Duration>? {
        guard let dash = text.firstIndex(of: "-") else { return duration(text).map { $0...$0 } }
        let unit = text.drop { $0.isNumber || $0 == "." || $0 == "-" || $0 == " " }
        guard let low = duration(text[..<dash] + " " + unit),
            let high = duration(String(text[text.index(after: dash)...])),
            low <= high
        else { return nil }
        return low...high
    }

    static func share(_ text: String) -> Double? {
        guard let (number, unit) = split(text), unit == "%", number < Rational(100) else { return nil }
        return number.seconds / 100
    }
}
