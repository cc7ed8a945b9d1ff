internal import SegueBase
package import SegueData

extension LinkProfile {
    /// Reads a network from the keys of a mapping.
    ///
    /// - Throws: `HarnessError` with the file, the line, and the key.
    package init(_ fields: HarnessFields) throws(HarnessError) {
        var fields = fields
        let name = try fields.requiredText("name")
        let about = try fields.text("about") ?? ""
        let source = try fields.text("source") ?? ""
        let down = try Direction("down", of: &fields)
        let up = try Direction("up", of: &fields)
        let queue = try fields.quantity(
            "queue",
            as: "a number of packets or bytes, such as 1000 packets",
            Queue.init(text:)
        )
        self.init(name: name, down: down, up: up, queue: queue ?? .packets(1000))
        (self.about, self.source) = (about, source)
        if let dns = try fields.quantity("dns", as: Quantity.durationShape, Quantity.duration) { self.dns = dns }
        if let window = try fields.integer("initial-window", in: 1...1000) { initialWindow = window }
        radio = try RadioState.list("radio", of: &fields)
        for var entry in try fields.list("outages") {
            outages.append(try Spell(&entry, lasting: "for", noun: "outage"))
            try entry.finish()
        }
        for entry in try fields.list("schedule") { try add(entry) }
        for entry in try fields.list("faults") { faults.append(try RequestFault(entry)) }
        try fields.finish()
    }
}

extension LinkProfile.RadioState {
    fileprivate static func list(_ key: String, of parent: inout HarnessFields) throws(HarnessError) -> [Self] {
        var states: [Self] = []
        for var fields in try parent.list(key) {
            let idle = try fields.requiredLength("idle")
            if let before = states.last?.idle, idle <= before {
                throw fields.error("idle", "must be longer than that of the state before")
            }
            let promotion = try fields.requiredQuantity("promotion", as: Quantity.durationShape, Quantity.duration)
            try fields.finish()
            states.append(Self(idle: idle, promotion: promotion))
        }
        return states
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
