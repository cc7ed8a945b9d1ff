internal import SegueBase

/// The rules on keys, session data and initialization sections.
enum KeyRules {
    static let all: [Check<PlaylistDocument>] = [
        uri, none, vector, vectorMethod, versions, mapVector, mapOffset, sessionKey, sessionKeyTwice, dataValue,
        dataTwice,
        dataName, fairPlay, fairPlayMethod, counterMode, secure, fairPlayVector, hdcp,
    ]

    private static let tags = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY"]

    static let uri = Check<PlaylistDocument>(
        Rule(
            "key-uri",
            in: .keys,
            clauses: "R4.3.2.4, B4.4.4.4",
            .must,
            requires: "a key has URI unless its METHOD is NONE",
            fix: "add URI"
        )
    ) { document in
        document.violations(in: tags) { $0["METHOD"] ?? "NONE" != "NONE" && $0["URI"] == nil ? "URI is missing" : nil }
    }

    static let none = Check<PlaylistDocument>(
        Rule(
            "key-none",
            in: .keys,
            clauses: "R4.3.2.4, B4.4.4.4",
            .must,
            requires: "METHOD=NONE has no other key attribute",
            fix: "remove the other attributes"
        )
    ) { document in
        document.violations(in: ["#EXT-X-KEY"]) { list in
            guard list["METHOD"] == "NONE" else { return nil }
            return ["URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"].first { list[$0] != nil }.map {
                "\($0) occurs beside METHOD=NONE"
            }
        }
    }

    static let vector = Check<PlaylistDocument>(
        Rule(
            "key-vector",
            in: .keys,
            clauses: "R4.3.2.4, B4.4.4.4",
            .must,
            requires: "IV is a 128-bit number",
            fix: "write 32 hexadecimal digits after 0x"
        )
    ) { document in
        document.violations(
            in: tags,
            comparing: { list in
                guard let text = list["IV"], PlaylistGrammar.Form.isHexadecimal(text), text.utf8.count > 34 else {
                    return nil
                }
                return Comparison("IV has", Double(text.utf8.count - 2), expected: .atMost(32), unit: .digits)
            }
        )
    }

    static let vectorMethod = Check<PlaylistDocument>(
        Rule(
            "key-vector-method",
            in: .keys,
            clauses: "B4.4.4.4",
            .must,
            requires: "AES-256-GCM and SAMPLE-AES-CTR keys have no IV",
            fix: "remove IV"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard let method = list["METHOD"], ["AES-256-GCM", "SAMPLE-AES-CTR"].contains(method) else { return nil }
            return list["IV"] == nil ? nil : "IV occurs beside METHOD=\(method)"
        }
    }

    static let versions = Check<PlaylistDocument>(
        Rule(
            "key-versions",
            in: .keys,
            clauses: "R4.3.2.4, B4.4.4.4",
            .must,
            requires: "KEYFORMATVERSIONS is whole numbers separated by /",
            fix: "write versions such as 1 or 1/2"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["KEYFORMATVERSIONS"], !text.isEmpty,
                !areVersions(text)
            else { return nil }
            return "KEYFORMATVERSIONS is \(text.prefix(40).debugDescription), expected numbers separated by /"
        }
    }

