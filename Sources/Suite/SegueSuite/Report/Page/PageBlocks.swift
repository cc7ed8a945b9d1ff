internal import Foundation
internal import SegueByteCoding

/// Entries of a page, compressed in blocks so that a script decompresses only the block that it needs.
struct PageBlocks {
    /// The number of entries in a block.
    let size: Int
    /// The complete blocks in base64.
    private(set) var blocks: [String] = []
    /// The size of the blocks in bytes.
    private(set) var bytes = 0
    /// The number of added entries.
    private(set) var count = 0
    private var waiting: [UInt8] = []
    private let divider: UInt8

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - size: The number of entries in a block.
    ///   - divider: A byte between two entries, which no entry contains.
    init(size: Int, divider: UInt8) { (self.size, self.divider) = (size, divider) }

    /// Adds an entry.
    ///
    /// - Throws: ``Gzip/Failure`` if there is no memory.
    mutating func add(_ entry: some Sequence<UInt8>) throws {
        if count % size > 0 { waiting.append(divider) }
        waiting += entry
        count += 1
        if count % size == 0 { try close() }
    }

    /// Completes the last block.
    mutating func close() throws {
        guard !waiting.isEmpty else { return }
        let block = Data(try Gzip.compress(waiting)).base64EncodedString()
        waiting.removeAll(keepingCapacity: true)
        bytes += block.utf8.count
        blocks.append(block)
    }

    /// Removes the last block.
    mutating func dropLast() { if let last = blocks.popLast() { bytes -= last.utf8.count } }
}
