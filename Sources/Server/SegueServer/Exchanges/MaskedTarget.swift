import SegueBase

/// Targets and addresses without secrets.
enum MaskedTarget {
    static let mask = "***"
    /// The query parameters whose values are secrets, in lower case.
    private static let secret: Set = [
        "key", "token", "access_token", "auth", "authorization", "password", "secret", "session", "sig", "signature",
    ]

    /// Masks the secrets of a request target or an address: `/k/KEY`, the values of parameters such as `key` in any
    /// encoding, and a name and password before a host.
    static func masking(_ target: String) -> String {
        let queryStart = target.firstIndex(of: "?") ?? target.endIndex
        var text = path(target[..<queryStart])
        guard queryStart < target.endIndex else { return text }
        let parameters = target[target.index(after: queryStart)...]
            .split(omittingEmptySubsequences: false) { $0 == "&" || $0 == ";" || $0 == "?" }
        text += "?" + parameters.map(parameter).joined(separator: "&")
        return text
    }

    private static func path(_ path: Substring) -> String {
        var components = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var isBehindKey = false
        for (place, component) in components.enumerated() {
            if isBehindKey, !component.isEmpty {
                components[place] = mask
                isBehindKey = false
            } else if let at = component.lastIndex(of: "@") {
                components[place] = mask + component[at...]
            } else if decoded(component).lowercased() == "k" {
                isBehindKey = true
            }
        }
        return components.joined(separator: "/")
    }

    private static func parameter(_ parameter: Substring) -> String {
        guard let equals = parameter.firstIndex(of: "=") else { return String(parameter) }
        return secret.contains(decoded(parameter[..<equals]).lowercased())
            ? parameter[...equals] + mask : String(parameter)
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        PercentCoding.decode(text.utf8, plusIsSpace: true).map { String(decoding: $0, as: UTF8.self) } ?? String(text)
    }
}
