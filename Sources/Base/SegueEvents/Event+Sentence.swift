package import SegueBase

extension Event {
    /// The event as a sentence without a full stop; its name and values if it is not a problem.
    package var sentence: Message {
        switch kind {
        case .finding(let rule, let message): "\(rule): \(quoting: message)"
        case .platformPaused(let item, let reason): "the platform paused \(quoting: item): \(quoting: reason)"
        case .platformRejected(let item, let reason): "the platform rejected \(quoting: item): \(quoting: reason)"
        case .appUnavailable(let policy, let reason): "the app \(policy) cannot run here: \(quoting: reason)"
        case .appException(let call, let reason): "\(call) raised an exception: \(quoting: reason)"
        case .appMisdeclared(_, _, let problem, let fix): "\(problem): \(fix)"
        case .appTerminated("crash", let reason): "the app crashed: \(quoting: reason)"
        case .appTerminated(_, let reason): "the platform terminated the app: \(quoting: reason)"
        case .backgroundTaskExpired: "the platform ended the app's background task"
        case .queueRefused(let item, let reason): "the queue refused \(quoting: item): \(quoting: reason)"
        case .itemTrackUnchanged(let item, let reason):
            "a change of the video of \(quoting: item) had no effect: \(quoting: reason)"
        case .itemFailed(let item, let domain, let code, let message):
            "\(quoting: item) failed: \(quoting: message)\(Self.words(domain, code))"
        case .itemShowsFailure(let item, let message):
            "\(quoting: item) reported a failure that is retried: \(quoting: message)"
        case .itemFailedToPlayToEnd(let item, let message):
            "\(quoting: item) could not be played to its end: \(quoting: message)"
        case .itemStalled(let item, let position): "\(quoting: item) stalled at \(position, places: 3) s"
        case .pictureQueued(let item, let frames):
            "the layer queued \(frames, of: "frame") of \(quoting: item) in the background"
        case .pictureHurried(let item, let frames, let speed):
            "the layer showed \(frames, of: "queued frame") of \(quoting: item) at \(speed, places: 3) times the speed"
        case .interstitialFailed(_, let interstitial, _, let message):
            "the interstitial \(quoting: interstitial) was skipped: \(quoting: message)"
        case .scanRefused(let item, _, let reason): "\(quoting: item) cannot be scanned: \(quoting: reason)"
        case .requestFailed(let request, _, let message): "request \(request) failed: \(quoting: message)"
        case .linkFailed(_, let connection, let message): "connection \(connection) failed: \(quoting: message)"
        default: story
        }
    }

    /// The domain and code of an error; empty for HTTP, since those messages begin with the status.
    private static func words(_ domain: String, _ code: Int) -> Message {
        // Codes of one domain are different facts.
        domain == "HTTP" || domain.isEmpty ? "" : Message(words: " (\(domain) \(code))")
    }
}
