import Hummingbird
import HummingbirdCore
import NIOCore
import SegueFFmpeg
import SegueOrigin

/// A sender of bodies at the pace of their connections.
///
/// A connection has one piece of a body at a time, within a common budget. Clients of the same segment share its bytes,
/// which are in memory or in a spool; without room they are made again for each piece. Clients that do not read
/// therefore cost little and delay no others.
struct BodySender {
    /// The size of the first piece; later pieces grow with what the connection accepts, so that slow clients leave the
    /// room for large pieces to fast ones.
    private static let firstPiece = 128 << 10
    /// The growth factor of pieces; each costs a thread switch.
    private static let growth = 4
    /// The maximum size of a body that is sent as it is.
    static let smallBody = 16 << 10

    let budget: SendingBudget
    let held: HeldBytes
    let makings: SharedPieces
    let work: any RequestWork
    let order: WorkOrder
    let watch: ConnectionMonitor
    /// Waits until a number of bytes may be sent to the client, in fairness to others.
    var turn: @Sendable (_ count: Int) async throws -> Void = { _ in }

    /// Prepares a body, so that errors are found before the head is sent.
    ///
    /// - Throws: ``OriginFailure``, or an error that ends the connection.
    func prepare(_ body: OriginResponse.Body, isHead: Bool = false) async throws -> ResponseBody {
        if isHead { return ResponseBody() }
        if case .empty = body { return ResponseBody() }
        if case .bytes(let bytes) = body, bytes.count <= Self.smallBody {
            // It counts as a piece, and so does its end.
            if !bytes.isEmpty { watch.progress.hand() }
            return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        if case .endless(let body) = body {
            return ResponseBody { writer in
                var reading = body.open()
                defer { reading.close() }
                while let bytes = await reading.next() { try await send(bytes, to: &writer) }
                try await writer.finish(nil)
            }
        }
        let pieces: [OriginResponse.Body] = if case .pieces(let pieces) = body { pieces } else { [body] }
        var sources: [BodySource] = []
        for piece in pieces { sources.append(contentsOf: try await source(piece, sources)) }
        sources = BodySource.gathering(sources)
        return ResponseBody(contentLength: Int(body.length)) { [sources] writer in
            for source in sources { try await send(source, to: &writer) }
            try await writer.finish(nil)
        }
    }

    /// The source of a body's bytes.
    ///
    /// Files are opened, so that a deleted file causes an error response instead of an empty body.
    private func source(_ body: OriginResponse.Body, _ before: [BodySource]) async throws -> [BodySource] {
        switch body {
        case .empty, .endless, .pieces: return []
        case .bytes(let bytes):
            guard let hold = held.hold(bytes, for: order.client) else { throw OriginFailure.overloaded }
            return [.held(hold, 0..<bytes.count)]
        case .found(let found, let range):
            // Bytes without room are released until this body's turn.
            let kept = found.kept.stay ? found.kept : nil
            return [.made(found.body, Int64(range.lowerBound)..<Int64(range.upperBound), kept)]
        case .made(let body, let range): return [.made(body, range, nil)]
        case .file(let path, let offset, let length):
            for case .file(let reader, _) in before where reader.path == path {
                return [.file(reader, offset..<offset + length)]
            }
            do {
                let reader = try await work.read(reading, watch.client) { () throws(FileReader.Failure) in
                    try FileReader(path: path)
                }
                return [.file(reader, offset..<offset + length)]
            } catch is FileReader.Failure {
                throw OriginFailure.vanished
            }
        }
    }

    @concurrent private func send(_ source: BodySource, to writer: inout any ResponseBodyWriter) async throws {
        switch source {
        case .held(let hold, let range):
            try await send(range, to: &writer) { ByteBuffer(bytes: hold.bytes[$0]) }
        case .made(let body, let range, let found):
            for piece in body.pieces(in: range) {
                var kept = found
                try await send(body.range(inPiece: piece, of: range), to: &writer) { part in
                    if let kept, let buffer = try await read(part, of: kept) { return buffer }
                    let (made, buffer) = try await make(piece, of: body, part)
                    kept = made.stay ? made : nil
                    return buffer
                }
            }
        case .gathered(let parts, let count):
            // Small parts are sent at once; there is always room for them.
            try await send(0..<count, to: &writer) { part in ByteBuffer(bytes: try await read(parts)[part]) }
        case .file(let reader, let range):
            let start = range.lowerBound
            try await sendFile(reader, from: start, count: Int(range.upperBound - start), to: &writer)
        }
    }

    @concurrent private func sendFile(
        _ reader: FileReader,
        from start: Int64,
        count: Int,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        try await send(0..<count, to: &writer) { part in
            let block = try await work.read(reading, watch.client) { () throws(FileReader.Failure) in
                try reader.read(part.count, at: start + Int64(part.lowerBound))
            }
            return ByteBuffer(bytes: block)
        }
    }

    /// Reads small parts of files and the bytes between them in one thread switch.
    private func read(_ parts: [BodySource.Part]) async throws -> [UInt8] {
        try await work.read(reading, watch.client) { () throws(FileReader.Failure) in
            var bytes: [UInt8] = []
            for part in parts {
                switch part {
                case .held(let hold, let range): bytes += hold.bytes[range]
                case .file(let reader, let range):
                    bytes += try reader.read(Int(range.upperBound - range.lowerBound), at: range.lowerBound)
                }
            }
            return bytes
        }
    }

    /// Reads a part of shared bytes; nil if they were evicted.
    private func read(_ part: Range<Int>, of kept: KeptBytes) async throws -> ByteBuffer? {
        if let bytes = kept.inMemory { return ByteBuffer(bytes: bytes[part]) }
        let block = try await work.read(reading, watch.client) { () throws(FileReader.Failure) in kept.read(part) }
        return block.map { ByteBuffer(bytes: $0) }
    }

    /// The order for reading a file.
    private var reading: WorkOrder {
        WorkOrder(.file, client: order.client, subject: order.subject, isOwed: true)
    }

    /// Makes a piece and reads a part of it; concurrent clients share the piece.
    private func make(
        _ piece: Int,
        of body: PiecewiseBody,
        _ part: Range<Int>
    ) async throws -> (kept: KeptBytes, part: ByteBuffer) {
        var owed = order
        (owed.lane, owed.isOwed) = (.quick, true)
        while true {
            let kept = try await makings.kept(.init(body: body.name, number: piece), for: watch.client) {
                [work, owed] in try await work.make(piece, of: body, order: owed, cancellation: $0)
            }
            // If memory is very short, they may be evicted in between.
            if let buffer = try await read(part, of: kept) { return (kept, buffer) }
        }
    }

    @concurrent private func send(_ bytes: [UInt8], to writer: inout any ResponseBodyWriter) async throws {
        try await send(0..<bytes.count, to: &writer) { ByteBuffer(bytes: bytes[$0]) }
    }

    /// Sends a range in pieces.
    ///
    /// - Parameters:
    ///   - range: The range of the source.
    ///   - piece: Returns the bytes of a part of the source.
    /// - Throws: The error of `piece`, or an error that ends the connection.
    @concurrent private func send(
        _ range: Range<Int>,
        to writer: inout any ResponseBodyWriter,
        piece: (Range<Int>) async throws -> ByteBuffer
    ) async throws {
        var (position, size) = (range.lowerBound, Self.firstPiece)
        while position < range.upperBound {
            let count = try await budget.take(upTo: min(size, range.upperBound - position), for: order.client)
            defer { budget.give(count, of: order.client) }
            try await turn(count)
            let buffer = try await piece(position..<position + count)
            watch.progress.hand()
            try await writer.write(buffer)
            try await watch.progress.settle()
            position += count
            size = min(Self.growth * size, SendingBudget.maximumPiece)
        }
    }
}
