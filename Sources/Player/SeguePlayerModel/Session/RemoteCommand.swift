/// A command to the app that plays, sent by the user from outside of it.
package enum RemoteCommand: String, Sendable, CaseIterable {
    case play, pause
    /// Pauses if playing or waiting, and plays if paused, such as the button of headphones.
    case toggle
}

/// The place from which the user sends a command to the app that plays.
package enum RemoteSender: String, Sendable, CaseIterable {
    case lockScreen = "lock-screen"
    case headphones
    /// The controls beside the recent apps, later the control center.
    case multitaskingBar = "multitasking-bar"
}
