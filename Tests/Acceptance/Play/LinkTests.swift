import Foundation
import SegueTestSupport
import Testing

@Suite struct `Link` {
    private struct Spread: Decodable {
        let bytes: Int
        let mean, median, least, most: Double
    }

    @Test func `an estimate equals the measurement of Linux`() async throws {
        let folder = try TestFolder()
        let outcome = try await Program.run(
            "link",
            "--estimate",
            "10240,1048576",
            "--network",
            "nlc-3g",
            "--json",
            folder.file("times.json")
        )
        #expect(outcome.status == 0)
        #expect(outcome.output.split(separator: "\n").count == 2)
        let json = try Data(contentsOf: URL(fileURLWithPath: folder.file("times.json")))
        let times = try JSONDecoder().decode([Spread].self, from: json)
        #expect(times.map(\.bytes) == [10_240, 1_048_576])
        // From nginx through netem to curl.
        #expect(zip(times, [0.522034, 11.718940]).allSatisfy { abs($0.mean - $1) < 0.0025 })
        #expect(times.allSatisfy { $0.least == $0.most && $0.median == $0.mean })
    }

    /// 64 KiB are 45 TCP segments, so that 8 MB take 123 round trips of 115 ms; 3 MiB are more than is ever in flight.
    @Test(arguments: [("64 KiB", 14.1, 15.0), ("3MiB", 1.3, 3.0)])
    func `an estimate counts the receive window`(window: String, least: Double, most: Double) async throws {
        let options = ["--estimate", "8000000", "--network", "nlc-lte", "--receive-window", window]
        let outcome = try await Program.run("timeout", ["600", Program.path, "link"] + options)
        let words = outcome.output.split(separator: " ")
        let found = try #require(words.count > 2 ? Double(words[2]) : nil, "\(outcome)")
        #expect((least...most).contains(found), "\(found) s")
    }

    @Test(arguments: [
        ("down: { rate: -5 kbit/s }", "n.yaml:2: down.rate: is -5 kbit/s"),
        ("down: { rate: { trace: gone.json } }", "n.yaml:2: down.rate.trace: gone.json: the file cannot be read"),
        ("down: { rate: { trace: gaps.txt } }", "gaps.txt:3: covers 96.0 s; a trace must not have gaps"),
        ("down: [", "n.yaml:3: is not YAML"),
        ("down: {}\nup: {}\nfaults: [{ stauts: 503 }]", "n.yaml:4: faults[0].stauts: is not a key here"),
    ])
    func `an invalid network file is one line with its place`(yaml: String, says: String) async throws {
        let folder = try TestFolder()
        try "name: n\n\(yaml)\n".write(toFile: folder.file("n.yaml"), atomically: true, encoding: .utf8)
        try "1 2\n2 2\n98 2\n".write(toFile: folder.file("gaps.txt"), atomically: true, encoding: .utf8)
        let outcome = try await Program.run("link", "--estimate", "10", "--network", folder.file("n.yaml"))
        #expect(outcome.status == 2 && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(says), "\(outcome.errors)")
    }

    @Test func `every key of a network affects an estimate`() async throws {
        let folder = try TestFolder()
        let yaml = """
            name: n
            down: { rate: { generate: walk, mean: 8 Mbit/s }, delay: 20 ms, jitter: 2 ms, loss: 1 % }
            up: { delay: 20 ms, bursts: { begin: 1 %, end: 50 % } }
            radio: [{ idle: 5 s, promotion: 2 s }]
            schedule: [{ at: 3 s, outage: 1 s }, { at: 90 s, down: { rate: 1 Mbit/s } }]
            faults: [{ status: 503 }]
            """
        try yaml.write(toFile: folder.file("n.yaml"), atomically: true, encoding: .utf8)
        let outcome = try await Program.run(
            "link",
            "--estimate",
            "1000",
            "--tls",
            "1.3",
            "--network",
            folder.file("n.yaml")
        )
        // The radio wakes for two seconds; three round trips follow.
        let seconds = outcome.output.split(separator: " ").compactMap { Double($0) }.last ?? 0
        #expect(outcome.status == 0 && (2.1...3.5).contains(seconds), "\(outcome.output)\(outcome.errors)")
    }

    @Test func `with loss the seeds differ, and give the same times again`() async throws {
        var outcomes: [Program.Outcome] = []
        for _ in 0..<2 {
            outcomes.append(
                try await Program.run("link", "--estimate", "1048576", "--network", "wifi-lossy", "--seeds", "5")
            )
        }
        #expect(outcomes[0].status == 0 && outcomes[0].output.contains("with 5 seeds"))
        #expect(outcomes[0].output == outcomes[1].output)
    }

    /// Needs root and namespaces; delay and loss would need a kernel with sch_netem, a rate does not.
    @Test(.enabled("namespaces can be made") { try await Program.run("unshare", ["-n", "true"]).status == 0 })
    func `a command runs over a network of the Linux kernel`() async throws {
        let folder = try TestFolder()
        let network = try folder.write(
            Array("name: line\ndown: { rate: 8 Mbit/s }\nup: { rate: 1 Mbit/s }\n".utf8),
            to: "line.yaml"
        )
        let script = "ip netns identify $$; ip route get $SEGUE_SERVER; tc qdisc show dev to-router; exit 7"
        let outcome = try await Program.run("link", "--netem", "--network", network, "--", "sh", "-c", script)
        #expect(outcome.status == 7)
        let namespace = try #require(outcome.output.split(separator: "\n").first)
        #expect(namespace.hasPrefix("segue-") && namespace.hasSuffix("-client"))
        #expect(outcome.output.contains("dev to-router src 198.1"))
        #expect(outcome.output.contains("rate 1Mbit"))
        // The namespaces and devices are removed.
        #expect(try !FileManager.default.contentsOfDirectory(atPath: "/run/netns").contains(String(namespace)))
        // A signal is forwarded: the command exits with 128 plus its number.
        let told = "kill -TERM $PPID; exec sleep 100"
        #expect(try await Program.run("link", "--netem", "--network", network, "--", "sh", "-c", told).status == 143)
    }

    @Test func `the list has the well-known networks`() async throws {
        let outcome = try await Program.run("link", "--list")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        for name in ["3g", "wifi", "nlc-edge", "wpt-lte", "chrome-slow-4g", "android-umts"] {
            #expect(lines.contains { $0.hasPrefix(name + " ") }, "\(name)")
        }
        #expect(lines.contains { $0.hasPrefix("nlc-3g ") && $0.contains(" 780/330 ") })
    }
}
