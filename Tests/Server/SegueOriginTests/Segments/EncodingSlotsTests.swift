import Dispatch
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Encoding slots` {
    /// Running makings, each of which lasts until its gate opens.
    private final class Makings: Sendable {
        let room: EncodingSlots
        let begun = Monitor<Set<String>>([])

        init(patience: DispatchTimeInterval = .never) { room = EncodingSlots(limit: 10, patience: patience) }

        func begin(_ name: String, _ count: Int, _ cancellation: Cancellation = Cancellation(), until end: Gate)
            -> BlockingWork<Void>
        {
            blocking { [self] in
                room.make(count, cancellation: cancellation) {
                    _ = begun.withLock { $0.insert(name) }
                    end.wait()
                }
            }
        }

        /// Blocks until exactly these are running, and a number of others wait.
        func wait(for names: Set<String>, waiting: Int) async throws {
            try await blocking { [self] in
                begun.wait(for: { $0.isSuperset(of: names) })
                room.waitForWaiting(waiting)
            }.value
            #expect(begun.withLock { $0 } == names)
        }
    }

    @Test func `are unlimited while there is room`() async throws {
        let (makings, end) = (Makings(), Gate())
        defer { end.open() }
        let work = ["a", "b", "c"].map { makings.begin($0, 20, until: end) }
        try await makings.wait(for: ["a", "b", "c"], waiting: 0)
        end.open()
        for work in work { try await work.value }
    }

    @Test func `are limited to the room, or to one piece, in a shortage`() async throws {
        let (makings, gates) = (Makings(), ["a": Gate(), "b": Gate(), "c": Gate(), "d": Gate()])
        defer { for gate in gates.values { gate.open() } }
        makings.room.noteShortage()
        var work: [BlockingWork<Void>] = []
        for (place, (name, count)) in [("a", 20), ("b", 4), ("c", 6), ("d", 1)].enumerated() {
            work.append(makings.begin(name, count, until: try #require(gates[name])))
            try await makings.wait(for: ["a"], waiting: place)
        }
        gates["a"]?.open()
        try await makings.wait(for: ["a", "b", "c"], waiting: 1)
        makings.room.endShortage()
        try await makings.wait(for: ["a", "b", "c", "d"], waiting: 0)
        for gate in gates.values { gate.open() }
        for work in work { try await work.value }
    }

    @Test func `do not block cancelled callers`() async throws {
        let (makings, end, hung, gone) = (Makings(), Gate(), Cancellation(), Cancellation())
        defer { end.open() }
        makings.room.noteShortage()
        var work = [makings.begin("hung", 9, hung, until: end)]
        try await makings.wait(for: ["hung"], waiting: 0)
        work.append(makings.begin("gone", 9, gone, until: end))
        try await makings.wait(for: ["hung"], waiting: 1)
        gone.cancel()
        try await makings.wait(for: ["hung", "gone"], waiting: 0)
        work.append(makings.begin("next", 9, until: end))
        try await makings.wait(for: ["hung", "gone"], waiting: 1)
        hung.cancel()
        try await makings.wait(for: ["hung", "gone", "next"], waiting: 0)
        end.open()
        for work in work { try await work.value }
    }

    @Test func `are awaited for a bounded time`() async throws {
        let (makings, end) = (Makings(patience: .nanoseconds(1)), Gate())
        defer { end.open() }
        makings.room.noteShortage()
        let hung = makings.begin("hung", 9, until: end)
        try await makings.wait(for: ["hung"], waiting: 0)
        let next = makings.begin("next", 9, until: end)
        try await makings.wait(for: ["hung", "next"], waiting: 0)
        end.open()
        try await hung.value
        try await next.value
    }

    @Test func `are limited after a shortage is reported`() throws {
        let notes = Monitor(0)
        let store = SegmentStore(limit: 100, spool: Spool(folders: ["/dev/null/nothing"]), sendingLimit: 60)
        store.making.whenShort { notes.withLock { $0 += 1 } }
        var needed: [KeptBytes] = []
        for (number, expected) in [0, 1, 2, 3].enumerated() {
            let file = FileIdentity(path: "/a", size: 1, modifiedNanoseconds: 2, inode: 3)
            needed.append(
                try store.kept(for: .segment(DeliveredSegment(number, of: file)), cancellation: Cancellation()) { _ in
                    [UInt8](repeating: 1, count: 60)
                }
            )
            #expect(notes.withLock { $0 } == expected)
        }
        #expect(store.maximumSize == 60)
    }

    @Test(arguments: [("films/film.mp4", 1), ("films/old.mkv", 0)])
    func `apply to segments, except encoded video`(path: String, waiting: Int) async throws {
        let served = try ServedFolder()
        let target = try #require(try served.uris(served.get(try served.url(path, "index.m3u8")), of: path).first)
        let (responder, end, hasBegun) = (served.responder, Gate(), Gate())
        defer { end.open() }
        let room = responder.services.maker.store.making
        room.noteShortage()
        let other = blocking {
            room.make(1 << 30, cancellation: Cancellation()) {
                hasBegun.open()
                end.wait()
            }
        }
        try await blocking { hasBegun.wait() }.value
        let answer = blocking { responder.respond(to: OriginRequest(target: target)) }
        if waiting > 0 {
            try await blocking { room.waitForWaiting(waiting) }.value
            end.open()
        }
        #expect(try await answer.value.status == 200)
        end.open()
        try await other.value
    }
}
