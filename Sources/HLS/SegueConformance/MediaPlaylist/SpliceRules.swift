/// The rules on date ranges of interstitials, of what is loaded early, and of splices.
enum SpliceRules {
    static let all: [Check<PlaylistDocument>] = [
        asset, preload, splice, pair, direction, assetID, assetQuery,
    ]

    /// An interstitial leads to one thing.
    static let asset = Check<PlaylistDocument>(
        Rule("interstitial-asset", "BD.2", .must, "an interstitial has one of X-ASSET-URI and X-ASSET-LIST")
    ) { document in
        DateRangeRules.eachRange(document) { range in
            let isInterstitial = range["CLASS"] == "com.apple.hls.interstitial"
            let both = ["X-ASSET-URI", "X-ASSET-LIST"].filter { range[$0] != nil }
            if both.isEmpty { return isInterstitial ? "it has neither" : nil }
            return both.count == 2 && isInterstitial ? "it has both" : nil
        }
    }

    /// What is to be loaded early says what, for whom and when.
    static let preload = Check<PlaylistDocument>(
        Rule(
            "preload-range",
            "BF",
            .must,
            "a preload range has X-URI, X-TARGET-ID, X-TARGET-CLASS and an end, and neither CUE nor END-ON-NEXT"
        )
    ) { document in
        DateRangeRules.eachRange(document) { range in
            guard range["CLASS"] == "com.apple.hls.preload" else { return nil }
            if let name = ["X-URI", "X-TARGET-ID", "X-TARGET-CLASS"].first(where: { range[$0] == nil }) {
                return "it has no \(name)"
            }
            if range["DURATION"] == nil, range["END-DATE"] == nil { return "it has neither DURATION nor END-DATE" }
            return ["CUE", "END-ON-NEXT"].first { range[$0] != nil }.map { "it has \($0)" }
        }
    }

    /// The way back in says how long one was out.
    static let splice = Check<PlaylistDocument>(
        Rule("splice-length", "B4.4.5.1.1", .must, "a range with SCTE35-OUT and SCTE35-IN has DURATION or END-DATE")
    ) { document in
        DateRangeRules.eachRange(document) { range in
            guard range["SCTE35-OUT"] != nil, range["SCTE35-IN"] != nil, range["DURATION"] == nil,
                range["END-DATE"] == nil
            else { return nil }
            return "it has neither"
        }
    }

    /// Who comes in was out.
    static let pair = Check<PlaylistDocument>(
        Rule(
            "splice-pair",
            "own",
            .advice,
            "a range with SCTE35-IN has SCTE35-OUT, in the same tag or another of its ID"
        )
    ) { document in
        guard document.has("#EXT-X-PLAYLIST-TYPE") else { return [] }
        return DateRangeRules.eachRange(document) {
            $0["SCTE35-IN"] != nil && $0["SCTE35-OUT"] == nil ? "it has no SCTE35-OUT" : nil
        }
    }

    /// What leads out is told as the way out.
    static let direction = Check<PlaylistDocument>(
        Rule(
            "splice-direction",
            "R4.3.2.7.1, B4.4.5.1.1",
            .must,
            "of splice_insert, what leads out of the network stands in SCTE35-OUT, what leads back in SCTE35-IN"
        )
    ) { document in
        document.violations(in: [DateRangeRules.tag]) { list in
            for (name, leadsOut) in [("SCTE35-OUT", true), ("SCTE35-IN", false)] {
                if let found = list[name].flatMap(Self.leadsOut), found != leadsOut {
                    return "\(name) leads \(found ? "out" : "back")"
                }
            }
            return nil
        }
    }

    /// Whether a splice_insert leads out of the network; nil for all else.
    private static func leadsOut(_ text: String) -> Bool? {
        let digits = Array(text.utf8.dropFirst(2))
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        // SCTE 35, 9.6 and 9.7.3: the table, no encryption, the command, no cancellation.
        guard bytes.count > 19, bytes[0] == 0xFC, bytes[4] & 0x80 == 0, bytes[13] == 5, bytes[18] & 0x80 == 0 else {
            return nil
        }
        return bytes[19] & 0x80 != 0
    }

    private static func assets(_ list: RawAttributes) -> [(name: String, uri: String)] {
        guard list["CLASS"] == "com.apple.hls.interstitial" else { return [] }
        return ["X-ASSET-URI", "X-ASSET-LIST"].compactMap { name in
            list[name].flatMap { $0.hasPrefix("data:") ? nil : (name, $0) }
        }
    }

    /// Who serves it knows what it is for.
    static let assetID = Check<PlaylistDocument>(
        Rule("interstitial-id", "BD.4", .should, "the URI of an interstitial has its ID as _HLS_interstitial_id")
    ) { document in
        document.violations(in: [DateRangeRules.tag]) { list in
            assets(list).first { !parameters($0.uri).contains("_HLS_interstitial_id") }.map { "\($0.name) has not" }
        }
    }

    /// Names that are kept free are not taken.
    static let assetQuery = Check<PlaylistDocument>(
        Rule("interstitial-query", "BD.4", .should, "the URI of an interstitial has no _HLS_ parameter of its own")
    ) { document in
        let known: Set<String> = ["_HLS_interstitial_id", "_HLS_primary_id", "_HLS_start_offset"]
        return document.violations(in: [DateRangeRules.tag]) { list in
            assets(list).lazy.flatMap { parameters($0.uri) }
                .first { !known.contains($0) }.map { "it has \($0)" }
        }
    }

    private static let parameterLetters = Letters("A-Za-z0-9_")

    /// The names of a URI's parameters that are kept free.
    private static func parameters(_ uri: String) -> [String] {
        uri.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }
            .dropFirst().filter { $0.starts(with: "_HLS_".utf8) }
            .map { String(Substring($0.prefix(while: parameterLetters.contains))) }
    }
}
