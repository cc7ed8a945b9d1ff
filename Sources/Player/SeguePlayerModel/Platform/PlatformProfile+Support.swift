package import SegueData

extension PlatformProfile {
    /// The supported codecs and features of HTTP Live Streaming.
    package final class Support: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "codecs",
            .texts,
            meaning: "The prefixes of the codecs of playable variants, such as `avc1` (RFC 6381)."
        )
        package var codecs: [String]

        @ProfileField("encryption", .word, meaning: "The handling of encrypted media.")
        package var encryption: Encryption

        @ProfileField(
            "byte-ranges",
            .word,
            meaning: "The handling of segments that are byte ranges (RFC 8216, 4.3.2.2)."
        )
        package var byteRanges: ByteRanges

        @ProfileField(
            "languages",
            .texts,
            meaning: "The user's languages for the choice of renditions, the preferred one first (RFC 5646)."
        )
        package var languages: [String]

        @ProfileField("content-steering", .word, meaning: "The handling of content steering (RFC 8216bis, 7).")
        package var contentSteering: ContentSteering

        @ProfileField("low-latency", .word, meaning: "The handling of low-latency streams (RFC 8216bis, appendix B).")
        package var lowLatency: LowLatency

        @ProfileField(
            "interstitials",
            .word,
            meaning: """
                The handling of interstitials: date ranges of the class `com.apple.hls.interstitial` (RFC 8216bis, \
                appendix D).
                """
        )
        package var interstitials: Interstitials

        @ProfileField("scanning", .word, meaning: "The method to scan items, fast forward or backward.")
        package var scanning: Scanning

        package init() {}

        package func check(_ reader: FieldReader) throws(HarnessError) {
            for codec in codecs where !AnnouncedCodecs.areSome(codec) {
                let known = UnknownName(codec, among: AnnouncedCodecs.sampleEntries)
                try reader.require(false, of: "codecs", "\(known), as RFC 6381 has them")
            }
            for language in languages {
                try reader.require(
                    isLanguageTag(language),
                    of: "languages",
                    "\(language) is no language tag such as en or pt-BR"
                )
            }
        }
    }

    /// The handling of encrypted media.
    package enum Encryption: String, FieldChoice {
        case refused
        case served

        package var meaning: String {
            switch self {
            case .refused: "The item fails."
            case .served: "Keys with the format `identity` are fetched, and AES-128 and SAMPLE-AES are decrypted."
            }
        }
    }

    /// The handling of segments that are byte ranges.
    package enum ByteRanges: String, FieldChoice {
        case refused
        case served

        package var meaning: String {
            switch self {
            case .refused: "The item fails."
            case .served: "Segments are requested by range."
            }
        }
    }

    /// The handling of content steering.
    package enum ContentSteering: String, FieldChoice {
        case followed
        case ignored

        package var meaning: String {
            switch self {
            case .followed: "The steering manifest is loaded and obeyed."
            case .ignored: "The variants of all pathways are used together."
            }
        }
    }

    /// The handling of low-latency streams.
    package enum LowLatency: String, FieldChoice {
        case parts
        case none

        package var meaning: String {
            switch self {
            case .parts: "Parts are played as they arrive, if the server supports blocking playlist reloads."
            case .none: "They play like other live streams."
            }
        }
    }

    /// The handling of interstitials.
    package enum Interstitials: String, FieldChoice {
        case played
        case ignored

        package var meaning: String {
            switch self {
            case .played: "They play at their dates."
            case .ignored: "Only the primary presentation plays."
            }
        }
    }

    /// A method to scan items.
    package enum Scanning: String, FieldChoice {
        case iFrames = "i-frames"
        case none

        package var meaning: String {
            switch self {
            case .iFrames: "The frames of I-frame playlists (RFC 8216, 4.3.4.3), if the item has any."
            case .none: "Items are not scanned."
            }
        }
    }
}

/// Returns whether a text has the form of a language tag: a language of two or three letters, and subtags of up to
/// eight letters and digits (RFC 5646, section 2.1).
private func isLanguageTag(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8)
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let language = parts.first, (2...3).contains(language.count) else { return false }
    return language.allSatisfy { letters.contains($0 | 0x20) }
        && parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { letters.contains($0 | 0x20) || digits.contains($0) }
        }
}
