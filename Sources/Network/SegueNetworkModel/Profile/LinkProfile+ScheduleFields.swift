internal import SegueData

extension LinkProfile.Spell {
    /// Consumes the keys of a time range: `at`, the key of its length, and optionally `every`.
    init(_ fields: inout HarnessFields, lasting key: String, noun: String) throws(HarnessError) {
        let start = try fields.requiredQuantity("at", as: "a duration such as 30 s", Quantity.duration)
        let length = try fields.requiredLength(key)
        let period = try fields.period("every", of: noun, lasting: length)
        self.init(start: start, length: length, period: period)
    }
}

extension LinkProfile {
    /// Adds an entry of a schedule.
    mutating func add(_ entry: HarnessFields) throws(HarnessError) {
        var fields = entry
        let kinds = ["outage", "handover", "portal"].filter { fields.has($0) }
        switch (kinds.first, kinds.count) {
        case ("outage", 1): outages.append(try Spell(&fields, lasting: "outage", noun: "outage"))
        case ("handover", 1): handovers.append(try Spell(&fields, lasting: "handover", noun: "handover"))
        case ("portal", 1): portals.append(try Spell(&fields, lasting: "portal", noun: "portal"))
        case (nil, _): changes.append(try Change(&fields))
        default: throw fields.error(kinds[1], "and \(kinds[0]) must be entries of their own")
        }
        try fields.finish()
    }
}

extension LinkProfile.Change {
    fileprivate init(_ fields: inout HarnessFields) throws(HarnessError) {
        let start = try fields.requiredQuantity("at", as: "a duration such as 30 s", Quantity.duration)
        let length = fields.has("for") ? try fields.requiredLength("for") : nil
        var period: Duration?
        if let length {
            period = try fields.period("every", of: "change", lasting: length)
        } else if fields.has("every") {
            throw fields.error("every", "needs for: how long the change holds each time")
        }
        guard fields.has("down") || fields.has("up") else {
            throw fields.idle(
                among: ["every", "outage", "handover", "portal", "down", "up"],
                "must have outage, handover, portal, down, or up"
            )
        }
        let down = try Numbers("down", of: &fields)
        let up = try Numbers("up", of: &fields)
        self.init(start: start, length: length, period: period, down: down, up: up)
    }
}

extension LinkProfile.Change.Numbers {
    fileprivate init(_ key: String, of parent: inout HarnessFields) throws(HarnessError) {
        guard var fields = try parent.fields(key) else {
            self.init()
            return
        }
        let rate = try fields.quantity("rate", as: Rate.shape, Rate.init(text:))
        let delay = try fields.delays("delay")
        let loss = try fields.loss("loss")
        try fields.finish()
        self.init(rate: rate, delay: delay, loss: loss)
    }
}
