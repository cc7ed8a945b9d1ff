/// The words that a text of an event can be, where there are but a few: what a rule or a step may ask for.
///
/// They are those of the types that fill the events; tests of these hold them against this list.
package enum EventWords {
    private static let lifecycle = [
        "willResignActive", "mediaSuspended", "didEnterBackground", "suspended", "resumed", "willEnterForeground",
        "didBecomeActive", "backgroundTaskExpired", "locked", "unlocked", "terminated",
        "interruptionBegan", "interruptionEnded", "interruptionEnded(shouldResume)", "routeChanged",
        "mediaServicesReset",
    ]
    private static let streamStates = [
        "initialised", "starting", "waitingForData", "waitingForQueueToStart", "playing", "buffering", "stopping",
        "stopped", "paused",
    ]
    private static let requestFailures = [
        "badURL", "cannotResolve", "cannotConnect", "untrusted", "connectionLost", "timedOut", "tooLarge", "truncated",
        "tooManyRedirects", "other",
    ]
    // An empty text is a state in which the field says nothing.
    private static let waiting = [
        "", "noItemToPlay", "evaluatingBufferingRate", "toMinimizeStalls", "mediaService",
        "interstitialEvent",
    ]

    /// The words of a field.
    ///
    /// - Parameters:
    ///   - field: The field's name.
    ///   - kind: The name of the kind of event in logs.
    /// - Returns: All that the field can be; nil where it can be anything.
    package static func of(_ field: String, in kind: String) -> [String]? {
        switch (kind, field) {
        case ("platform.lifecycle", "phase"): lifecycle
        case ("platform.route", "route"): ["speaker", "headphones", "airplay"]
        case ("player.timeControl", "status"): ["paused", "waiting", "playing"]
        case ("player.timeControl", "waitingFor"): waiting
        case ("interstitial.ended", "reason"): ["played", "limit", "failed", "empty", "seek", "removed"]
        case ("scan.ended", "reason"): ["command", "start", "end", "failed", "interrupted"]
        case ("stream.state", "state"): streamStates
        case ("stream.state", "stopReason"): ["none", "endOfFile", "userAction", "error", "temporary"]
        case ("request.failed", "reason"): requestFailures
        case ("link.unread", "what"): ["tls", "upgraded", "other"]
        default: nil
        }
    }
}
