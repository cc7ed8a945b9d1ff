internal import SeguePlaylists

/// The rules on faults that the scanners find in the bytes of segments and initialization sections.
enum FaultRules {
    static let all: [Check<MediaSubject>] = transport + fragments + coding + initializations + PictureRules.all

    /// Transport streams (ISO/IEC 13818-1).
    static let transport = [
        segment(
            .checksum,
            Rule(
                "ts-checksum",
                in: .transportStreams,
                clauses: "M13818-1",
                .must,
                requires: "the checksums of PAT and PMT are correct",
                fix: "recompute the CRC after changing a table"
            )
        ),
        segment(
            .programs,
            Rule(
                "ts-one-program",
                in: .transportStreams,
                clauses: "R3.2, B3.1.1",
                .must,
                requires: "a transport stream contains exactly one program",
                fix: "remove the other programs"
            )
        ),
        segment(
            .packetIDs,
            Rule(
                "ts-packet-ids",
                in: .transportStreams,
                clauses: "M13818-1",
                .must,
                requires: "each elementary stream has its own valid PID",
                fix: "assign distinct PIDs from 0x0010 to 0x1FFE"
            )
        ),
        segment(
            .clockInterval,
            Rule(
                "ts-clock-interval",
                in: .transportStreams,
                clauses: "M13818-1",
                .must,
                requires: "program clock references are at most 100 ms apart",
                fix: "insert PCRs more often; FFmpeg: raise the frame rate to 10 fps or more",
                players: .noneKnown(
                    source: "choice: FFmpeg writes one PCR with each frame, and no report of a failing player is known"
                )
            )
        ),
        // FFmpeg writes a PCR into each audio packet, which may last longer at low rates. No known player fails.
        segment(
            .soundClockInterval,
            Rule(
                "ts-clock-interval-sound",
                in: .transportStreams,
                clauses: "own",
                .advice,
                requires:
                    "in audio-only streams, program clock references are at most 100 ms apart, as in ISO/IEC 13818-1",
                fix: "insert PCRs more often"
            )
        ),
        segment(
            .lateness,
            Rule(
                "ts-clock-ahead",
                in: .transportStreams,
                clauses: "M13818-1",
                .must,
                requires: "each access unit arrives before its decode time, and at most 10 s before it",
                fix: "correct the multiplexer's PCR offset"
            )
        ),
        segment(
            .order,
            Rule(
                "ts-shown-after-decoded",
                in: .transportStreams,
                clauses: "M13818-1",
                .must,
                requires: "no presentation time is before its decode time",
                fix: "correct the PTS and DTS of the stream"
            )
        ),
        segment(
            .damage,
            Rule(
                "ts-damaged",
                in: .transportStreams,
                clauses: "M13818-1",
                .must,
                requires: "no packet has the transport error indicator set",
                fix: "find the point where the stream loses data"
            )
        ),
        segment(
            .scrambling,
            Rule(
                "ts-scrambled",
                in: .transportStreams,
                clauses: "R6.2.3",
                .must,
                requires: "no packet is scrambled; encryption is declared with #EXT-X-KEY",
                fix: "descramble the stream before packaging"
            )
        ),
        segment(
            .streamType,
            Rule(
                "ts-stream-type",
                in: .transportStreams,
                clauses: "M13818-1",
                .must,
                requires: "an elementary stream contains the format that its stream type states",
                fix: "correct the stream type in the PMT, or the stream that the PID carries"
            )
        ),
        segment(
            .packetLength,
            Rule(
                "ts-packet-length",
                in: .transportStreams,
                clauses: "M13818-1",
                .must,
                requires: "a PES packet has the length that its header states",
                fix: "correct PES_packet_length"
            )
        ),
        segment(
            .soundPace,
            Rule(
                "sound-pace",
                in: .timeline,
                clauses: "A7.1",
                .must,
                requires: "audio frames follow one another without gaps or overlaps",
                fix:
                    "derive the timestamps from the sample count; FFmpeg: -af aresample=async=1 fills gaps of the source"
            )
        ),
    ]

