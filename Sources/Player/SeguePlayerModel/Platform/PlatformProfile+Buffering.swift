package import SegueData

extension PlatformProfile {
    /// The buffer, and the order in which renditions fill it.
    package final class Buffering: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "buffer-limit",
            .duration,
            meaning: "The buffer ahead of the playhead at which loading pauses."
        )
        package var bufferLimit: Duration

        @ProfileField(
            "buffer-resume",
            .duration,
            meaning: """
                The buffer at which loading resumes. If it equals `buffer-limit`, a segment is requested whenever no \
                more than that is ahead.
                """
        )
        package var bufferResume: Duration

        @ProfileField(
            "buffer-tail",
            .duration,
            meaning: "The end of a transport stream that does not count toward `buffer-limit` and `buffer-resume`."
        )
        package var tail: Duration

        @ProfileField(
            "counts",
            .word,
            meaning: "The part of a segment in flight that counts as buffered and can be played."
        )
        package var counts: Counting

        @ProfileField(
            "decoded",
            .duration,
            meaning: """
                The loaded media that decoders hold. They do not count as buffered, at the start or for a stall, and \
                stop with the rest in a stall.
                """
        )
        package var decoded: Duration

        @ProfileField(
            "decoded-sound",
            .duration,
            meaning: "The same for transport streams with audio only, with `counts: blocks`."
        )
        package var decodedSound: Duration

        @ProfileField(
            "change-loses",
            .duration,
            meaning: "The end of a transport stream that is dropped with its decoders when the variant changes."
        )
        package var changeLoses: Duration

        @ProfileField(
            "renditions",
            .word,
            meaning: "The order in which the video and the separate audio of an item load."
        )
        package var renditions: Renditions

        @ProfileField(
            "lead",
            .positiveNumber(or: "any"),
            meaning:
                "The maximum number of segments by which audio may be ahead of video, with `renditions: side-by-side`."
        )
        package var lead: Double?

        @ProfileField(
            "sound-waits",
            .flag,
            meaning: "Segments of separate audio are requested only after the first video segment has arrived."
        )
        package var soundWaits: Bool

        @ProfileField(
            "pictures-wait",
            .flag,
            meaning: """
                The video playlist is requested only after separate audio has begun to arrive, up to the point at which \
                it could play.
                """
        )
        package var picturesWait: Bool

        @ProfileField(
            "missing-audio",
            .word,
            meaning: """
                The effect of a stretch of fragmented MP4 whose segments have no audio, although earlier ones have: of \
                more than 0.5 s between segments with audio, or more than 1 s at the end.
                """
        )
        package var missingAudio: SegmentFaultEffect

        @ProfileField("missing-audio-in-ts", .word, meaning: "The same in transport streams.")
        package var missingAudioInTransportStreams: SegmentFaultEffect

        @ProfileField(
            "missing-video",
            .word,
            meaning: "The effect of a stretch whose segments have no video, although earlier ones have."
        )
        package var missingVideo: SegmentFaultEffect

        @ProfileField(
            "timestamp-jump",
            .word,
            meaning: """
                The effect of a segment of fragmented MP4 whose timestamps begin more than 2 s before or after the end \
                of the segment before it, without a discontinuity.
                """
        )
        package var timestampJump: SegmentFaultEffect

        @ProfileField("timestamp-jump-in-ts", .word, meaning: "The same in transport streams.")
        package var timestampJumpInTransportStreams: SegmentFaultEffect

        @ProfileField("probes", .word, meaning: "The media that are examined before the first segments load.")
        package var probes: Probes

        package init() {}

        package func check(_ reader: FieldReader) throws(HarnessError) {
            try reader.require(bufferLimit > .zero, of: "buffer-limit", "must be above 0 s")
            try reader.require(bufferResume <= bufferLimit, of: "buffer-resume", "must be no more than buffer-limit")
        }
    }

    /// The media that are examined before the first segments load.
    package enum Probes: String, FieldChoice {
        case none
        case head
        case variants

        package var meaning: String {
            switch self {
            case .none: "Nothing."
            case .head:
                """
                With separate audio, the first 32 KB of the first segment of each rendition. Then the connection \
                closes, and the rest is requested by range; a segment without a rest is requested again.
                """
            case .variants:
                """
                The playlists of all variants, then `keep-up-enough` of each. A variant is opened when 32 KB of the \
                previous one have arrived. Variants with enough are not read until all have enough; then those that \
                are not played are closed.
                """
            }
        }
    }

    /// The part of a segment in flight that counts as buffered and can be played.
    package enum Counting: String, FieldChoice {
        case segments
        case bytes
        case blocks

        package var meaning: String {
            switch self {
            case .segments: "Nothing: a segment counts when it is complete."
            case .bytes:
                """
                The received part of transport streams, and of fragmented MP4 with video or audio alone. Fragmented \
                MP4 with both, and encrypted segments, count when they are complete.
                """
            case .blocks:
                """
                The received blocks of 32 KB of transport streams. A fragmented MP4 segment counts without its last \
                0.25 s when a block of the next segment has arrived; with separate audio, each rendition is read only \
                while it is behind the other, as far as segments were begun, so that another video fragment may be \
                needed. All of the previous variant counts when the initialization section of the next has arrived.
                """
            }
        }
    }

    /// The effect of media that lack audio or video, or whose timestamps jump.
    package enum SegmentFaultEffect: String, FieldChoice {
        case continues
        case waits
        case stalls
        case fails

        package var meaning: String {
            switch self {
            case .continues: "Playback continues without what is missing."
            case .waits: "Playback stalls at the start of the stretch, for as long as the stretch, and then continues."
            case .stalls: "Playback stalls at the start of the stretch, until a seek."
            case .fails: "The item fails when the segment is loaded."
            }
        }
    }

    /// The order in which the renditions of an item load.
    package enum Renditions: String, FieldChoice {
        case sideBySide = "side-by-side"
        case inTurn = "in-turn"
        case soundInTurn = "sound-in-turn"
        case byNeed = "by-need"
        case inStep = "in-step"

        package var meaning: String {
            switch self {
            case .sideBySide: "Independently, with one request for each."
            case .inTurn: "With one request at a time, for the rendition that is behind."
            case .soundInTurn: "As `in-turn`, with audio first when neither is behind."
            case .byNeed:
                "With one request for each, but only for the rendition that is behind. Media in flight count as loaded."
            case .inStep:
                """
                As `by-need`, with one reader that does not read the rendition that is ahead. With `probes: variants`, \
                the other variants are read in step as well, to the end of the segments that were opened.
                """
            }
        }
    }
}

extension PlatformProfile.Buffering {
    /// Returns the effects of faulty stretches in a transport stream or in fragmented MP4.
    func effect(inTransportStream: Bool) -> (SegmentFaults.Stretch) -> PlatformProfile.SegmentFaultEffect {
        let ofAudio = inTransportStream ? missingAudioInTransportStreams : missingAudio
        let ofJump = inTransportStream ? timestampJumpInTransportStreams : timestampJump
        return { [missingVideo] stretch in
            switch stretch.fault {
            case .timestampJump: ofJump
            case .noAudio: stretch.isAtStart ? .continues : ofAudio
            case .noVideo: stretch.isAtStart ? .continues : missingVideo
            }
        }
    }
}
