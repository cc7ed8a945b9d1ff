internal import Foundation
internal import SegueConcurrency
internal import SegueData
internal import SegueFFmpeg
internal import SegueNetworkModel
internal import SegueOrigin
internal import SeguePackager
public import SeguePlayer

/// A folder of media files, as Segue's own packager serves them, for the player of a world.
///
/// ```swift
/// let films = try MediaFolder("Films")
/// try await withWorld(network: "3g", server: films.server) { world in
///     world.player.insert(PlayerItem(url: try films.playlist(of: "first-light.mp4")))
/// ```
///
/// Playlists and segments are byte by byte what `segue serve` sends. What is made takes real time: a film that has to be
/// transcoded may need more of it than a run allows for one thing, so such a run is given more `patience`.
public struct MediaFolder: Sendable {
    /// The host in its addresses.
    private static let host = "server"

    private let library: Library
    private let device: String?

    /// The server.
    public let server: Server

    /// A folder.
    ///
    /// - Parameters:
    ///   - path: The folder; files in folders below it count.
    ///   - device: The device that its player says it is, by the name of a file in `Harness/devices`, such as `iphone-3g`;
    ///     nil for one that plays whatever HLS may have.
    /// - Throws: An error of one line where there is no such folder or device.
    public init(_ path: String, device: String? = nil) throws {
        let library = try Library(roots: [path])
        let devices = try Devices(in: .ofLibrary)
        if let device { _ = try devices.named(device) }
        let responder = Responder(library: library, devices: devices)
        (self.library, self.device) = (library, device)
        server = Server { request in
            let target = request.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
            var headers = request.headers.map { (name: $0.key, value: $0.value) }
            if let range = request.range {
                headers.append((name: "range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
            }
            let answer = responder.respond(
                to: OriginRequest(target: String(target), headers: headers),
                // A run of virtual time bounds what one thing may take.
                cancellation: Cancellation()
            )
            return Server.Response(
                status: answer.status,
                headers: Dictionary(answer.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
                body: answer.body.bytes
            )
        }
    }

    /// The files that it serves, by their paths below the folder, in order.
    public var files: [String] { library.items.map(\.path) }

    /// The address of a file's playlist.
    ///
    /// - Parameters:
    ///   - file: The file's path below the folder.
    ///   - isSoundAlone: Whether it is that of the sound alone, as for the background.
    /// - Returns: The address.
    /// - Throws: ``MediaFolderError`` where there is no such file.
    public func playlist(of file: String, soundAlone isSoundAlone: Bool = false) throws -> String {
        guard let item = library.items.first(where: { $0.path == file }) else {
            throw MediaFolderError(file: file, files: files)
        }
        let query = [isSoundAlone ? "background=1" : nil, device.map { "device=\($0)" }].compactMap(\.self)
        let suffix = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return "http://\(MediaFolder.host)/items/\(item.id)/index.m3u8\(suffix)"
    }
}

/// A file that is not in a folder of media.
public struct MediaFolderError: Error, Sendable, CustomStringConvertible {
    /// The file that was asked for.
    public let file: String
    /// Those that are there.
    public let files: [String]

    /// What is wrong and what there is.
    public var description: String {
        let some = files.prefix(5).joined(separator: ", ")
        let all = files.count > 5 ? "\(some) and \(files.count - 5) more" : some
        return files.isEmpty
            ? "\(file) is not in the folder, which has no files" : "\(file) is not in the folder: \(all)"
    }
}
