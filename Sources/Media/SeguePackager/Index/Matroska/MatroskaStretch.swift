internal import SegueConcurrency
internal import SegueFFmpeg

/// The block headers of the clusters that begin in a section of a Matroska file.
///
/// Sections are read independently. If one ends exactly where the next begins, together they equal a sequential parse,
/// because clusters are independent.
struct MatroskaStretch: Sendable {
    /// A block and the start of its content.
    struct Found: Sendable {
        var block: MatroskaBlocks.Block
        /// The audio coding in the header of the only frame; see ``CodingKey``.
        var coding: UInt64?
    }

    /// The checks on a track's blocks.
    struct Look: Sendable {
        let codec: String
        /// Detects keyframes in video frames.
        let key: KeyFrame?
        private let sets: SequenceSets?

        init(_ info: StreamInfo) {
            codec = info.codec
            key = info.kind == .video ? KeyFrame(info) : nil
            sets = SequenceSets(info)
        }

        /// Examines the beginning of a block's content.
        func found(_ block: MatroskaBlocks.Block, in file: FileBytes) throws(MatroskaBlocks.Disorder) -> Found {
            guard let key else {
                let coding = block.laced.isEmpty ? coding(at: block.content, size: block.size, in: file) : nil
                return Found(block: block, coding: coding)
            }
            var coding: UInt64?
            if block.isKey {
                let kind = key.kind(size: block.laced.first ?? block.size) { file.byte(at: block.content + Int64($0)) }
                guard let kind, !kind.isNoKey else { throw MatroskaBlocks.Disorder() }
                coding = sets?.key(size: block.laced.first ?? block.size) { file.byte(at: block.content + Int64($0)) }
            }
            return Found(block: block, coding: coding)
        }

        /// The coding in an audio frame's header.
        func coding(at place: Int64, size: Int, in file: FileBytes) -> UInt64? {
            let head = file.head(at: place)
            return withUnsafeBytes(of: (head.first.bigEndian, head.last.bigEndian)) { bytes in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(min(size, head.count)))
                return CodingKey.of(bytes, codec: codec, newExtradata: nil)
            }
        }
    }

    /// The position of the first cluster; nil if there is none.
    private(set) var begin: Int64?
    /// The position of the first cluster behind the section; nil at the end of the file.
    private(set) var end: Int64?
    /// The blocks of the examined tracks.
    private(set) var found: [Found] = []
    /// The other tracks with blocks.
    private(set) var otherTracks: Set<Int> = []
    /// True if the section was regular.
    private(set) var isOrderly = false
    /// The number of bytes read.
    private(set) var bytesRead: Int64 = 0

    /// The search limit for a cluster, in bytes; larger than usual clusters.
    private static let greatestSearch: Int64 = 64 << 20

    /// Reads a section.
    ///
    /// The start is guessed from a cluster identifier; the result is valid only if the preceding section ends there.
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
                if let look = tracks[block.track] {
                    found.append(try look.found(block, in: file))
                } else {
                    otherTracks.insert(block.track)
                }
            }
            (end, isOrderly) = (blocks.stop, true)
        } catch {
            return
        }
    }
}
