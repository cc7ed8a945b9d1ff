extension User {
    /// The former name of ``User/Action``.
    @available(*, deprecated, renamed: "Action")
    public typealias Wish = Action
}

extension Server {
    /// The former name of ``titles(duration:segment:bitrate:audioBitrate:)``.
    @available(*, deprecated, renamed: "titles(duration:segment:bitrate:audioBitrate:)")
    public static func titles(
        duration: Duration = .seconds(600),
        segment: Duration = .seconds(6),
        bitrate: Int = 400_000,
        soundBitrate: Int
    ) -> Server {
        titles(duration: duration, segment: segment, bitrate: bitrate, audioBitrate: soundBitrate)
    }
}
