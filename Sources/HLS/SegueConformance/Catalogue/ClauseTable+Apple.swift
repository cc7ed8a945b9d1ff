/// What Apple's authoring specification demands: clauses, word, rules or why there are none, and the demand in short.
extension ClauseTable {
    static let ofApple = """
        ASpatial-1 | MUST | stereo-layout | Spatial video states channel and projection by REQ-VIDEO-LAYOUT
        A1.1-1 | MUST | video-codec | Video is H.264, HEVC, Dolby Vision or AV1
        A1.2-1 | MUST | codec-container | H.264 is in fMP4 or transport streams
        A1.3a-1 | SHOULD | h264-modest | Some H.264 variants stay at High Profile level 4.1 or below
        A1.3b-1 | MUST | h264-level | H.264 stays at High Profile level 5.2 or below
        A1.4-1 | SHOULD | h264-profile | H.264 uses High rather than Main or Baseline profile
        A1.5-1 | MUST | codec-container | HEVC is in fMP4
        A1.6a-1 | SHOULD | hevc-modest | Some HEVC variants stay at Main 10, level 4.0, Main tier or below
        A1.6b-1 | MUST | hevc-level | HEVC stays at Main 10, level 5.1, High tier or below
        A1.7-1 | MUST | - | HDR HEVC is HDR10, HLG or Dolby Vision
        A1.8-1 | SHOULD | - | Static HDR10 metadata SEI is in hvcC and not in the samples
        A1.9-1 | MUST | dolby-profile | Dolby Vision is profile 5, level 7 or below
        A1.10-1 | SHOULD | sample-entries entry-parameters | Parameter sets are in the sample description (avc1, hvc1, dvh1 rather than avc3, hev1, dvhe)
        A1.11-1 | SHOULD NOT | no: needs the pictures | The codec level is no higher than resolution and frame rate need
        A1.12-1 | SHOULD | h264-given | Some of the video is H.264
        A1.13-1 | SHOULD | keyframe-interval | Key frames (IDR) come every two seconds
        A1.14-1 | MUST | progressive | Interlaced sources are deinterlaced
        A1.15-1 | SHOULD | no: needs the source | 30i is deinterlaced to 60p, not 30p
        A1.16-1 | SHOULD | no: needs the source | Live video from NTSC or ATSC has 59.94 or 60 fps
        A1.17-1 | SHOULD | no: needs the source | Live video from PAL has 50 fps
        A1.18-1 | SHOULD | frame-rate-usual | VOD keeps a natural frame rate (23.976, 24, 25, 29.97, 30, 50, 59.94, 60)
        A1.19-1 | MUST NOT | frame-rate-most | No frame rate above 60 fps
        A1.20-1 | SHOULD | - | HDR is also offered at 30 fps or less
        A1.21-1 | SHOULD | - | A stream keeps to one colour space (Rec. 601, 709, DCI-P3 or 2020)
        A1.22-1 | SHOULD | no: needs the source | VOD keeps the colour space of its source
        A1.23-1 | SHOULD | - | Each codec's set of variants covers all anticipated bandwidths, so that clients need not switch codec
        A1.24-1 | MUST | sdr-given | SDR streams are provided
        A1.26-1 | MUST | average-true average-largest | VOD: the average segment bit rate is within 10% of AVERAGE-BANDWIDTH
        A1.27-1 | MUST | bandwidth-true bandwidth-largest | VOD: the measured peak bit rate is within 10% of BANDWIDTH
        A1.28-1 | MUST | average-true | Live: over about an hour the average bit rate is below 110% of AVERAGE-BANDWIDTH
        A1.29-1 | MUST | bandwidth-true | Live: the measured peak bit rate is below 125% of BANDWIDTH
        A1.30-1 | SHOULD | peak-average | VOD: the peak is at most 200% of the average
        A1.32-1 | SHOULD | - | The default (first listed of a group with compatible audio) variant is the 2000 kbit/s one
        A1.33-1 | SHOULD | aspect | All video variants have one aspect ratio
        A1.34-1 | SHOULD | - | With UHD, some UHD variants are at most 15 Mbit/s
        A1.35-1 | SHOULD | - | HDR10 has mastering-display and content-light-level SEI messages
        A1.36-1 | MUST NOT | - | MV-HEVC is used for stereo video only
        A1.37-1 | MUST | av1-level | AV1 stays at level 6.2 or below
        A1.38-1 | MUST | - | Monoscopic APMP (projected) video is HEVC
        A1.39-1 | MUST | codec-container | AV1 is in fMP4
        A2.1-1 | SHOULD | - | Audio is an elementary (packed) stream or fMP4
        A2.2-1 | MUST | sound-codec | (List, no keyword) stereo codecs are APAC, AAC-LC, HE-AAC v1/v2, xHE-AAC, Apple Lossless, FLAC
        A2.3-1 | MUST | aac-given | Stereo AAC, HE-AAC v1 or HE-AAC v2 is provided
        A2.4-1 | SHOULD NOT | - | HE-AAC is not used above 64 kbit/s
        A2.5-1 | MUST | sound-codec | (List, no keyword) multichannel codecs are APAC, AAC-LC, HE-AAC v1, Apple Lossless, FLAC, AC-3, E-AC-3, E-AC-3 JOC
        A2.6-1 | MUST | ac3-given | With Dolby Digital Plus (for devices without it) Dolby Digital is provided too
        A2.9-1 | SHOULD | - | (Recommendation table) audio bit rates stay in the recommended ranges per codec and channels
        A2.11-1 | MUST | - | Such a change coincides with an EXT-X-DISCONTINUITY
        A2.12-1 | MUST | no: needs to hear the sound | Audio description has CHARACTERISTICS public.accessibility.describes-video
        A2.13-1 | MUST | description-autoselect | Audio description has AUTOSELECT=YES
        A2.14-1 | SHOULD | no: needs to understand the name | The NAME of audio description says what it is
        A2.15-1 | MUST | same-range | Alternative or described audio covers the whole content
        A2.17-1 | MUST NOT | one-sound | A segment holds at most one audio stream
        A2.18-1 | SHOULD | loudness-equal | Loudness management or dynamic-range control is present unless everything is at equal level
        A2.19-1 | SHOULD | - | fMP4 audio other than APAC has a loudness box (ludt)
        A2.19-2 | MUST NOT | - | APAC has no loudness box
        A2.20-1 | SHOULD | - | Without ludt, Dolby loudness is in dialnorm
        A2.21-1 | SHOULD | - | Without ludt, AAC loudness is in prog_ref_level or loudnessInfo
        A2.21-2 | MUST | - | With loudnessInfo a sample or true peak level is present, measurementSystem is 2, methodDefinition is 1 or 2
        A2.21-3 | SHOULD | - | For video content methodDefinition is 2
        A2.22-1 | MUST | - | xHE-AAC has the basic loudness metadata and a sample or true peak level
        A2.22-2 | SHOULD | - | For video content with xHE-AAC methodDefinition is 2
        A2.23-1 | MUST | no: needs the source | The stated loudness is the content's real loudness
        A2.24-1 | MUST | sbr-explicit | HE-AAC in fMP4 signals SBR explicitly
        A2.25-1 | MUST | codec-container | xHE-AAC, Apple Lossless, FLAC and APAC are in fMP4
        A2.26-1 | SHOULD | - | With non-Dolby multichannel audio there is also multichannel AAC
        A2.27-1 | MUST | member-language | Audio description has LANGUAGE, naming the language of the descriptions
        A2.29-1 | MUST | - | (List, no keyword) multi-format audio codecs are APAC and Dolby Digital Plus JOC
        A2.30-1 | MUST | - | APAC has loudness and DRC metadata in the stream
        A2.31-1 | SHOULD | - | With immersive APAC there is also stereo AAC
        A3.2-1 | SHOULD | - | Inserted media has the codecs of the rest
        A3.3-1 | SHOULD | - | Inserted media has the aspect ratio of the rest
        A3.4-1 | SHOULD | - | Inserted media stays within the variant's stated bandwidths
        A4.1-1 | SHOULD | no: needs to understand the content | Captions are provided
        A4.2-1 | MUST | - | (List, no keyword) caption formats are CEA-608, CEA-708, WebVTT, IMSC1 text
        A4.3-1 | MUST | - | Closed captions are inside the video segments
        A4.4-1 | MUST | member-language | Closed captions are declared by an EXT-X-MEDIA with LANGUAGE
        A4.5-1 | MUST | deaf-characteristics | Subtitles for the deaf and hard of hearing have both CHARACTERISTICS (transcribes-spoken-dialog, describes-music-and-sound)
        A4.6-1 | MUST | deaf-autoselect | Such subtitles have AUTOSELECT=YES
        A4.7-1 | MUST | member-language | EXT-X-MEDIA of subtitles has LANGUAGE
        A5.2-1 | MUST | - | Subtitles are WebVTT or IMSC1 in fMP4
        A5.3-1 | MUST | webvtt-map | WebVTT subtitles are text files with X-TIMESTAMP-MAP
        A5.4-1 | MUST | - | IMSC1 is in fMP4
        A5.5-1 | MUST | same-range | The subtitle playlist spans the whole content
        A5.6-1 | MUST | same-target | Live: subtitle playlists have the target duration of the other media
        A5.8-1 | MUST | - | The regular subtitles of a language include its forced ones
        A5.9-1 | SHOULD | no: needs the source | Forced subtitles replace burnt-in text where a clean version exists
        A5.10-1 | SHOULD | - | CODECS names the kind of subtitles
        A5.10-2 | SHOULD | codecs-imsc | IMSC1 is named stpp.ttml.im1t in CODECS
        A5.11-1 | SHOULD | forced-autoselect | Forced subtitles have AUTOSELECT=YES
        A6.1-1 | MUST | iframe-given | I-frame playlists (EXT-X-I-FRAME-STREAM-INF) are provided
        A6.2-1 | SHOULD | - | There are dense I-frame renditions of one frame per second
        A6.4-1 | SHOULD | no: needs the encoder | The I-frame playlist of a resolution is made from the source of its lowest bit rate
        A6.5-1 | SHOULD | - | An I-frame playlist's bit rate is that of the normal one times its frame rate divided by eight
        A6.6-1 | SHOULD | - | There are several I-frame playlists of different bit rates
        A6.9-1 | MUST | iframe-bandwidth | The peak bit rate is computed as the HLS specification says
        A6.10-1 | MUST | iframe-picture | fMP4 I-frame segments include the moof of the I-frame
        A6.11-1 | MUST | same-target | Live: I-frame playlists have the target duration of the other media
        A6.14-1 | SHOULD | iframe-h264 | Some trick-play content is H.264
        A6.15-1 | SHOULD | - | HDR trick play, if any, exists at all resolutions
        A6.16-1 | MUST | sdr-iframes | SDR trick-play streams are provided
        A7.3-1 | MUST | tfdt-continuous | tfdt equals the previous segment's decode time plus its duration
        A7.4-1 | MUST | starts-with-idr | Video segments start with an IDR frame
        A7.5-1 | SHOULD | segment-length | The target duration is 6 seconds
        A7.6-1 | SHOULD | segment-length | Segments last nominally 6 seconds (such as 6.006)
        A7.7-1 | MUST NOT | duration-bound | A segment exceeds the target duration by no more than 0.5 seconds
        A7.8-1 | SHOULD | - | xHE-AAC segments start with an immediate playout frame
        A7.9-1 | MUST | - | APAC segments start with an audio synchronization packet
        A8.1-1 | MUST | duration-true duration-sum duration-drift | The EXTINF sum of any contiguous group is within one video frame of the real duration
        A8.3-1 | MUST | same-range | Audio and video playlists cover the same duration
        A8.4-1 | MUST | live-date live-date-given | Every live Media Playlist has EXT-X-PROGRAM-DATE-TIME
        A8.5-1 | SHOULD | no: needs the airtime | Program dates agree with the airtime
        A8.6-1 | MUST | vod-type | Playlists from static sources have EXT-X-PLAYLIST-TYPE:VOD
        A8.7-1 | MUST | same-start same-range same-line | All VOD playlists of an asset cover exactly the same media time range
        A8.8-1 | MUST | vod-type | Event-style playlists have EXT-X-PLAYLIST-TYPE:EVENT
        A8.9-1 | MUST | group-exists | Separate audio is declared by EXT-X-MEDIA
        A8.10-1 | MUST | member-language | Every EXT-X-MEDIA other than TYPE=VIDEO has LANGUAGE
        A8.11-1 | MUST | live-segments live-six | A live playlist has at least six segments
        A8.12-1 | SHOULD | live-window | A live playlist has at least 15 minutes of content
        A8.13-1 | MUST | discontinuity-needed | Breaks of encoding continuity are marked by EXT-X-DISCONTINUITY
        A8.14-1 | MUST | - | Frame-rate changes are marked by EXT-X-DISCONTINUITY
        A8.15-1 | MUST | same-discontinuities live-same-discontinuities | All variants and renditions have discontinuities at the same times
        A8.16-1 | SHOULD | - | Codecs are not switched at discontinuities
        A8.17-1 | MUST | live-discontinuities | Live content that will ever have a discontinuity always has EXT-X-DISCONTINUITY-SEQUENCE
        A8.18-1 | MUST NOT | media-redirected | Media requests are not redirected, ads excepted
        A8.19-1 | SHOULD | no: needs to understand the content | Interstitial and program boundaries are marked by EXT-X-DATERANGE
        A8.21-1 | SHOULD | - | Metadata is in EXT-X-DATERANGE rather than timed metadata in the media
        A8.22-1 | SHOULD | same-boundaries | All audio and video variants and renditions have segment boundaries at the same times
        A8.23-1 | SHOULD | - | With xHE-AAC segments that start with an IPF the Media Playlist has EXT-X-INDEPENDENT-SEGMENTS
        A8.24-1 | SHOULD | live-lag live-last-modified | A live playlist whose Last-Modified lags its Date by more than three target durations counts as invalid
        A8.25-1 | SHOULD | - | With APAC segments that start with an ASP the Media Playlist has EXT-X-INDEPENDENT-SEGMENTS
        A9.1-1 | MUST | codecs codecs-true | EXT-X-STREAM-INF has CODECS
        A9.2-1 | MUST | resolution sound-variant resolution-true | EXT-X-STREAM-INF of a variant with video has RESOLUTION
        A9.3-1 | MUST | iframe-described iframe-codecs-true | EXT-X-I-FRAME-STREAM-INF has CODECS
        A9.4-1 | MUST | iframe-described iframe-resolution-true | EXT-X-I-FRAME-STREAM-INF has RESOLUTION
        A9.5-1 | SHOULD | - | Video and audio are separate streams
        A9.6-1 | MUST | - | Multichannel audio is in separate streams
        A9.7-1 | MUST | - | With alternative audio (languages, commentary, description) audio streams are separate
        A9.8-1 | MUST | - | With several video angles audio streams are separate
        A9.9-1 | MUST | video-rates | There are several bit rates of video
        A9.10-1 | SHOULD | highest-rates | HD content has at least two variants at the highest resolution
        A9.11-1 | SHOULD | independent | With segments starting at an IDR the Multivariant Playlist has EXT-X-INDEPENDENT-SEGMENTS
        A9.12-1 | MUST | independent | If it does not, all video Media Playlists have it
        A9.14-1 | MUST | average-bandwidth | AVERAGE-BANDWIDTH is present
        A9.15-1 | MUST | frame-rate frame-rate-true | EXT-X-STREAM-INF with video has FRAME-RATE
        A9.16-1 | MUST | video-range | VIDEO-RANGE is present unless everything is SDR
        A9.17-1 | SHOULD | - | (Lower-case should) renditions of one group and language are ordered from general to specific
        A9.18-1 | SHOULD | steering-pathway | EXT-X-CONTENT-STEERING has PATHWAY-ID
        A9.19-1 | MUST | score-all | SCORE, if used, is on every variant
        A9.20-1 | MUST | apac-level | The codec string of APAC states profile and level
        A10.1-1 | MUST | playlist-gzip | Playlists are delivered with gzip content coding
        A10.2-1 | SHOULD | - | Failover is supported, for instance by redundant variants
        A10.3-1 | SHOULD NOT | no: needs the application | Media does not reach the app through a local server
        A10.4-1 | SHOULD | segment-type type-fits | The recommended media types are used (table in NOTES.md)
        A11.1-1 | SHOULD | - | Multivariant Playlists are delivered over TLS
        A11.2-1 | SHOULD | - | Media Playlists are delivered over TLS
        A11.3-1 | SHOULD | - | Segments are delivered over TLS
        A11.4-1 | SHOULD NOT | no: needs to understand the name | Unencrypted segment URLs reveal no titles, genres, advertisers and the like
        A12.1-1 | MUST | - | TLS is 1.2 or later with forward secrecy
        A12.2-1 | MUST NOT | - | TLS uses no known-insecure primitives (RC4, SHA-1 signatures)
        A12.3-1 | MUST | - | TLS keys have 2048 (RSA) or 256 (EC) bits
        A12.4-1 | SHOULD NOT | - | Segment URLs are not wholly static
        A13.1-1 | SHOULD | - | Content protection follows FairPlay Streaming
        A13.2-1 | MUST | fairplay-method | With FairPlay, METHOD is SAMPLE-AES
        A13.3-1 | MUST | fairplay-format | With FairPlay, KEYFORMAT is com.apple.streamingkeydelivery
        A13.4-1 | SHOULD NOT | fairplay-vector | IV is not used with FairPlay unless interoperability needs it
        A13.5-1 | SHOULD | hdcp-given | HD variants have HDCP-LEVEL=TYPE-0
        A13.6-1 | SHOULD | hdcp-given | Variants above HD have HDCP-LEVEL=TYPE-1
        A13.7-1 | MUST | - | Common-encrypted video uses the 1:9 pattern
        A13.9-1 | MUST NOT | no: needs the encoder | Common encryption is not content-sensitive
        A13.11-1 | MUST NOT | counter-mode | SAMPLE-AES-CTR is not used for Apple devices
        A14.1-1 | MUST | hint-given reports-given block-reload | Low-latency delivery meets the whole low-latency server profile (B.1)
        A14.2a-1 | MUST | no: needs client measurements | The part target is at least the 95th-percentile round-trip time
        A14.2b-1 | SHOULD | no: needs client measurements | The part target is at least three times that
        A14.2c-1 | SHOULD | - | The part target is one second
        A14.3-1 | MUST | part-hold-back-enough | PART-HOLD-BACK is at least three times the part target
        A14.4-1 | SHOULD | delta-offered | Playlist windows over two minutes come with delta updates
        A14.5-1 | SHOULD | delta-ranges | Delta updates with date ranges come with CAN-SKIP-DATERANGES=YES
        A15.1-1 | MUST | no: needs several clients | SharePlay live: the program-date timeline is the same for all participants
        A15.2-1 | MUST | no: needs several clients | SharePlay VOD: the playlist timeline is the same for all participants
        A15.3-1 | SHOULD | no: needs several clients | SharePlay: interstitials have equal durations for all participants
        A16.1-1 | MUST | stereo-layout | Spatial variants have REQ-VIDEO-LAYOUT
        A16.2-1 | MUST | - | Spatial video has vexu boxes
        A16.3-1 | MUST | - | Switches between spatial and other video have a discontinuity, or the initialization section has sample descriptions for both
        A16.4-1 | SHOULD | - | Stereo and immersive video with subtitles has parallax metadata
        A16.5-1 | MUST | - | Spatial video with monoscopic stretches lists CH-MONO in REQ-VIDEO-LAYOUT
        AmacOS1.3b-1 | MUST | - | macOS: H.264 stays at High Profile level 5.0 or below
        AiOS1.6b-1 | MUST | - | iOS: (printed as H.264 High Profile, presumably HEVC) level 6.0 or below
        AiOS1.9a-1 | MUST | - | iOS: Dolby Vision is profile 5 or 10, level 9 or below
        AiOS1.9b-1 | SHOULD | - | iOS: some Dolby Vision variants are profile 5, level 7 or below
        AiOS1.32a-1 | SHOULD | - | iOS on Wi-Fi: the default variant is the 2000 kbit/s one
        AiOS1.32b-1 | SHOULD | - | iOS on cellular: the default variant is the 730 kbit/s one
        AiOS9.21-1 | MUST | - | iOS on cellular: one variant's BANDWIDTH is at most 192 kbit/s
        AiOS9.22-1 | SHOULD | - | iOS on cellular: a 192 kbit/s H.264 TS variant is provided
        AvisionOS1.9a-1 | MUST | - | visionOS: monoscopic Dolby Vision is profile 5, level 9 or below
        AvisionOS1.9c-1 | MUST | - | visionOS: stereo Dolby Vision is profile 20 (MV-HEVC), level 9 or below
        AvisionOS1.40-1 | MUST | - | visionOS: stereo video is Dolby Vision profile 20
        AvisionOS6.6-1 | SHOULD | - | visionOS: with stereo video only, there is just one I-frame playlist
        AvisionOS6.18-1 | SHOULD | - | visionOS: trick play is monoscopic and rectilinear
        AvisionOS16.6-1 | MUST | - | visionOS: all stereo video is MV-HEVC
        AvisionOS16.7-1 | MUST | - | visionOS: immersive video has CH-STEREO and PROJ-AIV in REQ-VIDEO-LAYOUT
        AtvOS1.3b-1 | MUST | - | tvOS: H.264 stays at High Profile level 5.1 or below
        AtvOS1.20-1 | MUST | - | tvOS: HDR is also offered at 30 fps or less
        AtvOS1.25-1 | SHOULD NOT | - | tvOS: the 145 kbit/s variant is left out
        AtvOS2.8-1 | SHOULD | - | tvOS: Dolby Atmos has a single bit rate
        AtvOS6.16-1 | MUST | - | tvOS: SDR trick-play streams are provided (without the compatibility reservation)
        AtvOS8.12-1 | SHOULD | - | tvOS: a live playlist has at least 120 minutes
        AtvOS9.20-1 | MUST NOT | - | tvOS: no audio-only variants are listed
        AAirPlay1.23-1 | MUST | - | AirPlay TVs: each codec's variants cover all anticipated bandwidths
        AAirPlay1.41-1 | MUST | - | AirPlay TVs: encrypted fMP4 has senc, or both saiz and saio
        AAirPlaynote-1 | MUST NOT | - | AirPlay TVs: (note, no keyword) encrypted CMAF has no sgpd or sbgp for older TVs
        AAirPlay2.10-1 | SHOULD NOT | - | AirPlay TVs: the channel layout does not change within a stream
        AAirPlay3.5-1 | SHOULD | - | AirPlay TVs: inserted media has a similar frame rate (same, double, half)
        AAirPlay5.2-1 | MUST | - | AirPlay TVs: subtitles are WebVTT
        AAirPlay6.13-1 | MUST | - | AirPlay TVs: for each video codec there is an I-frame variant of that codec or mjpg
        AAirPlay8.16-1 | SHOULD NOT | - | AirPlay TVs: codecs are not switched at discontinuities
        AAirPlay8.22-1 | MUST | - | AirPlay TVs: all video variants and renditions have segment boundaries at the same times
        AAirPlay8.25-1 | SHOULD | - | AirPlay TVs: frame-rate changes at discontinuities keep to similar rates
        AAirPlay9.23-1 | SHOULD | - | AirPlay TVs: each codec and frame rate has a full range of variants
        AAirPlay9.24-1 | SHOULD | - | AirPlay TVs: HDR comes as both Dolby Vision and HDR10
        AApp.strobing-1 | SHOULD | - | (Lower-case should) flashing stretches are marked by date ranges of class com.apple.accessibility.video.strobing.general-flash with X-RISK-LEVEL from …
        AApp.SUPPLEMENTAL-CODECS-1 | MUST | - | (Lower-case) for Dolby Vision both the compatibility brand and VIDEO-RANGE are given
        AApp.CODECS-1 | MUST | channels-joc-form | (Lower-case) JOC in CHANNELS is upper case and its number equals complexity_index_type_a
        AApp.spatial-1 | MUST | - | Immersive video refers to an AIME file by EXT-X-SESSION-DATA
        AApp.spatial-2 | SHOULD | - | Immersive video uses APAC audio
        AApp.download-1 | MUST | no: needs long observation | Downloads: the Multivariant Playlist URL and its resources do not expire while the asset is needed
        AApp.download-2 | MUST | - | Downloads with content steering: stable rendition and variant ids are used
        AApp.download-3 | MUST | - | Downloads: if one playlist has a stable id all have
        AApp.download-4 | MUST | no: needs long observation | Downloads: the steering manifest lives as long as the Multivariant Playlist
        AApp.download-6 | SHOULD | - | Downloads: interstitial assets have the structure of the main content
        AApp.download-7 | SHOULD | - | Downloads: media is fMP4 or elementary audio with contiguous byte ranges
        AApp.download-8 | SHOULD | - | Downloads: small files are avoided
        AApp.download-9 | SHOULD | no: needs the author's intent | Downloads: very long content is split into several assets
        """
}
