internal import Foundation
internal import SegueContainers
internal import SegueFetch

/// The server of a world's player, which responds to requests without sockets.
public struct Server: Sendable {
    /// A request of the player.
    public struct Request: Sendable {
        /// `GET` or `HEAD`.
        public let method: String
        /// The absolute URL.
        public let url: String
        /// The path, without the query.
        public let path: String
        /// The header fields, with lowercase names.
        public let headers: [String: String]
        /// The time at which the server receives it, since the world began.
        public let time: Duration
        /// The requested range, if it is a single one.
        ///
        /// The response may contain the whole resource.
        public let range: Range<Int64>?

        init(method: String, url: String, headers: [String: String], time: Duration, range: Range<Int64>?) {
            (self.method, self.url, self.headers, self.time, self.range) = (method, url, headers, time, range)
            path = String((FetchURL(url)?.target ?? url).prefix { $0 != "?" })
        }
    }

    /// A response of a server.
    public struct Response: Sendable {
        /// The HTTP status, such as 200.
        public var status: Int
        /// The header fields.
        ///
        /// With `accept-ranges: none`, a request for a range receives the whole body.
        public var headers: [String: String]
        /// The complete body.
        public var body: [UInt8] {
            get { resource?.bytes ?? own }
            set { (own, resource) = (newValue, nil) }
        }
        /// The time to the first byte, from zero; nil for that of the world.
        public var delay: Duration?
        /// The URL after redirects, to which URLs in a playlist are relative; nil without redirects.
        public var redirectedTo: String?

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - delay: The time to the first byte; nil for that of the world.
        public init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = [], delay: Duration? = nil) {
            (self.status, self.headers, own, self.delay) = (status, headers, body, delay)
        }

        private var own: [UInt8]

        /// A body that other responses share; nil for one of its own.
        private var resource: SharedBytes?

        init(_ resource: SharedBytes, type: String) {
            self.init(headers: ["content-type": type])
            self.resource = resource
        }

        /// The body in the network model.
        var bytes: FetchBytes { resource.map { FetchBytes($0) } ?? FetchBytes(own) }

        /// Creates a response with text.
        ///
        /// - Parameters:
        ///   - text: The text, which is sent as UTF-8.
        /// - Returns: The response, with status 200.
        public static func text(_ text: String, type: String = "text/plain") -> Response {
            Response(headers: ["content-type": type], body: Array(text.utf8))
        }

