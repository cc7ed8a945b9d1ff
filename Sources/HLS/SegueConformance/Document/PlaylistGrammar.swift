internal import SegueBase

/// The tags with attribute lists, by the texts: the form of each attribute, and the required ones.
enum PlaylistGrammar {
    /// The form of a value.
    enum Form: Sendable {
        /// The type decimal-integer of RFC 8216.
        case integer
        /// The type decimal-floating-point of RFC 8216.
        case decimal
        /// The type signed-decimal-floating-point of RFC 8216.
        case signed
        /// decimal-floating-point above zero
        case positive
        /// The type hexadecimal-sequence of RFC 8216.
        case hexadecimal
        /// The type decimal-resolution of RFC 8216.
        case size
        /// The type quoted-string of RFC 8216.
        case string
        /// quoted-string, which may be empty
        case anyString
        /// quoted-string that is one of these
        case oneString([String])
        /// quoted-string that is a date and time
        case date
        /// The type enumerated-string of RFC 8216.
        case word([String])
        /// The type enumerated-string-list of RFC 8216.
        case words([String])
        /// quoted-string, or this enumerated-string
        case stringOr(String)
    }

    struct Attribute: Sendable {
        let name: String
        let form: Form
        let isNeeded: Bool

        init(_ name: String, _ form: Form, needed: Bool = false) {
            (self.name, self.form, self.isNeeded) = (name, form, needed)
        }
    }

    struct Tag: Sendable {
        let rule: String
        let clauses: String
        let attributes: [Attribute]

        init(_ rule: String, clauses: String, attributes: [Attribute]) {
            (self.rule, self.clauses, self.attributes) = (rule, clauses, attributes)
        }
    }

    private static let yesNo = Form.word(["YES", "NO"])
    private static let yes = Form.word(["YES"])
    private static let methods = ["NONE", "AES-128", "SAMPLE-AES", "SAMPLE-AES-CTR", "AES-256-GCM"]

    private static let key: [Attribute] = [
        Attribute("METHOD", .word(methods), needed: true), Attribute("URI", .string), Attribute("IV", .hexadecimal),
        Attribute("KEYFORMAT", .string), Attribute("KEYFORMATVERSIONS", .string),
    ]

    private static let variant: [Attribute] = [
        Attribute("BANDWIDTH", .integer), Attribute("AVERAGE-BANDWIDTH", .integer), Attribute("SCORE", .positive),
        Attribute("CODECS", .string), Attribute("SUPPLEMENTAL-CODECS", .string), Attribute("RESOLUTION", .size),
        Attribute("HDCP-LEVEL", .word(["NONE", "TYPE-0", "TYPE-1"])), Attribute("ALLOWED-CPC", .string),
        Attribute("VIDEO-RANGE", .word(["SDR", "HLG", "PQ"])), Attribute("REQ-VIDEO-LAYOUT", .string),
        Attribute("STABLE-VARIANT-ID", .string), Attribute("VIDEO", .string), Attribute("PATHWAY-ID", .string),
    ]

    private static let dateRange: [Attribute] = [
        Attribute("ID", .string, needed: true), Attribute("CLASS", .string), Attribute("START-DATE", .date),
        Attribute("CUE", .words(["PRE", "POST", "ONCE"])), Attribute("END-DATE", .date), Attribute("DURATION", .signed),
        Attribute("PLANNED-DURATION", .signed), Attribute("SCTE35-CMD", .hexadecimal),
        Attribute("SCTE35-OUT", .hexadecimal), Attribute("SCTE35-IN", .hexadecimal), Attribute("END-ON-NEXT", yes),
    ]

    /// The additional attributes of interstitial date ranges.
    static let interstitial: [Attribute] = [
        Attribute("X-ASSET-URI", .string), Attribute("X-ASSET-LIST", .string), Attribute("X-RESUME-OFFSET", .signed),
        Attribute("X-PLAYOUT-LIMIT", .decimal), Attribute("X-SNAP", .words(["OUT", "IN"])),
        Attribute("X-RESTRICT", .words(["SKIP", "JUMP"])), Attribute("X-CONTENT-MAY-VARY", .oneString(["YES", "NO"])),
        Attribute("X-TIMELINE-OCCUPIES", .oneString(["POINT", "RANGE"])),
        Attribute("X-TIMELINE-STYLE", .oneString(["HIGHLIGHT", "PRIMARY"])),
        Attribute("X-SKIP-CONTROL-OFFSET", .decimal), Attribute("X-SKIP-CONTROL-DURATION", .decimal),
        Attribute("X-SKIP-CONTROL-LABEL-ID", .string),
    ]

