/// The content codings of responses.
enum ContentCoding: String, Sendable {
    case identity
    case gzip

    /// Selects the coding for a client (RFC 9110, section 12.5.3).
    ///
    /// If the client accepts both equally, gzip is selected.
    ///
    /// - Parameter accepted: The value of `Accept-Encoding`, or nil without such a field.
    init(accepted: String?) {
        var gzip: Int?
        var identity: Int?
        var others: Int?
        for element in HTTPList.elements(Substring(accepted ?? "")) {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(HTTPList.trimmed)
            guard let weight = Self.weight(parts.dropFirst()) else { continue }
            switch parts[0].lowercased() {
            case "gzip", "x-gzip": gzip = weight
            case "identity": identity = weight
            case "*": others = weight
            default: break
            }
        }
        let wanted = gzip ?? others ?? 0
        self = wanted > 0 && wanted >= identity ?? 0 ? .gzip : .identity
    }

    /// The entity tag of this coding of a body.
    func tag(_ tag: String) -> String {
        switch self {
        case .identity: tag
        case .gzip: "\(tag.dropLast())-gzip\""
        }
    }

    /// The weight in thousandths, or nil for a malformed element.
    private static func weight(_ parameters: ArraySlice<Substring>) -> Int? {
        guard let parameter = parameters.first else { return 1000 }
        let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parameters.count == 1, parts.count == 2, parts[0] == "q" || parts[0] == "Q" else { return nil }
        let digits = parts[1].utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(digits.count), digits[0].elementsEqual("0".utf8) || digits[0].elementsEqual("1".utf8)
        else { return nil }
        let fraction = digits.count == 2 ? String(Substring(digits[1])) : ""
        guard fraction.utf8.count <= 3, fraction.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let thousandths = Int(fraction + String(repeating: "0", count: 3 - fraction.utf8.count)) ?? 0
        let weight = (digits[0].elementsEqual("1".utf8) ? 1000 : 0) + thousandths
        return weight <= 1000 ? weight : nil
    }
}
