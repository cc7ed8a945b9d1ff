internal import SegueData

/// Expands variables and the environment in texts of a title list: `${name}`, `${env:NAME}`.
struct TitleText {
    /// The variables of the list and of the command line.
    let variables: [String: String]

    let environment: [String: String]

    /// The values taken from the environment so far.
    private(set) var secrets: Secrets

    init(variables: [String: String], environment: [String: String], secrets: Secrets = Secrets()) {
        (self.variables, self.environment, self.secrets) = (variables, environment, secrets)
    }

    /// A text with its variables expanded.
    ///
    /// - Throws: `HarnessError` for an unknown name.
    mutating func filled(_ text: String, _ key: String, of fields: HarnessFields) throws(HarnessError) -> String {
        var parts = text.split(separator: "${", omittingEmptySubsequences: false)
        var result = String(parts.removeFirst())
        for part in parts {
            guard let end = part.firstIndex(of: "}") else { throw fields.error(key, "has ${ without a closing }") }
            let name = String(part[..<end])
            if name.hasPrefix("env:") {
                let own = String(name.dropFirst(4))
                guard let value = environment[own], !value.isEmpty else {
                    throw fields.error(key, "uses \(own), which the environment does not define")
                }
                secrets.add(value, as: own)
                result += value
            } else {
                guard let value = variables[name] else {
                    guard !variables.isEmpty else {
                        throw fields.error(key, "uses \(name), but the list has no variables")
                    }
                    let unknown = UnknownName(name, among: variables.keys.sorted())
                    throw fields.error(key, "uses an unknown variable: \(unknown)")
                }
                result += value
            }
            result += part[part.index(after: end)...]
        }
        return result
    }
}
