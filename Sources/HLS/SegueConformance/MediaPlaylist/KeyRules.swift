/// The rules on keys, session data and initialization sections.
enum KeyRules {
    static let all: [Check<PlaylistDocument>] = [
        uri, none, vector, vectorMethod, versions, mapVector, mapOffset, sessionKey, sessionKeyTwice, dataValue,
        dataTwice,
        dataName, fairPlay, fairPlayMethod, counterMode, secure, fairPlayVector, hdcp,
    ]

    private static let tags = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY"]

    /// A key is somewhere.
    static let uri = Check<PlaylistDocument>(
        Rule("key-uri", "R4.3.2.4, B4.4.4.4", .must, "a key has URI unless its METHOD is NONE")
    ) { document in
        document.violations(in: tags) { $0["METHOD"] ?? "NONE" != "NONE" && $0["URI"] == nil ? "it has no URI" : nil }
    }

    /// No encryption needs no key.
    static let none = Check<PlaylistDocument>(
        Rule("key-none", "R4.3.2.4, B4.4.4.4", .must, "METHOD=NONE stands alone")
    ) { document in
        document.violations(in: ["#EXT-X-KEY"]) { list in
            guard list["METHOD"] == "NONE" else { return nil }
            return ["URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"].first { list[$0] != nil }.map { "it has \($0)" }
        }
    }

