internal import SegueBase

/// The rules on date ranges of interstitials, preloads, and splices.
enum SpliceRules {
    static let all: [Check<PlaylistDocument>] = [
        asset, preload, splice, pair, direction, assetID, assetQuery,
    ]

    static let asset = Check<PlaylistDocument>(
        Rule(
            "interstitial-asset",
            in: .dateRanges,
            clauses: "BD.2",
            .must,
            requires: "an interstitial has either X-ASSET-URI or X-ASSET-LIST",
            fix: "keep exactly one of them"
        )
    ) { document in
        DateRangeRules.eachRange(document) { range in
            let isInterstitial = range["CLASS"] == "com.apple.hls.interstitial"
            let both = ["X-ASSET-URI", "X-ASSET-LIST"].filter { range[$0] != nil }
            if both.isEmpty { return isInterstitial ? "X-ASSET-URI and X-ASSET-LIST are missing" : nil }
            return both.count == 2 && isInterstitial ? "X-ASSET-URI and X-ASSET-LIST occur together" : nil
        }
    }

    static let preload = Check<PlaylistDocument>(
        Rule(
            "preload-range",
            in: .dateRanges,
            clauses: "BF",
            .must,
            requires:
                "a preload range has X-URI, X-TARGET-ID, X-TARGET-CLASS, and an end, and neither CUE nor END-ON-NEXT",
            fix: "correct the attributes of the range"
        )
    ) { document in
        DateRangeRules.eachRange(document) { range in
            guard range["CLASS"] == "com.apple.hls.preload" else { return nil }
            if let name = ["X-URI", "X-TARGET-ID", "X-TARGET-CLASS"].first(where: { range[$0] == nil }) {
                return "\(name) is missing on a preload range"
            }
            if range["DURATION"] == nil, range["END-DATE"] == nil {
                return "DURATION and END-DATE are missing on a preload range"
            }
            return ["CUE", "END-ON-NEXT"].first { range[$0] != nil }.map { "\($0) occurs on a preload range" }
        }
    }

    static let splice = Check<PlaylistDocument>(
        Rule(
            "splice-length",
            in: .dateRanges,
            clauses: "B4.4.5.1.1",
            .must,
            requires: "a range with SCTE35-OUT and SCTE35-IN has DURATION or END-DATE",
            fix: "add DURATION"
        )
    ) { document in
        DateRangeRules.eachRange(document) { range in
            guard range["SCTE35-OUT"] != nil, range["SCTE35-IN"] != nil, range["DURATION"] == nil,
                range["END-DATE"] == nil
            else { return nil }
            return "DURATION and END-DATE are missing beside SCTE35-OUT and SCTE35-IN"
        }
    }

    static let pair = Check<PlaylistDocument>(
        Rule(
            "splice-pair",
            in: .dateRanges,
            clauses: "own",
            .advice,
            requires: "a range with SCTE35-IN has SCTE35-OUT, in the same tag or in another of its ID",
            fix: "add SCTE35-OUT"
        )
    ) { document in
        guard document.has("#EXT-X-PLAYLIST-TYPE") else { return [] }
        return DateRangeRules.eachRange(document) {
            $0["SCTE35-IN"] != nil && $0["SCTE35-OUT"] == nil ? "SCTE35-OUT is missing beside SCTE35-IN" : nil
        }
    }

    static let direction = Check<PlaylistDocument>(
        Rule(
            "splice-direction",
            in: .dateRanges,
            clauses: "R4.3.2.7.1, B4.4.5.1.1",
            .must,
            requires: "a splice_insert out of the network is in SCTE35-OUT, and one into the network in SCTE35-IN",
            fix: "move the command to the other attribute"
        )
    ) { document in
        document.violations(in: [DateRangeRules.tag]) { list in
            for (name, leadsOut) in [("SCTE35-OUT", true), ("SCTE35-IN", false)] {
                if let found = list[name].flatMap(Self.leadsOut), found != leadsOut {
                    return "\(name) has a splice_insert \(found ? "out of" : "into") the network"
                }
            }
            return nil
        }
    }

    /// Returns true if a splice_insert leads out of the network; nil for other commands.
    private static func leadsOut(_ text: String) -> Bool? {
        let digits = Array(text.utf8.dropFirst(2))
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        // SCTE 35, 9.6 and 9.7.3: the table ID, no encryption, the command type, no cancellation.
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

    static let assetID = Check<PlaylistDocument>(
        Rule(
            "interstitial-id",
            in: .dateRanges,
            clauses: "BD.4",
            .should,
            requires: "the URI of an interstitial carries its ID as _HLS_interstitial_id",
            fix: "add the query parameter"
        )
    ) { document in
        document.violations(in: [DateRangeRules.tag]) { list in
            assets(list).first { !parameters($0.uri).contains("_HLS_interstitial_id") }.map {
                "\($0.name) has no parameter _HLS_interstitial_id"
            }
        }
    }

    static let assetQuery = Check<PlaylistDocument>(
        Rule(
            "interstitial-query",
            in: .dateRanges,
            clauses: "BD.4",
            .should,
            requires: "the URI of an interstitial has no other _HLS_ parameter",
            fix: "rename the parameter"
        )
    ) { document in
        let known: Set<String> = ["_HLS_interstitial_id", "_HLS_primary_id", "_HLS_start_offset"]
        return document.violations(in: [DateRangeRules.tag]) { list in
            assets(list).lazy.flatMap { parameters($0.uri) }
                .first { !known.contains($0) }.map { "the URI has the parameter \($0)" }
        }
    }

    private static let parameterLetters = Letters("A-Za-z0-9_")

    /// The names of the `_HLS_` parameters of a URI.
    private static func parameters(_ uri: String) -> [String] {
        uri.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }
            .dropFirst().filter { $0.starts(with: "_HLS_".utf8) }
            .map { String(Substring($0.prefix(while: parameterLetters.contains))) }
    }
}
