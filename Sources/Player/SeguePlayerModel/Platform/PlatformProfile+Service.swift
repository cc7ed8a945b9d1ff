extension PlatformProfile {
    /// The media service: the process of the platform that carries out the requests of players.
    package final class Service: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "judges-after",
            .duration,
            meaning: "The time from a request to play another item until the service accepts or rejects that item."
        )
        package var judgesAfter: Duration

        @ProfileField(
            "lingers",
            .duration,
            meaning: """
                The time for which the service keeps the tracks of an item that was removed. An item that is judged \
                within this time is judged by those tracks, unless it was in the queue behind the removed item and \
                its own tracks are known.
                """
        )
        package var lingers: Duration

        @ProfileField("output-latency", .duration, meaning: "The time from then until the first audio is audible.")
        package var outputLatency: Duration

        @ProfileField(
            "unknown-tracks",
            .word,
            meaning: "The behavior of the service when it judges an item whose tracks are not known yet."
        )
        package var unknownTracks: UnknownTracks

        @ProfileField(
            "remaking-fails",
            .flag,
            meaning: "A movie player fails if it is created immediately after another one was torn down."
        )
        package var remakingFails: Bool

        package init() {}
    }

    /// The behavior of the media service toward an item whose tracks are not known yet.
    package enum UnknownTracks: String, FieldChoice {
        case wait
        case believeFormer = "believe-former"

        package var meaning: String {
            switch self {
            case .wait: "The service judges the item when its tracks are known."
            case .believeFormer: "The service assumes the tracks of the removed item as long as they linger."
            }
        }
    }
}
