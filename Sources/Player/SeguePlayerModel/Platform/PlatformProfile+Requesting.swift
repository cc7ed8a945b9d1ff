package import SegueData

extension PlatformProfile {
    /// Requests and their connections.
    package final class Requesting: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField("entry-requests", .integer(in: 1...2), meaning: "The number of requests for the URL of an item.")
        package var entryRequests: Int

        @ProfileField("connections", .word, meaning: "The requests that share connections.")
        package var connections: Connections

        @ProfileField(
            "prefetch",
            .flag,
            meaning: """
                The next segment is requested when the response for the current segment begins, and is read after it. \
                Until then, no more of it than `receive-window` arrives, or as much as the system accepts on a real \
                connection.
                """
        )
        package var prefetch: Bool

        @ProfileField(
            "prefetch-holds",
            .flag,
            meaning: """
                No media are read between that request and the start of its response, as in a player with one thread \
                that opens and reads. The response may queue behind all data in flight on the link.
                """
        )
        package var prefetchHolds: Bool

        @ProfileField("preload", .word, meaning: "The moment at which the next item in the queue starts to load.")
        package var preload: Preload

        @ProfileField(
            "preload-within",
            .duration,
            meaning: "The time before the end of the current item for `preload: near-end`."
        )
        package var preloadWithin: Duration

        @ProfileField("patience", .duration, meaning: "The time without a byte after which a request times out.")
        package var patience: Duration

        @ProfileField(
            "receive-window",
            .receiveWindow,
            meaning: """
                The maximum data of a connection that are unread or in flight. `tuned` behaves like Linux: 92 KiB, \
                growing to 3 MiB with the data read in a round trip. A canceled request leaves that much in the \
                network queue ahead of the next one. It applies in virtual time; a real connection has the window of \
                the machine.
                """
        )
        package var receiveWindow: ReceiveWindow

        @ProfileField("client-data", .word, meaning: "The transport of common media client data (CTA-5004).")
        package var clientData: ClientData

        @ProfileField(
            "stuck-reloads",
            .integer(in: 1...1000),
            meaning: """
                The number of consecutive reloads, half a target duration apart, that may return an unchanged live \
                playlist before it fails.
                """
        )
        package var stuckReloads: Int

        package init() {}
    }

    /// The requests that share connections.
    package enum Connections: String, FieldChoice {
        case shared
        case apart
        case keptByInitializations = "kept-by-initializations"

        package var meaning: String {
            switch self {
            case .shared: "Any request uses an idle connection."
            case .apart:
                """
                Each request for the URL of the item, the playlists, and the initialization sections and the segments \
                of each rendition has its own connections.
                """
            case .keptByInitializations:
                """
                Any request uses an idle connection, except that requests for the URL of the item, and for a video \
                playlist that waited for audio, have their own. A connection that carried an initialization section \
                carries no other request.
                """
            }
        }
    }

    /// The moment at which the next item in the queue starts to load.
    package enum Preload: String, FieldChoice {
        case atOnce = "at-once"
        case nearEnd = "near-end"
        case never

        package var meaning: String {
            switch self {
            case .atOnce: "Immediately."
            case .nearEnd: "Near the end of the current item (`preload-within`)."
            case .never: "When it becomes current."
            }
        }
    }

    /// The transport of common media client data.
    package enum ClientData: String, FieldChoice {
        case headers
        case query
        case none

        package var meaning: String {
            switch self {
            case .headers: "Header fields."
            case .query: "The query parameter `CMCD`."
            case .none: "No data are sent."
            }
        }
    }
}
