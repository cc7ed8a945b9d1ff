import SegueBase

@testable import SeguePlayerModel

extension SessionCommand {
    /// Returns the commands of users, the common ones more often.
    static func ofUsers(seekingTo target: Duration) -> [SessionCommand] {
        [
            .play, .play, .play, .pause, .setRate(2), .playImmediately, .goHome, .comeBack, .comeBack,
            .seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero),
            .seek(to: target, toleranceBefore: nil, toleranceAfter: nil),
        ]
    }
}
