internal import Foundation
package import SegueBase
internal import SegueFetch
package import SeguePlayerModel

/// The media delivered to a player in a run, stored in an unlinked file.
///
/// A segment takes some tens of bytes of memory; a plain file takes its received ranges.
package final class DeliveredMedia {
    /// A delivered segment, or the delivered part of a plain file or stream.
    struct Piece {
        let stream: StreamRole
        let number: Int
        let start: Duration
        let duration: Duration
        let startsDiscontinuity: Bool
        let at: Instant
        fileprivate let content: Content

        var end: Duration { start + duration }

        /// True if it is the whole item, whose duration is unknown before it is read.
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

    /// The assumed duration of media without a declared one: longer than any run.
    private static let endless = Duration.seconds(1_000_000_000)

    /// The reason why media could not be stored; nil if all was.
    private(set) var failure: String?

    /// - Throws: ``HeardAudioError`` if no temporary file can be created.
    package init() throws {
        file = try FileHandle.nameless()
    }

    deinit { try? file.close() }

    /// Stores a resource if it is media.
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

    /// Stores a part of a plain file or an endless stream.
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
            failure = "cannot store the delivered media: \(error.localizedDescription)"
        }
    }

    private func keep(_ bytes: [UInt8]) -> Place? {
        guard failure == nil else { return nil }
        do {
            try file.seek(toOffset: length)
            try file.write(contentsOf: bytes)
        } catch {
            failure = "cannot store the delivered media: \(error.localizedDescription)"
            return nil
        }
        defer { length += UInt64(bytes.count) }
        return Place(offset: length, count: bytes.count)
    }

    /// The segments of a stream of an item in the order of arrival.
    func pieces(of item: ItemID, _ stream: StreamRole) -> [Piece] {
        pieces[item, default: []].filter { $0.stream == stream }
    }

    /// The streams of an item with any delivered media.
    func streams(of item: ItemID) -> Set<StreamRole> { Set(pieces[item, default: []].map(\.stream)) }

    /// The items with any delivered media.
    var items: [ItemID] { pieces.keys.sorted() }

    /// A segment with its initialization section as a file of its own, or the whole of a file; nil if libav cannot read
    /// it.
    ///
    /// - Throws: ``HeardAudioError`` if it cannot be read back.
    func input(of piece: Piece, in item: ItemID) throws -> DeliveredInput? {
        switch piece.content {
        case .file(let file): return DeliveredInput(file)
        case .segment(let address, let place):
            let map = try address.map { address -> [UInt8] in
                guard let place = maps[MapKey(item: item, address: address)] else {
                    throw HeardAudioError("the initialization section of segment \(piece.number) was not delivered")
                }
                return try read(place)
            }
            return DeliveredInput(segment: try (map ?? []) + read(place))
        }
    }

    private func read(_ place: Place) throws -> [UInt8] {
        try file.seek(toOffset: place.offset)
        guard let data = try file.read(upToCount: place.count), data.count == place.count else {
            throw HeardAudioError("cannot read back the delivered media")
        }
        return [UInt8](data)
    }
}

/// The reason why the audio of a run cannot be written.
package struct HeardAudioError: Error, Sendable, CustomStringConvertible {
    /// A sentence in one line.
    package let description: String

    init(_ description: String) { self.description = description }
}
