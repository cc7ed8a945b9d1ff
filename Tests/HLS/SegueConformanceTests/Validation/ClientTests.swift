import SegueBase
import SegueFetch
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueConformance

@Suite struct ClientTests {
    @Test func `what fails first and works at once afterwards is found with its share`() throws {
        let counts = Mutex<[String: Int]>([:])
        let site = try Site { path, request in
            guard path.hasSuffix(".ts"), !path.contains("999"), request.head.hasPrefix("GET") else { return nil }
            let count = counts.withLock { counts in
                counts[path, default: 0] += 1
                return counts[path] ?? 0
            }
            return path != "/0.ts" && count == 1 ? Site.answer(404) : nil
        }
        defer { site.stop() }
        let found = try #require(try site.report().found.first { $0.rule.id == "resolves-first" })
        let words = "2 of 4 resources failed with the first request and loaded with the second"
        #expect(found.message.text.hasPrefix(words), "\(found.message)")
        #expect(found.message.text.hasSuffix("the server returned 404"))
        #expect(try !site.rules().contains("uri-resolves"))
    }

    @Test func `a server that resets each second request on a connection is found with its share`() throws {
        let counts = Mutex<[Int: Int]>([:])
        let site = try Site { _, request in
            let count = counts.withLock { counts in
                counts[request.connection, default: 0] += 1
                return counts[request.connection] ?? 0
            }
            return count == 1 ? nil : [.reset]
        }
        defer { site.stop() }
        let report = try site.report()
        let found = try #require(report.found.first { $0.rule.id == "connections-kept" })
        let numbers = found.message.text.split(separator: " ").compactMap { Int($0) }
        // Each request on a kept connection is lost.
        #expect(numbers.count == 2 && numbers[0] == numbers[1] && numbers[0] >= 3, "\(found.message)")
        #expect(report.found.allSatisfy { $0.rule.id != "uri-resolves" && $0.rule.id != "resolves-first" })
        let clean = try Site()
        defer { clean.stop() }
        #expect(try !clean.rules().contains("connections-kept"))
    }

    @Test func `a client that the server refuses alone is named`() throws {
        let site = try Site { path, request in
            let isApple = request.header("user-agent")?.hasPrefix("AppleCoreMedia") == true
            return isApple && path.hasSuffix(".ts") ? Site.answer(403) : nil
        }
        defer { site.stop() }
        let found = try #require(try site.report().found.first { $0.rule.id == "user-agent-same" })
        let words = "the server returned 403 to the User-Agent of AppleCoreMedia, and 200 to that of Segue"
        #expect(found.message.text == words)
        #expect(found.places.count == 1)
        let clean = try Site()
        defer { clean.stop() }
        #expect(try clean.rules().isDisjoint(with: ["user-agent-same", "rate-limited", "resolves-first"]))
        // Once for the playlist and once for a segment.
        #expect(clean.requests.count { $0.contains("AppleCoreMedia") } == 2)
    }

    @Test func `a refusal because of too many requests is kept to and reported`() throws {
        let counts = Mutex(0)
        let site = try Site { path, _ in
            guard path == "/1.ts" else { return nil }
            let count = counts.withLock { count in
                count += 1
                return count
            }
            return count == 1 ? Site.answer(429, [], "Retry-After: 0") : nil
        }
        defer { site.stop() }
        let report = try site.report()
        let found = try #require(report.found.first { $0.rule.id == "rate-limited" })
        #expect(found.message.text.hasPrefix("the server refused the request once because of too many requests"))
        #expect(!report.found.contains { $0.rule.id == "uri-resolves" })
    }

    @Test func `a server that refuses for good is named with the rate of the validation`() throws {
        let site = try Site { path, _ in path == "/1.ts" ? Site.answer(429, [], "Retry-After: 0") : nil }
        defer { site.stop() }
        let found = try #require(try site.report().found.first { $0.rule.id == "uri-resolves" })
        #expect(found.message.text.contains("the server returned 429, after "))
        #expect(found.message.text.hasSuffix("requests of this validation in 10 s; --rate limits them"))
    }

    @Test func `the pauses are those that the server asks for, three at most`() throws {
        let site = try Site { path, _ in path == "/1.ts" ? Site.answer(429, [], "Retry-After: 7") : nil }
        defer { site.stop() }
        let waits = Mutex<[Duration]>([])
        let report = try site.report { options in
            options.judgesDelivery = false
            options.width = 1
            options.wait = { duration in waits.withLock { $0.append(duration) } }
        }
        #expect(report.found.contains { $0.rule.id == "uri-resolves" })
        let asked = waits.withLock { $0 }.filter { $0 == .seconds(7) }
        #expect(asked.count == 3)
    }
}
