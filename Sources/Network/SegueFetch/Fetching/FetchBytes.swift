/// Received bytes: an array of their own, or a range of a shared resource.
///
/// Adjacent ranges of one resource are joined without a copy.
package struct FetchBytes: Sendable {
    private enum Storage {
        case own([UInt8])
        case part(SharedBytes, Range<Int>)
    }

    private var storage: Storage

    package init(_ bytes: [UInt8] = []) { storage = .own(bytes) }

    package init(_ resource: SharedBytes) { storage = .part(resource, 0..<resource.count) }

    /// The number of bytes.
    package var count: Int {
        switch storage {
        case .own(let bytes): bytes.count
        case .part(_, let range): range.count
        }
    }

    package var isEmpty: Bool { count == 0 }

    /// The bytes as an array; fewer if a resource could not be recreated unchanged.
    package var bytes: [UInt8] {
        switch storage {
        case .own(let bytes): bytes
        case .part(let resource, let range): FetchBytes.part(range, of: resource.bytes)
        }
    }

    package subscript(range: Range<Int>) -> FetchBytes {
        var part = self
        switch storage {
        case .own(let bytes): part.storage = .own(FetchBytes.part(range, of: bytes))
        case .part(let resource, let whole):
            let start = whole.lowerBound + range.lowerBound
            precondition(range.lowerBound >= 0 && range.upperBound <= whole.count, "the range is out of bounds")
            part.storage = .part(resource, start..<start + range.count)
        }
        return part
    }

    /// The first bytes, at most `most` of them.
    package func prefix(_ most: Int) -> FetchBytes { self[0..<min(max(0, most), count)] }

    /// Appends bytes.
    ///
    /// - Parameters:
    ///   - expected: The expected final size, for which capacity is reserved.
    package mutating func append(_ more: FetchBytes, expecting expected: Int = 0) {
        guard !isEmpty || expected > more.count else {
            storage = more.storage
            return
        }
        if case .part(let next, let following) = more.storage {
            if isEmpty {
                storage = more.storage
                return
            }
            if case .part(let resource, let range) = storage, resource === next,
                range.upperBound == following.lowerBound
            {
                storage = .part(resource, range.lowerBound..<following.upperBound)
                return
            }
        }
        var own = bytes
        // Bytes that are also held elsewhere would be copied for each part.
        storage = .own([])
        if own.capacity < expected { own.reserveCapacity(expected) }
        own += more.bytes
        storage = .own(own)
    }

    /// Answers a question about the bytes, calculating the answer only once for a whole resource.
    package func answer<Question: Equatable & Sendable, Answer: Sendable>(
        to question: Question,
        find: ([UInt8]) -> Answer
    ) -> Answer {
        guard case .part(let resource, let range) = storage, range.count == resource.count else { return find(bytes) }
        return resource.answer(to: question, find: find)
    }

    private static func part(_ range: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
        range == bytes.indices ? bytes : Array(bytes[range.clamped(to: bytes.indices)])
    }
}

extension FetchBytes: Equatable {
    package static func == (left: FetchBytes, right: FetchBytes) -> Bool {
        left.count == right.count && left.bytes == right.bytes
    }
}