        /// A response for a resource that does not exist.
        public static let notFound = Response(status: 404)
    }

    private let respond: @Sendable (Request) -> Response

    /// Creates a server that calls a closure.
    ///
    /// - Parameter respond: Returns the response to a request, immediately.
    public init(_ respond: @escaping @Sendable (Request) -> Response) { self.respond = respond }

    /// A server for a folder of files, such as the output of an HLS packager.
    ///
    /// A path that leads out of the folder is not found.
    ///
    /// - Returns: The server.
    public static func folder(_ path: String) -> Server {
        let folder = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path + "/"
        return Server { request in
            let name = request.path.removingPercentEncoding ?? request.path
            let file = URL(fileURLWithPath: folder + name).standardizedFileURL.resolvingSymlinksInPath().path
            guard file.hasPrefix(folder), let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
                return .notFound
            }
            return Response(headers: ["content-type": type(of: file)], body: Array(data))
        }
    }

    /// A server for generated titles: `film.m3u8` has video and audio, and `film/audio.m3u8` audio only, with any name.
    ///
    /// `film/multivariant.m3u8` has video and audio as separate renditions.
    ///
    /// - Parameters:
    ///   - duration: The duration of each title, in whole seconds, from one second to a day.
    ///   - segment: The duration of segments, in whole seconds, from one second.
    ///   - bitrate: The bit rate in bits per second, from 1.
    ///   - audioBitrate: The bit rate of the audio-only stream in bits per second, from 1.
    /// - Returns: The server.
    public static func titles(
        duration: Duration = .seconds(600),
        segment: Duration = .seconds(6),
        bitrate: Int = 400_000,
        audioBitrate: Int = 128_000
    ) -> Server {
        let titles = MadeTitles(
            seconds: Int(clamping: duration.components.seconds),
            segmentSeconds: Int(clamping: segment.components.seconds),
            bitrate: bitrate,
            audioBitrate: audioBitrate
        )
        return Server { request in
            let parts = request.path.split(separator: "/")
            guard let name = parts.last else { return .notFound }
            if name == "multivariant.m3u8" {
                return .text(titles.multivariant, type: "application/vnd.apple.mpegurl")
            }
            if name.hasSuffix(".m3u8") {
                let title = String(name.dropLast(5))
                return Response(
                    MadeAnswers.playlist(of: titles.stream(title), in: "\(title)/"),
                    type: "application/vnd.apple.mpegurl"
                )
            }
            let stream = titles.stream(parts.dropLast().last.map(String.init) ?? "")
            guard name.hasSuffix(".ts"), let number = Int(name.dropLast(3)),
                let segment = MadeAnswers.segment(number, of: stream)
            else { return .notFound }
            return Response(segment, type: "video/mp2t")
        }
    }

    /// Returns the server with changed responses.
    ///
    /// - Parameter change: Returns a response, or nil for that of the server.
    /// - Returns: A server that calls the closure first.
    public func changing(_ change: @escaping @Sendable (Request) -> Response?) -> Server {
        Server { [respond] in change($0) ?? respond($0) }
    }

    /// Returns a response, to test the server itself.
    ///
    /// - Parameters:
    ///   - url: The absolute URL, with the scheme `http` or `https`.
    ///   - method: The request method, `GET` or `HEAD`.
    ///   - headers: The header fields, with lowercase names.
    ///   - time: The time of the request, since the world began.
    /// - Returns: The response.
    public func response(
        to url: String,
        method: String = "GET",
        headers: [String: String] = [:],
        at time: Duration = .zero
    ) -> Response {
        respond(Request(method: method, url: url, headers: headers, time: time, range: nil))
    }

    private static func type(of file: String) -> String {
        switch URL(fileURLWithPath: file).pathExtension.lowercased() {
        case "m3u8": "application/vnd.apple.mpegurl"
        case "ts": "video/mp2t"
        case "mp4", "m4s", "m4v": "video/mp4"
        case "m4a", "aac": "audio/mp4"
        case "vtt": "text/vtt"
        default: "application/octet-stream"
        }
    }

    /// Returns a response for the simulated network, cut to the requested range.
    func answer(_ request: FetchRequest, at time: Duration) -> (response: FetchResponse, body: FetchBytes) {
        let range = request.range.flatMap { range -> Range<Int64>? in
            guard range.offset >= 0 else { return nil }
            return range.offset..<(range.offset + min(max(1, range.length), .max - range.offset))
        }
        let answer = respond(
            Request(
                method: request.method ?? (request.isHead ? "HEAD" : "GET"),
                url: request.url,
                headers: Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
                time: time,
                range: range
            )
        )
        var (status, body, headers) = (answer.status, answer.bytes, answer.headers)
        let takesRanges = headers.first { $0.key.lowercased() == "accept-ranges" }?.value.lowercased() != "none"
        if let range, status == 200, takesRanges, range.lowerBound < Int64(body.count) {
            let end = min(Int64(body.count), range.upperBound)
            headers["content-range"] = "bytes \(range.lowerBound)-\(end - 1)/\(body.count)"
            (status, body) = (206, body[Int(range.lowerBound)..<Int(end)])
        }
        var response = FetchResponse(
            status: status,
            headers: headers.map { (name: $0.key.lowercased(), value: $0.value) }.sorted { $0.name < $1.name },
            url: answer.redirectedTo ?? request.url,
            serverAddress: FetchURL(request.url)?.authority ?? ""
        )
        response.serverTime = answer.delay
        return (response, body)
    }
}
