internal import SeguePlaylists

/// The rules on the frames of video and the units in them.
enum PictureRules {
    static let all: [Check<MediaSubject>] = [
        delimiters, mapVersion, alignment, placed, changing, falseSync, unmarkedSync, sampleTimes,
    ]

    private static let delimiters = FaultRules.segment(
        .delimiters,
        Rule(
            "ts-delimiters",
            in: .transportStreams,
            clauses: "M13818-1",
            .must,
            requires: "each frame of H.264 or HEVC starts with exactly one access unit delimiter",
            fix:
                "write one delimiter before each frame; FFmpeg: -bsf:v h264_metadata=aud=insert, or hevc_metadata=aud=insert",
            players: .breaks(
                "Safari and QuickTime show frames in the wrong order if delimiters are doubled; Shaka Packager, whose parser is Chromium's, finds no frame without them",
                source:
                    "https://github.com/axiomatic-systems/Bento4/pull/94, https://github.com/shaka-project/shaka-packager/issues/47"
            )
        )
    )

    private static let mapVersion = FaultRules.segment(
        .mapVersion,
        Rule(
            "ts-map-version",
            in: .transportStreams,
            clauses: "M13818-1",
            .must,
            requires: "a PMT that changes has a new version number",
            fix: "increase version_number with each change of the PMT",
            players: .breaks(
                "VLC ignores the new streams, so that audio is missing",
                source: "https://github.com/ossrs/srs/pull/4731"
            )
        )
    )

    private static let alignment = FaultRules.segment(
        .alignment,
        Rule(
            "ts-data-aligned",
            in: .transportStreams,
            clauses: "M13818-1",
            .should,
            requires: "PES packets of ID3 tags, DVB subtitles, and teletext have data_alignment_indicator",
            fix: "set the flag, and start each tag in a PES packet of its own",
            players: .breaks("ExoPlayer drops the ID3 tags", source: "https://github.com/google/ExoPlayer/issues/5747")
        )
    )

    private static let placed = FaultRules.segment(
        .misplacedParameters,
        Rule(
            "parameters-placed",
            in: .coding,
            clauses: "M14496-15",
            .must,
            requires: "parameter sets are in the sample or PES packet of the frame that follows them",
            fix: "split the stream before the parameter sets, not after them"
        )
    )

    private static let changing = FaultRules.segment(
        .changingParameters,
        Rule(
            "parameters-change",
            in: .coding,
            clauses: "R4.3.2.3, B4.4.4.3",
            .should,
            requires: "the size and the parameter sets of the video do not change within a segment",
            fix: "start a segment at the change, after #EXT-X-DISCONTINUITY"
        )
    )

    private static let falseSync = FaultRules.segment(
        .falseSync,
        Rule(
            "sync-flags",
            in: .fragmentedMP4,
            clauses: "M14496-12",
            .must,
            requires: "sync samples contain keyframes, and the first keyframe of a segment is a sync sample",
            fix: "derive sample_is_non_sync_sample from the NAL unit types",
            players: .breaks(
                "Chrome fails on keyframes without the mark; players show artifacts after seeks to false ones",
                source:
                    "https://github.com/w3c/media-source/issues/221, https://github.com/Dash-Industry-Forum/dash-live-source-simulator/issues/48"
            )
        )
    )

    private static let unmarkedSync = FaultRules.segment(
        .unmarkedSync,
        Rule(
            "sync-marked",
            in: .fragmentedMP4,
            clauses: "own",
            .advice,
            requires: "each IDR frame is a sync sample",
            fix: "derive sample_is_non_sync_sample from the NAL unit types"
        )
    )

    private static let sampleTimes = FaultRules.segment(
        .sampleTimes,
        Rule(
            "sample-times",
            in: .fragmentedMP4,
            clauses: "M14496-12",
            .must,
            requires: "no two samples of a video track have one presentation time",
            fix: "correct the durations and the composition offsets in trun; FFmpeg: encode with closed GOPs",
            players: .noneKnown(
                source:
                    "choice: FFmpeg writes such samples at the start of segments with open GOPs, and no report of a failing player is known"
            )
        )
    )
}
