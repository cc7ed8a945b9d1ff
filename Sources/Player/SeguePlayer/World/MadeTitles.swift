internal import SegueContainers

/// Generated titles, each as one stream and as renditions.
struct MadeTitles: Sendable {
    private let film: MadeStream
    private let video: MadeStream
    private let audio: MadeStream

    init(seconds: Int, segmentSeconds: Int, bitrate: Int, audioBitrate: Int) {
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
        audio = stream(audioBitrate, false, true)
        video = stream(max(1, film.bitrate - audio.bitrate), true, false)
    }

    /// Returns the stream for the name of a playlist, or of a folder of segments.
    func stream(_ name: String) -> MadeStream {
        switch name {
        // The names `sound` and `pictures` are those of the previous version.
        case "audio", "sound": audio
        case "video", "pictures": video
        default: film
        }
    }

    /// The playlist of a title with separate video and audio.
    var multivariant: String {
        let bandwidth = video.bitrate.addingReportingOverflow(audio.bitrate)
        return """
            #EXTM3U
            #EXT-X-VERSION:4
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth.overflow ? .max : bandwidth.partialValue),\
            CODECS="avc1.42c01e,mp4a.40.2",AUDIO="audio"
            video.m3u8

            """
    }
}
