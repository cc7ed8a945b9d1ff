import Testing

@testable import SegueUPnP

@Suite struct SubscriptionsTests {
    @Test(arguments: [
        ("<http://192.0.2.9:1234/x>", "http://192.0.2.9:1234/x"), ("<http://192.0.2.9/>", "http://192.0.2.9/"),
        ("<http://192.0.2.1:80/a><http://192.0.2.9:80/b>", "http://192.0.2.9:80/b"),
        ("<HTTP://192.0.2.9:65535>", "HTTP://192.0.2.9:65535"),
    ])
    func `notices go to the subscriber's own address`(callback: String, url: String) throws {
        var all = Subscriptions()
        let notice = try all.begin(callback: callback, from: "192.0.2.9", id: "s", body: "b", at: .zero)
        #expect(notice == Subscriptions.Notice(url: url, id: "s", number: 0, body: "b"))
    }

    @Test(arguments: [
        nil, "", "http://192.0.2.9/", "<http://192.0.2.1/>", "<https://192.0.2.9/>", "<http://192.0.2.9.evil.example/>",
        "<http://192.0.2.90/>", "<http://192.0.2.9@evil.example/>", "<http://192.0.2.9:0/>", "<http://192.0.2.9:x/>",
        "<http://192.0.2.9:80@evil.example/>", "<http://192.0.2.9:99999/>", "<http://192.0.2.9:80/ x>",
        "<http://evil.example/192.0.2.9>", "<http://192.0.2.9:80/\r\nX: y>", "<file:///etc/passwd>",
        "<http://2130706433/>",
    ])
    func `callbacks to other hosts are rejected`(callback: String?) {
        var all = Subscriptions()
        #expect(throws: Subscriptions.Refusal.preconditionFailed) {
            try all.begin(callback: callback, from: "192.0.2.9", id: "s", body: "b", at: .zero)
        }
        #expect(all.count == 0)
    }

    @Test func `an IPv6 callback has brackets`() throws {
        var all = Subscriptions()
        let notice = try all.begin(
            callback: "<http://[2001:db8::1]:5/>",
            from: "2001:db8::1",
            id: "s",
            body: "",
            at: .zero
        )
        #expect(notice.url == "http://[2001:db8::1]:5/")
    }

    @Test func `notices have sequence numbers until the subscription ends`() throws {
        var all = Subscriptions()
        _ = try all.begin(callback: "<http://192.0.2.9/>", from: "192.0.2.9", id: "s", body: "", at: .zero)
        #expect(all.notices("x", at: .seconds(1)).map(\.number) == [1])
        #expect(all.notices("y", at: .seconds(2)).map(\.number) == [2])
        #expect(throws: Subscriptions.Refusal.preconditionFailed) { try all.end("s", from: "192.0.2.8") }
        try all.end("s", from: "192.0.2.9")
        #expect(all.notices("z", at: .seconds(3)).isEmpty)
        #expect(throws: Subscriptions.Refusal.preconditionFailed) { try all.end("s", from: "192.0.2.9") }
    }

    @Test func `a subscription expires without renewal`() throws {
        var all = Subscriptions()
        _ = try all.begin(callback: "<http://192.0.2.9/>", from: "192.0.2.9", id: "s", body: "", at: .zero)
        try all.renew("s", from: "192.0.2.9", at: .seconds(1799))
        #expect(all.notices("x", at: .seconds(1801)).count == 1)
        #expect(all.notices("x", at: .seconds(3600)).isEmpty)
        #expect(throws: Subscriptions.Refusal.preconditionFailed) {
            try all.renew("s", from: "192.0.2.9", at: .seconds(3600))
        }
    }

    @Test func `subscriptions are limited to 8 of one address and 64 in total`() throws {
        var all = Subscriptions()
        var refused = 0
        for host in 1...10 {
            for number in 0..<9 {
                let callback = "<http://192.0.2.\(host)/>"
                let begun = try? all.begin(
                    callback: callback,
                    from: "192.0.2.\(host)",
                    id: "\(host) \(number)",
                    body: "",
                    at: .zero
                )
                if begun == nil { refused += 1 }
            }
        }
        #expect(all.count == 64 && refused == 26)
    }

    @Test func `a body has the form of section 4.3.2`() throws {
        let body = Subscriptions.body([("SystemUpdateID", "4"), ("X", "<&")])
        let document = try XMLReader.read(Array(body.utf8))
        #expect(document.name == "propertyset")
        #expect(document.children.map { $0.children.first?.text } == ["4", "<&"])
    }
}
