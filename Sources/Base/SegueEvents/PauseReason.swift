/// Reasons for pauses by the platform that are handled like user actions.
package enum PauseReason {
    /// The user disconnected the audio output.
    package static let outputRemoved = "the output was taken away"
}
