internal import Foundation
internal import SegueByteCoding

/// Bytes for a page, packed some entries at a time, so that a script unpacks what is asked for and no more.
struct PageBlocks {
    /// How many entries a block has.
    let size: Int
    /// The whole blocks, as they stand in the page.
    private(set) var blocks: [String] = []
    /// How many bytes they have.
    private(set) var bytes = 0
    /// How many entries were added.
    private(set) var count = 0
    private var waiting: [UInt8] = []
    private let divider: UInt8

    /// No blocks.
    ///
    /// - Parameters:
    ///   - size: How many entries a block has.
    ///   - divider: Stands between two entries, and in none.
    init(size: Int, divider: UInt8) { (self.size, self.divider) = (size, divider) }

    /// Adds an entry.
    ///
    /// - Throws: ``Gzip/Failure`` when there is no memory.
    mutating func add(_ entry: some Sequence<UInt8>) throws {
        if count % size > 0 { waiting.append(divider) }
        waiting += entry
        count += 1
        if count % size == 0 { try close() }
    }

    /// Packs what waits for more.
    mutating func close() throws {
        guard !waiting.isEmpty else { return }
        let block = Data(try Gzip.compress(waiting)).base64EncodedString()
        waiting.removeAll(keepingCapacity: true)
        bytes += block.utf8.count
        blocks.append(block)
    }

    /// Takes the last block away.
    mutating func dropLast() { if let last = blocks.popLast() { bytes -= last.utf8.count } }
}
