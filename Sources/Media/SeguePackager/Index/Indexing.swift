internal import SegueConcurrency
internal import SegueFFmpeg

/// How a file's packets became known, and what that cost.
package struct IndexingReport: Sendable, Equatable {
    /// Where the packets were found.
    package enum Source: String, Sendable, CaseIterable {
        /// In the movie box of an MP4 or QuickTime file.
        case movie
        /// In the headers of a Matroska file's blocks.
        case blocks
        /// In every packet.
        case packets
        /// In what was kept when the file was opened before.
        case kept
    }

    /// Where the packets were found.
    package let source: Source
    /// The number of bytes of the file were read for it, opening included.
    package let bytesRead: Int64
}

/// Opens a file and finds out where its packets are.
struct Indexing {
    let path: String
    let cancellation: Cancellation
    let pool: InputPool

    /// What was found.
    struct Result {
        /// The file, opened.
        var input: MediaInput
        /// Its packets.
        var index: FileIndex
        /// What it cost.
        var report: IndexingReport
    }

    /// The name under which an index is kept.
    private static let part = "packets"

    /// Indexes the file: from its own index where that is complete, from what was kept, else packet by packet.
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
            if let told = try MatroskaIndex.run(path: path, input, cancellation: cancellation) {
                source = .blocks
                bytesRead = told.bytesRead
                var index = told.index
                index.isStored = StoredPackets.canRead(index, path: path)
                return index
            }
            source = .packets
            if input.formatName == "matroska,webm" { input = try open() }
            return try IndexScan.run(input, cancellation: cancellation)
        }
        // What was stopped in the middle of reading is in no state to go on from.
        if index.stoppedBy == nil { pool.giveBack(input) }
        return Result(
            input: input,
            index: index,
            report: IndexingReport(source: source, bytesRead: bytesRead + input.bytesRead)
        )
    }

    private func fromMovie() throws -> Result? {
        guard MovieIndex.isComplete(path: path) else { return nil }
        if let told = try MovieIndex.fromTables(path: path, cancellation: cancellation) {
            var index = told.index
            index.isStored = StoredPackets.canRead(index, path: path)
            if index.isStored, let checked = MovieIndex.checkKeys(of: index, path: path) {
                return Result(
                    input: told.input,
                    index: index,
                    report: IndexingReport(source: .movie, bytesRead: told.bytesRead + checked)
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
        return Result(
            input: input,
            index: index,
            report: IndexingReport(source: .movie, bytesRead: input.bytesRead + checked)
        )
    }

    private func open() throws(PackagingError) -> MediaInput {
        do {
            return try pool.openFresh(cancellation)
        } catch {
            throw PackagingError(error, else: error.isInvalidData ? .notMedia : .unreadable)
        }
    }
}
