internal import Foundation
internal import HTTPTypes
internal import SegueConcurrency
internal import SegueData
internal import SegueFFmpeg
internal import SegueNetworkModel
internal import SegueOrigin
internal import SeguePackager
public import SeguePlayer

/// A server of a folder of media files, packaged as `segue serve` does, for players in a world.
///
/// ```swift
/// let films = try MediaFolder("Films")
/// try await withWorld(network: "3g", server: films.server) { world in
///     world.player.insert(PlayerItem(url: try films.playlist(of: "first-light.mp4")))
/// ```
///
/// Playlists and segments are identical to those of `segue serve`. Making them takes real time: a film that has to be
/// transcoded may exceed the default time limit of a run, which `patience` raises.
public struct MediaFolder: Sendable {
    /// The host of its addresses.
    private static let host = "server"

    private let library: Library
    private let device: String?

    /// The server of the folder, for a `World`.
    public let server: Server

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: The folder; files in its subfolders count.
    ///   - device: The device that its player claims to be, by the name of a file in `Harness/devices`, such as
    ///     `iphone-3g`; nil for one that plays everything.
    /// - Throws: An error of one line if there is no such folder or device.
    public init(_ path: String, device: String? = nil) throws {
        let library = try Library(roots: [path])
        let devices = try Devices(in: .ofLibrary)
        if let device { _ = try devices.named(device) }
        let responder = Responder(library: library) { $0.devices = devices }
        (self.library, self.device) = (library, device)
        server = Server { request in
            let target = request.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
            var headers = HTTPFields(named: request.headers.map { (name: $0.key, value: $0.value) })
            if let range = request.range {
                headers[.range] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
            }
            let answer = responder.respond(
                to: OriginRequest(target: String(target), headers: headers),
                // The run in virtual time has its own limits.
                cancellation: Cancellation()
            )
            return Server.Response(
                status: answer.status,
                headers: Dictionary(answer.headers.map { ($0.name.canonicalName, $0.value) }) { $1 },
                body: answer.body.bytes
            )
        }
    }

    /// The paths of its files below the folder, in order.
    public var files: [String] { library.items.map(\.path) }

    /// Returns the address of a file's playlist.
    ///
    /// - Parameters:
    ///   - file: The file's path below the folder.
    ///   - isAudioOnly: True for the audio-only playlist, as for playback in the background.
    /// - Returns: The address.
    /// - Throws: ``MediaFolderError`` if there is no such file.
    public func playlist(of file: String, audioOnly isAudioOnly: Bool = false) throws -> String {
        guard let item = library.items.first(where: { $0.path == file }) else {
            throw MediaFolderError(file: file, files: files)
        }
        let query = [isAudioOnly ? "background=1" : nil, device.map { "device=\($0)" }].compactMap(\.self)
        let suffix = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return "http://\(MediaFolder.host)/items/\(item.id)/index.m3u8\(suffix)"
    }

    /// The former name of ``playlist(of:audioOnly:)``.
    @available(*, deprecated, renamed: "playlist(of:audioOnly:)")
    public func playlist(of file: String, soundAlone isAudioOnly: Bool) throws -> String {
        try playlist(of: file, audioOnly: isAudioOnly)
    }
}

/// An unknown file of a media folder.
public struct MediaFolderError: Error, Sendable, CustomStringConvertible {
    /// The requested file.
    public let file: String
    /// The files of the folder.
    public let files: [String]

    /// The error with the list of files.
    public var description: String {
        let some = files.prefix(5).joined(separator: ", ")
        let all = files.count > 5 ? "\(some) and \(files.count - 5) more" : some
        return files.isEmpty
            ? "\(file) is not in the folder, which has no files" : "\(file) is not in the folder, which contains \(all)"
    }
}
