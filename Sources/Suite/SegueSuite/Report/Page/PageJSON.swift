/// JSON that is safe inside an HTML script element: it never contains `<`.
struct PageJSON {
    private(set) var text = ""

    /// Adds a text that is JSON already.
    mutating func raw(_ json: String) { text += json }

    mutating func add(_ words: String) {
        text += "\""
        for scalar in words.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "<", "\u{2028}", "\u{2029}": text += Self.escape(scalar)
            case _ where scalar.value < 0x20: text += Self.escape(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Adds a number, or null for one that is missing or not finite.
    mutating func add(_ number: Double?) {
        guard let number, number.isFinite else { return raw("null") }
        // The times of a log have six decimals.
        let rounded = (number * 1e6).rounded() / 1e6
        text += rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }

    mutating func list<Entry>(_ entries: some Sequence<Entry>, _ add: (inout PageJSON, Entry) -> Void) {
        text += "["
        var isFirst = true
        for entry in entries {
            if !isFirst { text += "," }
            isFirst = false
            add(&self, entry)
        }
        text += "]"
    }

    mutating func list(_ words: some Sequence<String>) { list(words) { $0.add($1) } }

    mutating func object<Entry>(_ entries: some Sequence<(String, Entry)>, _ add: (inout PageJSON, Entry) -> Void) {
        text += "{"
        var isFirst = true
        for (name, entry) in entries {
            if !isFirst { text += "," }
            isFirst = false
            self.add(name)
            text += ":"
            add(&self, entry)
        }
        text += "}"
    }
}