    private static let media: [Attribute] = [
        Attribute("TYPE", .word(["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"]), needed: true),
        Attribute("URI", .string), Attribute("GROUP-ID", .string, needed: true), Attribute("LANGUAGE", .string),
        Attribute("ASSOC-LANGUAGE", .string), Attribute("NAME", .string, needed: true),
        Attribute("STABLE-RENDITION-ID", .string), Attribute("DEFAULT", yesNo), Attribute("AUTOSELECT", yesNo),
        Attribute("FORCED", yesNo), Attribute("INSTREAM-ID", .string), Attribute("BIT-DEPTH", .integer),
        Attribute("SAMPLE-RATE", .integer), Attribute("CHARACTERISTICS", .string), Attribute("CHANNELS", .string),
    ]

    /// The tags by name.
    static let tags: [String: Tag] = [
        "#EXT-X-START": Tag(
            "start-attributes",
            clauses: "R4.3.5.2, B4.4.2.2",
            attributes: [Attribute("TIME-OFFSET", .signed, needed: true), Attribute("PRECISE", yesNo)]
        ),
        "#EXT-X-DEFINE": Tag(
            "define-attributes",
            clauses: "B4.4.2.3",
            attributes: [
                Attribute("NAME", .string), Attribute("VALUE", .anyString), Attribute("IMPORT", .string),
                Attribute("QUERYPARAM", .string),
            ]
        ),
        "#EXT-X-PART-INF": Tag(
            "part-inf-attributes",
            clauses: "B4.4.3.7",
            attributes: [Attribute("PART-TARGET", .decimal, needed: true)]
        ),
        "#EXT-X-SERVER-CONTROL": Tag(
            "server-control-attributes",
            clauses: "B4.4.3.8",
            attributes: [
                Attribute("CAN-SKIP-UNTIL", .decimal), Attribute("CAN-SKIP-DATERANGES", yes),
                Attribute("HOLD-BACK", .decimal), Attribute("PART-HOLD-BACK", .decimal),
                Attribute("CAN-BLOCK-RELOAD", yes),
            ]
        ),
        "#EXT-X-KEY": Tag("key-attributes", clauses: "R4.3.2.4, B4.4.4.4", attributes: key),
        "#EXT-X-SESSION-KEY": Tag("session-key-attributes", clauses: "R4.3.4.5, B4.4.6.5", attributes: key),
        "#EXT-X-MAP": Tag(
            "map-attributes",
            clauses: "R4.3.2.5, B4.4.4.5",
            attributes: [Attribute("URI", .string, needed: true), Attribute("BYTERANGE", .string)]
        ),
        "#EXT-X-PART": Tag(
            "part-attributes",
            clauses: "B4.4.4.9",
            attributes: [
                Attribute("URI", .string, needed: true), Attribute("DURATION", .decimal, needed: true),
                Attribute("INDEPENDENT", yes), Attribute("BYTERANGE", .string), Attribute("GAP", yes),
            ]
        ),
        "#EXT-X-DATERANGE": Tag("date-range-attributes", clauses: "R4.3.2.7, B4.4.5.1", attributes: dateRange),
        "#EXT-X-SKIP": Tag(
            "skip-attributes",
            clauses: "B4.4.5.2",
            attributes: [
                Attribute("SKIPPED-SEGMENTS", .integer, needed: true),
                Attribute("RECENTLY-REMOVED-DATERANGES", .anyString),
            ]
        ),
        "#EXT-X-PRELOAD-HINT": Tag(
            "hint-attributes",
            clauses: "B4.4.5.3",
            attributes: [
                // Apple's drafts also allow hints for keys.
                Attribute("TYPE", .word(["PART", "MAP", "KEY"]), needed: true),
                Attribute("URI", .string, needed: true), Attribute("BYTERANGE-START", .integer),
                Attribute("BYTERANGE-LENGTH", .integer),
            ]
        ),
        "#EXT-X-RENDITION-REPORT": Tag(
            "report-attributes",
            clauses: "B4.4.5.4",
            attributes: [
                Attribute("URI", .string, needed: true), Attribute("LAST-MSN", .integer),
                Attribute("LAST-PART", .integer),
            ]
        ),
        "#EXT-X-MEDIA": Tag("media-attributes", clauses: "R4.3.4.1, B4.4.6.1", attributes: media),
        "#EXT-X-STREAM-INF": Tag(
            "variant-attributes",
            clauses: "R4.3.4.2, B4.4.6.2",
            attributes: variant + [
                Attribute("FRAME-RATE", .decimal), Attribute("AUDIO", .string), Attribute("SUBTITLES", .string),
                Attribute("CLOSED-CAPTIONS", .stringOr("NONE")),
            ]
        ),
        "#EXT-X-I-FRAME-STREAM-INF": Tag(
            "iframe-variant-attributes",
            clauses: "R4.3.4.3, B4.4.6.3",
            attributes: variant + [Attribute("URI", .string)]
        ),
        "#EXT-X-SESSION-DATA": Tag(
            "session-data-attributes",
            clauses: "R4.3.4.4, B4.4.6.4",
            attributes: [
                Attribute("DATA-ID", .string, needed: true), Attribute("VALUE", .string), Attribute("URI", .string),
                Attribute("FORMAT", .word(["JSON", "RAW"])), Attribute("LANGUAGE", .string),
            ]
        ),
        "#EXT-X-CONTENT-STEERING": Tag(
            "steering-attributes",
            clauses: "B4.4.6.6",
            attributes: [Attribute("SERVER-URI", .string, needed: true), Attribute("PATHWAY-ID", .string)]
        ),
    ]
}

