internal import SegueBase
internal import SeguePlaylists

/// The rules on encrypted segments and initialization sections.
enum EncryptionRules {
    static let all: [Check<MediaSubject>] = [keyLength, blocks, padding, encrypted, sampleEncrypted, keyGiven]

    private static func each(
        _ subject: MediaSubject,
        _ message: (SealedFacts) -> Message?
    ) -> [Violation] {
        subject.sealed.compactMap { facts in
            message(facts).map { Violation(place(facts, subject), $0) }
        }
    }

    private static func place(_ facts: SealedFacts, _ subject: MediaSubject) -> Place {
        facts.number.map { subject.document.place(ofSegment: $0) } ?? Place(url: facts.url)
    }

    /// True if the segment can be decrypted.
    private static func isReady(_ facts: SealedFacts) -> Bool {
        !facts.isClear && facts.keyLength == 16 && facts.hasVector
    }

    static let keyLength = Check<MediaSubject>(
        Rule(
            "key-length",
            in: .encryption,
            clauses: "R5.1, B5.1",
            .must,
            requires: "an AES-128 key has 16 bytes",
            fix:
                "serve the 16 bytes of the key, without text encoding or a line end; openssl rand 16 > key.bin makes such a file",
            players: .breaks(
                "Chromium stops; GStreamer and mpv play with a key that is too long, and VLC with any",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        subject.sealed.compactMap { facts in
            guard let length = facts.keyLength, length != 16 else { return nil }
            return Violation(
                place(facts, subject),
                Comparison("the key has", Double(length), expected: .equal(16), unit: .bytes)
            )
        }
    }

    static let blocks = Check<MediaSubject>(
        Rule(
            "cipher-blocks",
            in: .encryption,
            clauses: "R4.3.2.4, B4.4.4.4",
            .must,
            requires: "AES-128 data is a whole number of 16-byte blocks",
            fix: "pad with PKCS7 and write all blocks",
            players: .breaks(
                "Chromium stops; GStreamer, mpv, and VLC play",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        each(subject) { facts in
            guard !facts.isClear, facts.size % 16 != 0 || facts.size == 0 else { return nil }
            return "the \(facts.size) bytes are not a whole number of 16-byte blocks"
        }
    }

    static let padding = Check<MediaSubject>(
        Rule(
            "cipher-padding",
            in: .encryption,
            clauses: "R4.3.2.4, B4.4.4.4",
            .must,
            requires: "AES-128 decryption with the stated key and IV yields valid PKCS7 padding",
            fix: "check the key, the IV, and the media sequence number",
            players: .breaks(
                "Chromium stops; GStreamer, mpv, and VLC play",
                source: "measured (docs/breaks.md)"
            )
        )
    ) { subject in
        each(subject) { isReady($0) && $0.size % 16 == 0 && $0.size > 0 ? $0.failure : nil }
    }

    static let encrypted = Check<MediaSubject>(
        Rule(
            "cipher-used",
            in: .encryption,
            clauses: "R4.3.2.4, B4.4.4.4",
            .must,
            requires: "segments under METHOD=AES-128 are encrypted",
            fix: "encrypt the segment, or write METHOD=NONE before it"
        )
    ) { subject in
        each(subject) { $0.isClear ? "the data is not encrypted, its #EXT-X-KEY has METHOD=AES-128" : nil }
    }

    static let sampleEncrypted = Check<MediaSubject>(
        Rule(
            "sample-encryption",
            in: .encryption,
            clauses: "R4.3.2.4, B4.4.4.4",
            .must,
            requires: "segments under SAMPLE-AES contain encrypted samples",
            fix:
                "encrypt the samples, or remove the key; Shaka Packager: --clear_lead 0 encrypts from the first segment on"
        )
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard let key = entry.keys.first(where: { $0.method.hasPrefix("SAMPLE-AES") }), segment.failure == nil,
                segment.layout == .transportStream || segment.layout == .fragmentedMP4,
                case let media = segment.tracks.filter({ $0.kind == .video || $0.kind == .audio }), !media.isEmpty,
                !media.contains(where: \.isEncrypted)
            else { return nil }
            return Violation(
                subject.place(segment),
                "no stream of the segment is encrypted, its #EXT-X-KEY has METHOD=\(key.method)"
            )
        }
    }

    static let keyGiven = Check<MediaSubject>(
        Rule(
            "key-given",
            in: .encryption,
            clauses: "R6.2.3, B6.2.3",
            .must,
            requires: "each encrypted segment has an #EXT-X-KEY",
            fix: "add #EXT-X-KEY before the segment"
        )
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard entry.keys.isEmpty, let track = segment.tracks.first(where: \.isEncrypted),
                !subject.mayHaveSkippedKeys(segment)
            else { return nil }
            return Violation(subject.place(segment), "#EXT-X-KEY is missing for the encrypted track \(track.number)")
        }
    }
}
