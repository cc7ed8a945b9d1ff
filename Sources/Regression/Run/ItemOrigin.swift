internal import Fetch
internal import Foundation
internal import Media
internal import Origin
internal import Packager
internal import Player
internal import Timeline

/// The server of one file, in this process: the same bytes that it would send over a socket.
struct ItemOrigin: Sendable {
    /// The host in the URLs that a simulated player asks for.
    static let host = "origin.test"

    /// The file.
    let item: LibraryItem

    /// The device that its player names.
    let device: DeviceProfile

    private let library: Library
    private let responder: Responder
    private let progress: FileProgress
    private let cancellation: Cancellation
    private let kept = KeptAnswers()

    /// A server of a file.
    ///
    /// - Parameters:
    ///   - path: The file's path as bytes.
    ///   - device: The device that its player names; ``DeviceProfile/any`` for none.
    ///   - progress: Is told of each answer that is made.
    ///   - cancellation: Stops the work.
    /// - Throws: ``LibraryError`` when there is no such regular file.
    init(path: [UInt8], device: DeviceProfile, progress: FileProgress, cancellation: Cancellation) throws {
        library = try Library(file: path)
        guard let item = library.items.first else { preconditionFailure("a library of one file has one item") }
        self.item = item
        self.progress = progress
        self.cancellation = cancellation
        self.device = device
        // The sound alone and the sound with the picture are the same.
        let limits = Responder.Limits(soundBytes: 32 << 20)
        responder = Responder(library: library, devices: Devices([device]), limits: limits)
    }

    /// Removes what the server made on the disk.
    func close() { library.close() }

    /// The address of a rendition's playlist.
    func playlist(of rendition: Rendition) -> String {
        address("index.m3u8", query: rendition == .background ? ["background=1"] : [])
    }

    /// The address of the multivariant playlist with the sound as a rendition of its own.
    var multivariantPlaylist: String { address("master.m3u8", query: ["apart=1"]) }

    private func address(_ playlist: String, query: [String]) -> String {
        var query = query
        if device.name != DeviceProfile.any.name { query.append("device=\(device.name)") }
        let suffix = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return "http://\(ItemOrigin.host)/items/\(item.id)/\(playlist)\(suffix)"
    }

    /// Answers a player's request; one that was answered before with the same bytes, as far as they are kept.
    func respond(to request: FetchRequest) -> (response: FetchResponse, body: [UInt8]) {
        let question = KeptAnswers.Question(request)
        if let answer = kept.answer(to: question) { return answer }
        let answer = make(request)
        // Whoever asks for the same for ever gets no further.
        if kept.keep(answer, to: question) { progress.reached("\(request.url) was made") }
        return answer
    }

    private func make(_ request: FetchRequest) -> (response: FetchResponse, body: [UInt8]) {
        var headers = request.headers
        if let range = request.range {
            headers.append(("range", "bytes=\(range.offset)-\(range.offset + range.length - 1)"))
        }
        let target = request.url.dropFirst("http://\(ItemOrigin.host)".count)
        let answer = responder.respond(
            to: OriginRequest(target: String(target), headers: headers),
            cancellation: cancellation
        )
        let body = ItemOrigin.bytes(of: answer.body)
        let response = FetchResponse(
            status: answer.status,
            headers: answer.headers.map { ($0.name.lowercased(), $0.value) },
            url: request.url,
            serverAddress: "\(ItemOrigin.host):80"
        )
        return (response, body)
    }

    /// The body of a resource of the item.
    ///
    /// - Throws: ``ItemOriginError`` for any status but 200.
    func get(_ url: String) throws -> [UInt8] {
        let (response, body) = respond(to: FetchRequest(id: FetchID(1), url: url))
        guard response.status == 200 else {
            throw ItemOriginError(url: url, status: response.status, body: String(decoding: body, as: UTF8.self))
        }
        return body
    }

    private static func bytes(of body: OriginResponse.Body) -> [UInt8] {
        switch body {
        case .empty: return []
        case .bytes(let bytes): return bytes
        case .file(let path, let offset, let length):
            // A file that cannot be read any more gives fewer bytes than the head says, as it would over a socket.
            guard let file = FileHandle(forReadingAtPath: path), (try? file.seek(toOffset: UInt64(offset))) != nil,
                let data = try? file.read(upToCount: Int(length))
            else { return [] }
            return [UInt8](data)
        case .made(let body, let range): return (try? body.bytes(in: range)) ?? []
        case .endless: return []
        case .pieces(let pieces): return pieces.flatMap(bytes(of:))
        }
    }
}

/// A resource that the server does not deliver.
struct ItemOriginError: Error, CustomStringConvertible {
    let url: String
    let status: Int
    let body: String

    var description: String { "\(url) is answered with \(status): \(body)" }
}
