/// The fixed properties of a watched media playlist.
struct WatchedPlaylist: Sendable {
    let url: String
    /// The time of the clock at instant zero in seconds since 1970; nil to skip comparisons with the clock.
    let clock: Double?
    let options: StreamWatch.Options
    /// True if the watch may send blocking reloads.
    let isBlocking: Bool
    /// True for an I-frame playlist, which players do not play at normal speed.
    var isIFrames = false
    /// The closed captions that the multivariant playlist declares.
    var captions = DeclaredCaptions.unknown
    /// The variables of the multivariant playlist.
    var imports: [String: String] = [:]
}
