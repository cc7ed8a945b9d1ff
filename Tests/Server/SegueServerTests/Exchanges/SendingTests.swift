import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin
@testable import SegueServer

@Suite struct `Sending` {
    private let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 / 3) }

    @Test func `a connection receives one piece at a time, and all bytes`() async throws {
        let folder = try TestFolder()
        let path = try folder.write(bytes, to: "file")
        let count = Int64(bytes.count)
        let made = PiecewiseBody(name: "x", sizes: [1_000_000, count - 1_000_000]) { [bytes] piece, _ in
            KeptBytes(Array(piece == 0 ? bytes[..<1_000_000] : bytes[1_000_000...]))
        }
        let kept = KeptBytes(bytes)
        let found = RefetchableBytes(kept) { _ in kept }
        let bodies: [OriginResponse.Body] = [
            .bytes(bytes), .found(found, 0..<bytes.count), .file(path: path, offset: 0, length: count),
            .made(made, 0..<count),
        ]
        for body in bodies { #expect(try await sent(body) == bytes) }
        let parts: [OriginResponse.Body] = [
            .found(found, 5..<70_000), .made(made, 999_990..<1_000_010), .bytes([1, 2]),
            .file(path: path, offset: 8, length: 200_000), .file(path: path, offset: 0, length: 1),
        ]
        let expected = bytes[5..<70_000] + bytes[999_990..<1_000_010] + [1, 2] + bytes[8..<200_008] + bytes[..<1]
        #expect(try await sent(.pieces(parts)) == Array(expected))
    }

    @Test func `small parts of files are sent together with the bytes between them`() async throws {
        let folder = try TestFolder()
        let path = try folder.write(bytes, to: "file")
        let parts = (0..<100).flatMap { number -> [OriginResponse.Body] in
            [.bytes([1, 2, 3]), .file(path: path, offset: Int64(number) * 10_000, length: 77)]
        }
        let pieces = try await pieces(.pieces(parts))
        #expect(pieces.count == 1)
        var expected: [UInt8] = []
        for number in 0..<100 { expected += [1, 2, 3] + bytes[number * 10_000..<number * 10_000 + 77] }
        #expect(Array(pieces.joined()) == expected)
        let large: [OriginResponse.Body] = [
            .bytes([1]), .file(path: path, offset: 1, length: 8192), .bytes([2]),
            .file(path: path, offset: 9, length: 8193),
        ]
        let counts = try await self.pieces(.pieces(large)).map(\.count)
        #expect(counts == [1, 8192, 1, 8193])
    }

    @Test func `each piece waits for the client's turn`() async throws {
        let asked = Mutex<[Int]>([])
        let pieces = try await pieces(.bytes(bytes)) { count in asked.withLock { $0.append(count) } }
        #expect(asked.withLock { $0 } == pieces.map(\.count) && pieces.count > 3)
    }

    @Test(
        arguments: [
            // 128 and 512 KiB, and then pieces of 1 MiB.
            (nil, 0, 5), (nil, 4_000_000, 0), (Spool(), 0, 0), (Spool(limit: 1), 0, 5),
            (Spool(folders: ["/dev/null/nothing"]), 0, 5), (Spool(folders: ["/dev/null/nothing"]), 4_000_000, 0),
        ] as [(Spool?, Int, Int)]
    )
    func `bytes without room are spooled, or else made again for each piece`(
        spool: Spool?,
        room: Int,
        makings: Int
    ) async throws {
        let kept: @Sendable () -> KeptBytes = { [bytes] in
            let kept = KeptBytes(bytes, tag: "\"x\"")
            kept.leaveStore(to: spool, or: SendingMemory(limit: room), isNew: true)
            return kept
        }
        let made = Mutex(0)
        let found = RefetchableBytes(kept()) { _ in
            made.withLock { $0 += 1 }
            return kept()
        }
        #expect(try await sent(.found(found, 0..<bytes.count)) == bytes)
        #expect(made.withLock { $0 } == makings)
    }

    @Test func `clients that wait for a piece share it, even if some disconnect`() async throws {
        let makings = SharedPieces(timeLimit: .seconds(60))
        let (piece, mayEnd, begun) = (SharedPieces.Piece(body: "x", number: 1), Gate(), Monitor(0))
        let clients = (0..<20).map { _ in Cancellation() }
        let tasks = clients.map { client in
            Task {
                try await makings.kept(piece, for: client) { cancellation in
                    begun.withLock { $0 += 1 }
                    _ = cancellation.whenCancelled { mayEnd.open() }
                    try await blocking { mayEnd.wait() }.value
                    return KeptBytes([1, 2, 3])
                }
            }
        }
        try await blocking { makings.waitForClients(20, of: piece) }.value
        clients[0].cancel()
        tasks[1].cancel()
        for task in tasks[..<2] { await #expect(throws: CancellationError.self) { try await task.value } }
        mayEnd.open()
        for task in tasks[2...] { #expect(try await task.value.inMemory == [1, 2, 3]) }
        #expect(begun.withLock { $0 } == 1)
    }

    @Test func `work without waiting clients is cancelled, and later requests start again`() async throws {
        let makings = SharedPieces(timeLimit: .seconds(60))
        let (piece, isStopped, client) = (SharedPieces.Piece(body: "x", number: 1), Gate(), Cancellation())
        let first = Task {
            try await makings.kept(piece, for: client) { cancellation in
                _ = cancellation.whenCancelled { isStopped.open() }
                try await blocking { isStopped.wait() }.value
                throw OriginFailure.cancelled
            }
        }
        try await blocking { makings.waitForClients(1, of: piece) }.value
        client.cancel()
        try await blocking { isStopped.wait() }.value
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await makings.kept(piece, for: Cancellation()) { _ in KeptBytes([7]) }.inMemory == [7])
    }

    @Test func `bytes that cannot be made again are rejected without room`() async throws {
        let error = await #expect(throws: OriginFailure.self) {
            try await sent(.bytes(bytes), held: HeldBytes(limit: 1000))
        }
        #expect(error?.code == "overloaded")
    }

    @Test func `shared bytes count once, while any client needs them`() {
        let table = HeldBytes(limit: 3_000_001)
        var holds = [table.hold(bytes), table.hold(bytes), table.hold(bytes)]
        #expect(holds.allSatisfy { $0 != nil } && table.count == bytes.count)
        #expect(table.hold([1, 2, 3]) == nil)
        holds.removeLast(2)
        #expect(table.count == bytes.count)
        holds = []
        #expect(table.count == 0)
        #expect(table.hold([1, 2, 3])?.bytes == [1, 2, 3])
    }

    @Test func `pieces become small and then wait as the budget is used up`() async throws {
        let budget = SendingBudget(limit: 4 << 20)
        for client in ["a", "b"] { #expect(try await budget.take(upTo: 5 << 20, for: client) == 1 << 20) }
        for number in 0..<256 {
            #expect(try await budget.take(upTo: 1 << 20, for: number % 2 == 0 ? "a" : "b") == 8 << 10)
        }
        #expect(budget.used == 4 << 20)
        let (started, go) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            go.finish()
            return try await budget.take(upTo: 100, for: "c")
        }
        for await _ in started {}
        budget.give(1 << 20, of: "a")
        #expect(try await waiting.value == 100)
    }

    @Test func `a client gets at most half of the budget`() async throws {
        let budget = SendingBudget(limit: 4 << 20)
        #expect(try await budget.take(upTo: 5 << 20, for: "many") == 1 << 20)
        for _ in 0..<128 { #expect(try await budget.take(upTo: 1 << 20, for: "many") == 8 << 10) }
        let waiting = Task { try await budget.take(upTo: 1 << 20, for: "many") }
        while budget.waiting == 0, !Task.isCancelled { await Task.yield() }
        // The other client comes later and is served at once.
        #expect(try await budget.take(upTo: 10_000, for: "few") == 8 << 10)
        #expect(budget.waiting == 1)
        budget.give(8 << 10, of: "many")
        #expect(try await waiting.value == 8 << 10)
    }

    @Test func `the client with the fewest bytes on their way is next`() async throws {
        let budget = SendingBudget(limit: 64 << 10)
        for client in ["a", "a", "a", "a", "b", "b", "b", "c"] { _ = try await budget.take(upTo: 8 << 10, for: client) }
        let order = Monitor<[String]>([])
        let waiting = ["b", "c"].map { client in
            Task {
                _ = try await budget.take(upTo: 8 << 10, for: client)
                order.withLock { $0.append(client) }
            }
        }
        while budget.waiting < 2, !Task.isCancelled { await Task.yield() }
        budget.give(8 << 10, of: "a")
        try await waiting[1].value
        #expect(order.withLock { $0 } == ["c"])
        budget.give(8 << 10, of: "a")
        try await waiting[0].value
    }

    @Test func `bytes of one client leave half of the limit to others`() {
        let table = HeldBytes(limit: 1000)
        var holds = [table.hold([UInt8](repeating: 1, count: 400), for: "many")]
        #expect(table.hold([UInt8](repeating: 2, count: 200), for: "many") == nil)
        holds.append(table.hold([UInt8](repeating: 3, count: 400), for: "few"))
        #expect(holds.allSatisfy { $0 != nil })
    }

    @Test func `a cancelled waiter reserves nothing`() async throws {
        let budget = SendingBudget(limit: 10)
        #expect(try await budget.take(upTo: 10) == 10)
        let waiting = Task { try await budget.take(upTo: 1) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        budget.give(10)
        #expect(budget.used == 0)
        #expect(budget.waiting == 0)
    }

    @Test func `a closed connection ends all waits`() async throws {
        let progress = SendingProgress()
        progress.hand()
        #expect(progress.isUnderWay)
        let waiting = Task { try await progress.settle() }
        progress.end()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(!progress.isUnderWay)
    }

    /// The pieces of a body as a client receives them, one after another.
    private func sent(_ body: OriginResponse.Body, held: HeldBytes = HeldBytes()) async throws -> [UInt8] {
        try await pieces(body, held: held).flatMap { $0 }
    }

    /// The pieces of a body as a client receives them.
    private func pieces(
        _ body: OriginResponse.Body,
        held: HeldBytes = HeldBytes(),
        turn: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> [[UInt8]] {
        let (buffers, output) = AsyncStream.makeStream(of: ByteBuffer.self)
        var configuration = OriginServer.Configuration()
        configuration.threads = 1
        let work = ThreadedWork(configuration, isHelped: { false }) { _, _ in OriginFailure.cancelled.response }
        defer { work.stop() }
        let watch = ConnectionMonitor(patience: .seconds(60), memory: MemoryTrimmer {})
        let budget = SendingBudget()
        let sender = BodySender(
            budget: budget,
            held: held,
            makings: SharedPieces(timeLimit: .seconds(60)),
            work: work,
            order: WorkOrder(.quick),
            watch: watch,
            turn: { turn($0) }
        )
        let prepared = try await sender.prepare(body)
        #expect(prepared.contentLength.map(Int64.init) == body.length)
        let sending = Task {
            // A failure is visible, too.
            defer { output.finish() }
            try await prepared.write(RecordingWriter(output: output))
        }
        var pieces: [[UInt8]] = []
        for await buffer in buffers {
            pieces.append(Array(buffer.readableBytesView))
            #expect(budget.used == buffer.readableBytes)
            watch.progress.finish()
        }
        try await sending.value
        #expect(budget.used == 0)
        return pieces
    }
}

/// A writer that records its input.
private struct RecordingWriter: ResponseBodyWriter {
    let output: AsyncStream<ByteBuffer>.Continuation

    func write(_ buffer: ByteBuffer) async throws { output.yield(buffer) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { output.finish() }
}
