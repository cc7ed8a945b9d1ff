/// Items that an AirPlay receiver loads.
extension PlayerItem {
    /// Cancels every request, and releases all media, which load again at the playhead.
    mutating func reload(_ context: inout StepContext) {
        giveUpSeek(&context)
        stop(&context)
    }
}

extension PlaybackError {
    /// Returns the error of an item that a receiver could not load, whatever the reason.
    func ofReceiver(as codes: PlatformProfile.ErrorCodes) -> PlaybackError {
        guard codes == .apple, domain != .platform else { return self }
        return PlaybackError(.avFoundation, code: -11800, "The operation could not be completed: \(message)")
    }
}
