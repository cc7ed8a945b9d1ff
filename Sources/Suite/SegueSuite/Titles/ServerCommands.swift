/// The commands that start and stop the server of a title list.
package struct ServerCommands: Sendable, Equatable {
    /// The command that starts it, for `/bin/sh` in the list's folder; it is the server itself, or starts it and exits.
    package var start: String

    /// A URL that responds with a status below 400 once the server is ready.
    package var ready: String

    /// The command that stops it; nil for SIGTERM to all processes that `start` left running.
    package var stop: String?

    /// The time limit for getting ready.
    package var patience: Duration

    /// The working directory of the commands.
    package var folder: String
}
