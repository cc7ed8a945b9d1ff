import Foundation
import SegueContainers
import SegueTestSupport

/// What cases are made from: playlists and segments in good order.
struct Seeds: Sendable {
    /// A segment with its initialization section, where it needs one.
    struct Segment: Sendable {
        let bytes: [UInt8]
        let initialization: [UInt8]?
    }

    private(set) var playlists: [[UInt8]]
    private(set) var segments: [Segment]

    /// The most bytes of a file that are taken.
    private static let mostBytes = 1 << 20

    /// The built-in ones, and those of a folder: playlists by their first line, all else as segments.
    init(folder: String?) {
        playlists = Seeds.texts.map { Array($0.utf8) }
        segments = [
            Segment(bytes: TransportStream.segment(hasVideo: true, hasAudio: true, size: 3760), initialization: nil),
            Segment(bytes: SegmentBytes.initialization, initialization: nil),
            Segment(
                bytes: Array("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n".utf8)
                    + Array("00:00:01.000 --> 00:00:04.000\nwords\n".utf8),
                initialization: nil
            ),
        ]
        guard let folder, let files = FileManager.default.enumerator(atPath: folder) else { return }
        for case let name as String in files {
            guard let data = FileManager.default.contents(atPath: folder + "/" + name), !data.isEmpty,
                data.count <= Self.mostBytes
            else { continue }
            let bytes = Array(data)
            if bytes.starts(with: Array("#EXTM3U".utf8)) {
                playlists.append(bytes)
            } else {
                segments.append(Segment(bytes: bytes, initialization: nil))
            }
        }
    }

    private static let texts = [
        """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:6
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
        #EXT-X-DEFINE:NAME="path",VALUE="a/b"
        #EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x000102030405060708090A0B0C0D0E0F,KEYFORMAT="identity",KEYFORMATVERSIONS="1/2"
        #EXT-X-MAP:URI="{$path}/init.mp4",BYTERANGE="700@0"
        #EXT-X-PROGRAM-DATE-TIME:2026-03-01T00:00:00.000Z
        #EXT-X-BITRATE:800
        #EXTINF:6.006,a title
        #EXT-X-BYTERANGE:1000@700
        {$path}/all.m4s
        #EXTINF:5.5,
        #EXT-X-BYTERANGE:900
        {$path}/all.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-GAP
        #EXTINF:4,
        gone.m4s
        #EXT-X-DATERANGE:ID="ad",CLASS="com.apple.hls.interstitial",START-DATE="2026-03-01T00:00:06Z",DURATION=15,X-ASSET-URI="http://a/b.m3u8",X-RESTRICT="SKIP,JUMP",CUE="ONCE"
        #EXT-X-DATERANGE:ID="splice",START-DATE="2026-03-01T00:00:01Z",PLANNED-DURATION=3,SCTE35-OUT=0xFC00,END-ON-NEXT=YES,CLASS="c"
        #EXT-X-ENDLIST
        """,
        """
        #EXTM3U
        #EXT-X-VERSION:10
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=24,CAN-SKIP-DATERANGES=YES,HOLD-BACK=12
        #EXT-X-PART-INF:PART-TARGET=0.33334
        #EXT-X-MEDIA-SEQUENCE:266
        #EXT-X-DISCONTINUITY-SEQUENCE:3
        #EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES="a\tb"
        #EXTINF:4.00008,
        s269.mp4
        #EXT-X-PART:DURATION=0.33334,URI="s270.1.mp4",INDEPENDENT=YES
        #EXT-X-PART:DURATION=0.33334,URI="s270.2.mp4",BYTERANGE="100@0"
        #EXT-X-PART:DURATION=0.33334,URI="s270.2.mp4",BYTERANGE="100",GAP=YES
        #EXTINF:1.00002,
        s270.mp4
        #EXT-X-PART:DURATION=0.33334,URI="s271.1.mp4"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s271.2.mp4",BYTERANGE-START=0,BYTERANGE-LENGTH=5000
        #EXT-X-RENDITION-REPORT:URI="../1M/low.m3u8",LAST-MSN=271,LAST-PART=1
        """,
        """
        #EXTM3U
        #EXT-X-VERSION:12
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steering?video=1",PATHWAY-ID="a"
        #EXT-X-DEFINE:QUERYPARAM="token"
        #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="a film",LANGUAGE="en"
        #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://key",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="16/JOC",URI="a.m3u8",STABLE-RENDITION-ID="x1",BIT-DEPTH=24,SAMPLE-RATE=48000
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",FORCED=NO,URI="s.m3u8",CHARACTERISTICS="public.easy-to-read"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="English",INSTREAM-ID="CC1"
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1500000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="a",SUBTITLES="s",CLOSED-CAPTIONS="c",SCORE=1.5,PATHWAY-ID="a",STABLE-VARIANT-ID="v1",HDCP-LEVEL=NONE,VIDEO-RANGE=SDR
        v1.m3u8?token=1
        #EXT-X-STREAM-INF:BANDWIDTH=9000000,CODECS="hvc1.2.4.L153.B0,ec-3",SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",REQ-VIDEO-LAYOUT="CH-STEREO/PROJ-EQUI",RESOLUTION=3840x2160,VIDEO-RANGE=PQ,ALLOWED-CPC="com.example.drm:HW/MAIN",AUDIO="a"
        v2.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=200000,CODECS="avc1.64001f",RESOLUTION=1280x720,URI="i.m3u8"
        """,
        """
        #EXTM3U
        #EXT-X-VERSION:4
        #EXT-X-TARGETDURATION:6
        #EXT-X-I-FRAMES-ONLY
        #EXTINF:2,
        #EXT-X-BYTERANGE:9400@376
        0.ts
        #EXTINF:2,
        #EXT-X-BYTERANGE:9588@188000
        0.ts
        #EXT-X-ENDLIST
        """,
    ]
}
