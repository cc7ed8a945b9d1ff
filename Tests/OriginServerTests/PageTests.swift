import Foundation
import Origin
import OriginTestSupport
import Testing

@testable import OriginServer

@Suite struct `Web page` {
    let served: ServedFolder

    init() throws { served = try ServedFolder(page: WebPage { ["192.0.2.7"] }) }

    @Test func `the page lists items, and what they say of themselves is only text`() throws {
        _ = served.get("/api/items")
        let answer = served.get("/", [("Host", "films.local:8080")])
        #expect(answer.status == 200 && answer.header("Content-Type") == "text/html; charset=utf-8")
        let page = answer.text
        #expect(page.contains("A &lt;film&gt; &amp; more") && !page.contains("<film>"))
        #expect(page.contains("href=\"\(try served.url("films/film.mp4", "index.m3u8"))\""))
        #expect(page.contains("<i>H.264 320×240</i>") || page.contains("<i>H.264 "))
        #expect(page.contains("<code>http://films.local:8080</code>"))
        #expect(page.contains("the file is empty"))
        #expect(!page.contains("http://www.w3.org") || !page.contains("src=\"http"))
    }

    @Test func `the page searches`() {
        _ = served.get("/api/items")
        let page = served.get("/?q=caf%C3%A9").text
        #expect(page.contains("Café song") && !page.contains("A &lt;film&gt;"))
        #expect(page.contains("value=\"café\""))
        let attack = served.get("/?q=%22%3E%3Cscript%3E").text
        #expect(!attack.contains("\"><script>") && attack.contains("Nothing matches."))
    }

    @Test func `the page may run its own script and no other`() throws {
        let answer = served.get("/")
        let policy = try #require(answer.header("Content-Security-Policy"))
        #expect(policy.contains("script-src 'sha256-") && policy.contains("default-src 'none'"))
        #expect(answer.text.components(separatedBy: "<script").count == 2)
        #expect(!answer.text.contains("onclick="))
    }
}

@Suite struct `Words on the web page` {
    @Test(arguments: [
        ("films.local:8080", "http://films.local:8080"), ("10.0.0.9", "http://10.0.0.9"),
        ("localhost:8080", "http://192.0.2.7:8080"), ("127.0.0.1:80", "http://192.0.2.7:80"),
        ("[::1]:8080", "http://192.0.2.7:8080"), ("[2001:db8::1]:8080", "http://[2001:db8::1]:8080"),
        ("<script>", nil), ("a b", nil), ("", nil), (nil, nil),
    ])
    func `the address is one that another device can reach`(host: String?, address: String?) {
        #expect(PageAddress.best(host: host, localAddresses: { ["192.0.2.7"] }) == address)
    }

    @Test(arguments: [
        ("127.0.0.1", []), ("127.1.2.3", []), ("localhost", []), ("::1", []), ("192.0.2.7", ["192.0.2.7"]),
        ("2001:db8::1", ["[2001:db8::1]"]), ("tv.local", ["tv.local"]),
    ])
    func `a server that only this machine reaches has no address for others`(host: String, addresses: [String]) {
        #expect(LocalAddresses.reachable(listeningOn: host) == addresses)
    }

    @Test func `an address that is not known is not shown`() {
        #expect(PageAddress.best(host: "localhost:1", localAddresses: { [] }) == nil)
    }

    @Test(arguments: [(0.0, "0:00"), (59.6, "1:00"), (185, "3:05"), (3723, "1:02:03"), (36_000, "10:00:00")])
    func `times are written as people do`(seconds: Double, text: String) {
        #expect(PageChips.clock(seconds) == text)
    }
}
