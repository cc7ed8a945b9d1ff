/// The declaration of a kind of event.
package struct EventDeclaration: Sendable {
    /// The name in logs.
    package let name: String

    package let source: EventSource

    package let level: EventLevel

    /// The meaning, as a sentence.
    package let meaning: String

    /// The values of the text fields that have a closed set of them, by the name of the field.
    package let words: Words

    package typealias Words = [String: [String]]
    typealias Key = EventKind.CodingKeys

    private init(_ key: Key, from source: EventSource, at level: EventLevel, _ meaning: String, words: Words) {
        (name, self.source, self.level) = (key.rawValue, source, level)
        (self.meaning, self.words) = (meaning, words)
    }

    static func debug(_ key: Key, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(key, from: source, at: .debug, meaning, words: words)
    }

    static func info(_ key: Key, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(key, from: source, at: .info, meaning, words: words)
    }

    static func notice(_ key: Key, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(key, from: source, at: .notice, meaning, words: words)
    }

    static func warning(_ key: Key, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(key, from: source, at: .warning, meaning, words: words)
    }

    static func error(_ key: Key, from source: EventSource, _ meaning: String, words: Words = [:]) -> Self {
        Self(key, from: source, at: .error, meaning, words: words)
    }
}

// The words are those of the types that fill the events; tests compare both.
extension EventDeclaration {
    static let lifecyclePhases = [
        "phase": [
            "willResignActive", "mediaSuspended", "didEnterBackground", "suspended", "resumed", "willEnterForeground",
            "didBecomeActive", "backgroundTaskExpired", "locked", "unlocked", "terminated", "interruptionBegan",
            "interruptionEnded", "interruptionEnded(shouldResume)", "routeChanged", "mediaServicesReset",
        ]
    ]
    static let remoteCommands = [
        "command": ["play", "pause", "toggle"], "sender": ["lock-screen", "headphones", "multitasking-bar"],
    ]
    static let terminationCauses = ["cause": ["crash", "memory"]]
    static let audioRoutes = ["route": ["speaker", "headphones", "airplay"]]
    static let timeControl = [
        "status": ["paused", "waiting", "playing"],
        // An empty text means that the player does not wait.
        "waitingFor": [
            "", "noItemToPlay", "evaluatingBufferingRate", "toMinimizeStalls", "mediaService", "interstitialEvent",
        ],
    ]
    static let interstitialEnds = ["reason": ["played", "limit", "failed", "empty", "seek", "removed"]]
    static let scanEnds = ["reason": ["command", "start", "end", "failed", "interrupted"]]
    static let streamStates = [
        "state": [
            "initialised", "starting", "waitingForData", "waitingForQueueToStart", "playing", "buffering", "stopping",
            "stopped", "paused",
        ],
        "stopReason": ["none", "endOfFile", "userAction", "error", "temporary"],
    ]
    static let requestFailures = [
        "reason": [
            "badURL", "cannotResolve", "cannotConnect", "untrusted", "connectionLost", "timedOut", "tooLarge",
            "truncated", "tooManyRedirects", "other",
        ]
    ]
    static let unreadData = ["what": ["tls", "upgraded", "other"]]
}