    /// Fragments (ISO/IEC 14496-12, 23001-7).
    static let fragments = [
        segment(
            .fragmentTime,
            Rule(
                "tfdt-there",
                in: .fragmentedMP4,
                clauses: "R3.3, B3.1.2",
                .must,
                requires: "each traf has a tfdt box with a time that is not negative",
                fix: "write a tfdt box into each track fragment; the first decode time is 0 or more",
                players: .breaks(
                    "GStreamer stops and mpv stalls if the time is negative; Chromium and VLC play",
                    source: "measured (docs/breaks.md)"
                )
            )
        ),
        segment(
            .addressing,
            Rule(
                "moof-addressing",
                in: .fragmentedMP4,
                clauses: "R3.3, B3.1.2",
                .must,
                requires: "sample data is addressed relative to its moof",
                fix: "set default-base-is-moof and do not write base-data-offset"
            )
        ),
        segment(
            .sampleData,
            Rule(
                "sample-data",
                in: .fragmentedMP4,
                clauses: "M14496-12",
                .must,
                requires: "samples lie within the mdat boxes of their segment",
                fix: "correct the offsets and sizes in trun"
            )
        ),
        segment(
            .sampleUnits,
            Rule(
                "sample-units",
                in: .fragmentedMP4,
                clauses: "M14496-15",
                .must,
                requires: "the NAL units of a sample end where the sample ends",
                fix: "correct the NAL unit lengths or the sample sizes",
                players: .breaks(
                    "Chromium stops; GStreamer and VLC stall; mpv plays",
                    source: "measured (docs/breaks.md)"
                )
            )
        ),
        segment(
            .mediaData,
            Rule(
                "moof-mdat",
                in: .fragmentedMP4,
                clauses: "M23000-19",
                .must,
                requires: "exactly one mdat follows each moof",
                fix: "write moof and mdat in pairs"
            ),
            ofCMAF: true
        ),
        segment(
            .offsets,
            Rule(
                "sample-offsets",
                in: .fragmentedMP4,
                clauses: "M14496-12",
                .must,
                requires: "negative composition offsets use version 1 of trun",
                fix: "write version 1 of the trun box"
            )
        ),
        segment(
            .decryption,
            Rule(
                "sample-vectors",
                in: .encryption,
                clauses: "M23001-7",
                .must,
                requires: "encrypted samples have senc, or saiz and saio",
                fix: "write the sample encryption boxes"
            )
        ),
        segment(
            .index,
            Rule(
                "sidx-size",
                in: .fragmentedMP4,
                clauses: "M14496-12",
                .must,
                requires: "a sidx ends at the end of a fragment",
                fix: "correct the referenced sizes in sidx"
            )
        ),
        segment(
            .unknownTrack,
            Rule(
                "track-known",
                in: .fragmentedMP4,
                clauses: "R3.3, B3.1.2",
                .must,
                requires: "each track of a segment is in the initialization section",
                fix: "use the initialization section of the same encoding",
                players: .breaks(
                    "Chromium, GStreamer, and VLC stop; mpv plays",
                    source: "measured (docs/breaks.md)"
                )
            )
        ),
    ]

    /// Parameter sets (ISO/IEC 14496-10, 23008-2, 14496-15).
    static let coding = [
        segment(
            .otherParameters,
            Rule(
                "parameters-agree",
                in: .coding,
                clauses: "M14496-15",
                .must,
                requires: "parameter sets in the stream equal those of the initialization section",
                fix: "use the matching initialization section, or the sample entries avc3 or hev1"
            )
        ),
        segment(
            .missingParameters,
            Rule(
                "parameters-there",
                in: .coding,
                clauses: "R3, B3",
                .should,
                requires: "the parameter sets that a video frame needs are present",
                fix:
                    "repeat SPS and PPS at each keyframe, or put them into the initialization section; FFmpeg: -bsf:v dump_extra=freq=keyframe; GStreamer: h264parse config-interval=-1"
            )
        ),
        segment(
            .fields,
            Rule(
                "progressive",
                in: .coding,
                clauses: "A1.14",
                .must,
                requires: "video is coded as frames, not as fields",
                fix: "deinterlace before encoding; FFmpeg: -vf yadif; GStreamer: deinterlace"
            )
        ),
    ]

