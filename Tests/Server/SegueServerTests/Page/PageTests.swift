import Foundation
import HTTPTypes
import SegueOrigin
import SegueOriginTestSupport
import Testing

@testable import SegueServer

@Suite struct `Web page` {
    let served: ServedFolder

    init() throws { served = try ServedFolder(page: WebPage(files: PageFolder.files()) { ["192.0.2.7"] }) }

    @Test func `the page lists items, and what they say of themselves is only text`() throws {
        _ = served.get("/api/items")
        let answer = served.get("/", [.hostField: "films.local:8080"])
        #expect(answer.status == 200 && answer.headers[.contentType] == "text/html; charset=utf-8")
        let page = answer.text
        #expect(page.contains("A &lt;film&gt; &amp; more") && !page.contains("<film>"))
        #expect(page.contains("href=\"items/\(try served.item("films/film.mp4").id)/master.m3u8\""))
        #expect(page.contains("<i>H.264 "))
        #expect(page.contains("<code>http://films.local:8080</code>"))
        #expect(page.contains("the file is empty"))
    }

    @Test func `the page's addresses are relative, so that it works below any path`() throws {
        _ = served.get("/api/items")
        let page = served.get("/?limit=2").text
        let addresses = page.matches(of: /(?:href|src|action)="([^"]*)"/).map { String($0.output.1) }
        #expect(addresses.count > 10)
        #expect(addresses.filter { $0.hasPrefix("/") || $0.contains("://") } == [])
    }

    @Test func `the page searches`() {
        _ = served.get("/api/items")
        let page = served.get("/?q=caf%C3%A9").text
        #expect(page.contains("Café song") && !page.contains("A &lt;film&gt;"))
        #expect(page.contains("value=\"café\""))
        let attack = served.get("/?q=%22%3E%3Cscript%3E").text
        #expect(!attack.contains("\"><script>") && attack.contains("Nothing matches."))
    }

    @Test func `the page may run its own scripts and no other`() throws {
        let answer = served.get("/")
        let policy = try #require(answer.headers[.contentSecurityPolicy])
        #expect(policy.contains("script-src 'self';") && policy.contains("style-src 'self';"))
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        #expect(answer.text.components(separatedBy: "<script").count == 2)
        #expect(answer.text.matches(of: #/\son[a-z]+=|\sstyle=|<style/#).isEmpty)
    }

    @Test func `its files may be kept for ever under their version, and are the same under any other`() throws {
        let page = served.get("/").text
        let address = try #require(page.firstMatch(of: /src="(page\/[0-9a-f]{16}\/main\.js)"/)).output.1
        let kept = served.get("/\(address)")
        #expect(kept.status == 200 && kept.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(kept.headers[.cacheControl] == "public, max-age=31536000, immutable")
        let other = served.get("/page/0123456789abcdef/main.js")
        #expect(other.bytes == kept.bytes && other.headers[.cacheControl] == "no-cache")
        let tag = try #require(kept.headers[.eTag])
        #expect(served.get("/\(address)", [.ifNoneMatch: tag]).status == 304)
        let packed = served.get("/\(address)", [.acceptEncoding: "gzip"])
        #expect(packed.headers[.contentEncoding] == "gzip")
        #expect(packed.bytes.count < kept.bytes.count)
    }

    @Test(arguments: [
        "/page/x/page.html", "/page/x/none.js", "/page/x", "/page/x/words/none.json", "/page/x/words/en.json/x",
    ])
    func `what is no file of the page is not there`(target: String) {
        #expect(served.get(target).status == 404)
    }

    @Test func `the page is in the visitor's language`() {
        let german = served.get("/?q=nothing-like-it", [.acceptLanguage: "de-AT,en;q=0.5"]).text
        #expect(german.contains("<html lang=\"de\"") && german.contains("Nichts gefunden."))
        let english = served.get("/?q=nothing-like-it").text
        #expect(english.contains("<html lang=\"en\"") && english.contains("Nothing matches."))
        #expect(served.get("/").headers[.vary]?.contains("Accept-Language") == true)
    }

    @Test func `the name of who is let in is shown`() {
        var request = OriginRequest(target: "/")
        request.visitor = Visitor(identity: "1", name: "Ada <L>")
        #expect(served.responder.respond(to: request).text.contains("Ada &lt;L&gt;"))
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