    /// A vector is a block.
    static let vector = Check<PlaylistDocument>(
        Rule("key-vector", "R4.3.2.4, B4.4.4.4", .must, "IV is a number of 128 bits")
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["IV"], PlaylistGrammar.Form.isHexadecimal(text), text.utf8.count > 34 else {
                return nil
            }
            return "IV has \(text.utf8.count - 2) digits"
        }
    }

    /// Methods that bring their own vector are given none.
    static let vectorMethod = Check<PlaylistDocument>(
        Rule("key-vector-method", "B4.4.4.4", .must, "IV does not stand with AES-256-GCM or SAMPLE-AES-CTR")
    ) { document in
        document.violations(in: tags) { list in
            guard let method = list["METHOD"], ["AES-256-GCM", "SAMPLE-AES-CTR"].contains(method) else { return nil }
            return list["IV"] == nil ? nil : "IV stands with \(method)"
        }
    }

    /// Versions are numbers.
    static let versions = Check<PlaylistDocument>(
        Rule("key-versions", "R4.3.2.4, B4.4.4.4", .must, "KEYFORMATVERSIONS is whole numbers with / between")
    ) { document in
        document.violations(in: tags) { list in
            guard let text = list["KEYFORMATVERSIONS"], !text.isEmpty,
                !areVersions(text)
            else { return nil }
            return "KEYFORMATVERSIONS is \(text.prefix(40).debugDescription)"
        }
    }

    private static func areVersions(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            $0.first != UInt8(ascii: "0") && Substring($0).isAll(of: .digits)
        }
    }

    /// What has no sequence number needs another vector.
    static let mapVector = Check<PlaylistDocument>(
        Rule("map-vector", "R4.3.2.5, B4.4.4.5", .must, "the AES-128 key before #EXT-X-MAP has IV")
    ) { document in
        var open: (hasVector: Bool, isAES: Bool) = (false, false)
        guard document.has("#EXT-X-KEY"), document.has("#EXT-X-MAP") else { return [] }
        return document.lines.violations { line in
            switch line.tag {
            case "#EXT-X-KEY":
                open = (line.list?["IV"] != nil, line.list?["METHOD"] == "AES-128")
                return nil
            case "#EXT-X-MAP" where open.isAES && !open.hasVector:
                return Violation(document.place(line: line.number), "the key before it has no IV")
            default: return nil
            }
        }
    }

    /// A part of a resource begins somewhere.
    static let mapOffset = Check<PlaylistDocument>(
        Rule("map-range-offset", "B4.4.4.5", .must, "BYTERANGE of #EXT-X-MAP has an offset")
    ) { document in
        document.violations(in: ["#EXT-X-MAP"]) { list in
            guard let range = list["BYTERANGE"], AttributeRules.isRange(range), !range.contains("@") else { return nil }
            return "BYTERANGE is \(range.debugDescription)"
        }
    }

    /// A key that is told early is one.
    static let sessionKey = Check<PlaylistDocument>(
        Rule("session-key-none", "R4.3.4.5, B4.4.6.5", .must, "METHOD of a session key is not NONE")
    ) { document in
        document.violations(in: ["#EXT-X-SESSION-KEY"]) { $0["METHOD"] == "NONE" ? "METHOD is NONE" : nil }
    }

    /// A key is told early once.
    static let sessionKeyTwice = Check<PlaylistDocument>(
        Rule("session-key-once", "R4.3.4.5, B4.4.6.5", .must, "no two session keys are the same")
    ) { document in
        var seen: Set<[String?]> = []
        return document.violations(in: ["#EXT-X-SESSION-KEY"]) { list in
            let key = ["METHOD", "URI", "IV", "KEYFORMAT", "KEYFORMATVERSIONS"].map { list[$0] }
            return seen.insert(key).inserted ? nil : "it is there already"
        }
    }

    /// Data are here, or there.
    static let dataValue = Check<PlaylistDocument>(
        Rule("session-data-value", "R4.3.4.4, B4.4.6.4", .must, "#EXT-X-SESSION-DATA has one of VALUE and URI")
    ) { document in
        document.violations(in: ["#EXT-X-SESSION-DATA"]) { list in
            guard list.problem == nil, (list["VALUE"] == nil) == (list["URI"] == nil) else { return nil }
            return list["URI"] == nil ? "it has neither" : "it has both"
        }
    }

    /// Data are told once in a language.
    static let dataTwice = Check<PlaylistDocument>(
        Rule("session-data-once", "R4.3.4.4, B4.4.6.4", .must, "DATA-ID and LANGUAGE differ from tag to tag")
    ) { document in
        var seen: Set<[String?]> = []
        return document.violations(in: ["#EXT-X-SESSION-DATA"]) { list in
            guard let id = list["DATA-ID"] else { return nil }
            return seen.insert([id, list["LANGUAGE"]]).inserted
                ? nil : "\(id.prefix(40).debugDescription) is there already"
        }
    }

    /// Data have a name of their own.
    static let dataName = Check<PlaylistDocument>(
        Rule("session-data-name", "R4.3.4.4, B4.4.6.4", .should, "DATA-ID is a reverse domain name")
    ) { document in
        document.violations(in: ["#EXT-X-SESSION-DATA"]) { list in
            guard let id = list["DATA-ID"], !id.isEmpty, !id.hasPrefix("_hls."),
                !isReverseName(id)
            else { return nil }
            return "DATA-ID is \(id.prefix(40).debugDescription)"
        }
    }

    private static func isReverseName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { Substring($0).isAll(of: .names) }
    }

    private static func isFairPlay(_ list: RawAttributes) -> Bool {
        list["KEYFORMAT"] == "com.apple.streamingkeydelivery" || list["URI"]?.hasPrefix("skd://") == true
    }

    /// Keys of FairPlay say so.
    static let fairPlay = Check<PlaylistDocument>(
        Rule("fairplay-format", "A13.3", .must, "a key of FairPlay has its KEYFORMAT")
    ) { document in
        document.violations(in: tags) { list in
            isFairPlay(list) && list["KEYFORMAT"] != "com.apple.streamingkeydelivery"
                ? "KEYFORMAT is \(list["KEYFORMAT"] ?? "missing")" : nil
        }
    }

    /// FairPlay encrypts samples.
    static let fairPlayMethod = Check<PlaylistDocument>(
        Rule("fairplay-method", "A13.2", .must, "a key of FairPlay has METHOD=SAMPLE-AES")
    ) { document in
        document.violations(in: tags) { list in
            guard isFairPlay(list), let method = list["METHOD"], method != "SAMPLE-AES", method != "SAMPLE-AES-CTR"
            else { return nil }
            return "METHOD is \(method)"
        }
    }

    /// Apple's devices know no counter mode.
    static let counterMode = Check<PlaylistDocument>(
        Rule("counter-mode", "A13.11", .must, "no METHOD is SAMPLE-AES-CTR")
    ) { document in
        document.violations(in: tags) { $0["METHOD"] == "SAMPLE-AES-CTR" ? "METHOD is SAMPLE-AES-CTR" : nil }
    }

    /// Keys do not travel openly.
    static let secure = Check<PlaylistDocument>(
        Rule("key-secure", "R10, B12", .should, "keys are not fetched over plain HTTP")
    ) { document in
        document.violations(in: tags) { list in
            list["URI"]?.lowercased().hasPrefix("http://") == true ? "the key's URI is of plain HTTP" : nil
        }
    }

    /// FairPlay brings its own vector.
    static let fairPlayVector = Check<PlaylistDocument>(
        Rule("fairplay-vector", "A13.4", .should, "a key of FairPlay has no IV")
    ) { document in
        document.violations(in: tags) { isFairPlay($0) && $0["IV"] != nil ? "it has IV" : nil }
    }

    /// What is protected says how its output is to be.
    static let hdcp = Check<PlaylistDocument>(
        Rule("hdcp-given", "A13.5, A13.6", .should, "with keys, variants of HD have HDCP-LEVEL, TYPE-1 above HD")
    ) { document in
        guard document.has("#EXT-X-SESSION-KEY") else { return [] }
        return document.violations(in: ["#EXT-X-STREAM-INF"]) { list in
            guard let height = list["RESOLUTION"].flatMap({ Int($0.split(separator: "x").last ?? "") }), height >= 720
            else { return nil }
            let wanted = height > 1080 ? ["TYPE-1"] : ["TYPE-0", "TYPE-1"]
            let found = list["HDCP-LEVEL"] ?? "missing"
            return wanted.contains(found) ? nil : "HDCP-LEVEL is \(found)"
        }
    }
}
