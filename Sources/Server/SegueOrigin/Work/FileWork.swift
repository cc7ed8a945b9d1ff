package import SegueConcurrency
import SegueFFmpeg
package import SeguePackager

/// The work of libav on files, which may crash, hang, or exhaust memory, since files are untrusted.
///
/// In virtual time, and without workers, this process does it (``OwnFileWork``); otherwise worker processes do. The
/// rest of the server, such as caches and playlists, does not use libav.
package protocol FileWork: Sendable {
    /// Opens a file.
    ///
    /// - Parameters:
    ///   - container: The container; nil for the one that fits best.
    /// - Returns: The opened file.
    /// - Throws: ``PackagingError`` if nothing of it can be served.
    func open(
        _ identity: FileIdentity,
        for device: DeviceProfile,
        in container: SegmentContainer?,
        cancellation: Cancellation
    ) throws(PackagingError) -> any Presenting

    /// Scans a file.
    ///
    /// - Throws: ``MediaError``, or ``PackagingError`` if the file is quarantined.
    func look(into path: String, cancellation: Cancellation) throws -> MediaDescription

    /// Returns an image of an item: its cover art, the image file next to it, or a frame of the video.
    ///
    /// - Throws: ``OriginFailure`` with 404 if there is none; ``MediaError``, ``PackagingError``.
    func artwork(of path: String, _ wish: ArtworkWish, cancellation: Cancellation) throws -> [UInt8]

    /// Creates a player of audio files, one after another.
    ///
    /// - Parameters:
    ///   - emit: Receives each frame in its transport format; may block.
    /// - Returns: The player.
    /// - Throws: ``MediaError`` if there is no such encoder or no worker.
    func radio(_ format: RadioFormat, emit: @escaping ([UInt8]) throws -> Void) throws -> any RadioPlaying

    /// The state of the workers; nil without workers.
    var report: FileWorkReport? { get }
}

/// The requested image of an item.
package struct ArtworkWish: Codable, Sendable {
    /// The maximum width in pixels; nil for the original size.
    package var width: Int?
    /// The path of the image next to the file, used if the file has none.
    package var side: String?

    package init(width: Int? = nil, side: String? = nil) { (self.width, self.side) = (width, side) }
}

/// The state of the worker processes.
package struct FileWorkReport: Sendable, Equatable {
    /// The number of workers.
    package var alive: Int = 0
    /// The number of busy workers.
    package var busy: Int = 0
    /// The number of requests that wait for a worker.
    package var waiting: Int = 0
    /// The number of workers that ended unexpectedly since the server's start.
    package var lost: Int = 0
    /// The number of retried requests.
    package var retried: Int = 0
    /// The resident memory of the workers in bytes.
    package var residentBytes: Int64 = 0
    /// The number of quarantined files.
    package var setAside: Int = 0

    package init() {}

    /// A line for people.
    var text: String {
        "libav: \(alive) workers, \(busy) busy, \(waiting) waiting, \(lost) lost, \(retried) retried, "
            + "\(setAside) files quarantined, \(residentBytes >> 20) MiB\n"
    }

    func add(to figures: inout MetricsText) {
        figures.add("libav_workers", as: .gauge, help: "Worker processes.", alive)
        figures.add("libav_workers_busy", as: .gauge, help: "Busy worker processes.", busy)
        figures.add("libav_workers_waiting", as: .gauge, help: "Requests that wait for a worker process.", waiting)
        figures.add("libav_workers_lost_total", as: .counter, help: "Worker processes that ended unexpectedly.", lost)
        figures.add("libav_retried_total", as: .counter, help: "Retried requests.", retried)
        figures.add(
            "libav_workers_resident_bytes",
            as: .gauge,
            help: "Resident memory of the worker processes.",
            residentBytes
        )
        figures.add(
            "files_set_aside",
            as: .gauge,
            help: "Quarantined files, on which worker processes crashed.",
            setAside
        )
    }
}

/// Work on files in this process.
package struct OwnFileWork: FileWork {
    private let keeper: (any IndexKeeping)?
    private let keptCoding: Int
    private let scans: GrowingScans

    /// - Parameters:
    ///   - keeper: The store of indexes; nil for none.
    ///   - keptCoding: The maximum size of encoded data that each open file keeps.
    ///   - scans: The places from which files that grow are read on.
    package init(
        keeper: (any IndexKeeping)? = nil,
        keptCoding: Int = 0,
        scans: GrowingScans = GrowingScans()
    ) {
        (self.keeper, self.keptCoding, self.scans) = (keeper, keptCoding, scans)
    }

    package var report: FileWorkReport? { nil }

    package func open(
        _ identity: FileIdentity,
        for device: DeviceProfile,
        in container: SegmentContainer?,
        cancellation: Cancellation
    ) throws(PackagingError) -> any Presenting {
        let presentation = try Presentation.open(
            path: identity.path,
            growth: identity.growsFrom == nil ? nil : identity,
            for: device,
            in: container,
            caching: Presentation.Caching(index: keeper, codedBytes: keptCoding, scans: scans),
            cancellation: cancellation
        )
        guard presentation.identity == identity else {
            throw PackagingError(.changed, file: identity.path, "the file changed while it was being opened")
        }
        return presentation
    }

    package func look(into path: String, cancellation: Cancellation) throws -> MediaDescription {
        MediaDescription(try FileLook.open(path: path, cancellation: cancellation))
    }

    package func artwork(of path: String, _ wish: ArtworkWish, cancellation: Cancellation) throws -> [UInt8] {
        try Artwork.make(path: path, side: wish.side, width: wish.width, cancellation: cancellation)
    }

    package func radio(_ format: RadioFormat, emit: @escaping ([UInt8]) throws -> Void) throws -> any RadioPlaying {
        try RadioEncoder(format, emit: emit)
    }
}
