internal import Foundation
internal import SegueContainers
internal import SegueFetch

/// What a world's player asks: something that answers requests, without sockets.
public struct Server: Sendable {
    /// What is asked for.
    public struct Request: Sendable {
        /// `GET` or `HEAD`.
        public let method: String
        /// The whole address.
        public let url: String
        /// The path, without the query.
        public let path: String
        /// The header fields, names in lower case.
        public let headers: [String: String]
        /// When the server gets it, since the world began.
        public let time: Duration
        /// The part that is asked for, where it is one part; the answer may be the whole all the same.
        public let range: Range<Int64>?

        init(method: String, url: String, headers: [String: String], time: Duration, range: Range<Int64>?) {
            (self.method, self.url, self.headers, self.time, self.range) = (method, url, headers, time, range)
            path = String((FetchURL(url)?.target ?? url).prefix { $0 != "?" })
        }
    }

    /// What is answered.
    public struct Response: Sendable {
        /// The HTTP status, such as 200.
        public var status: Int
        /// The header fields.
        public var headers: [String: String]
        /// The whole body.
        public var body: [UInt8] {
            get { resource?.bytes ?? own }
            set { (own, resource) = (newValue, nil) }
        }
        /// How long the server takes until the first byte, from zero; nil for what the world says.
        public var delay: Duration?
        /// Where redirects led, to which what a playlist names is relative; nil where there were none.
        public var redirectedTo: String?

        /// An answer.
        ///
        /// - Parameters:
        ///   - status: The HTTP status.
        ///   - headers: The header fields.
        ///   - body: The whole body.
        ///   - delay: How long the server takes until the first byte; nil for what the world says.
        public init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = [], delay: Duration? = nil) {
            (self.status, self.headers, own, self.delay) = (status, headers, body, delay)
        }

        private var own: [UInt8]

        /// A body that other answers share; nil for one of its own.
        private var resource: SharedBytes?

        init(_ resource: SharedBytes, type: String) {
            self.init(headers: ["content-type": type])
            self.resource = resource
        }

        /// The body as the network carries it.
        var bytes: FetchBytes { resource.map { FetchBytes($0) } ?? FetchBytes(own) }

        /// An answer with a text.
        ///
        /// - Parameters:
        ///   - text: The text, which goes out in UTF-8.
        ///   - type: Its media type.
        /// - Returns: The answer, of status 200.
        public static func text(_ text: String, type: String = "text/plain") -> Response {
            Response(headers: ["content-type": type], body: Array(text.utf8))
        }

        /// There is nothing of that name.
        public static let notFound = Response(status: 404)
    }

    private let respond: @Sendable (Request) -> Response

    /// A server that answers as a closure says.
    ///
    /// - Parameter respond: Answers a request; it is called for each, at once.
    public init(_ respond: @escaping @Sendable (Request) -> Response) { self.respond = respond }

    /// A server of a folder of files, such as one of HLS that a packager has written.
    ///
    /// A path that leads out of the folder finds nothing.
    ///
    /// - Parameter path: The folder.
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

    /// A server of titles that are made up: `film.m3u8` is one with pictures, `film/sound.m3u8` its sound alone, whatever
    /// the name; `film/multivariant.m3u8` has the pictures and the sound as renditions of their own.
    ///
    /// - Parameters:
    ///   - duration: How long each is, in whole seconds, from one to a day.
    ///   - segment: How long a segment is, in whole seconds, from one.
    ///   - bitrate: How many bits a second it takes, from 1.
    ///   - soundBitrate: How many its sound alone takes, from 1.
    /// - Returns: The server.
    public static func titles(
        duration: Duration = .seconds(600),
        segment: Duration = .seconds(6),
        bitrate: Int = 400_000,
        soundBitrate: Int = 128_000
    ) -> Server {
        let titles = MadeTitles(
            seconds: Int(clamping: duration.components.seconds),
            segmentSeconds: Int(clamping: segment.components.seconds),
            bitrate: bitrate,
            soundBitrate: soundBitrate
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

    /// The server, with some answers changed.
    ///
    /// - Parameter change: Answers a request; nil has the server answer it.
    /// - Returns: The server that asks the closure first.
    public func changing(_ change: @escaping @Sendable (Request) -> Response?) -> Server {
        Server { [respond] in change($0) ?? respond($0) }
    }

    /// What it answers, for a test of the server itself.
    ///
    /// - Parameters:
    ///   - url: What is asked for, absolute.
    ///   - method: `GET` or `HEAD`.
    ///   - headers: The header fields, names in lower case.
    ///   - time: When it is asked for, since the world began.
    /// - Returns: The answer.
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

    /// The server as the simulated network asks it; a range of bytes is cut out of what it answers.
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
        var (status, body) = (answer.status, answer.bytes)
        if let range, status == 200, range.lowerBound < Int64(body.count) {
            let end = min(Int64(body.count), range.upperBound)
            (status, body) = (206, body[Int(range.lowerBound)..<Int(end)])
        }
        let response = FetchResponse(
            status: status,
            headers: answer.headers.map { (name: $0.key.lowercased(), value: $0.value) }.sorted { $0.name < $1.name },
            url: answer.redirectedTo ?? request.url,
            serverAddress: FetchURL(request.url)?.authority ?? "",
            serverTime: answer.delay
        )
        return (response, body)
    }
}
