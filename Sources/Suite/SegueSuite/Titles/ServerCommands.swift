/// How the server of a title list is started and ended.
package struct ServerCommands: Sendable, Equatable {
    /// What starts it, for `/bin/sh` in the list's folder; it is the server itself, or starts it and ends.
    package var start: String

    /// A URL that answers with a status below 400 as soon as the server is ready.
    package var ready: String

    /// What ends it; nil for a signal (SIGTERM) to all that `start` left running.
    package var stop: String?

    /// How long it may take until it is ready.
    package var patience: Duration

    /// The folder in which the commands run.
    package var folder: String
}
