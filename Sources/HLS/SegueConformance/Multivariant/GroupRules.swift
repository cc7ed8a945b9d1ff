internal import SegueBase
internal import SeguePlaylists

/// The rules on single members of rendition groups.
enum GroupRules {
    static let all: [Check<MultivariantSubject>] = [uri, autoselect, forced, captions, channels]

    private static func each(
        _ subject: MultivariantSubject,
        _ message: (RawAttributes) -> Message?
    ) -> [Violation] {
        subject.document.lists("#EXT-X-MEDIA").violations { line, list in
            message(list).map { Violation(subject.document.place(line: line.number), $0) }
        }
    }

    static let uri = Check<MultivariantSubject>(
        Rule(
            "member-uri",
            in: .multivariant,
            clauses: "R4.3.4.1, R4.3.4.2.1, B4.4.6.1, B4.4.6.2.1",
            .must,
            requires: "subtitles have a URI, and closed captions have none",
            fix: "add or remove URI"
        )
    ) { subject in
        each(subject) { attributes in
            switch attributes["TYPE"] {
            case "SUBTITLES": attributes["URI"] == nil ? "URI is missing on subtitles" : nil
            case "CLOSED-CAPTIONS": attributes["URI"] != nil ? "URI occurs on closed captions" : nil
            default: nil
            }
        }
    }

    static let autoselect = Check<MultivariantSubject>(
        Rule(
            "member-autoselect",
            in: .multivariant,
            clauses: "R4.3.4.1, B4.4.6.1",
            .must,
            requires: "a default member does not have AUTOSELECT=NO",
            fix: "write AUTOSELECT=YES"
        )
    ) { subject in
        each(subject) {
            $0["DEFAULT"] == "YES" && $0["AUTOSELECT"] == "NO" ? "AUTOSELECT=NO occurs beside DEFAULT=YES" : nil
        }
    }

    static let forced = Check<MultivariantSubject>(
        Rule(
            "member-forced",
            in: .multivariant,
            clauses: "R4.3.4.1, B4.4.6.1",
            .must,
            requires: "FORCED occurs on subtitles only",
            fix: "remove FORCED"
        )
    ) { subject in
        each(subject) {
            $0["FORCED"] != nil && $0["TYPE"] != "SUBTITLES" ? "FORCED occurs on a rendition other than subtitles" : nil
        }
    }

    static let captions = Check<MultivariantSubject>(
        Rule(
            "member-captions",
            in: .multivariant,
            clauses: "R4.3.4.1, B4.4.6.1",
            .must,
            requires: "closed captions have INSTREAM-ID",
            fix: "add INSTREAM-ID"
        )
    ) { subject in
        each(subject) { attributes in
            attributes["TYPE"] == "CLOSED-CAPTIONS" && attributes["INSTREAM-ID"] == nil
                ? "INSTREAM-ID is missing on closed captions" : nil
        }
    }

    static let channels = Check<MultivariantSubject>(
        Rule(
            "member-channels",
            in: .multivariant,
            clauses: "R4.3.4.1, B4.4.6.1",
            .should,
            requires: "audio renditions have CHANNELS",
            fix: "add CHANNELS"
        )
    ) { subject in
        each(subject) { $0["TYPE"] == "AUDIO" && $0["CHANNELS"] == nil ? "CHANNELS is missing" : nil }
    }
}
