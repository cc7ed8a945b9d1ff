package import SegueConcurrency
import SegueFFmpeg
package import SeguePackager

/// All that the server has libav do with files: what may crash, hang or eat memory, as files come from anybody.
///
/// In virtual time, and where no workers are asked for, this process does it (``OwnFileWork``); else processes that may
/// die. All else
/// of the server, its caches and playlists, files as they are and what is kept on disks, does without libav.
package protocol FileWork: Sendable {
    /// Opens a file to be served.
    ///
    /// - Parameters:
    ///   - identity: The file as it is.
    ///   - device: Whom it is for.
    ///   - container: The container that is wanted; nil for the one that fits best.
    ///   - cancellation: Stops the work.
    /// - Returns: The file, opened.
    /// - Throws: ``PackagingError`` when nothing of it can be served.
    func open(
        _ identity: FileIdentity,
        for device: DeviceProfile,
        in container: SegmentContainer?,
        cancellation: Cancellation
    ) throws(PackagingError) -> any Presenting

    /// Looks what is in a file, and no further.
    ///
    /// - Throws: ``MediaError``, or ``PackagingError`` where nobody looks into it any more.
    func look(into path: String, cancellation: Cancellation) throws -> MediaDescription

    /// Makes a picture of an item: its cover art, the picture beside it, or one of the film.
    ///
    /// - Throws: ``OriginFailure`` with 404 and the reason where there is none; ``MediaError``, ``PackagingError``.
    func artwork(of path: String, _ wish: ArtworkWish, cancellation: Cancellation) throws -> [UInt8]

    /// Makes a programme of the sound of files, one after the other.
    ///
    /// - Parameters:
    ///   - format: How it is coded.
    ///   - emit: Takes each frame as it is sent; may block.
    /// - Returns: What plays the files.
    /// - Throws: ``MediaError`` where there is no such encoder, or nobody who has one.
    func radio(_ format: RadioFormat, emit: @escaping ([UInt8]) throws -> Void) throws -> any RadioPlaying

    /// How those do who do it; nil where this process does.
    var report: FileWorkReport? { get }
}

/// Which picture of an item is wanted.
package struct ArtworkWish: Codable, Sendable {
    /// How wide it may be, in pixels; nil for as wide as it is.
    package var width: Int?
    /// The path of the picture beside the file, for one that has none of its own.
    package var side: String?

    /// A wish; for the picture as it is, unless told otherwise.
    package init(width: Int? = nil, side: String? = nil) { (self.width, self.side) = (width, side) }
}

/// How the processes do that work on files.
package struct FileWorkReport: Sendable, Equatable {
    /// How many there are, and how many of them are at work.
    package var alive: Int
    /// How many of them are at work.
    package var busy: Int
    /// How many requests wait for one.
    package var waiting: Int
    /// How many have ended before their time since the server began.
    package var lost: Int
    /// How many requests were tried once more.
    package var retried: Int
    /// The memory that they have, in bytes.
    package var residentBytes: Int64
    /// How many files are set aside.
    package var setAside: Int

    /// How they do.
    package init(
        alive: Int,
        busy: Int,
        waiting: Int,
        lost: Int,
        retried: Int,
        residentBytes: Int64,
        setAside: Int
    ) {
        (self.alive, self.busy, self.waiting) = (alive, busy, waiting)
        (self.lost, self.retried) = (lost, retried)
        (self.residentBytes, self.setAside) = (residentBytes, setAside)
    }

    /// A line for people.
    var text: String {
        "libav: \(alive) workers, \(busy) busy, \(waiting) waiting, \(lost) lost, \(retried) retried, "
            + "\(setAside) files set aside, \(residentBytes >> 20) MiB\n"
    }

    /// Adds the figures.
    func add(to figures: inout FigureText) {
        figures.add("libav_workers", .gauge, "Processes that open, decode and encode.", alive)
        figures.add("libav_workers_busy", .gauge, "Processes that are at it.", busy)
        figures.add("libav_workers_waiting", .gauge, "Requests that wait for one of them.", waiting)
        figures.add("libav_workers_lost_total", .counter, "Processes that ended before their time.", lost)
        figures.add("libav_retried_total", .counter, "Requests that were tried once more.", retried)
        figures.add("libav_workers_resident_bytes", .gauge, "Memory of these processes.", residentBytes)
        figures.add("files_set_aside", .gauge, "Files on which they ended, which are left alone for a while.", setAside)
    }
}

/// Work on files in this process.
package struct OwnFileWork: FileWork {
    private let keeper: (any IndexKeeping)?
    private let keptCoding: Int

    /// Work that keeps nothing itself.
    ///
    /// - Parameters:
    ///   - keeper: Keeps what opening files shows; nil for nobody.
    ///   - keptCoding: How many bytes of what is coded anew each opened file keeps for whoever wants the same.
    package init(keeper: (any IndexKeeping)? = nil, keptCoding: Int = 0) {
        (self.keeper, self.keptCoding) = (keeper, keptCoding)
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
            for: device,
            in: container,
            keeper: keeper,
            keptCoding: keptCoding,
            cancellation: cancellation
        )
        guard presentation.identity == identity else {
            throw PackagingError(.changed, file: identity.path, "the file changed while it was opened")
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
