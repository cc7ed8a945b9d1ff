/// What rfc8216bis demands: clauses, word, rules or why there are none, and the demand in short.
extension ClauseTable {
    static let ofDraft = """
        B3.1.2-form | FORM | sample-durations | Samples take time
        B3.1.2-7 | MUST | init-mvex | The moov of the initialization section contains an mvex box
        B3.1.2-8 | SHOULD | init-mvex-last | The mvex box is placed after the last trak
        B3.1.2-13 | SHOULD | - | fMP4 segments that claim a brand of another standard (such as CMAF) follow that standard's rules
        B3.1.4-2 | MUST | webvtt-cues | Cue start and end times state the whole display time of the cue even outside the segment
        B3.1.4-7 | MUST | - | The block of lines after the WEBVTT line that holds X-TIMESTAMP-MAP ends with at least two line terminators before the body
        B3.1.4-8 | MUST | webvtt-time | The cue time named by LOCAL is to be mapped to the media time named by MPEGTS
        B3.1.4-10 | MUST | - | The MPEGTS value is in 90 kHz units whatever timescale the other media use
        B3.1.4-13 | SHOULD | - | After a wrap of the PES timestamp the WebVTT segments carry an X-TIMESTAMP-MAP that points at the new low timestamp
        B3.1.5-1 | MUST | - | IMSC segments conform to the IMSC1 Text Profile
        B3.1.5-2 | MUST | - | An IMSC segment holds every subtitle sample that is to be shown in its EXTINF period
        B3.1.5-3 | MUST | - | An IMSC segment defines every style that its samples use
        B3.2-1 | MUST | - | A Partial Segment is in one of the permitted segment formats
        B3.2-2 | MUST | live-part-bytes | A Partial Segment's samples are a subset of its Parent Segment's samples
        B3.2-3 | MUST | part-sum live-part-sum part-ranges live-part-bytes live-part-ranges | A Parent Segment and the set of all its parts contain the same samples with equal timing and metadata
        B4.1-8 | SHOULD NOT | mixed-tags | A playlist mixing multivariant tags with media tags is invalid and not to be used
        B4.1-9 | SHOULD | no: binds the client | A playlist with neither kind of tag is treated as an empty Multivariant Playlist
        B4.1-11 | SHOULD | no: binds the client | Relative URIs are resolved with the algorithm of RFC 3986 section 5.2
        B4.2-3 | MUST | empty-string | A quoted-string is not empty unless the attribute explicitly allows it
        B4.2-5 | SHOULD NOT | list-once | An enumerated-string-list does not repeat a member
        B4.2-6 | MUST | no: binds the client | A reader ignores members of an enumerated-string-list that it does not know
        B4.4.2.1-1 | MUST NOT | tag-once | EXT-X-INDEPENDENT-SEGMENTS occurs at most once per playlist
        B4.4.2.1-2 | MUST | no: binds the client | A reader refuses a playlist with repeated EXT-X-INDEPENDENT-SEGMENTS
        B4.4.2.2-8 | SHOULD | no: binds the client | A missing PRECISE counts as NO
        B4.4.2.2-9 | MUST NOT | tag-once | EXT-X-START occurs at most once per playlist
        B4.4.2.2-10 | MUST | no: binds the client | A reader refuses a playlist with repeated EXT-X-START
        B4.4.2.2-11 | SHOULD NOT | start-again | EXT-X-START in the Multivariant Playlist is not repeated in its Media Playlists
        B4.4.2.2-12 | MUST | start-same | EXT-X-START present in both places has the same value
        B4.4.2.2-13 | SHOULD | no: binds the client | On conflict the player disregards EXT-X-START of the Media Playlist
        B4.4.2.3-1 | MUST | define-attributes | Variable names (NAME, IMPORT, QUERYPARAM) use only letters, digits, hyphen and underscore
        B4.4.2.3-2 | MUST | define-attributes | EXT-X-DEFINE with NAME also has VALUE
        B4.4.2.3-4 | MUST NOT | import-place | EXT-X-DEFINE with IMPORT does not occur in a Multivariant Playlist
        B4.4.2.3-5 | MUST | import-known | A Media Playlist whose IMPORT names no variable of the Multivariant Playlist (or that was loaded without one) fails to parse
        B4.4.2.3-6 | MUST | no: binds the client | The query value is percent-decoded before substitution
        B4.4.2.3-7 | MUST NOT | query-value | The decoded query value has none of the characters barred from quoted-strings
        B4.4.2.3-8 | MUST | query-known | A playlist whose QUERYPARAM matches no query parameter (or one without a value) fails to parse
        B4.4.2.3-10 | MUST | no: binds the client | After a redirect the query parameter is looked up in the URI of the 30x response
        B4.4.2.3-11 | MUST | define-attributes | Each EXT-X-DEFINE has exactly one of NAME, IMPORT, QUERYPARAM
        B4.4.2.3-12 | MUST | no: binds the client | A reader refuses a playlist where EXT-X-DEFINE has none or several of them
        B4.4.2.3-13 | MUST NOT | variable-once | No two EXT-X-DEFINE tags of one playlist define the same variable
        B4.4.2.3-14 | MUST | no: binds the client | A reader refuses a playlist with duplicate variable definitions
        B4.4.3.1-2 | MUST | target-least | The target duration is at least 1
        B4.4.3.7-form | FORM | part-inf-attributes | PART-TARGET is a decimal number
        B4.4.3.7-1 | MUST | part-inf | EXT-X-PART-INF is present whenever the playlist has an EXT-X-PART
        B4.4.3.7-2 | MUST | part-inf-attributes | EXT-X-PART-INF has a PART-TARGET attribute
        B4.4.3.8-form | FORM | server-control-attributes | The attributes of EXT-X-SERVER-CONTROL are decimal numbers, or YES
        B4.4.3.8-1 | MUST | skip-window | CAN-SKIP-UNTIL is at least six target durations
        B4.4.3.8-2 | MUST | skip-ranges-window | CAN-SKIP-DATERANGES is only used together with CAN-SKIP-UNTIL
        B4.4.3.8-3 | MUST | hold-back-least | HOLD-BACK is at least three target durations
        B4.4.3.8-4 | MUST | part-hold-back-least | PART-HOLD-BACK is at least twice the part target
        B4.4.3.8-5 | SHOULD | part-hold-back-enough | PART-HOLD-BACK is at least three times the part target
        B4.4.3.8-6 | SHOULD | part-hold-back-enough | When part targets differ between renditions, PART-HOLD-BACK is at least three times the largest of them
        B4.4.3.8-7 | MUST | part-hold-back | PART-HOLD-BACK is present when the playlist has EXT-X-PART-INF
        B4.4.4.4-6 | MUST NOT | key-vector-method | With METHOD=AES-256-GCM there is no IV attribute
        B4.4.4.4-8 | MUST NOT | key-vector-method | With METHOD=SAMPLE-AES-CTR there is no IV attribute
        B4.4.4.5-3 | MUST | map-range-offset | The BYTERANGE of EXT-X-MAP states its offset (length@offset)
        B4.4.4.6-2 | SHOULD | no: binds the client | A program date without a time zone is taken as UTC
        B4.4.4.7-1 | SHOULD NOT | no: binds the client | A segment marked EXT-X-GAP is not loaded
        B4.4.4.8-1 | MUST | bitrate-true | EXT-X-BITRATE is not below 90% of the bit rate of any segment that it applies to
        B4.4.4.8-2 | MUST | bitrate-true | EXT-X-BITRATE is not above 110% of the bit rate of any segment that it applies to
        B4.4.4.9-form | FORM | part-attributes | The attributes of EXT-X-PART have the forms listed
        B4.4.4.9-1 | MUST | part-attributes | EXT-X-PART has URI
        B4.4.4.9-2 | MUST | part-attributes | EXT-X-PART has DURATION
        B4.4.4.9-3 | SHOULD | live-part-independent | Every part that contains an independent frame has INDEPENDENT=YES
        B4.4.4.9-4 | MUST | - | A part that is not available has GAP=YES
        B4.4.4.9-5 | MUST | part-order | DISCONTINUITY, KEY, MAP and PROGRAM-DATE-TIME of a Parent Segment stand before its first EXT-X-PART
        B4.4.4.9-6 | MUST | part-longest live-part-length | A part is no longer than the part target
        B4.4.4.9-7 | MUST | part-shortest | A part lasts at least 85% of the part target, except an independent part, a gap part, one directly before a gap part
        B4.4.4.9-8 | SHOULD NOT | part-iframes | I-frame playlists have no parts
        B4.4.5-2 | MUST NOT | tag-once | EXT-X-SKIP occurs at most once per playlist
        B4.4.5.1-3 | MUST | date-range-start | EXT-X-DATERANGE has START-DATE unless an earlier tag in the playlist with the same ID has it
        B4.4.5.1-12 | MUST | date-range-values | X- attribute values are quoted-string, hexadecimal-sequence or signed-decimal-floating-point
        B4.4.5.1-14 | SHOULD | no: concerns who defines classes | X- attributes keep a consistent meaning across classes
        B4.4.5.1-16 | SHOULD NOT | no: binds the client | An action with CUE=ONCE is not triggered a second time, even on replay
        B4.4.5.1-17 | MUST NOT | date-range-cue | CUE does not list both PRE and POST
        B4.4.5.1-21 | SHOULD | date-range-zone | Dates in EXT-X-DATERANGE state a time zone and fractions of seconds to at least a millisecond
        B4.4.5.1-22 | SHOULD | no: binds the client | A date in EXT-X-DATERANGE without time zone is taken as UTC
        B4.4.5.1-25 | MUST | date-range-attributes date-range-start | The ID is present in every such tag, while other required attributes may be left to the first tag with that ID
        B4.4.5.1.1-11 | MUST | splice-pair | When a splice pair is told by several tags, each has the same ID
        B4.4.5.1.1-12 | MUST | date-range-start | The first tag of such a pair has START-DATE (the splice's program time)
        B4.4.5.1.1-13 | MUST | splice-length | A later tag of such a pair gives the splice's length by DURATION or END-DATE
        B4.4.5.2-form | FORM | skip-attributes | SKIPPED-SEGMENTS is a whole number
        B4.4.5.2-1 | MUST NOT | tag-once | EXT-X-SKIP occurs at most once (repeated in the tag's own section)
        B4.4.5.2-2 | MUST | skip-attributes | EXT-X-SKIP has SKIPPED-SEGMENTS
        B4.4.5.2-3 | MUST | - | EXT-X-SKIP has RECENTLY-REMOVED-DATERANGES when the client asked to skip date ranges
        B4.4.5.3-form | FORM | hint-attributes | TYPE is PART or MAP, the byte range is whole numbers
        B4.4.5.3-1 | MUST | hint-attributes | EXT-X-PRELOAD-HINT has TYPE
        B4.4.5.3-2 | MUST | hint-attributes | EXT-X-PRELOAD-HINT has URI
        B4.4.5.3-3 | MUST | - | The hinted URI is the one under which the resource later appears in the playlist
        B4.4.5.3-5 | SHOULD | no: binds the client | For a hint without BYTERANGE-LENGTH the range request ends at 2^53-1 (RFC 8673)
        B4.4.5.3-7 | MUST NOT | hint-ended | A playlist with EXT-X-ENDLIST has no EXT-X-PRELOAD-HINT
        B4.4.5.4-form | FORM | report-attributes | LAST-MSN and LAST-PART are whole numbers
        B4.4.5.4-1 | MUST | report-attributes | EXT-X-RENDITION-REPORT has URI
        B4.4.5.4-2 | MUST | report-relative report-known | The report's URI is relative to the playlist that contains it
        B4.4.5.4-3 | MUST | no: may be left out where it is what the reader has | EXT-X-RENDITION-REPORT has LAST-MSN (but see the omission permission)
        B4.4.5.4-4 | MUST | no: may be left out where it is what the reader has | EXT-X-RENDITION-REPORT has LAST-PART when the reported rendition has parts
        B4.4.6.1-6 | MUST | stable-id | STABLE-RENDITION-ID uses only letters, digits and + / = . - _
        B4.4.6.1-form B4.4.6.2-form | FORM | live-stable-name | STABLE-RENDITION-ID and STABLE-VARIANT-ID are stable names, under which URIs may change between two loads of the Multivariant Playlist
        B4.4.6.1-7 | SHOULD | stable-id-same | EXT-X-MEDIA tags with one URI share one STABLE-RENDITION-ID
        B4.4.6.1-16 | SHOULD | no: binds the client | An INSTREAM-ID of another TYPE that matches nothing is ignored
        B4.4.6.1-17 | MUST NOT | member-sound-only | BIT-DEPTH is present only with TYPE=AUDIO
        B4.4.6.1-18 | MUST NOT | member-sound-only | SAMPLE-RATE is present only with TYPE=AUDIO
        B4.4.6.1-20 | MUST NOT | member-sound-only | CHANNELS is present only with TYPE=AUDIO
        B4.4.6.1-21 | MUST | channels-form | If CHANNELS has a third parameter its second is not empty
        B4.4.6.1-22 | SHOULD NOT | no: binds the client | Audio marked BINAURAL or IMMERSIVE is not dynamically spatialised (DOWNMIX and unmarked audio may be)
        B4.4.6.1-24 | MUST | member-channels | CHANNELS is present when two renditions with the same NAME and codec differ in channel count
        B4.4.6.1.1-7 | MUST | group-attributes | Corresponding members of groups of one TYPE agree in all attributes but URI, CHANNELS, BIT-DEPTH, SAMPLE-RATE, STABLE-RENDITION-ID and INSTREAM-ID
        B4.4.6.2-8 | SHOULD | no: the author's judgement | SCORE takes all media of the variant into account
        B4.4.6.2-9 | MUST | no: the author's judgement | A variant with the higher SCORE is one the author prefers
        B4.4.6.2-10 | SHOULD | score-all | If one variant has SCORE all have it
        B4.4.6.2-11 | MUST | codecs-imsc | A variant with IMSC renditions says so in CODECS (for example stpp.ttml.im1t)
        B4.4.6.2-13 | MUST | supplemental-codecs | The first field of a SUPPLEMENTAL-CODECS element is a valid codec format
        B4.4.6.2-14 | MUST | - | Further fields of a SUPPLEMENTAL-CODECS element are compatibility brands that belong to that codec
        B4.4.6.2-15 | MUST | supplemental-codecs | The base-layer codec of each SUPPLEMENTAL-CODECS element is listed in CODECS
        B4.4.6.2-20 | SHOULD | no: concerns the key system | A KEYFORMAT that defines CPC labels also states its robustness needs securely in each key response
        B4.4.6.2-22 | SHOULD NOT | no: binds the client | A player that meets none of the CPC labels does not try the variant
        B4.4.6.2-23 | MUST | video-range-true | VIDEO-RANGE is SDR for video with transfer characteristics 1, 6, 13, 14 or 15
        B4.4.6.2-24 | MUST | video-range | VIDEO-RANGE is HLG for video with transfer characteristics 18, also when mixed with SDR
        B4.4.6.2-25 | MUST | video-range | VIDEO-RANGE is PQ for video with transfer characteristics 16, also when mixed with SDR or HLG
        B4.4.6.2-26 | SHOULD NOT | no: binds the client | A player that does not know the VIDEO-RANGE value does not choose the variant
        B4.4.6.2-27 | MUST | no: binds the client | A variant whose REQ-VIDEO-LAYOUT has an unknown specifier is ignored together with its URI line
        B4.4.6.2-28 | MUST NOT | video-layout empty-string | REQ-VIDEO-LAYOUT is not empty
        B4.4.6.2-29 | MUST NOT | video-layout | No entry of REQ-VIDEO-LAYOUT is empty
        B4.4.6.2-30 | SHOULD | no: needs to understand the content | REQ-VIDEO-LAYOUT is present when content needs special rendering to display properly
        B4.4.6.2-31 | SHOULD | no: binds the client | A player takes the order of entries in REQ-VIDEO-LAYOUT as the order of prevalence
        B4.4.6.2-32 | SHOULD | no: needs to understand the content | The prevailing presentation is listed first (CH-STEREO,CH-MONO or CH-MONO,CH-STEREO)
        B4.4.6.2-33 | SHOULD NOT | video-layout-needed | REQ-VIDEO-LAYOUT is left out when it would state nothing but the default (mono, rectilinear)
        B4.4.6.2-34 | MUST | stable-id | STABLE-VARIANT-ID uses only letters, digits and + / = . - _
        B4.4.6.2-35 | SHOULD | stable-id-same | STREAM-INF tags with one URI share one STABLE-VARIANT-ID
        B4.4.6.2-43 | SHOULD | no: renditions name no pathway | Every pathway has all rendition groups
        B4.4.6.2-44 | SHOULD | no: renditions name no pathway | A variant of a pathway uses rendition groups of that pathway
        B4.4.6.4-5 | MUST | - | The resource that SESSION-DATA's URI names has the format that FORMAT states
        B4.4.6.4-6 | MUST | no: binds the client | FORMAT is ignored when there is no URI
        B4.4.6.4-7 | MUST | - | With FORMAT=JSON (the default) the URI leads to a JSON file
        B4.4.6.4-8 | MUST | no: binds the client | With FORMAT=RAW the resource is treated as binary
        B4.4.6.6-form | FORM | steering-attributes | SERVER-URI and PATHWAY-ID are quoted strings
        B4.4.6.6-1 | MUST NOT | tag-once | EXT-X-CONTENT-STEERING occurs at most once
        B4.4.6.6-2 | MUST | steering-attributes | EXT-X-CONTENT-STEERING has SERVER-URI
        B4.4.6.6-4 | MUST | no: binds the client | A steering client applies the pathway of PATHWAY-ID until the first manifest has been obtained
        B4.4.6.6-5 | MUST | pathway-known | PATHWAY-ID of the steering tag is a legal pathway id that at least one variant carries
        B6.2.1-1 | MUST | target-holds duration-bound | Segment durations, rounded to whole seconds, are not above the target duration
        B6.2.1-5 | SHOULD | no: needs the source | Missing media is shown by segments whose durations add up to the missing time
        B6.2.1-6 | MUST | no: needs the source | Those segments have EXT-X-GAP
        B6.2.1-7 | MUST | - | Missing parts have GAP=YES
        B6.2.1-9 | MUST | discontinuity-needed | Changes of codec, resolution, file format, tracks or timing are marked by EXT-X-DISCONTINUITY
        B6.2.1-10 | MUST | live-segment-there | Each segment can be fetched at once, and at full link speed, from the moment it is listed, unless marked as a gap
        B6.2.1-12 | MUST | live-part-there live-part-bytes | A part can be fetched at once from the moment it is listed
        B6.2.1-17 | MUST NOT | live-order live-segment-changed | A Media Playlist changes only by appended lines, segments removed in order with their tags, removed metadata tags that no longer apply
        B6.2.1-19 | MUST NOT | - | No part of an EVENT playlist is changed or removed except EXT-X-PART and Media Metadata tags; lines may be appended
        B6.2.1-24 | MUST | date-time-order | With a permitted drift overlap the later segment overlaps the earlier one only in part
        B6.2.1-25 | MUST | no: binds the client | An ambiguous date is resolved in favour of the later segment
        B6.2.1-32 | MUST | live-news | A new version comes no later than one and a half target durations after the last update that added a segment (no lower bound)
        B6.2.1-33 | MUST | live-part-news | In a live playlist with parts a new part is added within one part target of the previous one
        B6.2.2-5 | SHOULD | live-parts-old live-parts-removed | EXT-X-PART tags are removed once more than three target durations from the playlist's end
        B6.2.2-6 | MUST | - | A part stays downloadable for at least three target durations after its tag was removed
        B6.2.2-9 | MUST | - | A segment removed from a playlist with EXT-X-ENDLIST stays downloadable until the removal time plus its Availability Duration
        B6.2.2-10 | MUST | live-segment-kept | A segment removed from a playlist without EXT-X-ENDLIST stays downloadable until its first appearance plus its Availability Duration
        B6.2.3-4 | MUST | - | An unencrypted segment lies in the scope of METHOD=NONE or before the first EXT-X-KEY
        B6.2.3-5 | MUST | - | AES-128 and AES-256-GCM encryption outside I-frame playlists is applied to each segment on its own
        B6.2.4-9 | MUST NOT | same-range | Such unmatched content is not longer than the smallest target duration of any Media Playlist
        B6.2.4-13 | MUST | date-ranges-everywhere | If any playlist has date ranges, at least one playlist of each playable combination has them
        B6.2.4-14 | MUST | same-date-ranges | All playlists that have date ranges have the same set of them
        B6.2.4-15 | MUST | same-date-ranges | Corresponding date ranges agree in ID and in all attributes and values
        B6.2.4-16 | MUST | same-control | If one Media Playlist has EXT-X-SERVER-CONTROL all have it with the same attributes and values
        B6.2.5.1-1 | MUST | live-delta live-delta-given | A request with _HLS_skip=YES or v2 for a playlist with CAN-SKIP-UNTIL and without EXT-X-ENDLIST is answered with a delta update
        B6.2.5.1-2 | MUST NOT | - | With _HLS_skip=v2 the update leaves out date ranges added more than CAN-SKIP-UNTIL seconds before the request
        B6.2.5.1-3 | MUST | - | RECENTLY-REMOVED-DATERANGES lists the date ranges removed within CAN-SKIP-UNTIL seconds of the request
        B6.2.5.1-4 | MUST | live-delta-boundary | All tags that are not skipped are in the delta update
        B6.2.5.1-5 | MUST | - | _HLS_skip is ignored when the playlist lacks CAN-SKIP-UNTIL or has EXT-X-ENDLIST
        B6.2.5.2-2 | MUST | live-block-answer | With _HLS_msn=M alone the answer waits until the playlist has segment M or later, or is an error
        B6.2.5.2-3 | MUST | - | With _HLS_msn=M and _HLS_part=N the answer waits until the playlist has part N of segment M or something later, or is an error
        B6.2.5.2-4 | MUST | - | A part number beyond the Parent Segment's last part counts as part 0 of the next segment
        B6.2.5.2-5 | MUST | live-block-past | The whole playlist is delivered even when the asked segment is not its last one or is already gone
        B6.2.5.2-6 | MUST | - | _HLS_msn and _HLS_part are ignored when the playlist has EXT-X-ENDLIST
        B6.2.5.2-7 | SHOULD | live-block-ahead | A request for a segment beyond last+2, or a part beyond the advance part limit, is refused at once with 400
        B6.2.5.2-8 | MUST | - | _HLS_part without _HLS_msn is refused with 400
        B6.2.5.2-9 | SHOULD | live-block-end | A request that blocked for more than three target durations in vain is answered with 503
        B6.2.5.2-10 | SHOULD | - | I-frame playlists support blocking by _HLS_msn if other renditions have CAN-BLOCK-RELOAD
        B6.2.6-2 | MUST | live-hint-there | A hinted resource can be requested from the moment its hint is listed
        B6.2.6-3 | MUST | - | No byte of a part is sent before all its bytes can be sent at full link speed
        B6.2.6-4 | MUST | - | For a range over several parts that holds for each part in turn
        B6.2.6-5 | SHOULD NOT | no: needs to know what is wanted soon | Byte ranges that clients will hardly need soon are not hinted
        B6.2.6-6 | SHOULD | - | A request for an unknown resource that no active playlist hints is answered with 404
        B6.2.6-8 | SHOULD | - | Requests for abandoned hinted resources are answered with 404
        B6.2.6-9 | SHOULD | no: needs the next part | The hint of a part of unknown length inside a larger resource has no BYTERANGE-LENGTH
        B6.2.6-10 | SHOULD | no: needs the next part | Such a hint states the part's start offset (the text names BYTERANGE-OFFSET but the attribute is BYTERANGE-START)
        B6.2.6-11 | SHOULD NOT | hint-once | Not more than one EXT-X-PRELOAD-HINT of each TYPE per playlist
        B6.3.1-3 | MUST | no: binds the client | A variable reference defined earlier is replaced by its value (once, not recursively)
        B6.3.1-4 | MUST | variable-defined | A variable reference without an earlier definition is a parsing error
        B6.3.1-8 | MUST | no: binds the client | A tag with an unknown attribute whose name begins with REQ- is ignored as a whole
        B6.3.1-11 | MUST | no: binds the client | When an EXT-X-STREAM-INF is ignored its URI line is ignored too
        B6.3.1-12 | MUST NOT | no: the author's judgement | Playlists are not written so that they become unusable for older players that ignore newer tags and attributes
        B6.3.1-13 | SHOULD | no: binds the client | Audio with unknown CHANNELS parameters counts as playable if its codec is supported
        B6.3.1-14 | SHOULD | no: binds the client | An equivalent rendition with known CHANNELS parameters is preferred
        B6.3.1-15 | SHOULD | no: binds the client | If all variants have SCORE the player chooses by it after other playability limits
        B6.3.2-6 | MUST | no: binds the client | Query parameters are in UTF-8 order when delivery directives are used
        B6.3.3-2 | SHOULD NOT | no: binds the client | Live playback does not start nearer to the end than HOLD-BACK or PART-HOLD-BACK say
        B6.3.3-3 | SHOULD NOT | no: binds the client | Gap segments and gap parts are not loaded
        B6.3.4-3 | MUST | no: binds the client | After a load that found a change the player waits at least the duration of the playlist's last segment from the start of that load
        B6.3.4-6 | SHOULD | no: binds the client | On such a fault the player considers another variant or reporting it
        B6.3.6-5 | MUST | no: binds the client | AES-256-GCM decryption and tag verification are applied per segment
        B6.3.7-2 | SHOULD NOT | no: binds the client | Delta updates are asked for only with a version no older than half the skip boundary at hand
        B6.3.7-3 | MUST | no: binds the client | A delta update is merged with the previous version
        B6.3.7-4 | MUST | no: binds the client | If skipped information is missing the full playlist is requested without _HLS_skip
        B6.3.8-1 | MUST NOT | no: binds the client | Blocking reloads are asked for only with CAN-BLOCK-RELOAD=YES
        B6.3.8-2 | SHOULD | no: binds the client | Where supported, blocking reloads are preferred to polling
        B6.3.8-3 | SHOULD | no: binds the client | Without fresh knowledge of the next number a tune-in algorithm is used
        B6.3.8-4 | MUST | no: binds the client | Hints of unknown TYPE are ignored
        B6.3.8-5 | SHOULD | no: binds the client | All but the first hint of a TYPE are ignored
        B6.3.8-6 | SHOULD | no: binds the client | A hinted part is requested if there is room and it is not already loading
        B6.3.8-7 | SHOULD | no: binds the client | A hinted initialization section is requested if not cached
        B6.3.8-8 | SHOULD | no: binds the client | Requests for hints that vanish are cancelled
        B6.3.8-9 | SHOULD | no: binds the client | Results of such requests are ignored
        B6.3.8-10 | SHOULD | no: binds the client | A part inside a hint download is taken from that download
        B6.3.8-11 | SHOULD | no: binds the client | Contiguous ranges of parts and hints are recognised so that nothing is loaded twice
        B7-1 | MUST | no: binds the client | Steering clients follow the separate content-steering specification and this section
        B7-2 | MUST | - | (Condition, no keyword) steering of offline content needs stable ids on every rendition, the same ids on every pathway
        B7.4-1 | SHOULD | no: binds the client | The steering request has _HLS_pathway and _HLS_throughput
        B7.4-2 | SHOULD | no: needs the cache configuration | Caches leave _HLS_throughput out of their keys or do not cache the manifest
        B7.5-1 | MUST | no: binds the client | A client playing a variant outside the applied pathway switches to one inside
        B8-7 | MUST | version-enough | Version 5 or more: METHOD=SAMPLE-AES (not listed in RFC 8216 section 7)
        B8-10 | MUST | version-enough | Version 8 or more: variable substitution
        B8-11 | MUST | version-enough | Version 9 or more: EXT-X-SKIP
        B8-12 | MUST | version-enough | Version 10 or more: EXT-X-SKIP that also replaces date ranges
        B8-13 | MUST | version-enough | Version 11 or more: EXT-X-DEFINE with QUERYPARAM
        B8-14 | MUST | version-enough | Version 12 or more: any attribute named REQ-
        B8-15 | MUST | version-enough | Version 13 or more: INSTREAM-ID on an EXT-X-MEDIA that is not CLOSED-CAPTIONS
        BB.1-1 | SHOULD | no: binds the client | A client checks the profile before playing closer to live than two target durations
        BB.1-2 | SHOULD | no: binds the client | A client falls back to regular latency when the profile is not met
        BB.1-3 | MUST | live-date | (Stated as fact) every Media Playlist has program dates
        BB.1-4 | MUST | - | (Stated as fact) every full segment has at least one independent frame
        BB.1-5 | MUST | hint-given | (Stated as fact) a live playlist with parts hints the next part
        BB.1-6 | MUST | - | (Stated as fact) a hint with TYPE=MAP is there when the next part has another initialization section
        BB.1-7 | MUST | reports-given | Every Media Playlist has one rendition report for each other Media Playlist that is not an I-frame playlist
        BB.1-8 | SHOULD | - | Rendition reports are also given for I-frame playlists
        BB.1-9 | MUST | - | If so, every Media Playlist has one for each other I-frame playlist
        BB.1-10 | MUST | http-2 | (Stated as fact) playlists and segments are served over HTTP/2 or HTTP/3
        BB.1-11 | MUST | - | (Stated as fact) extensible priorities (RFC 9218) with HTTP/3; recommended with HTTP/2
        BB.1-13 | MUST | - | With RFC 9218 priorities responses have an urgency field
        BB.1-14 | MUST | - | Playlists have priority (urgency) 1
        BB.1-15 | MUST | - | Segments have priorities 2 to 6
        BB.1-16 | MUST NOT | - | Segments of a variant of higher bit rate do not rank above those of one of lower bit rate
        BB.1-17 | MUST | - | (Stated as fact) each server has all variants of the Multivariant Playlist
        BB.1-18 | MUST | - | (Stated as fact) Range requests work when byte-range attributes are used
        BB.1-19 | MUST | no: needs the network path | (Stated as fact) TCP SACK along the whole route
        BB.1-20 | MUST | - | (Stated as fact) playlist requests are idempotent
        BB.1-21 | MUST | playlist-gzip | (Stated as fact) playlists are delivered gzip-coded
        BB.1-22 | MUST | - | (Stated as fact) all renditions are updated within one part target of each other
        BB.1-23 | MUST | no: needs the cache | (Stated as fact) caches collapse duplicate blocked requests into one fill
        BB.1-24 | MUST | - | (Stated as fact) caches set the Age header
        BB.1-25 | SHOULD | no: needs the network path | (Recommended) ECN, TCP timestamps, RACK-TLP
        BB.1-26 | SHOULD | - | (Recommended) TLS 1.3 or later, with 0-RTT for playlists and segments
        BB.1-27 | SHOULD | - | (Recommended) cache life: blocked playlist answers six target durations, their failures four; unblocked answers half, failures one
        BB.1-28 | SHOULD | - | (Recommended) cache life: blocked segment answers six target durations, failures one
        BB.1-29 | SHOULD | - | (Recommended) origins state cache life by Cache-Control
        BB.1-30 | SHOULD | segment-length | (Recommended) a target duration of six seconds
        BB.1-31 | SHOULD | - | (Recommended) GOPs of one to two seconds
        BC-1 | SHOULD | no: binds the client | Clients support low-latency streams through CDNs and caches
        BD.1-1 | MUST | - | Interstitial assets are VOD
        BD.1-2 | SHOULD | no: binds the client | The asset is loaded after the primary is buffered up to its scheduled time
        BD.1-4 | SHOULD | - | The asset's bit rates allow similar adaptation to the primary's
        BD.1-5 | SHOULD | - | The asset's languages per group type match the primary's
        BD.1-6 | SHOULD | no: binds the client | Devices without interstitial support ignore such events
        BD.1-7 | MUST | no: binds the client | Interstitials inside interstitials are ignored
        BD.2-form BD.3-form | FORM | interstitial-attributes | The attributes of an interstitial have the forms and values listed
        BD.2-1 | MUST | interstitial-asset | An interstitial date range has CLASS com.apple.hls.interstitial
        BD.2-2 | MUST | interstitial-asset | It has X-ASSET-URI or X-ASSET-LIST
        BD.2-3 | MUST NOT | interstitial-asset | It does not have both
        BD.2-4 | MUST | - | A relative X-ASSET-LIST URI resolves against every playlist that holds the tag
        BD.2-5 | MUST | - | The asset list is a JSON object with an ASSETS array
        BD.2-7 | MUST | - | Each asset has URI (absolute)
        BD.2-8 | MUST | - | Each asset has DURATION
        BD.2-9 | SHOULD | no: binds the client | Assets are played back to back in order
        BD.2-10 | SHOULD | no: binds the client | Playout ends at X-PLAYOUT-LIMIT
        BD.2-11 | MUST | no: binds the client | Without a limit the interstitial ends with its assets
        BD.2-12 | SHOULD | no: binds the client | X-SNAP=OUT: leave the primary at the segment boundary nearest START-DATE
        BD.2-13 | SHOULD | no: binds the client | X-SNAP=OUT: with several playlists use the earliest boundary
        BD.2-14 | SHOULD | no: binds the client | X-SNAP=IN: resume at the boundary nearest the resumption point
        BD.2-15 | SHOULD | no: binds the client | X-SNAP=IN: with several playlists use the latest boundary
        BD.2-16 | MUST NOT | no: binds the client | X-RESTRICT=SKIP: no seeking forward or fast play in the interstitial
        BD.2-17 | MUST NOT | no: binds the client | X-RESTRICT=JUMP: no seeking across it without playing it
        BD.2-18 | SHOULD | no: binds the client | When seeking over several, at least one is played
        BD.2-20 | SHOULD | no: binds the client | Without CUE an interstitial starts at the date range's start
        BD.2-21 | SHOULD | no: binds the client | Interstitials at one time are played in tag order
        BD.2-22 | MUST | - | Interstitials at one time stand in the same order in all Media Playlists
        BD.2-23 | SHOULD NOT | no: binds the client | After resuming before its start an interstitial is not repeated unless the user moves back
        BD.2-24 | SHOULD | - | The (planned) duration of the date range is that of the asset(s)
        BD.2-26 | SHOULD | - | The preload range ends at or shortly before the expected start
        BD.2-27 | SHOULD | no: the author's judgement | The preload range lasts as long as a preload would stay valid
        BD.2-28 | SHOULD | no: binds the client | The client preloads at a random point in the range
        BD.2-29 | SHOULD NOT | no: binds the client | An interstitial is not loaded later than without the preload tag
        BD.2-30 | SHOULD | no: binds the client | The client bounds the range by the playhead and by the normal load time (several steps)
        BD.2-31 | SHOULD | no: binds the client | Preload tags are ignored in ended playlists
        BD.3-1 | SHOULD | no: binds the client | Without a label id a default skip label is used
        BD.3-2 | MUST | interstitial-attributes | X-SKIP-CONTROL-LABEL-ID uses only letters, hyphen and underscore
        BD.4-1 | SHOULD | interstitial-id | Packagers put _HLS_interstitial_id with the date range's ID into X-ASSET-URI and X-ASSET-LIST
        BD.4-2 | SHOULD NOT | interstitial-query | Packagers define no own query parameters beginning with _HLS_
        BD.4-3 | SHOULD | no: binds the client | Clients with a session id header add _HLS_primary_id to interstitial requests
        BD.4-4 | SHOULD | no: binds the client | Other clients make a unique value per session and send it on primary and interstitial requests
        BD.4-5 | SHOULD | no: binds the client | A client joining live inside an interstitial adds _HLS_start_offset
        BD.5-1 | SHOULD | no: binds the client | A seek between the interstitial's start and its resumption point starts the interstitial
        BD.5-2 | SHOULD | no: binds the client | On failure of an asset or list the interstitial is cancelled with resume offset 0
        BD.5-3 | SHOULD | no: binds the client | A failing asset of a list is skipped
        BD.5-4 | SHOULD | no: binds the client | With an empty ASSETS array the resume offset is applied without playing
        BD.5-5 | SHOULD | no: binds the client | Resume offset 0 is used when nothing is played unless one was given
        BD.5-6 | SHOULD | no: binds the client | Clients wait long (up to a minute) for asset responses
        BD.5-7 | MUST | - | Servers answer asset requests fast enough not to disturb playback
        BE.1-1 | MUST | - | The localization dictionary (SESSION-DATA _hls.localized-rendition-names) is JSON that maps NAMEs to name-translation objects
        BE.1-2 | MUST | - | Each name-translation object maps language subtags to localized names
        BF-1 | MUST | preload-range | A preload date range (CLASS com.apple.hls.preload) has X-URI
        BF-2 | SHOULD | - | X-URI has the query parameters of the target's URI
        BF-3 | SHOULD | no: binds the client | A preload whose URI does not match the target's is discarded
        BF-4 | MUST | preload-range | It has X-TARGET-ID
        BF-5 | MUST | preload-range | It has X-TARGET-CLASS
        BF-6 | MUST | preload-range | It has DURATION or END-DATE
        BF-7 | MUST NOT | preload-range | It has neither CUE nor END-ON-NEXT
        BF-9 | SHOULD NOT | no: binds the client | When X-TARGET-CLASS does not match the target's CLASS the URI is not preloaded or not used
        BF-10 | SHOULD | no: binds the client | When the preload tag is removed its result is discarded
        BG.1-1 | SHOULD | - | The custom-media-selection array (SESSION-DATA _hls.media-presentation-settings) is not empty
        BG.1-2 | MUST | - | Each media presentation type has TYPE (an EXT-X-MEDIA type)
        BG.1-3 | MUST | - | It has MEDIA-PRESENTATION-SETTINGS
        BG.1-4 | SHOULD | - | That array is not empty
        BG.1-5 | SHOULD NOT | no: binds the client | With LANGUAGE-DISPLAY NONE language is not offered as a preference (otherwise it is)
        BG.1-6 | MUST | - | Each selector has SELECTOR, DISPLAY-NAMES and SETTINGS
        BG.1-7 | SHOULD | - | SETTINGS is not empty
        BG.1-8 | MUST | - | Each setting has CHARACTERISTIC and DISPLAY-NAMES
        BG.1-9 | SHOULD | - | A language used in one DISPLAY-NAMES is used in all
        BG.1-10 | SHOULD | no: binds the client | The order of selectors decides which choices win when no rendition has them all
        B7.2CS-1 | MUST | steering-manifest | The steering manifest has VERSION
        B7.2CS-2 | MUST | no: binds the client | A client refuses a manifest whose VERSION is missing or unknown
        B7.2CS-3 | MUST | steering-manifest | The steering manifest has TTL in seconds (300 is the recommended value)
        B7.2CS-5 | MUST | steering-manifest | The steering manifest has PATHWAY-PRIORITY with at least one pathway
        B7.2CS-6 | MUST NOT | steering-manifest | PATHWAY-PRIORITY does not repeat a pathway
        B7.2CS-7 | MUST | no: binds the client | Unknown pathway ids are ignored
        B7.2CS-8 | MUST | steering-manifest | Pathway ids use only letters, digits, full stop, hyphen and underscore
        B7.3CS-1 | MUST | steering-clone | A pathway clone has BASE-ID, ID and URI-REPLACEMENT
        B7.3CS-2 | MUST NOT | steering-clone | A clone's ID equals no other pathway id
        B7.3CS-3 | MUST | steering-clone | A clone's BASE-ID names a pathway that exists (a clone of an unknown base is ignored)
        B7.5CS-1 | MUST NOT | no: binds the client | After 410 Gone that manifest URI is not requested again in the session
        B7.5CS-2 | SHOULD | no: binds the client | After 429 with Retry-After the client waits that long
        B7.5CS-3 | SHOULD | no: binds the client | After other failures the old values stay and the client retries after the previous TTL (five minutes if none)
        B7.5CS-4 | SHOULD | no: binds the client | Without any manifest the order of pathways in the playlist is used, the initial one first
        B7.2CS-9 | SHOULD | - | The first member of PATHWAY-PRIORITY agrees with the playlist's initial pathway to avoid a switch at the start
        B7.2CS-10 | SHOULD | - | The manifest is served as application/vnd.apple.steering-list
        """
}
