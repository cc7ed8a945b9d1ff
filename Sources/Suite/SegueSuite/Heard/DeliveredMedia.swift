internal import Foundation
package import SegueBase
internal import SegueFetch
package import SeguePlayerModel

/// The media that a player was given in a run, kept in a file without a name while they are needed.
///
/// Memory holds some tens of bytes a segment, and for a plain file where its bytes begin and end.
package final class DeliveredMedia {
    /// A segment that was delivered, or a plain file or a stream of which anything was.
    struct Piece {
        let stream: StreamRole
        let number: Int
        let start: Duration
        let duration: Duration
        let startsDiscontinuity: Bool
        let at: Instant
        fileprivate let content: Content

        var end: Duration { start + duration }

        /// Whether it is all of its item, so that its length is not told before it is read.
        var isWhole: Bool { if case .file = content { true } else { false } }
    }

    fileprivate enum Content {
        case segment(map: MapAddress?, Place)
        case file(DeliveredFile)
    }

    fileprivate struct Place {
        let offset: UInt64
        let count: Int
    }

    private struct MapKey: Hashable {
        let item: ItemID
        let address: MapAddress
    }

    private let file: FileHandle
    private var length: UInt64 = 0
    private var maps: [MapKey: Place] = [:]
    private var pieces: [ItemID: [Piece]] = [:]
    private var files: [ItemID: DeliveredFile] = [:]

    /// How long what has no told length is taken for: longer than any run.
    private static let endless = Duration.seconds(1_000_000_000)

    /// Why nothing more could be kept; nil as long as all was.
    private(set) var failure: String?

    /// A store with nothing in it.
    ///
    /// - Throws: ``HeardSoundError`` when there can be no temporary file.
    package init() throws {
        file = try FileHandle.nameless()
    }

    deinit { try? file.close() }

    /// Keeps a resource as far as it is media.
    package func take(_ resource: DeliveredResource, at now: Instant) {
        switch resource.kind {
        case .playlist: break
        case .part: keepPart(resource, at: now)
        case .map:
            let address = MapAddress(url: resource.url, range: resource.range)
            maps[MapKey(item: resource.item, address: address)] = keep(resource.bytes)
        case .segment(let number, let start, let duration, let map, let startsDiscontinuity):
            guard let place = keep(resource.bytes) else { return }
            pieces[resource.item, default: []].append(
                Piece(
                    stream: resource.stream,
                    number: number,
                    start: start,
                    duration: duration,
                    startsDiscontinuity: startsDiscontinuity,
                    at: now,
                    content: .segment(map: map, place)
                )
            )
        }
    }

    /// Keeps a part of a plain file, or of an endless stream.
    private func keepPart(_ resource: DeliveredResource, at now: Instant) {
        guard failure == nil, let offset = resource.range?.offset else { return }
        do {
            if files[resource.item] == nil {
                let whole = try DeliveredFile()
                files[resource.item] = whole
                pieces[resource.item] = [
                    Piece(
                        stream: resource.stream,
                        number: 0,
                        start: .zero,
                        duration: DeliveredMedia.endless,
                        startsDiscontinuity: false,
                        at: now,
                        content: .file(whole)
                    )
                ]
            }
            try files[resource.item]?.keep(resource.bytes, at: offset)
        } catch {
            failure = "what was delivered cannot be kept: \(error.localizedDescription)"
        }
    }

    private func keep(_ bytes: [UInt8]) -> Place? {
        guard failure == nil else { return nil }
        do {
            try file.seek(toOffset: length)
            try file.write(contentsOf: bytes)
        } catch {
            failure = "what was delivered cannot be kept: \(error.localizedDescription)"
            return nil
        }
        defer { length += UInt64(bytes.count) }
        return Place(offset: length, count: bytes.count)
    }

    /// The segments of a stream of an item, in the order in which they came.
    func pieces(of item: ItemID, _ stream: StreamRole) -> [Piece] {
        pieces[item, default: []].filter { $0.stream == stream }
    }

    /// The streams of an item of which anything came.
    func streams(of item: ItemID) -> Set<StreamRole> { Set(pieces[item, default: []].map(\.stream)) }

    /// The items of which anything came.
    var items: [ItemID] { pieces.keys.sorted() }

    /// A segment as a file of its own, with its initialization section before it where it has one, or the whole of a file;
    /// nil where libav cannot read it.
    ///
    /// - Throws: ``HeardSoundError`` when it cannot be read back.
    func input(of piece: Piece, in item: ItemID) throws -> DeliveredInput? {
        switch piece.content {
        case .file(let file): return DeliveredInput(file)
        case .segment(let address, let place):
            let map = try address.map { address -> [UInt8] in
                guard let place = maps[MapKey(item: item, address: address)] else {
                    throw HeardSoundError("the initialization section of segment \(piece.number) never came")
                }
                return try read(place)
            }
            return DeliveredInput(segment: try (map ?? []) + read(place))
        }
    }

    private func read(_ place: Place) throws -> [UInt8] {
        try file.seek(toOffset: place.offset)
        guard let data = try file.read(upToCount: place.count), data.count == place.count else {
            throw HeardSoundError("what was delivered cannot be read back")
        }
        return [UInt8](data)
    }
}

/// Why what was heard cannot be written.
package struct HeardSoundError: Error, Sendable, CustomStringConvertible {
    /// One line that says what is wrong.
    package let description: String

    init(_ description: String) { self.description = description }
}
