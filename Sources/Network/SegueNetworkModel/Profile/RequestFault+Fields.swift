package import SegueData

extension RequestFault {
    private static let effects = [
        "status", "reset", "stall", "truncate", "wrong-length", "slow-close", "corrupt", "wrong-range", "slice",
        "limit",
    ]

    /// Reads a fault from the keys of a mapping.
    ///
    /// - Throws: `HarnessError` with the file, the line, and the key.
    package init(_ entry: HarnessFields) throws(HarnessError) {
        var fields = entry
        let url = try fields.text("url")
        var kinds: [Kind] = []
        for name in try fields.oneOrMoreTexts("kind") {
            guard let kind = Kind(rawValue: name) else {
                throw fields.error("kind", UnknownName(name, among: Kind.allCases.map(\.rawValue)).description)
            }
            kinds.append(kind)
        }
        let first = try fields.integer("nth", in: 1...1_000_000_000)
        let count = try fields.integer("count", in: 1...1_000_000_000)
        let share = try fields.quantity("share", as: "a share above 0 %, to 100 %", Quantity.chance)
        let effect = try Effect(&fields)
        try fields.finish()
        self.init(url: url, kinds: kinds, first: first ?? 1, count: count, share: share ?? 1, effect: effect)
    }

    /// The error for a fault without an effect, or with two.
    fileprivate static func error(_ fields: HarnessFields) -> HarnessError {
        let named = effects.filter { fields.has($0) }
        if named.count > 1 { return fields.error(named[1], "and \(named[0]) must be separate faults") }
        return fields.idle(
            among: ["after", "pause"] + effects,
            "must have one of: " + effects.joined(separator: ", ")
        )
    }

    fileprivate static func effect(named fields: HarnessFields) -> String? {
        let named = effects.filter { fields.has($0) }
        return named.count == 1 ? named[0] : nil
    }
}

extension RequestFault.Effect {
    fileprivate init(_ fields: inout HarnessFields) throws(HarnessError) {
        let bytes = Quantity.bytesShape
        let key = RequestFault.effect(named: fields)
        switch key {
        case "status":
            guard let status = try fields.integer("status", in: 100...599) else { throw RequestFault.error(fields) }
            self = .status(status)
        case "reset": self = .reset(after: try fields.requiredQuantity("reset", as: bytes, Quantity.bytes))
        case "stall":
            let length = try fields.requiredLength("stall")
            self = .stall(after: try fields.quantity("after", as: bytes, Quantity.bytes) ?? 0, length: length)
        case "truncate": self = .truncation(after: try fields.requiredQuantity("truncate", as: bytes, Quantity.bytes))
        case "wrong-length":
            let wanted = "a number of bytes such as +500 bytes or -500 bytes"
            self = .wrongLength(by: try fields.requiredQuantity("wrong-length", as: wanted, Quantity.signedBytes))
        case "slow-close": self = .slowClose(try fields.requiredLength("slow-close"))
        case "corrupt":
            let count = try fields.requiredQuantity("corrupt", as: bytes, Quantity.bytes)
            guard count > 0 else { throw fields.error("corrupt", "must be above zero") }
            self = .corruption(bytes: count, after: try fields.quantity("after", as: bytes, Quantity.bytes) ?? 0)
        case "wrong-range":
            let wanted = "a number of bytes such as +188 bytes or -188 bytes"
            self = .wrongRange(by: try fields.requiredQuantity("wrong-range", as: wanted, Quantity.signedBytes))
        case "slice":
            let count = try fields.requiredQuantity("slice", as: bytes, Quantity.bytes)
            guard count > 0 else { throw fields.error("slice", "must be above zero") }
            self = .slices(bytes: count, pause: try fields.requiredLength("pause"))
        case "limit": self = .limit(bytes: try fields.requiredQuantity("limit", as: bytes, Quantity.bytes))
        default: throw RequestFault.error(fields)
        }
    }
}
