import SegueBase
import Testing

@testable import SegueUPnP

@Suite struct SOAPCallTests {
    static let service = "urn:schemas-upnp-org:service:ContentDirectory:1"

    static func body(_ action: String, _ arguments: String = "") -> [UInt8] {
        Array(
            """
            <?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
            <u:\(action) xmlns:u="\(service)">\(arguments)</u:\(action)></s:Body></s:Envelope>
            """.utf8
        )
    }

    @Test func `a call has the form of section 3.2.1`() throws {
        let body = Self.body("Browse", "<ObjectID>a &amp; b</ObjectID><StartingIndex> 7 </StartingIndex>")
        let call = try SOAPCall(soapAction: "\"\(Self.service)#Browse\"", body: body)
        #expect(call.service == Self.service && call.action == "Browse")
        #expect(try call.text("ObjectID") == "a & b")
        #expect(try call.number("StartingIndex") == 7)
        #expect(throws: SOAPFault.invalidArguments) { try call.text("Filter") }
    }

    @Test(arguments: [nil, "", "\"", "Browse", "a#b#c", "#Browse", "\(service)#", "\(service)#Search"])
    func `a call with a missing or contradictory SOAPACTION is rejected`(field: String?) {
        #expect(throws: SOAPFault.invalidAction) { try SOAPCall(soapAction: field, body: Self.body("Browse")) }
    }

    @Test(arguments: ["-1", "", "4294967296", "99999999999999999999999", "0x10", "1e9", "1 2", "٣"])
    func `a number outside of 0 to 4294967295 is rejected`(number: String) throws {
        let body = Self.body("Browse", "<Count>\(number)</Count>")
        let call = try SOAPCall(soapAction: "\(Self.service)#Browse", body: body)
        #expect(throws: SOAPFault.invalidArguments) { try call.number("Count") }
    }

    @Test func `the maximum number is accepted`() throws {
        let call = try SOAPCall(soapAction: "\(Self.service)#X", body: Self.body("X", "<Count>4294967295</Count>"))
        #expect(try call.number("Count") == 4_294_967_295)
    }

    @Test func `responses and faults have the form of sections 3.2.2 and 3.2.3`() throws {
        let call = try SOAPCall(soapAction: "\(Self.service)#GetX", body: Self.body("GetX"))
        let answer = try XMLReader.read(Array(SOAPResponse([("Id", "<&\"")]).xml(to: call).utf8))
        #expect(answer.child("Body")?.child("GetXResponse")?.child("Id")?.text == "<&\"")
        let fault = try XMLReader.read(Array(SOAPFault.noSuchObject.xml.utf8)).child("Body")?.child("Fault")
        #expect(fault?.child("faultstring")?.text == "UPnPError")
        #expect(fault?.descendant("errorCode")?.text == "701")
    }

    @Test func `random bytes are parsed or rejected`() {
        var random = SeededRandom(seed: 16)
        let seeds = [
            Self.body("Browse", "<ObjectID>0</ObjectID><![CDATA[x]]>&#65;"), Array("<!DOCTYPE a [<!ENTITY".utf8),
        ]
        for round in 0..<4000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            let call = try? SOAPCall(soapAction: "\(Self.service)#Browse", body: bytes)
            #expect(call == nil || call?.action == "Browse")
        }
    }
}
