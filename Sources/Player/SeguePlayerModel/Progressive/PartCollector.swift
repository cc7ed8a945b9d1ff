internal import SegueFetch

/// Collects data of a file or a stream until there is enough to deliver.
struct PartCollector: Sendable {
    /// The size of a delivered part.
    private static let partSize = 256 << 10

    private let url: String
    private var offset: Int64 = 0
    private var bytes: [UInt8] = []

    init(url: String) { self.url = url }

    /// The offset of the next contiguous byte.
    var end: Int64 { offset + Int64(bytes.count) }

    /// Adds bytes at an offset.
    mutating func append(_ more: [UInt8], at offset: Int64, _ context: inout StepContext) {
        if end != offset {
            handOn(&context)
            self.offset = offset
        }
        bytes += more
        if bytes.count >= PartCollector.partSize { handOn(&context) }
    }

    /// Delivers the collected data.
    mutating func handOn(_ context: inout StepContext) {
        guard !bytes.isEmpty else { return }
        context.deliver(
            DeliveredResource(
                item: context.item,
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
