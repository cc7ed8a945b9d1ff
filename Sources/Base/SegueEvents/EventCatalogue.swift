/// Every kind of event, for the page of documentation that is made from them.
package enum EventCatalogue {
    /// One event of each kind, in the order of the vocabulary; its values only show names and types.
    package static let examples: [EventKind] = [
        .caseBegan(file: "", scenario: "", network: "", platform: "", app: "", seed: 0),
        .caseEnded(reason: ""), .stepBegan(number: 0, step: ""), .finding(rule: "", message: ""),
        .platformLifecycle(phase: ""), .platformPaused(item: "", reason: ""), .platformRejected(item: "", reason: ""),
        .platformBelief(item: "", hasVideo: false), .platformRoute(route: "", hasPicture: false),
        .appNoted(policy: "", note: ""),
        .appDecided(policy: "", decision: "", reason: ""), .appUnavailable(policy: "", reason: ""),
        .appException(call: "", reason: ""),
        .backgroundTaskBegan(policy: ""), .backgroundTaskEnded(policy: ""), .backgroundTaskExpired(policy: ""),
        .playerCommand(name: "", item: ""), .playerRate(rate: 0, reason: ""),
        .playerTimeControl(status: "", waitingFor: ""), .queueInserted(item: "", url: ""),
        .queueRefused(item: "", reason: ""), .queueRemoved(item: "", reason: ""), .queueCurrent(item: ""),
        .queueEmptied(reason: ""),
        .itemLoading(item: ""), .itemTracksKnown(item: "", hasVideo: false, hasAudio: false),
        .itemReadyToPlay(item: "", duration: 0), .itemDurationKnown(item: "", duration: 0),
        .itemFailed(item: "", domain: "", code: 0, message: ""), .itemShowsFailure(item: "", message: ""),
        .itemPlayedToEnd(item: ""), .itemFailedToPlayToEnd(item: "", message: ""),
        .itemStalled(item: "", position: 0), .itemTimeJumped(item: "", position: 0),
        .bufferEmpty(item: "", isEmpty: false), .bufferLikelyToKeepUp(item: "", isLikely: false),
        .bufferFull(item: "", isFull: false),
        .seekBegan(item: "", target: 0, toleranceBefore: 0, toleranceAfter: 0),
        .seekEnded(item: "", position: 0, isFinished: false), .soundBegan(item: "", position: 0),
        .soundEnded(item: "", position: 0, reason: ""), .pictureBegan(item: "", position: 0),
        .pictureEnded(item: "", position: 0, reason: ""),
        .interstitialBegan(item: "", interstitial: "", position: 0),
        .interstitialAssetBegan(item: "", interstitial: "", asset: "", url: ""),
        .interstitialFailed(item: "", interstitial: "", url: "", message: ""),
        .interstitialEnded(item: "", interstitial: "", reason: "", played: 0, position: 0),
        .scanBegan(item: "", position: 0, rate: 0, url: ""), .scanFrame(item: "", position: 0),
        .scanEnded(item: "", position: 0, frames: 0, reason: ""), .scanRefused(item: "", rate: 0, reason: ""),
        .playlistLoaded(item: "", url: "", segments: 0, duration: 0),
        .playlistVariantChosen(item: "", url: "", bandwidth: 0),
        .segmentLoaded(item: "", stream: "", number: 0, bytes: 0, start: 0, duration: 0, seconds: 0),

        .streamState(item: "", state: "", stopReason: ""), .streamTitle(item: "", title: ""),
        .accessLogEntry(item: "", entry: ""),
        .errorLogEntry(item: "", url: "", status: 0, domain: "", code: 0, comment: ""),
        .requestBegan(request: 0, url: "", resource: ""), .requestAnswered(request: 0, status: 0),
        .requestFinished(request: 0, bytes: 0, seconds: 0), .requestFailed(request: 0, reason: "", message: ""),
        .requestCancelled(request: 0, bytes: 0), .linkOpened(link: "", connection: 0, client: "", server: ""),
        .linkClosed(link: "", connection: 0, reason: "", down: 0, up: 0, seconds: 0),
        .linkFailed(link: "", connection: 0, message: ""),
        .linkRequest(
            link: "",
            connection: 0,
            request: 0,
            method: "",
            url: "",
            range: "",
            isReused: false,
            status: 0,
            bytes: 0,
            firstByte: 0,
            seconds: 0,
            fault: "",
            end: ""
        ),
        .linkUnread(link: "", connection: 0, what: "", host: ""), .linkBypassed(link: "", url: "", server: ""),
        .linkFault(link: "", connection: 0, url: "", fault: ""), .linkChanged(link: "", network: ""),
        .linkLateness(link: "", deliveries: 0, median: 0, percentile99: 0, greatest: 0),
        .originServed(target: "", status: 0, bytes: 0),
        .accessRefused(address: "", name: "", reason: ""), .originMeasured(url: "", seconds: 0, bitrate: 0),
    ]

    /// The names of all kinds in logs.
    package static let names = Set(examples.map(\.name))

    /// The page as Markdown.
    package static var markdown: String {
        var page = """
            # Events

            A log holds one JSON object a line, ordered by time. Each has `t` (seconds since the run began, to the
            microsecond), `source`, `kind`, `level` and the fields of its kind. This page is made by `segue events`.

            | kind | source | level | fields | meaning |
            |---|---|---|---|---|

            """
        for example in examples {
            let record = example.record
            let about = example.about
            let fields = record.fields.map { "`\($0.name)` \($0.value.typeName)" }.joined(separator: ", ")
            page += "| `\(record.name)` | \(about.source.rawValue) | \(about.level.rawValue) | \(fields)"
            page += " | \(about.meaning) |\n"
        }
        return page
    }
}

extension EventValue {
    /// What the value is called in the documentation.
    fileprivate var typeName: String {
        switch self {
        case .text: "text"
        case .integer: "whole number"
        case .number: "number"
        case .flag: "true or false"
        }
    }
}
