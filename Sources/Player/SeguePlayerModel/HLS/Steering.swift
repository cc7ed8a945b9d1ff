internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// A client of a steering server: the preferred pathways, and the next request (RFC 8216bis, 7).
struct Steering: Sendable {
    /// The maximum size of a manifest.
    static let byteLimit = 1 << 20

    /// The minimum and maximum time between requests, whatever the manifest states.
    private static let wait = (least: Duration.seconds(10), most: Duration.seconds(86_400))

    /// The lifetime of a manifest that states none (RFC 8216bis, 7.2).
    private static let usualTime = Duration.seconds(300)

    /// The URL of the server, from the playlist or the last manifest.
    private var url: String

    private var load: ResourceLoad?
    private var dueAt: Instant?
    private var timeToLive = Steering.usualTime

    /// Servers that are not requested again (RFC 8216bis, 7.5: 410).
    private var gone: Set<String> = []

    init(_ steering: ContentSteering, from playlist: String) {
        url =
            steering.serverURI.hasPrefix("data:")
            ? steering.serverURI : URIReference.resolve(steering.serverURI, against: playlist)
        dueAt = .zero
    }

    /// The instant of the next request or retry, if any.
    var nextChange: Instant? { load.map(\.nextChange) ?? dueAt }

    func owns(_ id: FetchID) -> Bool { load?.transfer?.id == id }

    /// Begins the request that is due, and returns the manifest that the playlist itself contains, if any.
    mutating func load(
        pathway: String?,
        throughput: Double?,
        _ maker: RequestMaker,
        _ context: inout StepContext
    ) -> SteeringManifest? {
        guard load == nil, let dueAt, dueAt <= context.now else { return nil }
        self.dueAt = nil
        if url.hasPrefix("data:") { return parse(Steering.data(of: url), &context) }
        var query: [String] = []
        if let pathway { query.append("_HLS_pathway=" + PercentCoding.encode(pathway)) }
        if let throughput, throughput < 1e15 { query.append("_HLS_throughput=\(Int(throughput))") }
        let asked = query.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + query.joined(separator: "&")
        load = ResourceLoad(url: url, asked: asked, resource: "steering")
        load?.load(&context) { maker.steering($0, $1) }
        return nil
    }

    /// Handles news of the request, and returns a usable manifest.
    mutating func receive(_ event: FetchEvent, _ context: inout StepContext) -> SteeringManifest? {
        guard let result = load?.receive(event, &context) else { return nil }
        switch result {
        case .success(let came):
            load?.finish(&context)
            load = nil
            return parse(String(validating: came.bytes.bytes, as: UTF8.self), &context)
        case .failure(let failure):
            _ = load?.fail(failure, &context)
            load = nil
            if failure.error.domain == .http, failure.error.code == 410 { gone.insert(url) }
            askAgain(after: failure.retryAfter ?? timeToLive, &context)
            return nil
        }
    }

    /// Cancels the open request, which is repeated when loading continues.
    mutating func stop(_ context: inout StepContext) {
        guard load != nil else { return }
        load?.stop(&context)
        load = nil
        dueAt = context.now
    }

    private mutating func parse(_ text: String?, _ context: inout StepContext) -> SteeringManifest? {
        guard let manifest = text.flatMap(SteeringManifest.init) else {
            context.record(
                PlaybackError(.unreadable, "not a version 1 steering manifest: \(url.prefix(200))"),
                uri: url
            )
            askAgain(after: timeToLive, &context)
            return nil
        }
        let seconds = manifest.secondsToLive.map { min(max($0, 0), 86_400) }
        timeToLive = seconds.map(Duration.seconds) ?? Steering.usualTime
        if let next = manifest.reloadURI, !url.hasPrefix("data:") || next.contains("://") {
            url = URIReference.resolve(next, against: url)
        } else if url.hasPrefix("data:") {
            return manifest
        }
        askAgain(after: timeToLive, &context)
        return manifest
    }

    private mutating func askAgain(after wait: Duration, _ context: inout StepContext) {
        guard !gone.contains(url), !url.hasPrefix("data:") else { return }
        dueAt = context.now + min(max(wait, Steering.wait.least), Steering.wait.most)
    }

    /// Returns the text of a `data:` URI (RFC 2397).
    private static func data(of uri: String) -> String? {
        guard let comma = uri.firstIndex(of: ",") else { return nil }
        let body = uri[uri.index(after: comma)...].utf8
        guard let bytes = PercentCoding.decode(body, plusIsSpace: false) else { return nil }
        guard uri[..<comma].hasSuffix(";base64") else { return String(validating: bytes, as: UTF8.self) }
        var (bits, count, plain) = (UInt32(0), 0, [UInt8]())
        for byte in bytes where byte != UInt8(ascii: "=") {
            guard let value = digits.firstIndex(of: byte) else { return nil }
            (bits, count) = (bits << 6 & 0xFF_FFFF | UInt32(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            plain.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return String(validating: plain, as: UTF8.self)
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
