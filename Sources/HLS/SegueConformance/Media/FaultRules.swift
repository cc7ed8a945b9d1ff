internal import SeguePlaylists

/// The rules on what is seen in the bytes of segments and initialization sections while they are gone through.
enum FaultRules {
    static let all: [Check<MediaSubject>] = transport + fragments + coding + initializations

    /// Transport streams (ISO/IEC 13818-1).
    static let transport = [
        segment(.checksum, "ts-checksum", "M13818-1", .must, "the checksums of PAT and PMT are right"),
        segment(.programs, "ts-one-program", "R3.2, B3.1.1", .must, "a transport stream has one program"),
        segment(.packetIDs, "ts-packet-ids", "M13818-1", .must, "each stream has a PID of its own"),
        segment(.clockInterval, "ts-clock-interval", "M13818-1", .must, "clock references come every 100 ms"),
        // FFmpeg puts one into each packet of sound, which lasts longer than that at low rates, and no player is known to mind.
        segment(
            .soundClockInterval,
            "ts-clock-interval-sound",
            "own",
            .advice,
            "clock references of sound alone come every 100 ms, as ISO/IEC 13818-1 has it"
        ),
        segment(.lateness, "ts-clock-ahead", "M13818-1", .must, "bytes come before they are decoded, by 10 s at most"),
        segment(.order, "ts-shown-after-decoded", "M13818-1", .must, "nothing is shown before it is decoded"),
        segment(.damage, "ts-damaged", "M13818-1", .must, "no packet is marked as damaged"),
        segment(.scrambling, "ts-scrambled", "R6.2.3", .must, "no packet is scrambled: keys are named by #EXT-X-KEY"),
        segment(.streamType, "ts-stream-type", "M13818-1", .must, "a stream holds what its type says"),
        segment(.packetLength, "ts-packet-length", "M13818-1", .must, "a packet of a stream is as long as it says"),
        segment(.soundPace, "sound-pace", "A7.1", .must, "frames of sound follow one another without gap or overlap"),
    ]

    /// Fragments (ISO/IEC 14496-12, 23001-7).
    static let fragments = [
        segment(.fragmentTime, "tfdt-there", "R3.3, B3.1.2", .must, "each traf has a tfdt"),
        segment(.addressing, "moof-addressing", "R3.3, B3.1.2", .must, "data are addressed from their moof"),
        segment(.sampleData, "sample-data", "M14496-12", .must, "samples lie inside the media data of their segment"),
        segment(.sampleUnits, "sample-units", "M14496-15", .must, "the units of a picture are as long as its sample"),
        segment(.mediaData, "moof-mdat", "M23000-19", .must, "one mdat follows each moof", ofCMAF: true),
        segment(.offsets, "sample-offsets", "M14496-12", .must, "negative offsets of presentation stand in version 1"),
        segment(.decryption, "sample-vectors", "M23001-7", .must, "encrypted samples have senc, or saiz and saio"),
        segment(.index, "sidx-size", "M14496-12", .must, "a sidx ends where a fragment ends"),
        segment(
            .unknownTrack,
            "track-known",
            "R3.3, B3.1.2",
            .must,
            "each track of a segment is in the initialization"
        ),
    ]

    /// Parameter sets (ISO/IEC 14496-10, 23008-2, 14496-15).
    static let coding = [
        segment(
            .otherParameters,
            "parameters-agree",
            "M14496-15",
            .must,
            "parameter sets in the stream are those of the initialization"
        ),
        segment(
            .missingParameters,
            "parameters-there",
            "R3, B3",
            .should,
            "the parameter sets that a picture needs are there"
        ),
        segment(.fields, "progressive", "A1.14", .must, "pictures are frames, and not fields"),
    ]

    /// Initialization sections.
    static let initializations = [
        initialization(.boxOrder, "init-ftyp", "R3.3, B3.1.2", .must, "ftyp comes before moov"),
        initialization(.extendsOrder, "init-mvex-last", "R3.3, B3.1.2 should", .must, "mvex comes after the last trak"),
        initialization(
            .movieDuration,
            "init-duration",
            "R3.3, B3.1.2",
            .must,
            "movie and tracks of the initialization last no time"
        ),
        initialization(.externalData, "init-external", "R3.3, B3.1.2", .must, "no data are in another file"),
        initialization(
            .edits,
            "init-edits",
            "M23000-19",
            .must,
            "an edit list of CMAF has one edit, which is not empty"
        ),
        initialization(.entrySize, "entry-size", "M14496-15", .must, "a sample entry has its parameter sets' size"),
        initialization(.entryColour, "entry-colour", "own", .advice, "a sample entry has its parameter sets' colour"),
    ]

    /// Kinds that mean nothing in what is cut out of a stream for one picture.
    private static let ofWholes: Set<MediaFault.Kind> = [
        .clockInterval, .soundClockInterval, .packetLength, .soundPace, .sampleData, .mediaData, .index, .lateness,
        .missingParameters,
    ]

    private static func segment(
        _ kind: MediaFault.Kind,
        _ id: String,
        _ clauses: String,
        _ severity: Severity,
        _ demand: String,
        ofCMAF: Bool = false
    ) -> Check<MediaSubject> {
        Check(Rule(id, clauses, severity, demand)) { subject in
            guard !subject.playlist.isIFramesOnly || !ofWholes.contains(kind), !ofCMAF || subject.isCMAF else {
                return []
            }
            return subject.segments.flatMap { segment in
                segment.faults.filter { $0.kind == kind }.map { Violation(subject.place(segment), $0.words) }
            }
        }
    }

    private static func initialization(
        _ kind: MediaFault.Kind,
        _ id: String,
        _ clauses: String,
        _ severity: Severity,
        _ demand: String
    ) -> Check<MediaSubject> {
        Check(Rule(id, clauses, severity, demand)) { subject in
            subject.initializations.flatMap { facts in
                facts.faults.filter { $0.kind == kind }.map { Violation(Place(url: facts.url), $0.words) }
            }
        }
    }
}

extension MediaSubject {
    /// Whether its initialization claims to be CMAF, whose own demands then hold.
    var isCMAF: Bool { initializations.contains { !Set($0.brands).isDisjoint(with: ["cmfc", "cmf2"]) } }
}
