internal import SeguePlaylists

/// The rules on the members of groups of renditions.
enum GroupRules {
    static let all: [Check<MultivariantSubject>] = [uri, autoselect, forced, captions, channels]

    private static func each(
        _ subject: MultivariantSubject,
        _ message: (RawAttributes) -> String?
    ) -> [Violation] {
        subject.document.lists("#EXT-X-MEDIA").violations { line, list in
            message(list).map { Violation(subject.document.place(line: line.number), $0) }
        }
    }

    /// Subtitles are somewhere; captions are in the video.
    static let uri = Check<MultivariantSubject>(
        Rule(
            "member-uri",
            "R4.3.4.1, R4.3.4.2.1, B4.4.6.1, B4.4.6.2.1",
            .must,
            "subtitles have a URI, closed captions have none"
        )
    ) { subject in
        each(subject) { attributes in
            switch attributes["TYPE"] {
            case "SUBTITLES": attributes["URI"] == nil ? "subtitles have no URI" : nil
            case "CLOSED-CAPTIONS": attributes["URI"] != nil ? "closed captions have a URI" : nil
            default: nil
            }
        }
    }

    /// What is the default may be chosen.
    static let autoselect = Check<MultivariantSubject>(
        Rule("member-autoselect", "R4.3.4.1, B4.4.6.1", .must, "no default has AUTOSELECT=NO")
    ) { subject in
        each(subject) { $0["DEFAULT"] == "YES" && $0["AUTOSELECT"] == "NO" ? "a default has AUTOSELECT=NO" : nil }
    }

    /// Only subtitles are forced.
    static let forced = Check<MultivariantSubject>(
        Rule("member-forced", "R4.3.4.1, B4.4.6.1", .must, "FORCED stands with subtitles only")
    ) { subject in
        each(subject) { $0["FORCED"] != nil && $0["TYPE"] != "SUBTITLES" ? "FORCED is not for subtitles" : nil }
    }

    /// Captions say which they are.
    static let captions = Check<MultivariantSubject>(
        Rule("member-captions", "R4.3.4.1, B4.4.6.1", .must, "closed captions have INSTREAM-ID")
    ) { subject in
        each(subject) { attributes in
            attributes["TYPE"] == "CLOSED-CAPTIONS" && attributes["INSTREAM-ID"] == nil
                ? "closed captions have no INSTREAM-ID" : nil
        }
    }

    /// Sound says how many channels it has.
    static let channels = Check<MultivariantSubject>(
        Rule("member-channels", "R4.3.4.1, B4.4.6.1", .should, "renditions of sound have CHANNELS")
    ) { subject in
        each(subject) { $0["TYPE"] == "AUDIO" && $0["CHANNELS"] == nil ? "it has no CHANNELS" : nil }
    }
}
