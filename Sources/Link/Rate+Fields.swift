internal import Harness
internal import Timeline

extension Rate {
    /// What a constant rate must look like, for messages.
    static let shape = Quantity.rateShape + ", or unlimited"

    /// A constant rate, or none.
    init?(text: String) {
        if text == "unlimited" {
            self = .unlimited
        } else if let rate = Quantity.bitsPerSecond(text) {
            self = .constant(rate)
        } else {
            return nil
        }
    }

    /// Takes out a rate: a number, steps, a trace or a generator; nil where the key is missing.
    init?(_ key: String, of parent: inout HarnessFields) throws(HarnessError) {
        switch parent.shape(key) {
        case nil: return nil
        case .text:
            guard let rate = try parent.quantity(key, Self.shape, Rate.init(text:)) else { return nil }
            self = rate
        case .list: self = .changing(try RateCourse(steps: key, of: &parent, loop: nil))
        case .mapping:
            guard var fields = try parent.fields(key) else { return nil }
            if fields.has("trace") {
                self = .changing(try RateTrace.course(&fields))
            } else {
                let loop = fields.has("loop") ? try fields.requiredLength("loop") : nil
                self = .changing(try RateCourse(steps: "steps", of: &fields, loop: loop))
            }
            try fields.finish()
        }
    }
}

extension RateCourse {
    /// Takes out a list of steps, each with `at` and `rate`.
    fileprivate init(
        steps key: String,
        of parent: inout HarnessFields,
        loop: Duration?
    ) throws(HarnessError) {
        guard parent.has(key) else {
            throw parent.error(key, "is missing; a rate is a number, a list of steps, { steps } or { trace }")
        }
        var steps: [Step] = []
        for var fields in try parent.list(key) {
            let at = try fields.requiredQuantity("at", "a duration such as 30 s", Quantity.duration).wholeNanoseconds
            if let before = steps.last?.start {
                guard at > before else { throw fields.error("at", "must be later than that of the step before") }
            } else if at != 0 {
                throw fields.error("at", "must be 0 s in the first step")
            }
            let rate = try fields.requiredQuantity("rate", Quantity.rateShape, Quantity.bitsPerSecondOrNone)
            try fields.finish()
            steps.append(Step(start: at, bitsPerSecond: rate))
        }
        guard let last = steps.last else { throw parent.error(key, "has no steps") }
        if let loop, loop.wholeNanoseconds <= last.start {
            throw parent.error("loop", "must be longer than until the last step")
        }
        guard let course = RateCourse(steps, period: loop?.wholeNanoseconds) else {
            let whole = loop == nil ? "ends at 0: nothing would ever get through again" : "is 0 throughout"
            throw parent.error(key, whole)
        }
        self = course
    }
}
