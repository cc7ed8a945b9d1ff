internal import SegueBase
internal import SegueData

extension Rate {
    /// The expected form of a constant rate, for messages.
    static let shape = Quantity.rateShape + ", or unlimited"

    /// Reads a constant rate, or `unlimited`.
    init?(text: String) {
        if text == "unlimited" {
            self = .unlimited
        } else if let rate = Quantity.bitsPerSecond(text) {
            self = .constant(rate)
        } else {
            return nil
        }
    }

    /// Consumes a rate: a number, steps, a trace, or a generator; nil for a missing key.
    init?(_ key: String, of parent: inout HarnessFields) throws(HarnessError) {
        switch parent.shape(key) {
        case nil: return nil
        case .text:
            guard let rate = try parent.quantity(key, as: Self.shape, Rate.init(text:)) else { return nil }
            self = rate
        case .list: self = .changing(try RateCourse(steps: key, of: &parent, loop: nil))
        case .mapping:
            guard var fields = try parent.fields(key) else { return nil }
            if fields.has("trace") {
                self = .changing(try RateTrace.course(&fields))
            } else if fields.has("generate") {
                self = .changing(try RateCourse(generated: &fields))
            } else {
                let loop = fields.has("loop") ? try fields.requiredLength("loop") : nil
                self = .changing(try RateCourse(steps: "steps", of: &fields, loop: loop))
            }
            try fields.finish()
        }
    }
}

extension RateCourse {
    /// Consumes a generator: `generate`, `mean`, and optionally `seed` and `length`.
    fileprivate init(generated fields: inout HarnessFields) throws(HarnessError) {
        guard let kind = try fields.word("generate", of: TraceGenerator.Kind.self) else {
            throw fields.error("generate", "is missing")
        }
        let mean = try fields.requiredQuantity("mean", as: Quantity.rateShape, Quantity.bitsPerSecond)
        let seed = try fields.integer("seed", in: 0...Int.max) ?? 1
        let length = fields.has("length") ? try fields.requiredLength("length") : .seconds(600)
        let seconds = length.wholeNanoseconds / 1_000_000_000
        guard (1...86_400).contains(seconds), length == .seconds(seconds) else {
            throw fields.error("length", "must be whole seconds, from 1 s to 86400 s")
        }
        let generator = TraceGenerator(kind)
        guard let course = generator.course(seed: UInt64(seed), mean: mean, seconds: Int(seconds)) else {
            throw fields.error("mean", "is too low: nothing would ever pass")
        }
        self = course
    }

    /// Consumes a list of steps, each with `at` and `rate`.
    fileprivate init(
        steps key: String,
        of parent: inout HarnessFields,
        loop: Duration?
    ) throws(HarnessError) {
        guard parent.has(key) else {
            throw parent.error(
                key,
                "is missing; a rate is a number, a list of steps, { steps }, { trace }, or { generate }"
            )
        }
        var steps: [Step] = []
        for var fields in try parent.list(key) {
            let at = try fields.requiredQuantity("at", as: "a duration such as 30 s", Quantity.duration)
                .wholeNanoseconds
            if let before = steps.last?.start {
                guard at > before else { throw fields.error("at", "must be later than that of the step before") }
            } else if at != 0 {
                throw fields.error("at", "must be 0 s in the first step")
            }
            let rate = try fields.requiredQuantity("rate", as: Quantity.rateShape, Quantity.bitsPerSecondOrNone)
            try fields.finish()
            steps.append(Step(start: at, bitsPerSecond: rate))
        }
        guard let last = steps.last else { throw parent.error(key, "has no steps") }
        if let loop, loop.wholeNanoseconds <= last.start {
            throw parent.error("loop", "must end after the beginning of the last step")
        }
        if let loop, loop < .milliseconds(1) { throw parent.error("loop", "must be at least 1 ms") }
        guard let course = RateCourse(steps, period: loop?.wholeNanoseconds) else {
            let whole = loop == nil ? "ends at 0: nothing would ever pass again" : "is 0 throughout"
            throw parent.error(key, whole)
        }
        self = course
    }
}
