internal import SegueContainers

/// Generated titles, each as one stream and as renditions.
struct MadeTitles: Sendable {
    private let film: MadeStream
    private let pictures: MadeStream
    private let sound: MadeStream

    init(seconds: Int, segmentSeconds: Int, bitrate: Int, soundBitrate: Int) {
        let stream = { (bitrate: Int, hasVideo: Bool, hasAudio: Bool) in
            MadeStream(
                seconds: seconds,
                segmentSeconds: segmentSeconds,
                bitrate: bitrate,
                hasVideo: hasVideo,
                hasAudio: hasAudio
            )
        }
        film = stream(bitrate, true, true)
        sound = stream(soundBitrate, false, true)
        pictures = stream(max(1, film.bitrate - sound.bitrate), true, false)
    }

    /// Returns the stream for the name of a playlist, or of a folder of segments.
    func stream(_ name: String) -> MadeStream {
        switch name {
        case "sound": sound
        case "pictures": pictures
        default: film
        }
    }

    /// The playlist of a title with separate video and audio.
    var multivariant: String {
        let bandwidth = pictures.bitrate.addingReportingOverflow(sound.bitrate)
        return """
            #EXTM3U
            #EXT-X-VERSION:4
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,URI="sound.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth.overflow ? .max : bandwidth.partialValue),\
            CODECS="avc1.42c01e,mp4a.40.2",AUDIO="sound"
            pictures.m3u8

            """
    }
}
