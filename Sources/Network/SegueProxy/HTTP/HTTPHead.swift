/// The head of an HTTP/1.1 message: the first line and the fields, as received.
///
/// Texts have one character per byte (ISO 8859-1), as fields may contain any bytes above ASCII (RFC 9110, section 5.5),
/// and everything unchanged is sent as received.
struct HTTPHead {
    /// The first line, without a line break.
    private let start: String
    private var fields: [(name: String, value: String)]
    /// The received bytes, until something is changed.
    private var original: [UInt8]?

    /// Parses a head including its empty line; nil if it is not HTTP/1.
    init?(_ bytes: some Collection<UInt8>) {
        var lines = String(latin: bytes).split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        guard let first = lines.popFirst(), first.hasPrefix("HTTP/1.") || first.contains(" HTTP/1.") else { return nil }
        start = String(first)
        fields = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields.append((String(line[..<colon]), String(value)))
        }
        original = Array(bytes)
    }

    /// Creates the head of a response.
    init(status: Int, reason: String, fields: [(name: String, value: String)]) {
        start = "HTTP/1.1 \(status) \(reason)"
        self.fields = fields
    }

    /// The bytes to send: the received ones if nothing is changed.
    var bytes: [UInt8] {
        original
            ?? (([start] + fields.map { "\($0.name): \($0.value)" }).joined(separator: "\r\n") + "\r\n\r\n").latin
    }

    /// The value of a field; the first one of several.
    subscript(name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name }?.value }
        set {
            guard newValue != self[name] else { return }
            original = nil
            guard let index = fields.firstIndex(where: { $0.name.lowercased() == name }) else {
                if let newValue { fields.append((name, newValue)) }
                return
            }
            if let newValue { fields[index].value = newValue } else { fields.remove(at: index) }
        }
    }

    func values(of name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }

    /// True if the length of the body is unambiguous (RFC 9112, section 6.3).
    var hasValidLength: Bool {
        let lengths = values(of: "content-length")
        guard let first = lengths.first else { return true }
        return self["transfer-encoding"] == nil && lengths.allSatisfy { $0 == first } && first.utf8.count <= 18
            && !first.isEmpty && first.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The elements of list fields, in lower case.
    func tokens(of names: String...) -> [String] {
        names.flatMap { values(of: $0) }.flatMap { $0.lowercased().split(separator: ",") }
            .map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    }

    /// True if the sender uses HTTP/1.0, which closes connections by default.
    var isOld: Bool { start.hasPrefix("HTTP/1.0") || start.hasSuffix(" HTTP/1.0") }

    /// True if the connection ends after this response.
    var endsConnection: Bool {
        let tokens = tokens(of: "connection", "proxy-connection")
        return isOld ? !tokens.contains("keep-alive") : tokens.contains("close")
    }

    /// The request for its server: with another target, without the fields for the proxy (RFC 9110, section 7.6.1), and
    /// with these fields first.
    func forwarded(to target: String, first: [(name: String, value: String)]) -> HTTPHead {
        let dropped =
            ["host", "connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "upgrade"]
            + tokens(of: "connection", "proxy-connection")
        return HTTPHead(
            start: "\(method) \(target) HTTP/1.\(isOld ? 0 : 1)",
            fields: first + fields.filter { !dropped.contains($0.name.lowercased()) }
        )
    }

    private init(start: String, fields: [(name: String, value: String)]) {
        (self.start, self.fields) = (start, fields)
    }

    private var words: [Substring] { start.split(separator: " ", maxSplits: 2) }

    var method: String { words.first.map(String.init) ?? "" }

    var target: String { words.count > 1 ? String(decoding: String(words[1]).latin, as: UTF8.self) : "" }

    /// The status of a response; 0 for an invalid one.
    var status: Int { words.count > 1 ? Int(words[1]) ?? 0 : 0 }

    /// The body after a request's head.
    var requestBody: HTTPBody { isChunked ? .chunked : .length(length ?? 0) }

    /// The body after a response's head.
    func answerBody(to method: String) -> HTTPBody {
        if method == "HEAD" || status == 204 || status == 304 || (100..<200).contains(status) { return .length(0) }
        if isChunked { return .chunked }
        return length.map { .length($0) } ?? .untilClose
    }

    private var isChunked: Bool { self["transfer-encoding"]?.lowercased().contains("chunked") == true }

    private var length: Int? { self["content-length"].flatMap { Int($0) } }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

extension String {
    /// Creates a text with one character per byte.
    fileprivate init(latin bytes: some Collection<UInt8>) {
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        self.init(scalars)
    }

    /// The byte of each character; a question mark for characters outside of ISO 8859-1.
    fileprivate var latin: [UInt8] { unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") } }
}
