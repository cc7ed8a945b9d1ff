internal import SegueConcurrency
internal import SegueFFmpeg

/// The source and cost of a packet index.
package struct IndexingReport: Sendable, Equatable {
    /// The source of a packet index.
    package enum Source: String, Sendable, CaseIterable {
        /// The movie box of an MP4 or QuickTime file.
        case movie
        /// The block headers of a Matroska file.
        case blocks
        /// The positions of the samples of uncompressed audio.
        case samples
        case packets
        case kept
    }

    package let source: Source
    /// The number of file bytes read, including opening.
    package let bytesRead: Int64
}

/// A file indexer that selects the cheapest method.
struct Indexing {
    let path: String
    let cancellation: Cancellation
    let pool: InputPool
    /// The earlier scans of a file that grows; nil for any other file.
    var scans: FileScans?

    struct Result {
        /// The opened file.
        var input: MediaInput
        var index: FileIndex
        var report: IndexingReport
    }

    /// The cache key of the index.
    private static let part = "packets"

    /// Indexes the file: from its own index if complete, from the cache, otherwise packet by packet.
    func run() throws -> Result {
        if let told = try fromMovie() { return told }
        var input = try open()
        var source = IndexingReport.Source.kept
        var bytesRead: Int64 = 0
        let infos = input.streams
        let index = try pool.findings.value(
            Indexing.part,
            read: { KeptIndex.index($0, of: infos) },
            write: KeptIndex.bytes(of:)
        ) {
            if let told = try MatroskaIndex.run(
                path: path,
                input,
                stretch: scans.map { $0.scans.reach },
                scans: scans,
                cancellation: cancellation
            ) {
                source = .blocks
                bytesRead = told.bytesRead
                var index = told.index
                index.isStored = StoredPackets.canRead(index, path: path)
                if index.isStored { bytesRead += index.findPartialPackets(path: path) }
                return index
            }
            if let plain = try PlainAudioIndex.run(input, path: path, cancellation: cancellation) {
                source = .samples
                return plain
            }
            source = .packets
            if input.formatName == "matroska,webm" || PlainAudioIndex.reads(input) { input = try open() }
            return try scan(&input)
        }
        // An input stopped in the middle of reading cannot continue.
        if index.stoppedBy == nil { pool.giveBack(input) }
        return Result(
            input: input,
            index: index,
            report: IndexingReport(source: source, bytesRead: bytesRead + input.bytesRead)
        )
    }

    /// Reads all packets, or only the new ones of a file that grows if its container can be read from any byte.
    private func scan(_ input: inout MediaInput) throws -> FileIndex {
        guard let scans, PacketReader.byteSeekable.contains(input.formatName) else {
            return try IndexScan.run(input, cancellation: cancellation)
        }
        if scans.last != nil {
            if let index = try IndexScan.goOn(input, scans, cancellation: cancellation) { return index }
            input = try open()
        }
        return try IndexScan.begin(input, scans, cancellation: cancellation)
    }

    private func fromMovie() throws -> Result? {
        guard MovieIndex.isComplete(path: path) else { return nil }
        if let told = try MovieIndex.fromTables(path: path, cancellation: cancellation) {
            var index = told.index
            index.isStored = StoredPackets.canRead(index, path: path)
            if index.isStored, let checked = MovieIndex.checkKeys(of: index, path: path) {
                let read = index.findPartialPackets(path: path)
                return Result(
                    input: told.input,
                    index: index,
                    report: IndexingReport(source: .movie, bytesRead: told.bytesRead + checked + read)
                )
            }
        }
        guard let input = try? MediaInput(forIndexOf: path, cancellation: cancellation),
            MovieIndex.isTrustworthy(input)
        else { return nil }
        var index = try IndexScan.run(input, readsContent: false, cancellation: cancellation)
        guard index.stoppedBy == nil, !index.streams.values.contains(where: \.isEncrypted),
            let checked = MovieIndex.checkKeys(of: index, path: path)
        else { return nil }
        index.isStored = StoredPackets.canRead(index, path: path)
        let read = index.findPartialPackets(path: path)
        return Result(
            input: input,
            index: index,
            report: IndexingReport(source: .movie, bytesRead: input.bytesRead + checked + read)
        )
    }

    private func open() throws(PackagingError) -> MediaInput {
        do {
            return try pool.openFresh(cancellation)
        } catch {
            if error.isInvalidData, MovieIndex.isMissing(path: path) { throw PackagingError.unfinishedMovie(path) }
            throw PackagingError(error, else: error.isInvalidData ? .notMedia : .unreadable)
        }
    }
}
