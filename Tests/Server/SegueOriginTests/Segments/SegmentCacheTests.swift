import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct `Segment cache` {
    private let key = SegmentStore.Key.segment(
        DeliveredSegment(4, of: FileIdentity(path: "/a", size: 1, modifiedNanoseconds: 2, inode: 3))
    )

    @Test func `concurrent callers share one making`() async throws {
        // The cache is empty, so callers can only share the making in progress.
        let store = SegmentStore(limit: 0)
        let (isMaking, mayFinish, makings) = (Gate(), Gate(), CountedCalls())
        let ask: @Sendable () throws -> [UInt8] = { [key] in
            try store.bytes(for: key, cancellation: Cancellation()) { _ in
                makings.count.withLock { $0 += 1 }
                isMaking.open()
                mayFinish.wait()
                return [1, 2, 3]
            }.bytes
        }
        let callers = (0..<16).map { _ in blocking(ask) }
        try await blocking { [key] in
            isMaking.wait()
            store.waitForCallers(16, of: key)
            mayFinish.open()
        }.value
        for caller in callers { #expect(try await caller.value == [1, 2, 3]) }
        #expect(makings.count.withLock { $0 } == 1)
        #expect(store.counts.made == 1 && store.counts.heldBytes == 0)
    }

    @Test func `concurrent requests for a segment make it once`() async throws {
        let served = try ServedFolder()
        let path = "films/film.mp4"
        let target = try #require(try served.uris(served.get(try served.url(path, "index.m3u8")), of: path).first)
        let responder = served.responder
        let requests = (0..<8).map { _ in blocking { responder.respond(to: OriginRequest(target: target)) } }
        var answers: Set<[UInt8]> = []
        for request in requests {
            let answer = try await request.value
            #expect(answer.status == 200)
            answers.insert(answer.bytes)
        }
        #expect(answers.count == 1 && responder.services.maker.store.counts.made == 1)
    }

    @Test func `the limit is exact`() throws {
        let served = try ServedFolder()
        let path = "films/film.mp4"
        let uris = try served.uris(served.get(try served.url(path, "index.m3u8")), of: path)
        let sizes = uris.prefix(2).map { served.get($0).bytes.count }
        for (limit, held) in [(sizes[0] + sizes[1], sizes[0] + sizes[1]), (sizes[0] + sizes[1] - 1, sizes[1])] {
            let responder = Responder(library: served.responder.library) {
                $0.limits = .init(segmentBytes: limit)
            }
            for uri in uris.prefix(2) { _ = responder.respond(to: OriginRequest(target: uri)) }
            #expect(responder.services.maker.store.counts.heldBytes == held)
        }
    }

    @Test func `results of a file that changed in the meantime are neither served nor cached`() throws {
        let folder = try TestFolder()
        let path = try folder.write([1], to: "file")
        let identity = try FileIdentity(ofFileAt: path)
        let key = SegmentStore.Key.segment(DeliveredSegment(0, of: identity))
        let store = SegmentStore(limit: 100)
        let error = #expect(throws: PackagingError.self) {
            try store.bytes(for: key, cancellation: Cancellation()) { _ in
                try identity.whileUnchanged {
                    _ = try folder.write([1, 2], to: "file")
                    return [7]
                }
            }
        }
        #expect(error?.reason == .changed)
        #expect(store.counts.made == 0 && store.counts.heldBytes == 0)
    }
}

/// A thread-safe counter.
private final class CountedCalls: Sendable {
    let count = Mutex(0)
}
