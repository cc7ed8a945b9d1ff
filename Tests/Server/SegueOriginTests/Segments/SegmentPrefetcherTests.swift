import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `The segment prefetcher` {
    /// Makings that last until they are released or cancelled.
    private final class Makings: Sendable {
        struct State {
            var begun: [Int] = []
            var mayEnd: Set<Int> = []
            var cancelled: Set<Int> = []
        }

        let state = Monitor(State())

        func make(_ segment: DeliveredSegment, _ cancellation: Cancellation) {
            let number = segment.number
            state.withLock { $0.begun.append(number) }
            let registration = cancellation.whenCancelled { [state] in
                state.withLock { _ = $0.cancelled.insert(number) }
            }
            state.wait(for: { $0.mayEnd.contains(number) || $0.cancelled.contains(number) })
            cancellation.forget(registration)
        }

        func letGo(_ numbers: Int...) { state.withLock { $0.mayEnd.formUnion(numbers) } }
        func waitForCancelled(_ numbers: Set<Int>) { state.wait(for: { $0.cancelled.isSuperset(of: numbers) }) }
        func waitForBegun(_ numbers: [Int]) { state.wait(for: { $0.begun == numbers }) }
        var cancelled: Set<Int> { state.withLock { $0.cancelled } }
    }

    private static func identity(_ file: String = "/a") -> FileIdentity {
        FileIdentity(path: file, size: 1, modifiedNanoseconds: 2, inode: 3)
    }

    private static func segment(_ number: Int) -> DeliveredSegment { DeliveredSegment(number, of: identity()) }

    private static func viewer(_ client: Cancellation?, file: String = "/a", _ what: Rendition = .full)
        -> SegmentPrefetcher.Viewer
    {
        .init(client, of: DeliveredRendition(identity: identity(file), rendition: what, container: .ts))
    }

    private static func numbers(_ segments: [DeliveredSegment]) -> [Int] { segments.map(\.number) }

    @Test func `a request takes a thread from prefetching`() async throws {
        let (ahead, makings) = (SegmentPrefetcher(count: 3, threads: 2), Makings())
        let (isWaiting, mayEnd) = (Gate(), Gate())
        let request = blocking {
            ahead.demand(Self.segment(0)) {
                ahead.expect((1...5).map { Self.segment($0) }, for: Self.viewer(nil), make: makings.make)
                isWaiting.open()
                mayEnd.wait()
            }
        }
        try await blocking {
            isWaiting.wait()
            makings.waitForBegun([1])
            ahead.wait { waiting, running in Self.numbers(waiting) == [2, 3] && Self.numbers(running) == [1] }
            mayEnd.open()
            makings.waitForBegun([1, 2])
            makings.letGo(1)
            makings.waitForBegun([1, 2, 3])
            makings.letGo(2, 3)
            ahead.wait { waiting, running in waiting.isEmpty && running.isEmpty }
        }.value
        try await request.value
        #expect(makings.cancelled.isEmpty)
    }

    @Test func `a request for a segment being prefetched takes no second thread`() async throws {
        let (ahead, makings) = (SegmentPrefetcher(count: 3, threads: 2), Makings())
        ahead.expect((1...3).map { Self.segment($0) }, for: Self.viewer(nil), make: makings.make)
        try await blocking {
            ahead.wait { waiting, running in Set(Self.numbers(running)) == [1, 2] && Self.numbers(waiting) == [3] }
            ahead.demand(Self.segment(1)) {
                makings.letGo(2)
                ahead.wait { waiting, running in Set(Self.numbers(running)) == [1, 3] && waiting.isEmpty }
                // It is requested, so it is not prefetched.
                ahead.expect([Self.segment(4)], for: Self.viewer(nil, .background), make: makings.make)
                ahead.demand(Self.segment(4)) { ahead.wait { waiting, _ in waiting.isEmpty } }
            }
            makings.letGo(1, 3)
            ahead.wait { waiting, running in waiting.isEmpty && running.isEmpty }
        }.value
    }

    @Test func `a seeking player cancels its prefetches`() async throws {
        let (ahead, makings, client) = (SegmentPrefetcher(count: 3, threads: 2), Makings(), Cancellation())
        ahead.expect((1...3).map { Self.segment($0) }, for: Self.viewer(client), make: makings.make)
        try await blocking {
            ahead.wait { _, running in Set(Self.numbers(running)) == [1, 2] }
            ahead.expect((2...4).map { Self.segment($0) }, for: Self.viewer(client), make: makings.make)
            makings.waitForCancelled([1])
            ahead.wait { _, running in Set(Self.numbers(running)) == [2, 3] }
            ahead.expect([Self.segment(50)], for: Self.viewer(client, file: "/b"), make: makings.make)
            makings.waitForCancelled([1, 2, 3])
            ahead.wait { waiting, running in waiting.isEmpty && Self.numbers(running) == [50] }
            makings.letGo(50)
        }.value
    }

    @Test func `a disconnecting client cancels its prefetches, unless another one needs them`() async throws {
        let (ahead, makings) = (SegmentPrefetcher(count: 3, threads: 2), Makings())
        let (first, second) = (Cancellation(), Cancellation())
        ahead.expect([Self.segment(1), Self.segment(2), Self.segment(3)], for: Self.viewer(first), make: makings.make)
        ahead.follow(first)
        try await blocking {
            ahead.wait { _, running in Set(Self.numbers(running)) == [1, 2] }
            ahead.expect([Self.segment(2), Self.segment(3)], for: Self.viewer(second), make: makings.make)
            ahead.follow(second)
            first.cancel()
            makings.waitForCancelled([1])
            ahead.wait { waiting, running in waiting.isEmpty && Set(Self.numbers(running)) == [2, 3] }
            #expect(makings.cancelled == [1])
            second.cancel()
            makings.waitForCancelled([1, 2, 3])
            // Nothing starts for a client that has left.
            ahead.expect([Self.segment(9)], for: Self.viewer(second), make: makings.make)
            ahead.follow(second)
            ahead.wait { waiting, running in waiting.isEmpty && running.isEmpty }
        }.value
    }

    @Test func `a requested segment continues when its prefetch is cancelled, until the client leaves`()
        async throws
    {
        let (ahead, makings) = (SegmentPrefetcher(count: 3, threads: 2), Makings())
        ahead.expect([Self.segment(1)], for: Self.viewer(nil), make: makings.make)
        try await blocking {
            makings.waitForBegun([1])
            ahead.demand(Self.segment(1)) {
                ahead.expect([], for: Self.viewer(nil), make: makings.make)
                #expect(makings.cancelled.isEmpty)
            }
            makings.waitForCancelled([1])
        }.value
    }

    @Test func `stopping ends everything`() async throws {
        let (ahead, makings) = (SegmentPrefetcher(count: 3, threads: 2), Makings())
        ahead.expect((1...3).map { Self.segment($0) }, for: Self.viewer(nil), make: makings.make)
        try await blocking {
            ahead.wait { _, running in running.count == 2 }
            ahead.stop()
            makings.waitForCancelled([1, 2])
            ahead.wait { waiting, running in waiting.isEmpty && running.isEmpty }
        }.value
    }

    /// Half a minute of a tone, to be encoded: 16 bits, mono, 8 kHz.
    private static let audio: [UInt8] = {
        func little(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let samples = (0..<30 * 8000).flatMap { little(($0 % 40 - 20) * 300, 2) }
        return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2) + little(16, 2)
            + Array("data".utf8) + little(samples.count, 4) + samples
    }()

    @Test func `a prefetched segment is identical and made once`() async throws {
        let folder = try TestFolder()
        _ = try folder.write(Self.audio, to: "sound.wav")
        let library = try Library(roots: [folder.path])
        let item = try #require(library.items.first)
        let plain = Responder(library: library)
        let playlist = plain.respond(to: OriginRequest(target: "/items/\(item.id)/index.m3u8?container=ts")).text
        let uris = playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { "/items/\(item.id)/\($0)" }
        try #require(uris.count == 5)
        let expected = uris.map { plain.respond(to: OriginRequest(target: $0)).bytes }

        let responder = Responder(library: library) { $0.limits = .init(ahead: 2, encoders: 2) }
        #expect(responder.respond(to: OriginRequest(target: uris[0])).bytes == expected[0])
        try await blocking { responder.services.ahead.wait { $0.isEmpty && $1.isEmpty } }.value
        #expect(responder.services.maker.store.counts.made == 3)
        for (uri, bytes) in zip(uris, expected) {
            #expect(responder.respond(to: OriginRequest(target: uri)).bytes == bytes)
        }
        try await blocking { responder.services.ahead.wait { $0.isEmpty && $1.isEmpty } }.value
        #expect(responder.services.maker.store.counts.made == 5)
        #expect(
            responder.respond(to: OriginRequest(target: uris[4].replacing("4.ts", with: "\(Int.max).ts"))).status == 404
        )
    }

    @Test func `copied segments are not prefetched`() async throws {
        let served = try ServedFolder()
        let responder = Responder(library: served.responder.library) { $0.limits = .init(ahead: 3, encoders: 2) }
        let path = "films/film.mp4"
        let uris = try served.uris(served.get(try served.url(path, "index.m3u8")), of: path)
        _ = responder.respond(to: OriginRequest(target: uris[0]))
        _ = responder.respond(to: OriginRequest(target: uris[1]))
        try await blocking { responder.services.ahead.wait { $0.isEmpty && $1.isEmpty } }.value
        #expect(responder.services.maker.store.counts.made == 2)
    }
}
