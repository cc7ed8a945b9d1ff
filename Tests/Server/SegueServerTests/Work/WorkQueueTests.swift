import SegueOrigin
import Testing

@testable import SegueServer

@Suite struct `Work queue` {
    @Test func `clients take turns`() {
        #expect(turns(["a1", "a2", "a3", "b1", "a4", "c1", "b2"]) == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
    }

    @Test func `the subjects of a client take turns`() {
        #expect(turns(["a1:x", "a2:x", "a3:x", "a4:y", "a5:y"]) == ["a1:x", "a4:y", "a2:x", "a5:y", "a3:x"])
    }

    @Test func `a late client goes before one with many turns`() {
        var queue = WorkQueue<String>()
        for number in 0..<6 { queue.append("a\(number)", number: UInt64(number), WorkOrder(.quick, client: "a")) }
        for _ in 0..<3 { _ = queue.next() }
        queue.append("b", number: 9, WorkOrder(.quick, client: "b"))
        #expect(queue.next()?.job == "b")
    }

    @Test func `a removed job has no turn`() {
        var queue = queue(["a1", "a2", "b1"])
        #expect(queue.remove(1) == "a2")
        #expect(queue.remove(1) == nil)
        #expect(queue.count == 2)
        #expect(queue.removeAll() == ["a1", "b1"])
        #expect(queue.next() == nil)
    }

    @Test func `the newest job of the client with the most jobs is removed`() {
        var queue = queue(["a1", "b1", "a2", "a3"])
        #expect(queue.removeNewest(ofOneWithMoreThan: "b") == "a3")
        // Now "a" has one more, which another job of "b" would equal.
        #expect(queue.removeNewest(ofOneWithMoreThan: "b") == nil)
        #expect(queue.removeNewest(ofOneWithMoreThan: "a") == nil)
        #expect(queue.removeNewest(ofOneWithMoreThan: "c") == "a2")
    }

    @Test func `jobs of begun responses are neither removed nor removed for`() {
        var queue = queue(["a1"])
        for number in 1...5 { queue.append("a", number: UInt64(number), WorkOrder(.quick, client: "a", isOwed: true)) }
        #expect(queue.count == 6 && queue.countOfNew == 1)
        #expect(queue.removeNewest(ofOneWithMoreThan: "b") == nil)
        queue.append("a2", number: 6, WorkOrder(.quick, client: "a"))
        #expect(queue.removeNewest(ofOneWithMoreThan: "b") == "a2")
    }

    @Test func `a client without permission is skipped and keeps its turn`() {
        var queue = queue(["a1", "b1", "a2"])
        #expect(queue.next { $0 != "a" }?.job == "b1")
        #expect(queue.next { $0 != "a" } == nil)
        #expect(queue.next()?.job == "a1" && queue.count == 1 && queue.count(of: "a") == 1)
        #expect(queue.waitingClients == ["a"])
    }

    @Test(arguments: [
        ("/", WorkOrder.Lane.file, ""), ("/metrics", .file, ""), ("/items/abc/original", .file, "abc"),
        ("/items/abc/index.m3u8", .quick, "abc"), ("/items/abc/master.m3u8", .quick, "abc"),
        ("/items/abc/master.m3u8?ladder=1", .slow, "abc"), ("/items/abc/index.m3u8?byterange=1", .slow, "abc"),
        ("/items/abc/tag/full.ts/whole.ts", .slow, "abc"), ("/items/abc/tag/full.ts/7.ts", .quick, "abc"),
        ("/api/items/abc", .quick, "abc"), ("/nothing/at/all", .quick, ""), ("?", .quick, ""),
    ])
    func `the request shows long work`(target: String, lane: WorkOrder.Lane, subject: String) {
        let order = WorkOrder(OriginRequest(target: target), client: "x")
        #expect(order.lane == lane)
        #expect(order.subject == subject)
        #expect(order.client == "x")
    }

    @Test func `the segments of a rendition are of one kind`() {
        let kinds = ["full.ts/1.ts", "full.ts/2.ts", "full.fmp4/1.m4s", "background.ts/1.ts"].map {
            WorkOrder(OriginRequest(target: "/items/abc/tag/\($0)"), client: "").kind
        }
        #expect(kinds[0] == kinds[1])
        #expect(Set(kinds).count == 3)
    }

    /// The order of jobs, each named after its client and, after a colon, its subject.
    private func turns(_ names: [String]) -> [String] {
        var queue = queue(names)
        return names.compactMap { _ in queue.next()?.job }
    }

    private func queue(_ names: [String]) -> WorkQueue<String> {
        var queue = WorkQueue<String>()
        for (number, name) in names.enumerated() {
            let subject = name.split(separator: ":").dropFirst().joined()
            queue.append(name, number: UInt64(number), WorkOrder(.quick, client: "\(name.prefix(1))", subject: subject))
        }
        return queue
    }
}
