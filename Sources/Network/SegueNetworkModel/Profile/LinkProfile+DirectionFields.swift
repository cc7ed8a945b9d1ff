internal import SegueData

extension LinkProfile.Direction {
    init(_ key: String, of parent: inout HarnessFields) throws(HarnessError) {
        guard var fields = try parent.fields(key) else { throw parent.error(key, "is missing") }
        let rate = try Rate("rate", of: &fields)
        let delay = try fields.delays("delay")
        let jitter = try LinkProfile.Jitter("jitter", of: &fields)
        let loss = try fields.loss("loss")
        let bursts = try LinkProfile.Bursts("bursts", of: &fields)
        try fields.finish()
        self.init(
            rate: rate ?? .unlimited,
            delay: delay ?? .zero ... .zero,
            jitter: jitter,
            loss: loss ?? 0,
            bursts: bursts
        )
    }
}

extension LinkProfile.Jitter {
    fileprivate init?(_ key: String, of parent: inout HarnessFields) throws(HarnessError) {
        guard parent.shape(key) == .mapping, var fields = try parent.fields(key) else {
            guard let spread = try parent.quantity(key, as: Quantity.durationShape, Quantity.duration) else {
                return nil
            }
            self.init(spread: spread)
            return
        }
        let spread = try fields.requiredQuantity("spread", as: Quantity.durationShape, Quantity.duration)
        let distribution = try fields.word("distribution", of: Distribution.self)
        try fields.finish()
        self.init(spread: spread, distribution: distribution ?? .uniform)
    }
}

extension LinkProfile.Bursts {
    fileprivate init?(_ key: String, of parent: inout HarnessFields) throws(HarnessError) {
        guard var fields = try parent.fields(key) else { return nil }
        let chance = "a chance above 0 %, to 100 %"
        let begin = try fields.requiredQuantity("begin", as: chance, Quantity.chance)
        let end = try fields.requiredQuantity("end", as: chance, Quantity.chance)
        let loss = try fields.quantity("loss", as: "a share above 0 %, to 100 %", Quantity.chance)
        try fields.finish()
        self.init(begin: begin, end: end, loss: loss ?? 1)
    }
}

extension HarnessFields {
    /// Consumes a delay or a range of delays.
    mutating func delays(_ key: String) throws(HarnessError) -> ClosedRange<Duration>? {
        try quantity(key, as: "a duration or range such as 100 ms or 150-550 ms", Quantity.durations)
    }

    /// Consumes a packet loss.
    mutating func loss(_ key: String) throws(HarnessError) -> Double? {
        try quantity(key, as: "a share from 0 % to below 100 %", Quantity.share)
    }
}
