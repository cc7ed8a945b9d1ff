internal import SeguePlaylists

/// The rules on encrypted segments and initialization sections.
enum EncryptionRules {
    static let all: [Check<MediaSubject>] = [keyLength, blocks, padding, encrypted, sampleEncrypted, keyGiven]

    private static func each(
        _ subject: MediaSubject,
        _ message: (SealedFacts) -> String?
    ) -> [Violation] {
        subject.sealed.compactMap { facts in
            message(facts).map { words in
                Violation(facts.number.map { subject.document.place(ofSegment: $0) } ?? Place(url: facts.url), words)
            }
        }
    }

    /// Whether all that a cipher needs is there.
    private static func isReady(_ facts: SealedFacts) -> Bool {
        !facts.isClear && facts.keyLength == 16 && facts.hasVector
    }

    /// A key is one.
    static let keyLength = Check<MediaSubject>(
        Rule("key-length", "R5.1, B5.1", .must, "the key of AES-128 has 16 bytes")
    ) { subject in
        each(subject) { facts in
            facts.keyLength.flatMap { $0 == 16 ? nil : "its key has \($0) bytes" }
        }
    }

    /// Blocks are whole.
    static let blocks = Check<MediaSubject>(
        Rule("cipher-blocks", "R4.3.2.4, B4.4.4.4", .must, "what AES-128 encrypts is whole blocks of 16 bytes")
    ) { subject in
        each(subject) { facts in
            guard !facts.isClear, facts.size % 16 != 0 || facts.size == 0 else { return nil }
            return "its \(facts.size) bytes are not whole blocks of 16"
        }
    }

    /// Padding is right, as it is with the right key and vector.
    static let padding = Check<MediaSubject>(
        Rule(
            "cipher-padding",
            "R4.3.2.4, B4.4.4.4",
            .must,
            "AES-128 with the key and vector named leaves right padding"
        )
    ) { subject in
        each(subject) { isReady($0) && $0.size % 16 == 0 && $0.size > 0 ? $0.failure : nil }
    }

    /// What is said to be encrypted is.
    static let encrypted = Check<MediaSubject>(
        Rule("cipher-used", "R4.3.2.4, B4.4.4.4", .must, "what #EXT-X-KEY:METHOD=AES-128 stands before is encrypted")
    ) { subject in
        each(subject) { $0.isClear ? "it is not encrypted, its #EXT-X-KEY says AES-128" : nil }
    }

    /// Samples that are said to be encrypted are.
    static let sampleEncrypted = Check<MediaSubject>(
        Rule("sample-encryption", "R4.3.2.4, B4.4.4.4", .must, "what SAMPLE-AES stands before has encrypted streams")
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard let key = entry.keys.first(where: { $0.method.hasPrefix("SAMPLE-AES") }), segment.failure == nil,
                segment.layout == .transportStream || segment.layout == .fragmentedMP4,
                case let media = segment.tracks.filter({ $0.kind == .video || $0.kind == .audio }), !media.isEmpty,
                !media.contains(where: \.isEncrypted)
            else { return nil }
            return Violation(
                subject.place(segment),
                "none of its streams is encrypted, its #EXT-X-KEY says \(key.method)"
            )
        }
    }

    /// What is encrypted has a key.
    static let keyGiven = Check<MediaSubject>(
        Rule("key-given", "R6.2.3, B6.2.3", .must, "each encrypted segment has an #EXT-X-KEY")
    ) { subject in
        subject.entries.compactMap { segment, entry in
            guard entry.keys.isEmpty, let track = segment.tracks.first(where: \.isEncrypted),
                !subject.mayHaveSkippedKeys(segment)
            else { return nil }
            return Violation(subject.place(segment), "track \(track.number) is encrypted, and there is no #EXT-X-KEY")
        }
    }
}
