internal import SegueData

/// Puts variables and the environment into texts of a title list: `${name}`, `${env:NAME}`.
struct TitleText {
    /// The variables of the list, and those that the command line gave.
    let variables: [String: String]

    /// The program's environment.
    let environment: [String: String]

    /// What came from the environment so far.
    private(set) var secrets: Secrets

    init(variables: [String: String], environment: [String: String], secrets: Secrets = Secrets()) {
        (self.variables, self.environment, self.secrets) = (variables, environment, secrets)
    }

    /// A text with all that it names.
    ///
    /// - Parameters:
    ///   - key: The key whose value it is.
    ///   - fields: The mapping that has the key.
    /// - Throws: `HarnessError` for a name that nobody gives.
    mutating func filled(_ text: String, _ key: String, of fields: HarnessFields) throws(HarnessError) -> String {
        var parts = text.split(separator: "${", omittingEmptySubsequences: false)
        var result = String(parts.removeFirst())
        for part in parts {
            guard let end = part.firstIndex(of: "}") else { throw fields.error(key, "has ${ without a } behind it") }
            let name = String(part[..<end])
            if name.hasPrefix("env:") {
                let own = String(name.dropFirst(4))
                guard let value = environment[own], !value.isEmpty else {
                    throw fields.error(key, "names \(own), which the environment does not have")
                }
                secrets.add(value, as: own)
                result += value
            } else {
                guard let value = variables[name] else {
                    guard !variables.isEmpty else {
                        throw fields.error(key, "names \(name), and the list has no variables")
                    }
                    let unknown = UnknownName(name, among: variables.keys.sorted())
                    throw fields.error(key, "names a variable that is not there: \(unknown)")
                }
                result += value
            }
            result += part[part.index(after: end)...]
        }
        return result
    }
}
