internal import SegueBase
internal import SeguePlayerModel

/// An event for one uninterrupted stretch of playback of an item, like `AVPlayerItemAccessLogEvent`.
///
/// A stall, a seek, a change of variant, or the end of the item ends it, and the next event begins.
public struct AccessLogEvent: Sendable, Equatable {
    /// The start of the stretch, since the world began.
    public let began: Duration
    /// The media playlist, or the item's own URL while the playlist is not known.
    public let uri: String
    /// The last server that responded, with its port after a colon if the URL has one; empty before a response.
    public let serverAddress: String
    /// The number of complete responses to requests of any kind.
    public let numberOfRequests: Int
    /// The number of them that were for segments.
    public let numberOfMediaRequests: Int
    /// The number of bytes of all of them.
    public let numberOfBytesTransferred: Int
    /// The duration of media in the segments.
    public let segmentsDownloadedDuration: Duration
    /// The total time of requests for segments.
    public let transferDuration: Duration
    /// The duration of media played.
    public let durationWatched: Duration
    /// The mean bit rate of segments, in bits per second; nil before a segment.
    public let observedBitrate: Double?
    /// The bit rate of the variant in the multivariant playlist, in bits per second, if there is one.
    public let indicatedBitrate: Int?
    /// The number of times that the buffer ran out during playback.
    public let numberOfStalls: Int
    /// The time from the play command to playback; nil if the stretch does not begin playback.
    public let startupTime: Duration?
    /// The number of segments that took longer to load than to play.
    public let downloadOverdue: Int

    init(_ entry: AccessLogEntry) {
        began = entry.began - .zero
        (uri, serverAddress) = (entry.uri, entry.serverAddress)
        (numberOfRequests, numberOfMediaRequests) = (entry.requests, entry.segments)
        numberOfBytesTransferred = entry.bytes
        (segmentsDownloadedDuration, transferDuration) = (entry.downloaded, entry.transferTime)
        durationWatched = entry.watched
        observedBitrate = entry.observedBitrate.count > 0 ? entry.observedBitrate.mean : nil
        indicatedBitrate = entry.indicatedBitrate > 0 ? entry.indicatedBitrate : nil
        (numberOfStalls, startupTime, downloadOverdue) = (entry.stalls, entry.startupTime, entry.overdueSegments)
    }
}

/// An error of an item, like `AVPlayerItemErrorLogEvent`.
public struct ErrorLogEvent: Sendable, Equatable {
    /// The time of the error, since the world began.
    public let date: Duration
    /// The URL of the request.
    public let uri: String
    /// The HTTP status; nil without a response.
    public let status: Int?
    /// The domain of the code: on an Apple platform, that of a device, such as `CoreMediaErrorDomain`; on other
    /// platforms, `HTTP`, `NSURLErrorDomain`, `Playlist`, `Media`, or `Platform`.
    public let errorDomain: String
    /// The error code in that domain.
    public let errorCode: Int
    /// A description in one line.
    public let errorComment: String

    init(_ entry: ErrorLogEntry) {
        date = entry.at - .zero
        (uri, status) = (entry.uri, entry.status > 0 ? entry.status : nil)
        (errorDomain, errorCode) = (entry.reported.domain.rawValue, entry.reported.code)
        errorComment = entry.reported.message
    }
}
