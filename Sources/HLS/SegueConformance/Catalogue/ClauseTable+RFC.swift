/// What RFC 8216, with what its successor and Apple say alike demand: clauses, word, rules or why there are none, and the demand in short.
extension ClauseTable {
    static let ofRFC = """
        R2-1 B2-1 | SHOULD | playlist-type uri-scheme | Playlists and media are to be carried over HTTP, though any protocol that reliably delivers the resource behind a URI is tolerated
        R3-1 B3-1 A7.1-1 | MUST | ts-continuous tfdt-continuous segment-repeated sound-pace | A segment continues the encoded bitstream exactly where the segment with the preceding sequence number stopped
        R3-2 B3-2 A7.2-1 | MUST | ts-continuous tfdt-continuous ts-counters ts-counters-across ts-decode-times ts-clock | Running values in the media go on without a break across consecutive segments that are not separated by a discontinuity
        R3-3 B3-3 | SHOULD | starts-with-idr segment-decodes | A video segment carries enough to initialise a decoder and decode an unbroken run of frames up to the segment's last frame
        R3-4 B3-4 | SHOULD | starts-with-idr keyframe-there parameters-there | A segment holding H.264 video contains at least one IDR picture
        R3.1-1 B3.1-1 | MUST | segment-readable codec-container | Only the segment formats the text defines (TS, fMP4, packed audio, WebVTT; in B also IMSC) may be used for media segments
        R3.1-2 B3.1-2 | MUST NOT | init-samples | A Media Initialization Section holds no sample data
        R3.2-form B3.1.1-form | FORM | ts-packets | A transport stream is whole packets
        R3.2-1 B3.1.1-1 | MUST | ts-one-program | A transport-stream segment carries exactly one MPEG-2 program
        R3.2-2 B3.1.1-2 | MUST | ts-tables | A transport-stream segment has its own PAT and PMT unless an EXT-X-MAP applies to it
        R3.2-3 B3.1.1-3 | SHOULD | ts-tables | Without EXT-X-MAP, the PAT and PMT are the first two packets of a transport-stream segment
        R3.3-1 B3.1.2-1 | MUST | init-brand init-ftyp | The fMP4 initialization section has an ftyp listing a brand compatible with iso6 or a later one
        R3.3-2 B3.1.2-2 | MUST | init-readable | In the fMP4 initialization section a moov comes after the ftyp
        R3.3-3 B3.1.2-3 | MUST | init-tracks track-known | The moov has a trak with the matching track_ID for each traf that occurs in the fMP4 segments
        R3.3-4 B3.1.2-4 | SHOULD | - | Each trak in the initialization section has a sample table
        R3.3-5 B3.1.2-5 | MUST | init-samples | The sample table of each trak in the initialization section lists zero samples
        R3.3-6 B3.1.2-6 | MUST | init-duration | mvhd and tkhd in the initialization section have zero duration
        R3.3-7 | MUST | init-mvex init-mvex-last | An mvex box is placed after the last trak of the moov (RFC 8216 makes both presence and position a must)
        R3.3-8 B3.1.2-9 | MUST | tfdt-there | Each traf in an fMP4 segment has a tfdt box
        R3.3-9 B3.1.2-10 | MUST | moof-addressing | fMP4 segments use movie-fragment-relative addressing of sample data
        R3.3-10 B3.1.2-11 | MUST NOT | init-external | fMP4 segments have no external data references
        R3.3-12 B3.1.2-14 A8.20-1 | MUST | map-needed | Every fMP4 segment in a Media Playlist has an EXT-X-MAP applied to it
        R3.4-1 B3.1.3-1 | MUST | packed-audio-time | A packed-audio segment starts with an ID3 PRIV frame that states the timestamp of its first sample
        R3.4-2 B3.1.3-2 | MUST | packed-audio-time | That PRIV frame's owner identifier is com.apple.streaming.transportStreamTimestamp
        R3.4-3 B3.1.3-3 | MUST | - | The PRIV payload is an eight-byte big-endian number holding a 33-bit MPEG-2 timestamp with the 31 upper bits zero
        R3.4-4 B3.1.3-4 | SHOULD NOT | no: binds the client | A player does not play packed-audio segments that lack the timestamp tag
        R3.5-1 B3.1.4-1 | MUST | webvtt-complete | A WebVTT segment holds every cue that is to be on screen at some moment of its EXTINF period
        R3.5-2 | MUST | webvtt-cues | Cue start and end times state the whole display time of the cue even when part of it lies outside the segment (no exception in RFC 8216)
        R3.5-4 B3.1.4-5 | MUST | segment-readable | A WebVTT segment begins with the WEBVTT header or has an EXT-X-MAP applied
        R3.5-5 B3.1.4-6 | SHOULD | webvtt-map | WebVTT headers carry an X-TIMESTAMP-MAP so that cues can be aligned with audio and video
        R3.5-7 B3.1.4-11 | MUST | no: binds the client | Without X-TIMESTAMP-MAP the player takes cue time zero to be media timestamp zero
        R3.5-8 B3.1.4-12 | SHOULD | no: binds the client | When aligning WebVTT the player copes with 33-bit timestamps that have wrapped while cue times have not
        R4-1 B4-1 | MUST | playlist-readable | A player refuses to parse a playlist that breaks the syntax and structure rules of section 4
        R4-2 B4-2 | MUST | playlist-type | Each playlist is recognisable by its URI path or by its Content-Type
        R4-3 B4-3 | MUST | playlist-type | If recognised by path, the path ends in .m3u8 or .m3u
        R4-4 B4-4 | MUST | playlist-type | If recognised by Content-Type, that is application/vnd.apple.mpegurl or audio/mpegurl
        R4-5 B4-5 | SHOULD | no: binds the client | A player refuses playlists that are recognisable in neither way
        R4.1-1 B4.1-1 | MUST | utf-8 | Playlists are UTF-8
        R4.1-2 B4.1-2 | MUST NOT | byte-order-mark | A playlist has no byte order mark
        R4.1-3 B4.1-3 | SHOULD | no: binds the client | A player refuses a playlist with a BOM or with invalid UTF-8
        R4.1-4 B4.1-4 | MUST NOT | control-characters line-ends | No control characters other than CR and LF occur in a playlist (U+0000-001F, U+007F-009F)
        R4.1-5 B4.1-5 | MUST | composed | All text in a playlist is in Unicode normalization form NFC
        R4.1-6 B4.1-6 | MUST NOT | white-space | White space occurs only in elements that explicitly allow it
        R4.1-7 B4.1-7 | SHOULD | no: binds the client | Lines that start with # but not with #EXT are comments for a reader to ignore
        R4.1-8 | MUST | child-media mixed-tags | Every playlist is either a Media Playlist (all URI lines are segments) or a Master Playlist (all URI lines are Media Playlists)
        R4.2-form B4.2-form | FORM | attribute-list white-space | An attribute list is names with values, separated by commas
        R4.2-1 B4.2-1 | MUST NOT | white-space | No white space on either side of the = between an attribute's name and value
        R4.2-2 B4.2-2 | MUST NOT | attribute-list | A quoted-string contains no LF, CR or double quote
        R4.2-3 B4.2-4 | SHOULD | no: the author knows how values are compared | Quoted-string values are built so that byte-wise (case-sensitive) comparison decides equality
        R4.2-4 B4.2-7 | MUST NOT | duplicate-attribute | An attribute name occurs at most once in an attribute list
        R4.2-5 B4.2-8 | SHOULD | no: binds the client | A reader refuses playlists with a repeated attribute name
        R4.3.1.1-1 B4.4.1.1-1 | MUST | first-line | EXTM3U is the first line of every playlist
        R4.3.1.2-form B4.4.1.2-form | FORM | tag-value | EXT-X-VERSION is a whole number that a text knows
        R4.3.1.2-1 B4.4.1.2-1 | MUST | version-enough | EXT-X-VERSION is present in every playlist with tags or attributes that version 1 does not know
        R4.3.1.2-2 B4.4.1.2-2 | MUST NOT | version-once | At most one EXT-X-VERSION per playlist
        R4.3.1.2-3 B4.4.1.2-3 | MUST | no: binds the client | A reader refuses a playlist with several EXT-X-VERSION tags
        R4.3.5-1 B4.4.2-1 | MUST NOT | tag-once | INDEPENDENT-SEGMENTS and START (tags allowed in either kind of playlist) occur at most once each; in B EXT-X-DEFINE is exempt
        R4.3.5-2 B4.4.2-2 | MUST | no: binds the client | A reader refuses a playlist in which such a tag is repeated
        R4.3.5-3 B4.4.2.1-3 | SHOULD NOT | start-again independent-again | A tag of this group that is in the multivariant playlist is not repeated in its Media Playlists (B states it for INDEPENDENT-SEGMENTS)
        R4.3.5-4 B4.4.2.1-4 | MUST | start-same | When present in both places the tag has the same value (B: INDEPENDENT-SEGMENTS)
        R4.3.5-5 B4.4.2.1-5 | SHOULD | no: binds the client | On conflict the player disregards the value in the Media Playlist (B: INDEPENDENT-SEGMENTS)
        R4.3.5.2-form B4.4.2.2-form | FORM | start-attributes | TIME-OFFSET is a signed decimal number, PRECISE is YES or NO
        R4.3.5.2-1 B4.4.2.2-1 | SHOULD | no: binds the client | By default playback begins at the point EXT-X-START names
        R4.3.5.2-2 B4.4.2.2-2 | MUST | start-attributes | EXT-X-START has a TIME-OFFSET attribute
        R4.3.5.2-3 B4.4.2.2-3 | SHOULD NOT | start-inside | The magnitude of TIME-OFFSET does not exceed the playlist duration
        R4.3.5.2-4 B4.4.2.2-4 | SHOULD NOT | start-live | Without EXT-X-ENDLIST, TIME-OFFSET does not point into the last three target durations
        R4.3.5.2-5 B4.4.2.2-5 | SHOULD | no: binds the client | With PRECISE=YES the player starts in the segment that contains TIME-OFFSET
        R4.3.5.2-6 B4.4.2.2-6 | SHOULD NOT | no: binds the client | With PRECISE=YES the player does not present samples earlier than TIME-OFFSET
        R4.3.5.2-7 B4.4.2.2-7 | SHOULD | no: binds the client | With PRECISE=NO the player tries to present all samples of that segment
        R4.3.3-form B4.4.3-form B4.4.4-form | FORM | tag-value | The plain values of media playlist tags have the forms given
        R4.3.3-1 B4.4.3-1 | MUST NOT | tag-once target-once sequence-first | Each Media Playlist tag occurs at most once per Media Playlist
        R4.3.3-2 B4.4.3-2 | MUST NOT | mixed-tags | Media Playlist tags do not occur in a Multivariant (Master) Playlist
        R4.3.3.1-1 B4.4.3.1-1 | MUST | target-holds | The EXTINF duration of each segment, rounded to the nearest integer, is not above the target duration
        R4.3.3.1-2 B4.4.3.1-3 | MUST | target-once | EXT-X-TARGETDURATION is present in every Media Playlist
        R4.3.3.2-1 B4.4.3.2-1 | MUST | no: binds the reader | A missing EXT-X-MEDIA-SEQUENCE means that the first segment has number 0
        R4.3.3.2-2 B4.4.3.2-2 | MUST NOT | no: binds the client | A player does not take equal sequence numbers in different playlists to mean matching content
        R4.3.3.2-3 B4.4.3.2-3 | MUST | sequence-first | EXT-X-MEDIA-SEQUENCE precedes the first segment
        R4.3.3.3-1 B4.4.3.3-1 | MUST | no: binds the reader | A missing EXT-X-DISCONTINUITY-SEQUENCE means that the first segment has discontinuity number 0
        R4.3.3.3-2 B4.4.3.3-2 | MUST | sequence-first | EXT-X-DISCONTINUITY-SEQUENCE precedes the first segment
        R4.3.3.3-3 B4.4.3.3-3 | MUST | sequence-first | EXT-X-DISCONTINUITY-SEQUENCE precedes any EXT-X-DISCONTINUITY
        R4.3.3.6-form B4.4.3.6-form | FORM | iframe-picture | Each segment of an I-frame playlist is one I-frame
        R4.3.3.6-1 B4.4.3.6-1 | MUST | - | Resources with I-frame segments start with an initialization section or come with an EXT-X-MAP that names it
        R4.3.3.6-2 B4.4.3.6-2 | MUST NOT | - | The byte range of an I-frame segment leaves out its initialization section
        R4.3.3.6-3 B4.4.3.6-3 | MUST | version-enough | EXT-X-I-FRAMES-ONLY needs protocol version 4 or more
        R4.3.2-1 B4.4.4-1 | MUST NOT | mixed-tags | Segment tags do not occur in a Multivariant (Master) Playlist
        R4.3.2-2 B4.4.4-2 | MUST | no: binds the client | A reader refuses a playlist that mixes segment tags and multivariant tags
        R4.3.2.1-form B4.4.4.1-form | FORM | duration-form | The duration of EXTINF is a decimal number, of no sign
        R4.3.2.1-1 B4.4.4.1-1 | MUST | duration-given | Each segment has an EXTINF
        R4.3.2.1-2 B4.4.4.1-2 | SHOULD | duration-sum | EXTINF durations are decimal fractions precise enough that their sum shows no perceptible error
        R4.3.2.1-3 B4.4.4.1-3 | MUST | version-enough | Below protocol version 3 EXTINF durations are integers
        R4.3.2.1-4 B4.4.4.1-4 | SHOULD | - | Durations written as integers are rounded to the nearest integer
        R4.3.2.2-form B4.4.4.2-form | FORM | tag-value range-bounds | A byte range is a length and perhaps an offset, within its resource
        R4.3.2.2-1 B4.4.4.2-1 | MUST | range-offset | EXT-X-BYTERANGE without an offset needs a previous segment in the playlist
        R4.3.2.2-2 B4.4.4.2-2 | MUST | range-offset | EXT-X-BYTERANGE without an offset needs that previous segment to be a sub-range of the same resource
        R4.3.2.2-3 B4.4.4.2-3 | MUST | no: binds the client | A reader refuses a playlist whose offset-less byte range has no such predecessor
        R4.3.2.2-4 B4.4.4.2-4 | MUST | version-enough | EXT-X-BYTERANGE needs protocol version 4 or more
        R4.3.2.3-1 B4.4.4.3-1 | MUST | discontinuity-needed | EXT-X-DISCONTINUITY is present when the file format changes
        R4.3.2.3-2 B4.4.4.3-2 | MUST | discontinuity-needed | EXT-X-DISCONTINUITY is present when number, type or identifiers of tracks change
        R4.3.2.3-3 B4.4.4.3-3 | MUST | ts-continuous tfdt-continuous | EXT-X-DISCONTINUITY is present when the timestamp sequence breaks
        R4.3.2.3-4 B4.4.4.3-4 | SHOULD | coding-continues | EXT-X-DISCONTINUITY is present when the encoding parameters change
        R4.3.2.3-5 B4.4.4.3-5 | SHOULD | - | EXT-X-DISCONTINUITY is present when the encoding sequence changes
        R4.3.2.4-form B4.4.4.4-form | FORM | key-attributes key-vector key-versions cipher-blocks cipher-padding cipher-used sample-encryption | METHOD, IV and KEYFORMATVERSIONS have the values and forms listed
        R4.3.2.4-3 B4.4.4.4-3 | MUST | key-attributes | EXT-X-KEY has METHOD
        R4.3.2.4-4 B4.4.4.4-5 | MUST NOT | key-none | With METHOD=NONE no other attribute is present
        R4.3.2.4-6 B4.4.4.4-9 | MUST | key-uri | EXT-X-KEY has URI unless METHOD is NONE
        R4.3.2.4-7 B4.4.4.4-10 | MUST | version-enough | The IV attribute needs protocol version 2 or more
        R4.3.2.4-8 B4.4.4.4-11 | MUST | version-enough | The KEYFORMAT attribute needs protocol version 5 or more
        R4.3.2.4-9 B4.4.4.4-12 | MUST | version-enough | The KEYFORMATVERSIONS attribute needs protocol version 5 or more
        R4.3.2.5-form B4.4.4.5-form | FORM | map-attributes tag-value | The attributes of EXT-X-MAP are quoted strings
        R4.3.2.5-1 B4.4.4.5-1 | MUST | map-attributes | EXT-X-MAP has URI
        R4.3.2.5-2 B4.4.4.5-2 | SHOULD | - | The BYTERANGE of EXT-X-MAP covers the initialization section and nothing else
        R4.3.2.5-3 B4.4.4.5-4 | SHOULD | - | An I-frame playlist has an EXT-X-MAP when its first segment does not directly follow the initialization section at the start of its resource
        R4.3.2.5-4 B4.4.4.5-5 | MUST | version-enough | EXT-X-MAP in an I-frame playlist needs protocol version 5 or more
        R4.3.2.5-5 B4.4.4.5-6 | MUST | version-enough | EXT-X-MAP in a playlist without EXT-X-I-FRAMES-ONLY needs protocol version 6 or more
        R4.3.2.5-6 B4.4.4.5-7 | MUST | map-vector | When the initialization section is encrypted with AES-128, the EXT-X-KEY that applies to the EXT-X-MAP has an IV
        R4.3.2.6-form B4.4.4.6-form | FORM | date-time | EXT-X-PROGRAM-DATE-TIME is a date and time as ISO 8601 has them
        R4.3.2.6-1 B4.4.4.6-1 | SHOULD | date-time-zone date-time-runs | EXT-X-PROGRAM-DATE-TIME states a time zone and fractions of seconds with millisecond accuracy (B: at least)
        R4.3.2.7-form B4.4.5.1-form | FORM | date-range-attributes | The attributes of EXT-X-DATERANGE have the forms listed; dates are of ISO 8601
        R4.3.2.7-1 B4.4.5.1-1 | MUST | date-range-attributes | Each EXT-X-DATERANGE has an ID
        R4.3.2.7-2 B4.4.5.1-2 | MUST | interstitial-asset preload-range | All date ranges with equal CLASS follow the semantics of that class
        R4.3.2.7-3 | MUST | date-range-start | Each EXT-X-DATERANGE has START-DATE (RFC 8216 knows no exception)
        R4.3.2.7-4 B4.4.5.1-5 | MUST | date-range-end | END-DATE is not before START-DATE
        R4.3.2.7-5 B4.4.5.1-6 | MUST NOT | date-range-length | DURATION of a date range is not negative
        R4.3.2.7-6 B4.4.5.1-7 | SHOULD | no: needs the event | A single instant is written as a date range of duration 0
        R4.3.2.7-7 B4.4.5.1-8 | MUST NOT | date-range-length | PLANNED-DURATION is not negative
        R4.3.2.7-8 B4.4.5.1-9 | SHOULD | no: needs the event | PLANNED-DURATION states the expected length while the real length is unknown
        R4.3.2.7-9 B4.4.5.1-10 | MUST | attribute-list | X- attribute names are legal attribute names
        R4.3.2.7-10 B4.4.5.1-11 | SHOULD | no: a name does not tell whose it is | X- attribute names follow reverse-DNS style to avoid collisions
        R4.3.2.7-11 | MUST | date-range-values | X- attribute values are quoted-string, hexadecimal-sequence or (non-negative) decimal-floating-point
        R4.3.2.7-12 B4.4.5.1-15 | MUST | date-range-attributes | END-ON-NEXT has the value YES
        R4.3.2.7-13 B4.4.5.1-18 | MUST | date-range-next | A date range with END-ON-NEXT=YES has a CLASS
        R4.3.2.7-14 B4.4.5.1-19 | MUST NOT | date-range-overlap | Other date ranges of the class of an END-ON-NEXT range do not overlap (with it or each other)
        R4.3.2.7-15 B4.4.5.1-20 | MUST NOT | date-range-next | A date range with END-ON-NEXT=YES has neither DURATION nor END-DATE
        R4.3.2.7-16 B4.4.5.1-23 | MUST | date-range | A playlist with an EXT-X-DATERANGE has at least one EXT-X-PROGRAM-DATE-TIME
        R4.3.2.7-17 B4.4.5.1-26 | MUST | date-range-same | Two EXT-X-DATERANGE tags with the same ID agree in every attribute that both have
        R4.3.2.7-18 B4.4.5.1-27 | MUST | date-range-sum | With both DURATION and END-DATE, END-DATE equals START-DATE plus DURATION
        R4.3.2.7-19 B4.4.5.1-28 | SHOULD | no: binds the client | A player ignores EXT-X-DATERANGE tags with illegal syntax
        R4.3.2.7.1-2 B4.4.5.1.1-2 | SHOULD | no: needs the source cues | A splice_info_section with splice_null, splice_schedule, bandwidth_reservation or private_cmd becomes a date range with SCTE35-CMD holding the …
        R4.3.2.7.1-3 B4.4.5.1.1-3 | SHOULD | no: needs the source cues | An out/in pair made of splice_insert commands becomes one or more date-range tags that share an ID
        R4.3.2.7.1-4 B4.4.5.1.1-4 | MUST | no: needs the source cues | That ID is used for this splice_insert out/in pair alone
        R4.3.2.7.1-5 B4.4.5.1.1-5 | MUST | splice-direction | The out section of a splice_insert pair (out_of_network_indicator 1) goes into SCTE35-OUT
        R4.3.2.7.1-6 B4.4.5.1.1-6 | MUST | splice-direction | The in section of a splice_insert pair (out_of_network_indicator 0) goes into SCTE35-IN
        R4.3.2.7.1-7 B4.4.5.1.1-7 | SHOULD | no: needs the source cues | An out/in pair made of time_signal commands with one segmentation descriptor each becomes one or more date-range tags that share an ID
        R4.3.2.7.1-8 B4.4.5.1.1-8 | MUST | no: needs the source cues | That ID is used for this time_signal out/in pair alone
        R4.3.2.7.1-9 B4.4.5.1.1-9 | MUST | - | The out section of a time_signal pair goes into SCTE35-OUT
        R4.3.2.7.1-10 B4.4.5.1.1-10 | MUST | - | The in section of a time_signal pair goes into SCTE35-IN
        R4.3.2.7.1-11 B4.4.5.1.1-14 | SHOULD | no: needs the source cues | Different segmentation types get separate date ranges even when their descriptors share one section
        R4.3.2.7.1-12 B4.4.5.1.1-15 | SHOULD | no: needs the source cues | A time_signal that is neither a splice out nor in becomes a date range with SCTE35-CMD
        R4.3.2.7.1-13 B4.4.5.1.1-16 | MUST | no: needs the source cues | START-DATE of a tag with SCTE35-OUT is the splice's program date and time
        R4.3.2.7.1-14 B4.4.5.1.1-17 | MUST | no: needs the source cues | START-DATE of a tag with SCTE35-CMD is the command's splice_time, or when there is none the program time at which the command arrived
        R4.3.2.7.1-15 B4.4.5.1.1-18 | MUST | no: needs the source cues | PLANNED-DURATION next to SCTE35-OUT is the planned length of the splice
        R4.3.2.7.1-16 B4.4.5.1.1-19 | MUST | no: needs the source cues | DURATION next to SCTE35-IN is the real program time between out and in point
        R4.3.2.7.1-17 B4.4.5.1.1-20 | MUST | no: needs the source cues | END-DATE next to SCTE35-IN is the real program date and time of the in point
        R4.3.2.7.1-18 B4.4.5.1.1-21 | MUST NOT | no: needs the source cues | A tag with SCTE35-OUT whose end is not yet known has neither DURATION nor an end date (the texts write END-TIME by mistake)
        R4.3.2.7.1-19 B4.4.5.1.1-22 | SHOULD | - | Once known, the real end is told by another EXT-X-DATERANGE tag
        R4.3.2.7.1-20 B4.4.5.1.1-23 | SHOULD NOT | no: needs the source cues | A cancelled splice does not show up as a date range
        R4.3.2.7.1-21 B4.4.5.1.1-24 | SHOULD | no: needs the source cues | A tag announcing a splice is added no later than the last segment before the splice
        R4.3.2.7.1-22 B4.4.5.1.1-25 | MUST | - | Even when built from SCTE event ids, the date range's ID is unique in the playlist
        R4.3.2.7.1-23 B4.4.5.1.1-26 | MUST | no: needs the source cues | When an SCTE id might be reused, the ID is made distinct, for instance with a date or a counter
        R4.3.4-1 B4.4.6-1 | MUST NOT | mixed-tags | Multivariant (Master) tags do not occur in a Media Playlist
        R4.3.4-2 B4.4.6-2 | MUST | no: binds the client | A reader refuses a playlist with multivariant tags next to media or segment tags
        R4.3.4.1-form B4.4.6.1-form | FORM | media-attributes channels-form characteristics-form language-form | The attributes of EXT-X-MEDIA have the forms and values listed; languages are of RFC 5646
        R4.3.4.1-form B4.4.6.1-form | FORM | member-inside | Sound without a URI is in the segments of the variants that name its group
        R4.3.4.1-1 B4.4.6.1-1 | MUST | media-attributes | EXT-X-MEDIA has TYPE
        R4.3.4.1-2 B4.4.6.1-2 | MUST NOT | member-uri | EXT-X-MEDIA of TYPE=CLOSED-CAPTIONS has no URI
        R4.3.4.1-3 B4.4.6.1-3 | MUST | media-attributes | EXT-X-MEDIA has GROUP-ID
        R4.3.4.1-4 B4.4.6.1-4 | SHOULD | no: needs to understand the name | NAME is written in the language that LANGUAGE states
        R4.3.4.1-5 B4.4.6.1-5 | MUST | media-attributes | EXT-X-MEDIA has NAME
        R4.3.4.1-6 B4.4.6.1-8 | SHOULD | no: binds the client | A rendition with DEFAULT=YES is played when the user has not said otherwise
        R4.3.4.1-8 B4.4.6.1-10 | MUST | member-autoselect | If AUTOSELECT is present it is YES when DEFAULT is YES
        R4.3.4.1-9 B4.4.6.1-11 | MUST NOT | member-forced | FORCED is present only with TYPE=SUBTITLES
        R4.3.4.1-10 B4.4.6.1-12 | SHOULD | no: binds the client | Among forced renditions the one best matching the playback environment is chosen
        R4.3.4.1-11 B4.4.6.1-13 | MUST | member-captions | INSTREAM-ID is present when TYPE is CLOSED-CAPTIONS
        R4.3.4.1-12 B4.4.6.1-14 | MUST | member-stream | For CLOSED-CAPTIONS, INSTREAM-ID is CC1 to CC4 or SERVICEn
        R4.3.4.1-13 B4.4.6.1-15 | MUST | member-stream | The n in SERVICEn is an integer from 1 to 63
        R4.3.4.1-14 | MUST NOT | version-enough | INSTREAM-ID is absent for every other TYPE (dropped in B, where it is optional from version 13 on)
        R4.3.4.1-16 B4.4.6.1-23 | SHOULD | member-channels channels-joc channels-true | Every audio EXT-X-MEDIA has CHANNELS
        R4.3.4.1-17 | MUST | member-channels | CHANNELS is present when two renditions with the same codec differ in channel count
        R4.3.4.1.1-1 B4.4.6.1.1-1 | MUST | no: needs to understand the content | All members of a rendition group are alternatives of the same content
        R4.3.4.1.1-2 B4.4.6.1.1-2 | MUST | member-names | Members of a group have different NAMEs
        R4.3.4.1.1-3 B4.4.6.1.1-3 | MUST NOT | member-default | A group has at most one member with DEFAULT=YES
        R4.3.4.1.1-4 B4.4.6.1.1-4 | SHOULD | member-alike | Members with AUTOSELECT=YES differ in the combination of LANGUAGE, ASSOC-LANGUAGE, FORCED and CHARACTERISTICS
        R4.3.4.1.1-6 B4.4.6.1.1-6 | MUST | group-members | Groups of one TYPE have the same set of members
        R4.3.4.1.1-7 | MUST | group-attributes | Corresponding members of groups of one TYPE agree in all attributes but URI and CHANNELS
        R4.3.4.1.1-8 B4.4.6.1.1-8 | MUST | codecs-complete | A STREAM-INF or I-FRAME-STREAM-INF that refers to a group of mixed sample formats has CODECS listing each of them
        R4.3.4.2-form B4.4.6.2-form | FORM | variant-attributes codecs-form allowed-cpc child-media | The attributes of EXT-X-STREAM-INF have the forms and values listed; its URI is of a media playlist; codecs are of RFC 6381
        R4.3.4.2-1 B4.4.6.2-1 | MUST | variant-uri | EXT-X-STREAM-INF is followed by a URI line
        R4.3.4.2-2 B4.4.6.2-2 | SHOULD | no: binds the client | A player without support for several video renditions plays the one on the URI line
        R4.3.4.2-3 B4.4.6.2-3 A9.13-1 | MUST | bandwidth-true bandwidth-largest average-above | With all segments existing, BANDWIDTH is the largest sum of peak segment bit rates over the playable combinations of renditions
        R4.3.4.2-4 B4.4.6.2-4 | SHOULD | no: needs the future | Before all segments exist, BANDWIDTH is that of a representative stretch of similar content
        R4.3.4.2-5 B4.4.6.2-5 | MUST | bandwidth | Every EXT-X-STREAM-INF has BANDWIDTH
        R4.3.4.2-6 B4.4.6.2-6 | MUST | average-true average-largest average-above | With all segments existing, AVERAGE-BANDWIDTH (if present) is the largest sum of average segment bit rates over the playable combinations
        R4.3.4.2-7 B4.4.6.2-7 | SHOULD | no: needs the future | Before all segments exist, AVERAGE-BANDWIDTH is that of a representative stretch of similar content
        R4.3.4.2-8 B4.4.6.2-12 | SHOULD | codecs codecs-present | Every EXT-X-STREAM-INF has CODECS
        R4.3.4.2-9 B4.4.6.2-16 | SHOULD | frame-rate-true | FRAME-RATE is present when any video of the variant exceeds 30 frames per second
        R4.3.4.2-10 B4.4.6.2-17 | SHOULD | - | Encrypted variants with different HDCP levels use different keys
        R4.3.4.2-11 B4.4.6.2-18 | SHOULD | no: needs the output | HDCP-LEVEL is present when content will not play without HDCP
        R4.3.4.2-12 B4.4.6.2-19 | SHOULD NOT | no: binds the client | A player without output protection does not load a variant whose HDCP-LEVEL is other than NONE
        R4.3.4.2-13 B4.4.6.2-36 | MUST | group-exists | AUDIO names a GROUP-ID of an EXT-X-MEDIA of TYPE=AUDIO
        R4.3.4.2-14 B4.4.6.2-37 | SHOULD | no: binds the client | The audio renditions of the group that AUDIO names are used for playback
        R4.3.4.2-15 B4.4.6.2-38 | MUST | group-exists | VIDEO names a GROUP-ID of an EXT-X-MEDIA of TYPE=VIDEO
        R4.3.4.2-16 B4.4.6.2-39 | SHOULD | no: binds the client | The video renditions of the group that VIDEO names are used for playback
        R4.3.4.2-17 B4.4.6.2-40 | MUST | group-exists | SUBTITLES names a GROUP-ID of an EXT-X-MEDIA of TYPE=SUBTITLES
        R4.3.4.2-18 B4.4.6.2-41 | MUST | group-exists | A quoted CLOSED-CAPTIONS names a GROUP-ID of an EXT-X-MEDIA of TYPE=CLOSED-CAPTIONS
        R4.3.4.2-19 B4.4.6.2-42 | MUST | captions-none | If one STREAM-INF has CLOSED-CAPTIONS=NONE all have it
        R4.3.4.2.1-1 B4.4.6.2.1-1 | MUST | bandwidth-largest | Every playable combination of renditions stays within the variant's BANDWIDTH
        R4.3.4.2.1-2 B4.4.6.2.1-2 | MUST | - | With RESOLUTION and VIDEO, every alternative video rendition has that display resolution
        R4.3.4.2.1-3 B4.4.6.2.1-3 | MUST | same-start same-range same-discontinuities | Alternative renditions meet the constraints on variants of section 6.2.4
        R4.3.4.2.1-4 B4.4.6.2.1-4 | MUST | member-uri | EXT-X-MEDIA of TYPE=SUBTITLES has URI (optional for AUDIO and VIDEO)
        R4.3.4.2.1-5 B4.4.6.2.1-5 | MUST | no: binds the client | Without URI on an AUDIO rendition the player takes the audio to be in every video rendition of the variant
        R4.3.4.2.1-6 B4.4.6.2.1-6 | MUST NOT | member-uri | EXT-X-MEDIA of TYPE=CLOSED-CAPTIONS has no URI (stated a second time)
        R4.3.4.3-form B4.4.6.3-form | FORM | iframe-variant-attributes iframe-attributes | EXT-X-I-FRAME-STREAM-INF has the attributes of a variant but FRAME-RATE, AUDIO, SUBTITLES and CLOSED-CAPTIONS
        R4.3.4.3-1 B4.4.6.3-1 A6.8-1 | MUST | iframe-only | The playlist that EXT-X-I-FRAME-STREAM-INF names has EXT-X-I-FRAMES-ONLY
        R4.3.4.3-2 B4.4.6.3-2 | MUST | bandwidth iframe-uri | EXT-X-I-FRAME-STREAM-INF has BANDWIDTH and URI
        R4.3.4.3-3 B4.4.6.3-3 | SHOULD | - | With alternative VIDEO renditions and I-frame playlists there is an I-frame VIDEO rendition of the same NAME and LANGUAGE for each regular one
        R4.3.4.4-form B4.4.6.4-form | FORM | session-data-attributes language-form | The attributes of EXT-X-SESSION-DATA have the forms and values listed
        R4.3.4.4-1 B4.4.6.4-1 | SHOULD | session-data-name | DATA-ID follows reverse-DNS naming
        R4.3.4.4-2 B4.4.6.4-2 | SHOULD | no: the author's care | Authors choose a DATA-ID that will hardly collide
        R4.3.4.4-3 B4.4.6.4-3 | MUST | session-data-attributes | EXT-X-SESSION-DATA has DATA-ID
        R4.3.4.4-4 B4.4.6.4-4 | SHOULD | no: needs to understand the text | With LANGUAGE, VALUE is human-readable text in that language
        R4.3.4.4-5 | MUST | - | The resource that SESSION-DATA's URI names is JSON
        R4.3.4.4-6 B4.4.6.4-9 | MUST | session-data-value | EXT-X-SESSION-DATA has exactly one of VALUE and URI
        R4.3.4.4-8 B4.4.6.4-11 | MUST NOT | session-data-once | No two EXT-X-SESSION-DATA agree in both DATA-ID and LANGUAGE
        R4.3.4.5-form B4.4.6.5-form | FORM | session-key-attributes | The attributes of EXT-X-SESSION-KEY are those of a key
        R4.3.4.5-1 B4.4.6.5-1 | MUST NOT | session-key-none | METHOD of EXT-X-SESSION-KEY is not NONE
        R4.3.4.5-2 B4.4.6.5-2 | MUST | session-key-same | METHOD, KEYFORMAT and KEYFORMATVERSIONS of a session key equal those of every EXT-X-KEY with its URI
        R4.3.4.5-3 B4.4.6.5-3 | SHOULD | session-key-given | Session keys are given when several variants or renditions share keys and formats
        R4.3.4.5-4 B4.4.6.5-4 | MUST NOT | session-key-once | No two session keys agree in METHOD, URI, IV, KEYFORMAT and KEYFORMATVERSIONS
        R5.1-form B5.1-form | FORM | key-length | A key file is the key's bytes alone, 16 for AES-128
        R5.2-1 B5.2-1 | MUST | - | The IV used for decrypting is the one that was used for encrypting
        R6.2.1-1 | MUST | target-holds duration-bound | Segments are no longer than a constant target duration
        R6.2.1-2 B6.2.1-2 | SHOULD | no: needs the source | The source is cut where segments can be decoded on their own, such as at packets and key frames
        R6.2.1-3 B6.2.1-3 | MUST | uri-resolves duration-given body-kind redirects-end | Every segment has a URI from which clients can get it
        R6.2.1-5 | MUST | uri-resolves live-segment-there | Each segment in a playlist that a client loaded can be fetched at once
        R6.2.1-6 B6.2.1-11 | SHOULD NOT | - | A download that has begun is not slowed to the pace of production
        R6.2.1-7 B6.2.1-13 | SHOULD | playlist-gzip | Text resources (playlists, WebVTT) are sent with gzip content coding to clients that accept it
        R6.2.1-8 B6.2.1-14 | MUST | no: needs the source | The Media Playlist lists a URI for each offered segment in playing order
        R6.2.1-9 B6.2.1-15 | SHOULD NOT | version-unneeded | EXT-X-VERSION is not higher than the tags and attributes need
        R6.2.1-10 B6.2.1-16 | MUST | - | Playlist changes are atomic as seen by clients
        R6.2.1-11 | MUST NOT | live-order live-segment-changed | A Media Playlist changes only by appended lines, segments removed in order with their tags, raised MEDIA-SEQUENCE or DISCONTINUITY-SEQUENCE
        R6.2.1-12 B6.2.1-18 | MUST NOT | vod-unchanged live-event | A playlist of EXT-X-PLAYLIST-TYPE:VOD does not change
        R6.2.1-13 | MUST NOT | live-event | No part of an EVENT playlist is changed or deleted; lines may be appended
        R6.2.1-14 B6.2.1-20 | MUST NOT | live-target | EXT-X-TARGETDURATION keeps its value for the playlist's life
        R6.2.1-16 B6.2.1-22 | SHOULD | date-time-again | If program dates are used, each segment with a discontinuity has one
        R6.2.1-17 B6.2.1-23 | MUST NOT | date-time-order live-date-overlap | No program date makes the mapping from date to segment ambiguous (B permits sub-second overlaps for clock drift)
        R6.2.1-18 B6.2.1-26 | MUST NOT | live-range-kept | A date range stays in the playlist while any of its dates maps to a listed segment
        R6.2.1-19 B6.2.1-27 | MUST NOT | live-range-changed | A date-range ID is not used for another range in the same playlist
        R6.2.1-20 B6.2.1-28 | MUST NOT | - | After an END-ON-NEXT range's following range was added, no range of that class is added that starts between the two
        R6.2.1-21 B6.2.1-29 | SHOULD | - | For ranges with PLANNED-DURATION the real end is told once known (a further tag with the ID, or a following range)
        R6.2.1-22 B6.2.1-30 | MUST | vod-end | A playlist that contains the presentation's last segment has EXT-X-ENDLIST
        R6.2.1-23 B6.2.1-31 | MUST | - | Without EXT-X-ENDLIST a new version with at least one new segment is published
        R6.2.1-24 | MUST | live-news | A new version comes no earlier than half and no later than one and a half target durations after the previous version
        R6.2.1-25 B6.2.1-34 | SHOULD | - | A removed presentation answers clearly that the playlist is gone (404, 410)
        R6.2.1-26 B6.2.1-35 | MUST | - | After removal of a presentation its segments stay available for at least the playlist's duration at that time
        R6.2.2-2 B6.2.2-2 | MUST | - | A playlist from which segments are removed has EXT-X-MEDIA-SEQUENCE
        R6.2.2-3 B6.2.2-3 | MUST | live-removed | MEDIA-SEQUENCE rises by exactly one per removed segment
        R6.2.2-4 B6.2.2-4 | MUST NOT | live-sequence | MEDIA-SEQUENCE does not fall or wrap
        R6.2.2-5 B6.2.2-7 | MUST | - | Segments (B: also EXT-X-PART tags) are removed in their playlist order
        R6.2.2-6 B6.2.2-8 | MUST NOT | live-window-least | No segment is removed from a live playlist if fewer than three target durations would remain
        R6.2.2-7 | MUST | live-segment-kept live-segment-kept-long live-segment-repeated | A removed segment stays available for its own duration plus that of the longest playlist that held it
        R6.2.2-8 B6.2.2-11 | MUST | - | A playlist with discontinuities from which segments are removed has EXT-X-DISCONTINUITY-SEQUENCE
        R6.2.2-9 B6.2.2-12 | MUST | live-discontinuity | Removal of an EXT-X-DISCONTINUITY raises DISCONTINUITY-SEQUENCE so that remaining segments keep their discontinuity numbers
        R6.2.2-10 B6.2.2-13 | MUST NOT | - | DISCONTINUITY-SEQUENCE does not fall or wrap
        R6.2.2-11 B6.2.2-14 | SHOULD | segment-expires | Responses for segments that are going to be removed have an Expires header that tells their planned life
        R6.2.2-12 B6.2.2-15 | MUST NOT | - | A playlist from which segments are removed has no EXT-X-PLAYLIST-TYPE
        R6.2.3-2 B6.2.3-2 | MUST | key-given ts-scrambled | Each encrypted segment has an EXT-X-KEY whose URI leads to the key
        R6.2.3-4 | MUST | - | An unencrypted segment after an encrypted one has EXT-X-KEY with METHOD=NONE applied
        R6.2.3-5 | MUST | - | AES-128 encryption outside I-frame playlists is applied to each segment on its own
        R6.2.3-6 B6.2.3-6 | MUST | - | With AES-128 in an I-frame playlist the whole resource is encrypted by AES-128-CBC with PKCS7 padding
        R6.2.3-8 B6.2.3-8 | MUST | - | The IV there is the media sequence number or the IV attribute
        R6.2.3-10 B6.2.3-10 | MUST NOT | - | An EXT-X-KEY is not removed while a listed segment still needs it
        R6.2.4-2 B6.2.4-2 | SHOULD | live-listed | If it does it also offers a Multivariant (Master) Playlist listing all variants (B: and renditions)
        R6.2.4-3 B6.2.4-3 | MUST | codecs-true codecs-complete | CODECS lists every media format of every segment of every rendition of the variant
        R6.2.4-4 B6.2.4-4 | MUST | no: needs to understand the content | All variants present the same content
        R6.2.4-5 B6.2.4-5 | MUST | same-start same-boundaries same-line | Matching content has matching timestamps across variants (B: and renditions)
        R6.2.4-6 B6.2.4-6 | MUST | same-discontinuities live-same-discontinuities | Matching content has matching discontinuity sequence numbers across variants (B: and renditions)
        R6.2.4-7 B6.2.4-7 A8.2-1 | MUST | same-target | All Media Playlists have one target duration; only VOD subtitle and I-frame playlists may differ
        R6.2.4-8 B6.2.4-8 | MUST | same-range | Content that only some playlists have lies at the beginning or end of its playlist
        R6.2.4-9 | MUST NOT | same-range | Such unmatched content is not longer than the target duration
        R6.2.4-10 B6.2.4-10 | MUST | same-type | If one Media Playlist has EXT-X-PLAYLIST-TYPE all have it with the same value
        R6.2.4-11 B6.2.4-11 | MUST | same-start | In VOD all Media Playlists begin at the same media timestamp
        R6.2.4-12 B6.2.4-12 | MUST | same-dates date-time-agrees | If one Media Playlist has program dates all have them, with consistent mappings to media time
        R6.2.4-13 | MUST | same-date-ranges | Every variant has the same date ranges (same IDs, same attributes and values)
        R6.2.4-14 B6.2.4-17 | SHOULD | - | Variants carry the same encoded audio
        R6.3.1-1 B6.3.1-1 | MUST | playlist-readable | A player checks a playlist against section 4 and EXT-X-VERSION against its own abilities
        R6.3.1-2 B6.3.1-2 | MUST NOT | no: binds the client | A player does not use a playlist that fails one of these checks
        R6.3.1-3 B6.3.1-5 | MUST | no: binds the client | Playback stops when a URI has a scheme that the player cannot handle
        R6.3.1-4 B6.3.1-6 | MUST | no: binds the client | Every player supports the HTTP schemes
        R6.3.1-5 B6.3.1-7 | MUST | no: binds the client | Unknown tags are ignored
        R6.3.1-6 B6.3.1-9 | MUST | no: binds the client | Other unknown attributes are ignored
        R6.3.1-7 B6.3.1-10 | MUST | no: binds the client | A tag with an unknown value of a known enumerated attribute is ignored unless the attribute says otherwise
        R6.3.2-1 B6.3.2-1 | MUST | no: binds the client | At each (re)load a player finds the next segment as section 6.3.5 says
        R6.3.2-2 B6.3.2-2 | SHOULD | no: binds the client | With EXT-X-MEDIA-SEQUENCE a player assumes segments vanish a playlist duration after loading
        R6.3.2-3 B6.3.2-3 | MUST NOT | no: binds the client | Equal sequence numbers in different variants or renditions are not taken as the same position
        R6.3.2-5 B6.3.2-5 | MUST | no: binds the client | Corresponding segments are found by timeline position and discontinuity number
        R6.3.2-6 B6.3.2-7 | MUST | no: binds the client | The playlist of every selected rendition is loaded
        R6.3.2-7 B6.3.2-8 | SHOULD NOT | no: binds the client | Playlists of other renditions, also the one on the STREAM-INF line if not selected, are not loaded
        R6.3.3-1 B6.3.3-1 | MUST | no: binds the client | The player chooses the first segment to play
        R6.3.3-2 | SHOULD NOT | no: binds the client | Live playback does not start less than three target durations from the end
        R6.3.3-3 B6.3.3-4 | SHOULD | coding-continues | Encoding parameters stay consistent within and across the segments of a playlist
        R6.3.3-4 B6.3.3-5 | SHOULD | no: binds the client | Players cope with encoding changes
        R6.3.3-5 B6.3.3-6 | SHOULD | no: binds the client | With RESOLUTION all video is shown in a rectangle of that aspect
        R6.3.3-6 B6.3.3-7 | SHOULD | no: binds the client | Players cope with several tracks of a type
        R6.3.3-7 B6.3.3-8 | SHOULD | no: binds the client | Lacking a preference the playable track with the lowest id is chosen
        R6.3.3-8 B6.3.3-9 | SHOULD | no: binds the client | Unknown private streams in TS are ignored
        R6.3.3-9 B6.3.3-10 | SHOULD | no: the author's care | Authors keep the extra load of private streams in mind
        R6.3.3-10 B6.3.3-11 | MUST | no: binds the client | The player can reset parsers and decoders at a discontinuity
        R6.3.3-11 B6.3.3-12 | SHOULD | no: binds the client | Segments are loaded ahead of need
        R6.3.3-12 B6.3.3-13 | MUST | no: binds the client | When program dates are displayed the stated time zone is taken into account
        R6.3.3-13 B6.3.3-14 | SHOULD | no: binds the client | Segments before the first program date get their dates by extrapolating backward
        R6.3.3-14 B6.3.3-15 | SHOULD | no: binds the client | Other segments get dates by extrapolating forward from the last program date
        R6.3.4-1 B6.3.4-1 | MUST | no: binds the client | A player reloads the playlist periodically unless it is VOD or a finished EVENT
        R6.3.4-2 B6.3.4-2 | MUST NOT | no: binds the client | A player does not reload more often than this section allows
        R6.3.4-3 | MUST | no: binds the client | After a load that found a change the player waits at least a target duration from the start of that load
        R6.3.4-4 B6.3.4-4 | MUST | no: binds the client | After an unchanged load the player waits half a target duration
        R6.3.4-5 B6.3.4-7 | SHOULD | - | After a reload each sequence number has the same URI and byte range as before (the player checks it)
        R6.3.4-6 B6.3.4-8 | SHOULD | no: binds the client | If that fails the player halts
        R6.3.4-7 B6.3.4-9 | SHOULD NOT | no: binds the client | Playlists of variants or renditions not in use are not reloaded
        R6.3.4-8 B6.3.4-10 | SHOULD | no: binds the client | After a switch the old playlist is no longer reloaded and the new one is
        R6.3.4-9 B6.3.4-11 | MUST NOT | no: binds the client | Sequence numbers are not used to synchronise streams
        R6.3.5-1 B6.3.5-1 | MUST | no: binds the client | The playlist is examined at each (re)load to find the next segment
        R6.3.6-1 B6.3.6-1 | MUST | no: binds the client | EXT-X-KEY tags of unknown KEYFORMAT are ignored
        R6.3.6-2 B6.3.6-2 | SHOULD | - | Playback fails if a segment has only EXT-X-KEY tags of unknown KEYFORMATs
        R6.3.6-3 B6.3.6-3 | MUST NOT | no: binds the client | Segments with an unknown METHOD are not decrypted
        R6.3.6-4 B6.3.6-4 | MUST | no: binds the client | AES-128 decryption is applied per segment
        R6.3.6-5 B6.3.6-6 | MUST | no: binds the client | With sample encryption (R: SAMPLE-AES) the encrypted samples are decrypted
        R7-1 B8-1 | MUST | version-enough | A playlist with anything beyond version 1 has EXT-X-VERSION
        R7-2 B8-2 | MUST NOT | no: binds the client | A player does not play a version that it does not support
        R7-3 B8-3 | MUST | version-enough | Version 2 or more: IV of EXT-X-KEY
        R7-4 B8-4 | MUST | version-enough | Version 3 or more: fractional EXTINF
        R7-5 B8-5 | MUST | version-enough | Version 4 or more: EXT-X-BYTERANGE or EXT-X-I-FRAMES-ONLY
        R7-6 B8-6 | MUST | version-enough | Version 5 or more: KEYFORMAT or KEYFORMATVERSIONS of EXT-X-KEY, or EXT-X-MAP
        R7-7 B8-8 | MUST | version-enough | Version 6 or more: EXT-X-MAP without EXT-X-I-FRAMES-ONLY
        R7-8 B8-9 | MUST | version-enough | Version 7 or more: SERVICE values of INSTREAM-ID
        R9-1 B11.1-1 | SHOULD | no: binds the client | Applications ignore unknown tags (media-type registration)
        R10-1 B12-1 | SHOULD | no: binds the client | Parsers of media data are hardened against hostile input
        R10-2 B12-2 | SHOULD | no: binds the client | Responses are range-checked
        R10-3 B12-3 | SHOULD | no: binds the client | The number of concurrent downloads is limited (about four)
        R10-4 B12-4 | MUST | no: binds the client | Cookie rules of RFC 6265 are followed
        R10-5 B12-5 | SHOULD | key-secure | Keys are delivered over a secured channel such as HTTPS with authentication
        """
}
