/// A call of a service's action (UPnP Device Architecture 1.1, section 3.2).
package struct SOAPCall: Sendable, Equatable {
    /// The type of the service, such as `urn:schemas-upnp-org:service:ContentDirectory:1`.
    package var service: String
    package var action: String
    /// The arguments in the order sent.
    package var arguments: [(name: String, value: String)]

    /// Parses a call.
    ///
    /// - Parameters:
    ///   - soapAction: The `SOAPACTION` field. Pages of other origins cannot send it without a preflight, so a call
    ///     without it is rejected.
    ///   - body: The body, in XML.
    /// - Throws: ``SOAPFault`` with 401 for a malformed call.
    package init(soapAction: String?, body: [UInt8]) throws(SOAPFault) {
        var header = (soapAction ?? "")[...]
        if header.utf8.count >= 2, header.first == "\"", header.last == "\"" { header = header.dropFirst().dropLast() }
        let parts = header.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .invalidAction }
        (service, action) = (String(parts[0]), String(parts[1]))
        let document: XMLNode
        do {
            document = try XMLReader.read(body)
        } catch {
            throw .invalidAction
        }
        guard document.name == "Envelope", let call = document.child("Body")?.children.first, call.name == action
        else { throw .invalidAction }
        arguments = call.children.map { ($0.name, $0.text) }
    }

    /// The value of an argument.
    ///
    /// - Throws: ``SOAPFault`` with 402 if it is missing.
    package func text(_ name: String) throws(SOAPFault) -> String {
        guard let argument = arguments.first(where: { $0.name == name }) else { throw .invalidArguments }
        return argument.value
    }

    /// The value of an argument that is a number from 0 to 2³²-1.
    ///
    /// - Throws: ``SOAPFault`` with 402 if it is missing or out of range.
    package func number(_ name: String) throws(SOAPFault) -> Int {
        let text = XMLNode(name: name, text: try text(name)).trimmedText
        guard let number = UInt32(text) else { throw .invalidArguments }
        return Int(number)
    }

    package static func == (one: SOAPCall, other: SOAPCall) -> Bool {
        one.service == other.service && one.action == other.action
            && one.arguments.elementsEqual(other.arguments, by: ==)
    }
}
