internal import Foundation
internal import HTTPTypes
internal import SegueBase
internal import SegueConcurrency
internal import SegueFetch
internal import SegueFFmpeg
internal import SegueOrigin
internal import SeguePackager
internal import SeguePlayerModel

/// The server of one file in this process; it sends the same bytes as over a socket.
struct ItemOrigin: Sendable {
    /// The host in URLs for simulated players without another origin.
    static let usualHost = "origin.test"

    let host: String

    let item: LibraryItem

    /// The device that the player names.
    let device: DeviceProfile

    private let library: Library
    private let server: ItemServer
    private let progress: FileProgress?
    private let kept = ServerResponseCache()

    /// `path` is the file's path as bytes.
    ///
    /// `progress` records each response that is made; nil for none.
    ///
    /// - Throws: ``LibraryError`` if there is no such regular file.
    init(
        path: [UInt8],
        device: DeviceProfile,
        host: String = usualHost,
        progress: FileProgress? = nil,
        cancellation: Cancellation
    ) throws {
        self.host = host
        library = try Library(file: path)
        guard let item = library.items.first else { preconditionFailure("a library of one file has one item") }
        self.item = item
        self.progress = progress
        self.device = device
        // The audio is the same with and without video, and what is measured is requested soon.
        let limits = Responder.Limits(codedBytes: 32 << 20)
        let responder = Responder(library: library) { ($0.devices, $0.limits) = (Devices([device]), limits) }
        server = ItemServer(responder: responder, host: host, cancellation: cancellation)
    }

    /// Deletes the server's temporary files.
    func close() { library.close() }

    /// The prefix of all its URLs.
    var base: String { server.base }

    /// The URL of a rendition's playlist.
    func playlist(of rendition: Rendition) -> String {
        address("index.m3u8", query: rendition == .background ? ["background=1"] : [])
    }

    /// The URL of the multivariant playlist with a separate audio rendition.
    var multivariantPlaylist: String { address("master.m3u8", query: ["apart=1"]) }

    /// The URL of the multivariant playlist without query parameters.
    var usualMultivariantPlaylist: String { address("master.m3u8", query: []) }

    /// The prefix of all URLs of the item.
    var itemBase: String { "\(base)/items/\(item.id)/" }

    var cancellation: Cancellation { server.cancellation }

    private func address(_ playlist: String, query: [String]) -> String {
        var query = query
        if device.name != DeviceProfile.any.name { query.append("device=\(device.name)") }
        let suffix = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return itemBase + playlist + suffix
    }

    /// The presentation from which everything is made.
    ///
    /// - Throws: ``PackagingError`` if the file cannot be served.
    func presentation() throws(PackagingError) -> Presentation {
        try server.responder.presentation(of: item, for: device, cancellation: server.cancellation)
    }

    /// Answers a player's request; a repeated request gets the same body.
    func respond(to request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
        let question = ServerResponseCache.Question(request)
        let (response, body): ServerResponseCache.Answer
        if let answer = kept.answer(to: question) {
            (response, body) = answer
        } else {
            let kept = kept.keep(make(request), to: question)
            (response, body) = kept.answer
            // Repeated requests for the same resource are not progress.
            if kept.isNew { progress?.reached("\(request.url) was made") }
        }
        return (response, FetchBytes(body))
    }

    /// Answers a request as the server would over a socket.
    func respond(to request: OriginRequest, _ cancellation: Cancellation) -> OriginResponse {
        server.responder.respond(to: request, cancellation: cancellation)
    }

    /// The responses so far, as far as cases need them.
    var remembered: StoredResponses { StoredResponses(kept) }

    /// Restores responses of an earlier run, so that only new ones have to be made.
    func remember(_ answers: StoredResponses) {
        answers.tell(kept) { [server] in server.respond(to: $0).body }
    }

    private func make(_ request: FetchRequest) -> ServerResponseCache.Answer {
        let (response, bytes) = server.respond(to: request)
        return (response, SharedBytes(bytes) { [server] in server.respond(to: request).body })
    }

    /// The body of a resource of the item.
    ///
    /// - Throws: ``ItemOriginError`` for any status but 200.
    func get(_ url: String) throws -> [UInt8] { try answer(for: url).bytes }

    /// The response with a resource of the item.
    ///
    /// - Throws: ``ItemOriginError`` for any status but 200.
    func answer(for url: String) throws -> (response: FetchResponse, bytes: [UInt8]) {
        let (response, body) = respond(to: FetchRequest(id: FetchID(1), url: url))
        guard response.status == 200 else {
            let text = String(decoding: body.bytes, as: UTF8.self)
            throw ItemOriginError(url: url, status: response.status, body: text)
        }
        return (response, body.bytes)
    }
}

/// A resource that the server does not deliver.
struct ItemOriginError: Error, CustomStringConvertible {
    let url: String
    let status: Int
    let body: String

    var description: String { "\(url): status \(status), expected 200: \(body)" }

    /// The server's message.
    var reason: String {
        struct Document: Decodable {
            struct Failure: Decodable { let message: String }
            let error: Failure
        }
        let document = try? JSONDecoder().decode(Document.self, from: Data(body.utf8))
        return document?.error.message ?? "cannot be served: \(status)"
    }
}

/// The server of an item, without a store for its responses.
private struct ItemServer: Sendable {
    let responder: Responder
    let host: String
    let cancellation: Cancellation

    var base: String { "http://\(host)" }

    func respond(to request: FetchRequest) -> (response: FetchResponse, body: [UInt8]) {
        var headers = HTTPFields(named: request.headers)
        if let range = request.range {
            headers[.range] = "bytes=\(range.offset)-\(range.offset + range.length - 1)"
        }
        let target = request.url.dropFirst(base.count)
        let answer = responder.respond(
            to: OriginRequest(target: String(target), headers: headers),
            cancellation: cancellation
        )
        let body = answer.body.bytes
        let response = FetchResponse(
            status: answer.status,
            headers: answer.headers.map { ($0.name.canonicalName, $0.value) },
            url: request.url,
            serverAddress: "\(host):80"
        )
        return (response, body)
    }
}
