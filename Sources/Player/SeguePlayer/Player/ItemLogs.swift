internal import SegueBase
internal import SeguePlayerModel

/// What happened in one uninterrupted stretch of an item's playback, as `AVPlayerItemAccessLogEvent` tells it.
///
/// A stall, a seek, another variant or the item's end closes it, and what comes behind is the next one's.
public struct AccessLogEvent: Sendable, Equatable {
    /// When the stretch began, since the world did.
    public let began: Duration
    /// The media playlist, or the item's own address while that is not known.
    public let uri: String
    /// The server that answered last, its port behind a colon where the address has one; empty while none has.
    public let serverAddress: String
    /// How many requests of any kind were answered whole.
    public let numberOfRequests: Int
    /// How many of them were for segments.
    public let numberOfMediaRequests: Int
    /// How many bytes came with all of them.
    public let numberOfBytesTransferred: Int
    /// How much media the segments hold.
    public let segmentsDownloadedDuration: Duration
    /// How long requests for segments took together.
    public let transferDuration: Duration
    /// How much was played.
    public let durationWatched: Duration
    /// The mean of what segments came at, in bits a second; nil while none has.
    public let observedBitrate: Double?
    /// What the multivariant playlist says the variant takes, in bits a second; nil where it does not.
    public let indicatedBitrate: Int?
    /// How often the buffer ran out while it played.
    public let numberOfStalls: Int
    /// From the wish to play until it played; nil where the stretch does not begin playback.
    public let startupTime: Duration?
    /// How many segments took longer to come than they play.
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

/// One thing that went wrong with an item, as `AVPlayerItemErrorLogEvent` tells it.
public struct ErrorLogEvent: Sendable, Equatable {
    /// When, since the world began.
    public let date: Duration
    /// What was asked for.
    public let uri: String
    /// The HTTP status; nil where there was no answer.
    public let status: Int?
    /// What the code is of: `HTTP`, `NSURLErrorDomain`, `Playlist`, `Media` or `Platform`.
    public let errorDomain: String
    /// What went wrong, as a number of that domain.
    public let errorCode: Int
    /// What went wrong, in one line.
    public let errorComment: String

    init(_ entry: ErrorLogEntry) {
        date = entry.at - .zero
        (uri, status) = (entry.uri, entry.status > 0 ? entry.status : nil)
        (errorDomain, errorCode) = (entry.error.domain.rawValue, entry.error.code)
        errorComment = entry.error.message
    }
}