    private static func areVersions(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            $0.first != UInt8(ascii: "0") && Substring($0).isAll(of: .digits)
        }
    }

    static let mapVector = Check<PlaylistDocument>(
        Rule(
            "map-vector",
            in: .keys,
            clauses: "R4.3.2.5, B4.4.4.5",
            .must,
            requires: "the AES-128 key before #EXT-X-MAP has IV",
            fix: "add IV to the key"
        )
    ) { document in
        var open: (hasVector: Bool, isAES: Bool) = (false, false)
        guard document.has("#EXT-X-KEY"), document.has("#EXT-X-MAP") else { return [] }
        return document.lines.violations { line in
            switch line.tag {
            case "#EXT-X-KEY":
                open = (line.list?["IV"] != nil, line.list?["METHOD"] == "AES-128")
                return nil
            case "#EXT-X-MAP" where open.isAES && !open.hasVector:
                return Violation(document.place(line: line.number), "the AES-128 key before #EXT-X-MAP has no IV")
            default: return nil
            }
        }
    }

    static let mapOffset = Check<PlaylistDocument>(
        Rule(
            "map-range-offset",
            in: .mediaPlaylist,
            clauses: "B4.4.4.5",
            .must,
            requires: "BYTERANGE of #EXT-X-MAP has an offset",
            fix: "write LENGTH@OFFSET"
        )
    ) { document in
        document.violations(in: ["#EXT-X-MAP"]) { list in
            guard let range = list["BYTERANGE"], AttributeRules.isRange(range), !range.contains("@") else { return nil }
            return "BYTERANGE is \(value: range.debugDescription), expected LENGTH@OFFSET"
        }
    }

    static let sessionKey = Check<PlaylistDocument>(
        Rule(
            "session-key-none",
            in: .keys,
            clauses: "R4.3.4.5, B4.4.6.5",
            .must,
            requires: "METHOD of a session key is not NONE",
            fix: "remove the session key"
        )
    ) { document in
        document.violations(in: ["#EXT-X-SESSION-KEY"]) { $0["METHOD"] == "NONE" ? "METHOD is NONE" : nil }
    }

    static let sessionKeyTwice = Check<PlaylistDocument>(
        Rule(
            "session-key-once",
            in: .keys,
            clauses: "R4.3.4.5, B4.4.6.5",
            .must,
            requires: "session keys differ from one another",
            fix: "remove the duplicate"
        )
    ) { document in
        var seen: Set<[String?]> = []
        return document.violations(in: ["#EXT-X-SESSION-KEY"]) { list in
            let key = ["METHOD", "URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"].map { list[$0] }
            return seen.insert(key).inserted ? nil : "the session key is repeated"
        }
    }

    static let dataValue = Check<PlaylistDocument>(
        Rule(
            "session-data-value",
            in: .keys,
            clauses: "R4.3.4.4, B4.4.6.4",
            .must,
            requires: "#EXT-X-SESSION-DATA has either VALUE or URI",
            fix: "keep exactly one of them"
        )
    ) { document in
        document.violations(in: ["#EXT-X-SESSION-DATA"]) { list in
            guard list.problem == nil, (list["VALUE"] == nil) == (list["URI"] == nil) else { return nil }
            return list["URI"] == nil ? "VALUE and URI are missing" : "VALUE and URI occur together"
        }
    }

    static let dataTwice = Check<PlaylistDocument>(
        Rule(
            "session-data-once",
            in: .keys,
            clauses: "R4.3.4.4, B4.4.6.4",
            .must,
            requires: "DATA-ID and LANGUAGE together are unique",
            fix: "remove the duplicate, or change LANGUAGE"
        )
    ) { document in
        var seen: Set<[String?]> = []
        return document.violations(in: ["#EXT-X-SESSION-DATA"]) { list in
            guard let id = list["DATA-ID"] else { return nil }
            return seen.insert([id, list["LANGUAGE"]]).inserted
                ? nil : "DATA-ID \(value: id.prefix(40).debugDescription) is repeated in one language"
        }
    }

    static let dataName = Check<PlaylistDocument>(
        Rule(
            "session-data-name",
            in: .keys,
            clauses: "R4.3.4.4, B4.4.6.4",
            .should,
            requires: "DATA-ID is a reverse domain name",
            fix: "write a name such as com.example.title"
        )
    ) { document in
        document.violations(in: ["#EXT-X-SESSION-DATA"]) { list in
            guard let id = list["DATA-ID"], !id.isEmpty, !id.hasPrefix("_hls."),
                !isReverseName(id)
            else { return nil }
            return "DATA-ID is \(value: id.prefix(40).debugDescription), expected a reverse domain name"
        }
    }

    private static func isReverseName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { Substring($0).isAll(of: .names) }
    }

    private static func isFairPlay(_ list: RawAttributes) -> Bool {
        list["KEYFORMAT"] == "com.apple.streamingkeydelivery" || list["URI"]?.hasPrefix("skd://") == true
    }

    static let fairPlay = Check<PlaylistDocument>(
        Rule(
            "fairplay-format",
            in: .keys,
            clauses: "A13.3",
            .must,
            requires: "a FairPlay key has KEYFORMAT com.apple.streamingkeydelivery",
            fix: "add the KEYFORMAT"
        )
    ) { document in
        document.violations(in: tags) { list in
            isFairPlay(list) && list["KEYFORMAT"] != "com.apple.streamingkeydelivery"
                ? "KEYFORMAT is \(list["KEYFORMAT"] ?? "missing"), expected com.apple.streamingkeydelivery" : nil
        }
    }

    static let fairPlayMethod = Check<PlaylistDocument>(
        Rule(
            "fairplay-method",
            in: .keys,
            clauses: "A13.2",
            .must,
            requires: "a FairPlay key has METHOD=SAMPLE-AES",
            fix: "encrypt with SAMPLE-AES"
        )
    ) { document in
        document.violations(in: tags) { list in
            guard isFairPlay(list), let method = list["METHOD"], method != "SAMPLE-AES", method != "SAMPLE-AES-CTR"
            else { return nil }
            return "METHOD is \(method), expected SAMPLE-AES"
        }
    }

    static let counterMode = Check<PlaylistDocument>(
        Rule(
            "counter-mode",
            in: .keys,
            clauses: "A13.11",
            .must,
            requires: "METHOD is not SAMPLE-AES-CTR",
            fix:
                "encrypt with SAMPLE-AES (cbcs); Shaka Packager: --protection_scheme cbcs; Bento4: mp4encrypt --method MPEG-CBCS"
        )
    ) { document in
        document.violations(in: tags) {
            $0["METHOD"] == "SAMPLE-AES-CTR" ? "METHOD is SAMPLE-AES-CTR, expected SAMPLE-AES" : nil
        }
    }

    static let secure = Check<PlaylistDocument>(
        Rule(
            "key-secure",
            in: .keys,
            clauses: "R10, B12",
            .should,
            requires: "keys are not fetched over plain HTTP",
            fix: "serve keys over https"
        )
    ) { document in
        document.violations(in: tags) { list in
            list["URI"]?.lowercased().hasPrefix("http://") == true ? "the key URI uses plain HTTP" : nil
        }
    }

    static let fairPlayVector = Check<PlaylistDocument>(
        Rule(
            "fairplay-vector",
            in: .keys,
            clauses: "A13.4",
            .should,
            requires: "a FairPlay key has no IV",
            fix: "remove IV; the key server supplies it"
        )
    ) { document in
        document.violations(in: tags) { isFairPlay($0) && $0["IV"] != nil ? "IV occurs on a FairPlay key" : nil }
    }

    static let hdcp = Check<PlaylistDocument>(
        Rule(
            "hdcp-given",
            in: .keys,
            clauses: "A13.5, A13.6",
            .should,
            requires: "with keys, HD variants have HDCP-LEVEL, and variants above HD have TYPE-1",
            fix: "add HDCP-LEVEL"
        )
    ) { document in
        guard document.has("#EXT-X-SESSION-KEY") else { return [] }
        return document.violations(in: ["#EXT-X-STREAM-INF"]) { list in
            guard let height = list["RESOLUTION"].flatMap({ Int($0.split(separator: "x").last ?? "") }), height >= 720
            else { return nil }
            let wanted = height > 1080 ? ["TYPE-1"] : ["TYPE-0", "TYPE-1"]
            let found = list["HDCP-LEVEL"] ?? "missing"
            return wanted.contains(found)
                ? nil : "HDCP-LEVEL is \(found) at \(height) lines, expected \(wanted.joined(separator: " or "))"
        }
    }
}
