/// The head of an HTTP/1.1 message: its first line and its fields, as they came.
///
/// A text here has a character for each byte (ISO 8859-1), since a field may hold any bytes above ASCII (RFC 9110, section
/// 5.5), and all that is not changed goes out as it came.
struct HTTPHead {
    /// The first line, without its end.
    private let start: String
    /// The fields in their order.
    private var fields: [(name: String, value: String)]
    /// The head as it came, as long as nothing in it is changed.
    private var original: [UInt8]?

    /// Reads a head up to and with its empty line; nil where it is none of HTTP/1.
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

    /// A head of an answer.
    init(status: Int, reason: String, fields: [(name: String, value: String)]) {
        start = "HTTP/1.1 \(status) \(reason)"
        self.fields = fields
    }

    /// The head as it is sent: to the byte as it came, where nothing in it is changed.
    var bytes: [UInt8] {
        original
            ?? (([start] + fields.map { "\($0.name): \($0.value)" }).joined(separator: "\r\n") + "\r\n\r\n").latin
    }

    /// A field's value; the first of several.
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

    /// A field's values, of all that have its name.
    func values(of name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }

    /// Whether it says in one way only how long its body is (RFC 9112, section 6.3).
    var hasSoundLength: Bool {
        let lengths = values(of: "content-length")
        guard let first = lengths.first else { return true }
        return self["transfer-encoding"] == nil && lengths.allSatisfy { $0 == first } && first.utf8.count <= 18
            && !first.isEmpty && first.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The words in fields that are lists, in small letters.
    func tokens(of names: String...) -> [String] {
        names.flatMap { values(of: $0) }.flatMap { $0.lowercased().split(separator: ",") }
            .map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    }

    /// Whether its sender speaks HTTP/1.0, and so closes connections unless it is said otherwise.
    var isOld: Bool { start.hasPrefix("HTTP/1.0") || start.hasSuffix(" HTTP/1.0") }

    /// Whether the connection ends after this answer.
    var endsConnection: Bool {
        let tokens = tokens(of: "connection", "proxy-connection")
        return isOld ? !tokens.contains("keep-alive") : tokens.contains("close")
    }

    /// A request as its server gets it: with another target, without the fields that were for a proxy (RFC 9110,
    /// section 7.6.1), and with these first.
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

    /// A request's method.
    var method: String { words.first.map(String.init) ?? "" }

    /// A request's target.
    var target: String { words.count > 1 ? String(decoding: String(words[1]).latin, as: UTF8.self) : "" }

    /// An answer's status; 0 where it is not a number.
    var status: Int { words.count > 1 ? Int(words[1]) ?? 0 : 0 }

    /// What follows a request's head.
    var requestBody: HTTPBody { isChunked ? .chunked : .length(length ?? 0) }

    /// What follows an answer's head.
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
    /// A text with a character for each byte.
    fileprivate init(latin bytes: some Collection<UInt8>) {
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        self.init(scalars)
    }

    /// The byte of each character; a question mark for those that are not of ISO 8859-1.
    fileprivate var latin: [UInt8] { unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") } }
}
