import SegueBase

/// A UPnP error (UPnP Device Architecture 1.1, section 3.2.2; from 700 on ContentDirectory:1, section 2.7).
package struct SOAPFault: Error, Sendable, Equatable {
    package var code: Int
    package var description: String

    package static let invalidAction = SOAPFault(code: 401, description: "Invalid Action")
    package static let invalidArguments = SOAPFault(code: 402, description: "Invalid Args")
    package static let noSuchObject = SOAPFault(code: 701, description: "No such object")
    package static let badSearchCriteria = SOAPFault(code: 708, description: "Unsupported or invalid search criteria")
    package static let badSortCriteria = SOAPFault(code: 709, description: "Unsupported or invalid sort criteria")
    package static let noSuchContainer = SOAPFault(code: 710, description: "No such container")

    /// The body of a response with status 500.
    package var xml: String {
        SOAPResponse.envelope(
            """
            <s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>\
            <UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>\(code)</errorCode>\
            <errorDescription>\(MarkupText.escaped(description))</errorDescription></UPnPError></detail></s:Fault>
            """
        )
    }
}

/// The results of a call.
package struct SOAPResponse: Sendable {
    /// The results in the order of the service's description.
    package var results: [(name: String, value: String)]

    package init(_ results: [(name: String, value: String)]) { self.results = results }

    /// The body of a response with status 200.
    package func xml(to call: SOAPCall) -> String {
        let values = results.map { "<\($0.name)>\(MarkupText.escaped($0.value))</\($0.name)>" }.joined()
        let (action, service) = (MarkupText.escaped(call.action), MarkupText.escaped(call.service))
        return Self.envelope("<u:\(action)Response xmlns:u=\"\(service)\">\(values)</u:\(action)Response>")
    }

    fileprivate static func envelope(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" \
        s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>\(body)</s:Body></s:Envelope>

        """
    }
}
