import SegueBase
import Testing

@testable import SegueUPnP

@Suite struct SSDPTests {
    private let device = SSDPDevice(uuid: "u", product: "P", portAndPath: ":80/d.xml", bootID: 3)

    private func search(_ target: String, wait: String? = "2", man: String = "\"ssdp:discover\"") -> SSDPMessage {
        SSDPMessage(.search, [("MAN", man), ("ST", target)] + (wait.map { [("mx", $0)] } ?? []))
    }

    @Test func `a search has the form of section 1.3.2`() throws {
        let text = """
            M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMan:"ssdp:discover"\r\nMX:  5 \r\nST: ssdp:all\r\n\r\n
            """
        let message = try #require(SSDPMessage(Array(text.utf8)))
        #expect(message.kind == .search)
        #expect(message.field("mx") == "5" && message.field("MAN") == "\"ssdp:discover\"")
        #expect(device.answers(to: message, from: "192.0.2.1").messages.count == 5)
    }

    @Test(arguments: [
        ("ssdp:all", 5), ("upnp:rootdevice", 1), ("uuid:u", 1), ("urn:schemas-upnp-org:device:MediaServer:1", 1),
        ("urn:schemas-upnp-org:service:ContentDirectory:1", 1), ("urn:schemas-upnp-org:service:ConnectionManager:1", 1),
        ("urn:schemas-upnp-org:device:MediaRenderer:1", 0), ("uuid:other", 0), ("", 0), ("ssdp:ALL", 0),
    ])
    func `the responses to a search match its target`(target: String, count: Int) {
        let answers = device.answers(to: search(target), from: "192.0.2.1")
        #expect(answers.messages.count == count)
        for answer in answers.messages {
            #expect(answer.field("LOCATION") == "http://192.0.2.1:80/d.xml")
            #expect(answer.field("ST") == target || target == "ssdp:all")
            #expect(answer.field("USN")?.hasPrefix("uuid:u") == true && answer.field("EXT") == "")
            #expect(answer.field("CACHE-CONTROL") == "max-age=1800")
        }
    }

    @Test(arguments: [("0", 0), ("1", 1), ("5", 5), ("120", 5), ("9999999999", 5)])
    func `responses are spread over at most five seconds`(wait: String, within: Int) {
        let answers = device.answers(to: search("upnp:rootdevice", wait: wait), from: "192.0.2.1")
        #expect(answers.within == within && answers.messages.count == 1)
    }

    @Test(arguments: [nil, "", "-1", "x", "99999999999999999999"])
    func `a search without a wait gets no response`(wait: String?) {
        #expect(device.answers(to: search("ssdp:all", wait: wait), from: "192.0.2.1").messages.isEmpty)
    }

    @Test func `only discovery searches get a response`() {
        let other = search("ssdp:all", man: "ssdp:discover")
        #expect(device.answers(to: other, from: "192.0.2.1").messages.isEmpty)
        for message in device.alive(from: "192.0.2.1") + device.farewell {
            #expect(device.answers(to: message, from: "192.0.2.1").messages.isEmpty)
        }
    }

    @Test func `announcements and goodbyes survive a round trip`() throws {
        let (hello, goodbye) = (device.alive(from: "192.0.2.1"), device.farewell)
        #expect(hello.count == 5 && goodbye.count == 5)
        for message in hello + goodbye { #expect(SSDPMessage(message.bytes) == message) }
        let text = String(decoding: try #require(hello.first).bytes, as: UTF8.self)
        #expect(
            text == """
                NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nCACHE-CONTROL: max-age=1800\r\n\
                LOCATION: http://192.0.2.1:80/d.xml\r\nNT: upnp:rootdevice\r\nNTS: ssdp:alive\r\nSERVER: P\r\n\
                USN: uuid:u::upnp:rootdevice\r\nBOOTID.UPNP.ORG: 3\r\nCONFIGID.UPNP.ORG: 1\r\n\r\n
                """
        )
        #expect(goodbye.allSatisfy { $0.field("NTS") == "ssdp:byebye" && $0.field("LOCATION") == nil })
    }

    @Test(arguments: [
        "", "M-SEARCH * HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "M-SEARCH * HTTP/1.1\r\nST\r\n\r\n",
        "M-SEARCH * HTTP/1.1\r\n: x\r\n\r\n", "M-SEARCH * HTTP/1.1\r\nST: a\u{0}b\r\n\r\n",
        "M-SEARCH * HTTP/1.1\r\nST: a\rb\r\n\r\n",
        "M-SEARCH * HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 100),
        "M-SEARCH * HTTP/1.1\r\nA: " + String(repeating: "x", count: 5000),
    ])
    func `malformed messages are rejected`(text: String) { #expect(SSDPMessage(Array(text.utf8)) == nil) }

    @Test func `random bytes are parsed or rejected`() {
        var random = SeededRandom(seed: 1900)
        let seed = search("ssdp:all").bytes
        for _ in 0..<4000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let message = SSDPMessage(bytes) else { continue }
            #expect(device.answers(to: message, from: "192.0.2.1").messages.count <= 5)
        }
    }

    @Test func `each address has its own burst and rate`() {
        var budget = SearchBudget()
        #expect(budget.allowed(15, to: 1, at: .zero) == 15)
        #expect(budget.allowed(15, to: 1, at: .zero) == 5)
        #expect(budget.allowed(5, to: 1, at: .milliseconds(100)) == 0)
        #expect(budget.allowed(5, to: 2, at: .milliseconds(100)) == 5)
        #expect(budget.allowed(9, to: 1, at: .seconds(1)) == 5)
        #expect(budget.allowed(.max, to: 1, at: .seconds(1000)) == 20)
        #expect(budget.allowed(1, to: 1, at: .zero) == 0)
    }

    @Test func `addresses above the table's limit wait for idle ones`() {
        var budget = SearchBudget()
        for address in 0..<256 { #expect(budget.allowed(1, to: UInt32(address), at: .zero) == 1) }
        #expect(budget.allowed(1, to: 1000, at: .zero) == 0)
        #expect(budget.allowed(1, to: 1000, at: .seconds(10)) == 1)
    }
}
