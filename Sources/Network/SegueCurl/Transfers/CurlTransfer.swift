internal import CSegueCurl
internal import SegueBase
internal import SegueFetch

/// A request in libcurl; belongs to the engine's thread.
final class CurlTransfer {
    private static let mostHeaderBytes = 256 << 10
    private static let mostRedirects = 10

    let request: FetchRequest
    let authority: String
    private let handle: CurlHandle

    /// The handle for a multi handle.
    var easy: UnsafeMutableRawPointer { handle.easy }

    /// The time of the last byte, or of the beginning.
    private(set) var lastByteAt = ContinuousClock.now

    /// The scheme that the server requires after a refusal; nil without one.
    private(set) var challenge: FetchCredential.Scheme?

    /// True if reading is paused; ``isPaused`` follows when libcurl has paused the body.
    private var isHeld: Bool
    private(set) var isPaused = false

    private var wasChallenged = false
    private let deliver: (FetchEvent) -> Void
    private var head = ResponseHead()
    private var headerBytes = 0
    private var bodyBytes = 0
    private var sendings = SendingCount()
    private var isAnswered = false
    /// The reason for which a callback aborted the transfer.
    private var refusal: FetchError?

    /// Configures a handle; the transfer begins when it is added to a multi handle.
    ///
    /// - Throws: ``FetchError`` if libcurl rejects the request.
    init(_ request: FetchRequest, authority: String, deliver: @escaping (FetchEvent) -> Void) throws(FetchError) {
        handle = try CurlHandle()
        self.request = request
        self.authority = authority
        self.deliver = deliver
        isHeld = request.isUnread
        try setUp()
    }

    private func setUp() throws(FetchError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(scurl_set_pointer(easy, CURLOPT_ERRORBUFFER, handle.errorText))
        try check(scurl_set_text(easy, CURLOPT_URL, request.url))
        try check(scurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        try check(scurl_set_text(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https"))
        try check(scurl_set_text(easy, CURLOPT_USERAGENT, FetchRequest.userAgent))
        try check(scurl_set_number(easy, CURLOPT_NOSIGNAL, 1))
        try check(scurl_set_number(easy, CURLOPT_TCP_NODELAY, 1))
        try check(scurl_set_number(easy, CURLOPT_FOLLOWLOCATION, request.followsRedirects ? 1 : 0))
        try check(scurl_set_number(easy, CURLOPT_MAXREDIRS, Self.mostRedirects))
        try check(
            scurl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, (request.connectPatience ?? request.patience).limit)
        )
        if let whole = request.wholePatience { try check(scurl_set_number(easy, CURLOPT_TIMEOUT_MS, whole.limit)) }
        if request.keepsConnection { try check(scurl_set_number(easy, CURLOPT_FORBID_REUSE, 1)) }
        try setUpSending(context)
        try setUpBody()
        try setUpCredential()
        guard let aliases = curl_slist_append(nil, "ICY ") else { throw FetchError(.other, "out of memory") }
        handle.aliases = aliases
        try check(scurl_set_pointer(easy, CURLOPT_HTTP200ALIASES, aliases))
        if request.isHead { try check(scurl_set_number(easy, CURLOPT_NOBODY, 1)) }
        if let range = request.range {
            // No encoding here: a range of an encoded body is another range.
            try check(scurl_set_text(easy, CURLOPT_RANGE, "\(range.offset)-\(range.offset + range.length - 1)"))
        } else {
            try check(scurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, ""))
        }
        for (name, value) in request.headers {
            let line = "\(name): \(value)"
            guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let list = curl_slist_append(handle.headers, line)
            else { throw FetchError(.other, "the request header is invalid: \(name.debugDescription)") }
            handle.headers = list
        }
        if let headers = handle.headers { try check(scurl_set_pointer(easy, CURLOPT_HTTPHEADER, headers)) }
        // The handle ends with the transfer, so no callback outlives the transfer.
        try check(scurl_set_pointer(easy, CURLOPT_WRITEDATA, context))
        try check(scurl_set_pointer(easy, CURLOPT_HEADERDATA, context))
        try check(
            scurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                CurlTransfer.of(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
            }
        )
        try check(
            scurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                CurlTransfer.of(context).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
            }
        )
    }

