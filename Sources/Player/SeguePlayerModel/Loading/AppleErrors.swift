/// The domains and codes that Apple's devices report, as far as public reports name them.
///
/// [docs/errors.md](../../../../docs/errors.md) lists the report of each. The message begins with the text of the device.
extension PlaybackError {
    /// Returns the error of an entry in an error log.
    func logged(as codes: PlatformProfile.ErrorCodes) -> PlaybackError {
        guard codes == .apple else { return self }
        switch domain {
        case .http: return loggedStatus
        case .network where code == -1103: return apple(.coreMedia, -12860)
        case .playlist: return PlaylistCode(rawValue: code).map { logged($0) } ?? self
        case .media where code == 2: return apple(.coreMedia, -12860)
        case .media, .platform: return failed
        case .network, .avFoundation, .coreMedia: return self
        }
    }

    /// Returns the error of an item.
    func reported(as codes: PlatformProfile.ErrorCodes) -> PlaybackError {
        guard codes == .apple else { return self }
        switch domain {
        case .http: return failedStatus
        case .playlist where code == PlaylistCode.noVariant.rawValue:
            return apple(.avFoundation, -11867, text: "Playback Stopped")
        case .playlist: return logged(as: codes)
        case .media, .platform: return failed
        case .network, .avFoundation, .coreMedia: return self
        }
    }

    private var loggedStatus: PlaybackError {
        switch code {
        case 401, 407: apple(.coreMedia, -12937, text: "Authentication Error")
        case 403: apple(.coreMedia, -12660, text: "HTTP 403: Forbidden")
        case 404: apple(.coreMedia, -12938, text: "HTTP 404: File Not Found")
        case 503: apple(.coreMedia, -12661, text: "HTTP 503: Unavailable")
        default: apple(.coreMedia, -12666, text: "unrecognized http response \(code)")
        }
    }

    private var failedStatus: PlaybackError {
        switch code {
        case 403: apple(.network, -1102, text: "You do not have permission to access the requested resource.")
        case 404: apple(.network, -1100, text: "The requested URL was not found on this server.")
        default: apple(.network, -1008, text: "resource unavailable")
        }
    }

    private func logged(_ code: PlaylistCode) -> PlaybackError {
        switch code {
        case .unreadable, .empty, .nested: apple(.coreMedia, -12642, text: "Playlist parse error")
        case .changed: apple(.coreMedia, -12642)
        case .lost: apple(.coreMedia, -12642, text: "No matching mediaFile found from playlist")
        case .stuck: apple(.coreMedia, -12888, text: "unchanged for 1.5× target duration")
        case .noVariant: apple(.coreMedia, -12880, text: "Can not proceed after removing variants")
        case .encrypted: self
        }
    }

    /// The error of media that cannot be played, or of the platform.
    private var failed: PlaybackError {
        switch (domain, code) {
        case (.media, 1): apple(.avFoundation, -11829, text: "Cannot Open")
        case (.media, 2): apple(.avFoundation, -11800, text: "The operation could not be completed")
        case (.media, 3): apple(.avFoundation, -11828, text: "Cannot Open")
        case (.platform, 2): apple(.avFoundation, -11819)
        default: self
        }
    }

    private func apple(_ domain: Domain, _ code: Int, text: String = "") -> PlaybackError {
        PlaybackError(domain, code: code, text.isEmpty ? message : "\(text): \(message)")
    }
}