extension PlaylistGrammar.Form {
    /// Returns the expected form if a value does not have it, otherwise nil.
    ///
    /// Empty strings have a rule of their own.
    func wanted(_ value: String, isQuoted: Bool) -> String? {
        switch self {
        case .integer: !isQuoted && Self.isInteger(value) ? nil : "a whole number"
        case .decimal: !isQuoted && Self.isDecimal(value) ? nil : "a decimal number that is not negative"
        case .positive:
            !isQuoted && Self.isDecimal(value) && Double(value) ?? 0 > 0 ? nil : "a decimal number above 0"
        case .signed:
            !isQuoted && Self.isDecimal(value.hasPrefix("-") ? String(value.dropFirst()) : value)
                ? nil : "a decimal number"
        case .hexadecimal: !isQuoted && Self.isHexadecimal(value) ? nil : "a hexadecimal sequence after 0x"
        case .size: !isQuoted && Self.isSize(value) ? nil : "a size such as 640x360"
        case .string, .anyString: isQuoted ? nil : "a quoted string"
        case .date: isQuoted && ISO8601Time(value) != nil ? nil : "a quoted string with a date and a time"
        case .oneString(let known): isQuoted && known.contains(value) ? nil : "one of \(Self.list(known)), quoted"
        case .word(let known): !isQuoted && known.contains(value) ? nil : "one of \(Self.list(known)), not quoted"
        case .words(let known):
            isQuoted
                && value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
                    known.contains(String($0))
                } ? nil : "a list of \(Self.list(known)), quoted"
        case .stringOr(let word): isQuoted || value == word ? nil : "a quoted string, or \(word)"
        }
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }

    /// Returns true for a whole number from 0 to 2^64 - 1.
    static func isInteger(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= 20 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && UInt64(text) != nil
    }

    /// Returns true for digits with at most one decimal point.
    static func isDecimal(_ text: some StringProtocol) -> Bool {
        var (digits, points) = (0, 0)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39: digits += 1
            case UInt8(ascii: "."): points += 1
            default: return false
            }
        }
        return digits > 0 && points <= 1
    }

    static func isHexadecimal(_ text: String) -> Bool {
        var reader = FormReader(text)
        return (reader.takes("0x") || reader.takes("0X")) && reader.some(of: .hexadecimal) != nil && reader.isAtEnd
    }

    private static func isSize(_ text: String) -> Bool {
        var reader = FormReader(text)
        return reader.number(1...7) != nil && reader.takes("x") && reader.number(1...7) != nil && reader.isAtEnd
    }
}
