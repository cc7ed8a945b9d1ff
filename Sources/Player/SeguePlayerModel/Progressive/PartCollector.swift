internal import SegueFetch

/// Keeps what comes of a file or a stream until there is enough of it to be handed on.
struct PartCollector: Sendable {
    /// How many bytes are handed on at a time.
    private static let partSize = 256 << 10

    private let url: String
    private var offset: Int64 = 0
    private var bytes: [UInt8] = []

    init(url: String) { self.url = url }

    /// Where what comes next lies that goes on from the last.
    var end: Int64 { offset + Int64(bytes.count) }

    /// Takes in bytes that lie at an offset.
    mutating func take(_ more: [UInt8], at offset: Int64, _ turn: inout Turn) {
        if end != offset {
            handOn(&turn)
            self.offset = offset
        }
        bytes += more
        if bytes.count >= PartCollector.partSize { handOn(&turn) }
    }

    /// Hands on what has come.
    mutating func handOn(_ turn: inout Turn) {
        guard !bytes.isEmpty else { return }
        turn.deliver(
            DeliveredResource(
                item: turn.item,
                stream: .main,
                kind: .part,
                url: url,
                range: FetchRange(offset: offset, length: Int64(bytes.count)),
                content: FetchBytes(bytes)
            )
        )
        offset = end
        bytes = []
    }
}