    static let initializations = [
        initialization(
            .boxOrder,
            Rule(
                "init-ftyp",
                in: .fragmentedMP4,
                clauses: "R3.3, B3.1.2",
                .must,
                requires: "ftyp precedes moov",
                fix: "write ftyp first"
            )
        ),
        initialization(
            .extendsOrder,
            Rule(
                "init-mvex-last",
                in: .fragmentedMP4,
                clauses: "R3.3, B3.1.2 should",
                .must,
                requires: "mvex follows the last trak",
                fix: "move mvex to the end of moov"
            )
        ),
        initialization(
            .movieDuration,
            Rule(
                "init-duration",
                in: .fragmentedMP4,
                clauses: "R3.3, B3.1.2",
                .must,
                requires: "the movie and the tracks of an initialization section have zero duration",
                fix: "write zero durations into mvhd and tkhd"
            )
        ),
        initialization(
            .externalData,
            Rule(
                "init-external",
                in: .fragmentedMP4,
                clauses: "R3.3, B3.1.2",
                .must,
                requires: "no track refers to data in another file",
                fix: "write self-contained data references"
            )
        ),
        initialization(
            .edits,
            Rule(
                "init-edits",
                in: .fragmentedMP4,
                clauses: "M23000-19",
                .must,
                requires: "a CMAF edit list has one edit that is not empty",
                fix: "replace the edit list by one offset"
            )
        ),
        initialization(
            .entrySize,
            Rule(
                "entry-size",
                in: .coding,
                clauses: "M14496-15",
                .must,
                requires: "the size in a sample entry equals the size in its parameter sets",
                fix: "write the coded size into the sample entry"
            )
        ),
        initialization(
            .entryColour,
            Rule(
                "entry-colour",
                in: .coding,
                clauses: "own",
                .advice,
                requires: "the color information of a sample entry equals that of its parameter sets",
                fix: "write the same transfer characteristics into colr"
            )
        ),
    ]

    /// The kinds that do not apply to single I-frames.
    private static let ofWholes: Set<MediaFault.Kind> = [
        .clockInterval, .soundClockInterval, .packetLength, .soundPace, .sampleData, .mediaData, .index, .lateness,
        .missingParameters, .sampleTimes, .unmarkedSync,
    ]

    static func segment(
        _ kind: MediaFault.Kind,
        _ rule: Rule,
        ofCMAF: Bool = false
    ) -> Check<MediaSubject> {
        Check(rule) { subject in
            guard !subject.playlist.isIFramesOnly || !ofWholes.contains(kind), !ofCMAF || subject.isCMAF else {
                return []
            }
            return subject.segments.flatMap { segment in
                segment.faults.filter { $0.kind == kind }.map { $0.violation(at: subject.place(segment)) }
            }
        }
    }

    private static func initialization(
        _ kind: MediaFault.Kind,
        _ rule: Rule
    ) -> Check<MediaSubject> {
        Check(rule) { subject in
            subject.initializations.flatMap { facts in
                facts.faults.filter { $0.kind == kind }.map { $0.violation(at: Place(url: facts.url)) }
            }
        }
    }
}

extension MediaSubject {
    /// True if an initialization section has a CMAF brand, so that the CMAF rules apply.
    var isCMAF: Bool { initializations.contains { !Set($0.brands).isDisjoint(with: ["cmfc", "cmf2"]) } }
}
