import ArgumentParser

/// A host and a port.
struct ListenAddress {
    /// A host name or an address, without the brackets of IPv6.
    let host: String
    /// The port; 0 picks a free one.
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, with an IPv6 address in brackets.
    ///
    /// - Throws: `ValidationError` with the missing part.
    init(argument: String) throws {
        let end = argument.lastIndex(of: "]") ?? argument.startIndex
        guard let colon = argument[end...].lastIndex(of: ":") else {
            guard Int(argument) == nil else { throw Self.withoutHost(port: argument) }
            throw ValidationError("it has no port; write \(argument):8080")
        }
        let (name, number) = (argument[..<colon], argument[argument.index(after: colon)...])
        guard !name.contains(":") || name.first == "[" && name.last == "]" else {
            throw ValidationError("an IPv6 address must be in brackets, as in [::1]:8080")
        }
        let host = name.first == "[" ? name.dropFirst().dropLast() : name
        guard !host.isEmpty else { throw Self.withoutHost(port: String(number)) }
        guard let port = Int(number), (0...65535).contains(port) else {
            throw ValidationError("the port must be a whole number from 0 to 65535")
        }
        self.init(host: String(host), port: port)
    }

    private static func withoutHost(port: String) -> ValidationError {
        ValidationError(
            "it has no host; 127.0.0.1:\(port) is for this machine only, 0.0.0.0:\(port) for all machines that reach it"
        )
    }
}
