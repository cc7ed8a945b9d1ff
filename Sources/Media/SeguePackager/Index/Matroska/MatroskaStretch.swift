internal import SegueConcurrency
internal import SegueFFmpeg

/// What the headers of a stretch of a Matroska file say: of the blocks in the clusters that begin in it.
///
/// Stretches are read independently of each other. Where one ends at the very cluster with which the next begins, they
/// say together what reading the file from its beginning says, as nothing of one cluster matters to another.
struct MatroskaStretch: Sendable {
    /// A block, and what its content begins with.
    struct Found: Sendable {
        var block: MatroskaBlocks.Block
        /// What the header of its only frame says of the coding of audio; see ``CodingKey``.
        var coding: UInt64?
    }

    /// What is looked at in the blocks of a track.
    struct Look: Sendable {
        let codec: String
        /// Tells of a film's frames whether they are keyframes.
        let key: KeyPicture?

        init(_ info: StreamInfo) {
            codec = info.codec
            key = info.kind == .video ? KeyPicture(info) : nil
        }

        /// Looks at the beginning of a block's content.
        func found(_ block: MatroskaBlocks.Block, in file: FileBytes) throws(MatroskaBlocks.Disorder) -> Found {
            guard let key else {
                let coding = block.laced.isEmpty ? coding(at: block.content, size: block.size, in: file) : nil
                return Found(block: block, coding: coding)
            }
            if block.isKey {
                let kind = key.kind(size: block.laced.first ?? block.size) { file.byte(at: block.content + Int64($0)) }
                guard let kind, !kind.isNoKey else { throw MatroskaBlocks.Disorder() }
            }
            return Found(block: block, coding: nil)
        }

        /// What the header of a frame of audio says of its coding.
        func coding(at place: Int64, size: Int, in file: FileBytes) -> UInt64? {
            let head = file.head(at: place)
            return withUnsafeBytes(of: (head.first.bigEndian, head.last.bigEndian)) { bytes in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(min(size, head.count)))
                return CodingKey.of(bytes, codec: codec, newExtradata: nil)
            }
        }
    }

    /// Where its first cluster begins; nil where none does.
    private(set) var begin: Int64?
    /// Where the first cluster behind it begins; nil where the file ends before.
    private(set) var end: Int64?
    /// The blocks of the tracks that are looked at.
    private(set) var found: [Found] = []
    /// True if all was in order.
    private(set) var isOrderly = false
    /// The number of bytes were read.
    private(set) var bytesRead: Int64 = 0

    /// The number of bytes are looked through for one: more than clusters usually have.
    private static let greatestSearch: Int64 = 64 << 20

    /// Reads a stretch.
    ///
    /// Where it begins is guessed, by what looks like a cluster; what comes of it counts only where the stretch before
    /// ends there.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The stretch.
    ///   - tracks: What is looked at, by the numbers of the tracks.
    ///   - cancellation: Stops the reading.
    init(path: String, range: Range<Int64>, tracks: [Int: Look], cancellation: Cancellation) {
        guard let file = FileBytes(path: path) else { return }
        defer { bytesRead = file.bytesRead }
        let searched = range.clamped(to: range.lowerBound..<range.lowerBound + MatroskaStretch.greatestSearch)
        guard let begin = file.place(of: MatroskaBlocks.clusterMark, in: searched) else { return }
        self.begin = begin
        var blocks = MatroskaBlocks(file, atCluster: begin)
        do {
            while let block = try blocks.next(before: range.upperBound) {
                guard !cancellation.isCancelled else { return }
                if let look = tracks[block.track] { found.append(try look.found(block, in: file)) }
            }
            (end, isOrderly) = (blocks.stop, true)
        } catch {
            return
        }
    }
}
