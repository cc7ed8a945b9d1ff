import Foundation
import SegueBase
import SegueData
import SegueNetworkModel
import SegueOrigin
import SegueProxy
import SegueServer
import SegueTestSupport
import SegueWeb
import Testing

@Suite struct `The control API` {
    private static let harness = HarnessFolder(
        path: Checkout.path("Harness")
    )

    /// Runs a test with the control API of a proxy with one link named `a`.
    private static func with(_ body: (ControlResponder) async throws -> Void) async throws {
        let proxy = try LinkProxy()
        let control = try ControlResponder(
            proxy: proxy,
            harness: harness,
            hosts: AllowedHosts(listeningOn: "127.0.0.1", named: ["bench.example"]),
            page: ControlPage(WebFolder(path: Checkout.path("Web")))
        )
        let created = await ask(
            control,
            "POST",
            "/api/links",
            #"{"name":"a","network":"3g","listen":"127.0.0.1:0","to":"127.0.0.1:1"}"#
        )
        #expect(created.status == 201)
        do {
            try await body(control)
        } catch {
            await proxy.stop()
            throw error
        }
        await proxy.stop()
    }

    private static func ask(
        _ control: ControlResponder,
        _ method: String,
        _ path: String,
        _ body: String = "",
        host: String? = nil,
        isForeign: Bool = false
    ) async -> (status: Int, text: String) {
        let answer = await control.respond(
            to: ControlRequest(method, path, body: body, host: host, isForeign: isForeign)
        )
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    @Test func `shows, changes, resets and removes links`() async throws {
        try await Self.with { control in
            #expect(await Self.ask(control, "GET", "/api/links/a").text.contains(#""network":"3g""#))
            let changed = await Self.ask(control, "PUT", "/api/links/a", #"{"network":"lte"}"#)
            #expect(changed.status == 200 && changed.text.contains(#""network":"lte""#))
            let own = #"{"network":{"name":"own","down":{"rate":"1 Mbit/s"},"up":{"rate":"1 Mbit/s"}}}"#
            #expect(await Self.ask(control, "PATCH", "/api/links/a", own).text.contains(#""network":"own""#))
            #expect(await Self.ask(control, "POST", "/api/reset").text.contains(#""network":"3g""#))
            let again = #"{"name":"a","network":"3g","listen":"127.0.0.1:0","to":"127.0.0.1:1"}"#
            #expect(await Self.ask(control, "POST", "/api/links", again).status == 409)
            #expect(await Self.ask(control, "DELETE", "/api/links/a").text == #"{"links":[]}"#)
        }
    }

    @Test func `a link may be a forward proxy`() async throws {
        try await Self.with { control in
            let link =
                #"{"name":"p","network":"3g","proxy":"127.0.0.1:0","proxy-hosts":["*.example"],"shape-names":false}"#
            let made = await Self.ask(control, "POST", "/api/links", link)
            #expect(made.status == 201 && made.text.contains(#""to":"where its clients say""#), "\(made.text)")
        }
    }

    @Test func `a change can be scheduled, and a reset cancels it`() async throws {
        try await Self.with { control in
            let planned = await Self.ask(control, "PUT", "/api/links/a", #"{"network":"lte","at":0}"#)
            #expect(planned.status == 202)
            // The change occurs between two turns of the proxy's thread; each request takes one.
            var shown = ""
            while !shown.contains(#""network":"lte""#) { shown = await Self.ask(control, "GET", "/api/links").text }
            #expect(await Self.ask(control, "PUT", "/api/links/a", #"{"network":"edge","at":3600}"#).status == 202)
            #expect(await Self.ask(control, "GET", "/api/links/a").text.contains(#""network":"lte""#))
        }
    }

    @Test(arguments: ["9223372036854775807", "9999999999", "1000000.5", "-1", "9223372036854775807/3"])
    func `a change too far ahead, or in the past, is rejected`(delay: String) async throws {
        try await Self.with { control in
            let answer = await Self.ask(control, "PUT", "/api/links/a", #"{"network":"lte","at":"\#(delay)"}"#)
            #expect(answer.status == 400 && answer.text.contains("at: must be from 0 to 1000000 seconds"))
        }
    }

    @Test func `faults are added, listed, replaced and removed`() async throws {
        try await Self.with { control in
            let path = "/api/links/a/faults"
            let added = await Self.ask(control, "POST", path, #"{"kind":"segment","status":503,"count":1}"#)
            #expect(added.status == 201 && added.text.contains(#""faults":["segment: answered with 503, once"]"#))
            let replaced = await Self.ask(control, "PUT", path, #"[{"reset":"100 bytes"},{"stall":"2 s"}]"#)
            #expect(replaced.text.contains(#"["reset after 100 bytes","stalls for 2.0 s after 0 bytes"]"#))
            #expect(
                await Self.ask(control, "DELETE", path + "/0").text.contains(#"["stalls for 2.0 s after 0 bytes"]"#)
            )
            #expect(await Self.ask(control, "DELETE", path).text.contains(#""faults":[]"#))
            #expect(await Self.ask(control, "DELETE", path + "/0").status == 404)
        }
    }

    @Test(arguments: [
        ("PUT", "/api/links/a", #"{"network":"lt"}"#, 400, "network: lt is unknown; did you mean lte?"),
        ("PUT", "/api/links/a", #"{"network":"#, 400, "is not YAML"),
        ("PUT", "/api/links/a", #"{"network":"lte","when":3}"#, 400, "when: is not a key here"),
        ("PUT", "/api/links/a", #"{"network":"lte","at":-1}"#, 400, "at: must be from 0 to"),
        ("PUT", "/api/links/b", #"{"network":"lte"}"#, 404, "b: there is no link with this name"),
        ("POST", "/api/links", #"{"network":"lte","listen":"x","to":"y:1"}"#, 400, "listen: is x, must be HOST:PORT"),
        ("POST", "/api/links", #"{"network":"lte","proxy":"x"}"#, 400, "proxy: is x, must be HOST:PORT"),
        ("POST", "/api/links", #"{"network":"lte"}"#, 400, "there are no routes and no proxy"),
        ("POST", "/api/links/a/faults", #"{"status":1000}"#, 400, "status"),
        ("GET", "/api/nothing", "", 404, "there is no such resource"),
    ])
    func `errors name the cause`(method: String, path: String, body: String, status: Int, words: String) async throws {
        try await Self.with { control in
            let answer = await Self.ask(control, method, path, body)
            #expect(answer.status == status)
            #expect(answer.text.hasPrefix(#"{"error":{"code":""#) && answer.text.contains(words), "\(answer.text)")
        }
    }

    @Test func `pages of other origins cannot change anything`() async throws {
        try await Self.with { control in
            let answer = await Self.ask(control, "POST", "/api/reset", isForeign: true)
            #expect(answer.status == 403)
        }
    }

    @Test(
        arguments: ["evil.example", "evil.example:8082", "192.0.2.1:8082", "localhost.evil.example", ""],
        [
            ("GET", "/"), ("GET", "/health"), ("GET", "/metrics"), ("GET", "/api/links"), ("PUT", "/api/links/a"),
            ("DELETE", "/api/links/a"), ("POST", "/api/reset"),
        ]
    )
    func `a rebound host name is rejected`(host: String, asked: (String, String)) async throws {
        try await Self.with { control in
            let answer = await Self.ask(control, asked.0, asked.1, #"{"network":"lte"}"#, host: host)
            #expect(answer.status == 403 && answer.text.contains(#""code":"foreignHost""#))
            #expect(answer.text.contains("'\(host)'") && answer.text.contains("--allow-host"))
            #expect(await Self.ask(control, "GET", "/api/links/a").text.contains(#""network":"3g""#))
        }
    }

    @Test(arguments: ["127.0.0.1:8082", "localhost:8082", "LOCALHOST", "[::1]:8082", "bench.example:8082", nil])
    func `its own address, localhost, and configured names are accepted`(host: String?) async throws {
        try await Self.with { control in
            #expect(await Self.ask(control, "GET", "/api/links", host: host).status == 200)
            #expect(await Self.ask(control, "PUT", "/api/links/a", #"{"network":"lte"}"#, host: host).status == 200)
        }
    }

    @Test func `serves metrics, networks, and a page`() async throws {
        try await Self.with { control in
            let metrics = await Self.ask(control, "GET", "/metrics").text
            #expect(metrics.contains(#"segue_link_connections{link="a",network="3g"} 0"#))
            #expect(metrics.contains(#"segue_link_packets_total{link="a",network="3g",direction="up"} 0"#))
            #expect(metrics.contains(#"segue_link_lateness_seconds_bucket{link="a",le="+Inf"} 0"#))
            #expect(await Self.ask(control, "GET", "/api/networks").text.contains(#""name":"train""#))
            #expect(await Self.ask(control, "GET", "/").text.contains("<title>Segue link</title>"))
        }
    }
}
