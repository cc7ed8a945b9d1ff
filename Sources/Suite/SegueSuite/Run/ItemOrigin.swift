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
    private let responder: Responder
    private let progress: FileProgress?
    private let cancellation: Cancellation
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
        self.cancellation = cancellation
        self.device = device
        // The audio is the same with and without video, and what is measured is requested soon.
        let limits = Responder.Limits(codedBytes: 32 << 20)
        responder = Responder(library: library) { ($0.devices, $0.limits) = (Devices([device]), limits) }
    }

    /// Deletes the server's temporary files.
    func close() { library.close() }

    /// The prefix of all its URLs.
    var base: String { ItemOrigin.base(of: host) }

    /// The URL of a rendition's playlist.
    func playlist(of rendition: Rendition) -> String {
        address("index.m3u8", query: rendition == .background ? ["background=1"] : [])
    }

    /// The URL of the multivariant playlist with a separate audio rendition.
    var multivariantPlaylist: String { address("master.m3u8", query: ["apart=1"]) }

    private func address(_ playlist: String, query: [String]) -> String {
        var query = query
        if device.name != DeviceProfile.any.name { query.append("device=\(device.name)") }
        let suffix = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return "\(base)/items/\(item.id)/\(playlist)\(suffix)"
    }

    /// The presentation from which everything is made.
    ///
    /// - Throws: ``PackagingError`` if the file cannot be served.
    func presentation() throws(PackagingError) -> Presentation {
        try responder.presentation(of: item, for: device, cancellation: cancellation)
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
        responder.respond(to: request, cancellation: cancellation)
    }

    /// The responses so far, as far as cases need them.
    var remembered: StoredResponses { StoredResponses(kept) }

    /// Restores responses of an earlier run, so that only new ones have to be made.
    func remember(_ answers: StoredResponses) {
        let (responder, host, cancellation) = (self.responder, self.host, self.cancellation)
        answers.tell(kept) { ItemOrigin.ask(responder, host, $0, cancellation).body }
    }

    private func make(_ request: FetchRequest) -> ServerResponseCache.Answer {
        let (responder, host, cancellation) = (self.responder, self.host, self.cancellation)
        let (response, bytes) = ItemOrigin.ask(responder, host, request, cancellation)
        return (response, SharedBytes(bytes) { ItemOrigin.ask(responder, host, request, cancellation).body })
    }

    private static func base(of host: String) -> String { "http://\(host)" }

    private static func ask(
        _ responder: Responder,
        _ host: String,
        _ request: FetchRequest,
        _ cancellation: Cancellation
    ) -> (response: FetchResponse, body: [UInt8]) {
        var headers = HTTPFields(named: request.headers)
        if let range = request.range {
            headers[.range] = "bytes=\(range.offset)-\(range.offset + range.length - 1)"
        }
        let target = request.url.dropFirst(base(of: host).count)
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
