/// Bytes that came: an array of their own, or a part of what many requests are answered with.
///
/// Parts of the same resource that follow each other are put together without being copied.
package struct FetchBytes: Sendable {
    private enum Storage {
        case own([UInt8])
        case part(SharedBytes, Range<Int>)
    }

    private var storage: Storage

    /// Bytes of their own.
    package init(_ bytes: [UInt8] = []) { storage = .own(bytes) }

    /// All of a resource's bytes.
    package init(_ resource: SharedBytes) { storage = .part(resource, 0..<resource.count) }

    /// How many there are.
    package var count: Int {
        switch storage {
        case .own(let bytes): bytes.count
        case .part(_, let range): range.count
        }
    }

    /// Whether there are none.
    package var isEmpty: Bool { count == 0 }

    /// The bytes as an array; fewer where a resource could not be made again as it was.
    package var bytes: [UInt8] {
        switch storage {
        case .own(let bytes): bytes
        case .part(let resource, let range): FetchBytes.part(range, of: resource.bytes)
        }
    }

    /// A part of them.
    package subscript(range: Range<Int>) -> FetchBytes {
        var part = self
        switch storage {
        case .own(let bytes): part.storage = .own(FetchBytes.part(range, of: bytes))
        case .part(let resource, let whole):
            let start = whole.lowerBound + range.lowerBound
            precondition(range.lowerBound >= 0 && range.upperBound <= whole.count, "the part lies outside of the bytes")
            part.storage = .part(resource, start..<start + range.count)
        }
        return part
    }

    /// The first of them, so many at the most.
    package func prefix(_ most: Int) -> FetchBytes { self[0..<min(max(0, most), count)] }

    /// Adds bytes that follow.
    ///
    /// - Parameters:
    ///   - more: The bytes.
    ///   - expected: How many there will be in the end, for which room is made.
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
        // What is held elsewhere, too, would be copied for each part that comes.
        storage = .own([])
        if own.capacity < expected { own.reserveCapacity(expected) }
        own += more.bytes
        storage = .own(own)
    }

    /// The answer to a question about them, found once for all who ask the same about a whole resource.
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
