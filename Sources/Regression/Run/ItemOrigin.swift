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
    private let cancellation: Cancellation
    private let kept = KeptAnswers()

    /// A server of a file.
    ///
    /// - Parameters:
    ///   - path: The file's path as bytes.
    ///   - device: The device that its player names; ``DeviceProfile/any`` for none.
    ///   - cancellation: Stops the work.
    /// - Throws: ``LibraryError`` when there is no such regular file.
    init(path: [UInt8], device: DeviceProfile, cancellation: Cancellation) throws {
        library = try Library(file: path)
        guard let item = library.items.first else { preconditionFailure("a library of one file has one item") }
        self.item = item
        self.cancellation = cancellation
        self.device = device
        responder = Responder(library: library, devices: Devices([device]))
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

    /// Answers a player's request; one that was answered before is answered with the same body.
    func respond(to request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
        let question = KeptAnswers.Question(request)
        let (response, body) = kept.answer(to: question) ?? kept.keep(make(request), to: question)
        return (response, FetchBytes(body))
    }

    private func make(_ request: FetchRequest) -> KeptAnswers.Answer {
        let (responder, cancellation) = (self.responder, self.cancellation)
        let (response, bytes) = ItemOrigin.ask(responder, request, cancellation)
        return (response, SharedBytes(bytes) { ItemOrigin.ask(responder, request, cancellation).body })
    }

    private static func ask(
        _ responder: Responder,
        _ request: FetchRequest,
        _ cancellation: Cancellation
    ) -> (response: FetchResponse, body: [UInt8]) {
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
            let text = String(decoding: body.bytes, as: UTF8.self)
            throw ItemOriginError(url: url, status: response.status, body: text)
        }
        return body.bytes
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