    private func setUpSending(_ context: UnsafeMutableRawPointer) throws(FetchError) {
        try check(scurl_set_pointer(easy, CURLOPT_PREREQDATA, context))
        try check(
            scurl_set_prerequest(easy) { context, _, _, _, _ in
                CurlTransfer.of(context).send()
                return CURL_PREREQFUNC_OK
            }
        )
    }

    private func setUpBody() throws(FetchError) {
        if let body = request.body {
            // The body is copied at once, so its size comes first.
            try check(scurl_set_number(easy, CURLOPT_POSTFIELDSIZE, body.count))
            let status = body.withUnsafeBytes { bytes in
                // libcurl does not accept a null pointer, even for an empty body.
                scurl_set_pointer(
                    easy,
                    CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress) ?? UnsafeMutableRawPointer(handle.errorText)
                )
            }
            try check(status)
        }
        if let method = request.method { try check(scurl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)) }
    }

    private func setUpCredential() throws(FetchError) {
        guard let credential = request.credential else { return }
        let (basic, digest) = (1, 2)
        let schemes =
            switch credential.scheme {
            case .asked: basic | digest
            case .basic: basic
            case .digest: digest
            }
        try check(scurl_set_number(easy, CURLOPT_HTTPAUTH, schemes))
        try check(scurl_set_text(easy, CURLOPT_USERNAME, credential.user))
        try check(scurl_set_text(easy, CURLOPT_PASSWORD, credential.password))
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let context else { preconditionFailure("libcurl lost the context of a callback") }
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private func check(_ code: CURLcode) throws(FetchError) {
        guard code == CURLE_OK else {
            throw FetchError(code == CURLE_URL_MALFORMAT ? .badURL : .other, Self.text(code), at: request.url)
        }
    }

    // MARK: Reception

    private func send() {
        var connections = 0
        // Fails only for an option that libcurl does not know.
        _ = scurl_get_number(easy, CURLINFO_NUM_CONNECTS, &connections)
        sendings.send(connections: connections)
    }

    /// Receives a line of a head; a smaller return value aborts the transfer.
    private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastByteAt = .now
        headerBytes += bytes.count
        guard headerBytes <= Self.mostHeaderBytes else {
            refusal = FetchError(
                .other,
                "the response's head is larger than \(Self.mostHeaderBytes) bytes",
                at: request.url
            )
            return 0
        }
        guard head.add(String(decoding: bytes, as: UTF8.self)), !head.isInterim else { return bytes.count }
        sendings.receiveHead()
        if !(head.isRedirect && request.followsRedirects) {
            if head.status == 401 { challenge = challenge ?? FetchChallenge.offer(in: head.fields)?.scheme }
            // libcurl answers one challenge by itself; otherwise the body or the end of the response shows the refusal.
            let isAnswered =
                head.status == 401 && request.credential.map { $0.scheme != .basic } ?? false && !wasChallenged
            wasChallenged = wasChallenged || head.status == 401
            if !isAnswered { answer() }
        }
        return bytes.count
    }

    /// Pauses the body, except for bytes that libcurl holds already, or resumes it.
    ///
    /// - Returns: The failure; nil on success.
    func hold(_ isHeld: Bool) -> FetchError? {
        self.isHeld = isHeld
        guard !isHeld, isPaused else { return nil }
        (isPaused, lastByteAt) = (false, .now)
        // Bytes held by libcurl arrive during the call.
        let code = curl_easy_pause(easy, CURLPAUSE_RECV_CONT)
        return code == CURLE_OK ? nil : FetchError(.other, "curl_easy_pause: \(Self.text(code))", at: request.url)
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastByteAt = .now
        answer()
        guard !isHeld else {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        bodyBytes += bytes.count
        guard bodyBytes <= request.limit else {
            refusal = FetchError(.tooLarge, "more than the \(request.limit) bytes allowed", at: request.url)
            return 0
        }
        if !bytes.isEmpty { deliver(.data(request.id, FetchBytes(Array(bytes)))) }
        return bytes.count
    }

    private func answer() {
        guard !isAnswered else { return }
        isAnswered = true
        var (url, address): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
        var port = 0
        // These fail only for an option that libcurl does not know; the values stay empty then.
        _ = scurl_get_text(easy, CURLINFO_EFFECTIVE_URL, &url)
        _ = scurl_get_text(easy, CURLINFO_PRIMARY_IP, &address)
        _ = scurl_get_number(easy, CURLINFO_PRIMARY_PORT, &port)
        let host = address.map { String(cString: $0) } ?? ""
        var response = FetchResponse(
            status: head.status,
            headers: head.fields,
            url: url.map { String(cString: $0) } ?? request.url,
            serverAddress: host.isEmpty ? "" : (host.contains(":") ? "[\(host)]" : host) + ":\(port)",
            isLast: head.isLast(isHead: request.isHead)
        )
        (response.version, response.connection) = (head.version, sendings.use)
        deliver(.response(request.id, response))
    }

    // MARK: The end

    /// The failure of the transfer; nil if the response is complete.
    func outcome(_ code: CURLcode) -> FetchError? {
        if let refusal { return refusal }
        guard code != CURLE_OK else {
            // libcurl accepts an unterminated head as an end.
            guard head.isComplete else {
                return FetchError(.truncated, "the connection ended within the response's head", at: request.url)
            }
            answer()
            return nil
        }
        let reason: FetchError.Reason =
            switch code {
            case CURLE_URL_MALFORMAT: .badURL
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotResolve
            case CURLE_COULDNT_CONNECT: .cannotConnect
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER:
                .untrusted
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_PARTIAL_FILE: .truncated
            case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
            case CURLE_FILESIZE_EXCEEDED: .tooLarge
            case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: .connectionLost
            default: .other
            }
        let detail = String(cString: handle.errorText)
        let text = (detail.isEmpty ? Self.text(code) : detail).split(whereSeparator: \.isNewline).joined(separator: " ")
        // Some versions of libcurl report decoding failures as general errors.
        let isUndecodable = code == CURLE_BAD_CONTENT_ENCODING || text.contains("content unencoding")
        return FetchError(reason, text, at: request.url, isUndecodable: isUndecodable)
    }

    private static func text(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}

/// The lines of a response's head; each response of a redirect chain starts over.
struct ResponseHead {
    private(set) var status = 0
    private(set) var fields: [(name: String, value: String)] = []

    /// The HTTP version from the first line, such as `1.1` or `2`; empty for other protocols.
    private(set) var version = ""

    /// True if the last line has arrived.
    private(set) var isComplete = false

    /// True if the response is HTTP/1.0 or older, where connections close by default.
    private var endsByDefault = false

    /// Returns whether the connection ends with the response (RFC 9112, 9.3), because the head says so or nothing else
    /// delimits the body.
    ///
    /// - Parameter isHead: True if the request method is HEAD.
    /// - Returns: True if it ends.
    func isLast(isHead: Bool) -> Bool {
        let options = fields.filter { $0.name == "connection" }
            .flatMap { $0.value.lowercased().split(separator: ",") }.map { $0.filter { !$0.isWhitespace } }
        let hasBody = !isHead && status != 204 && status != 304
        let isFramed = fields.contains { $0.name == "content-length" || $0.name == "transfer-encoding" }
        if hasBody, !isFramed { return true }
        return endsByDefault ? !options.contains("keep-alive") : options.contains("close")
    }

    /// True if another head follows in the same exchange.
    var isInterim: Bool { (100..<200).contains(status) }

    /// True if libcurl will follow the redirect.
    var isRedirect: Bool { (300..<400).contains(status) && fields.contains { $0.name == "location" } }

    /// Adds a line.
    ///
    /// - Returns: True if the head is complete.
    mutating func add(_ line: String) -> Bool {
        let line = line.prefix { !$0.isNewline }
        // Old internet radio servers begin with "ICY 200 OK".
        if line.hasPrefix("HTTP/") || line.hasPrefix("ICY ") && fields.isEmpty {
            let words = line.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            version = line.hasPrefix("HTTP/") ? String(words[0].dropFirst(5)) : ""
            endsByDefault = line.hasPrefix("HTTP/1.0") || line.hasPrefix("ICY ")
            fields = []
            isComplete = false
            return false
        }
        guard !line.isEmpty else {
            isComplete = true
            return true
        }
        guard let colon = line.firstIndex(of: ":") else { return false }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        fields.append((name, String(value)))
        return false
    }
}

extension Duration {
    /// The limit in milliseconds for libcurl, at least one.
    fileprivate var limit: Int { Int(clamping: max(1, wholeNanoseconds / 1_000_000)) }
}
