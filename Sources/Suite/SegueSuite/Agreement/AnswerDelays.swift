internal import SegueBase
package import SegueEvents

/// How long each request of a run waited for its answer, from when it was sent until the answer's head was there.
///
/// The n-th request of a URL is the same one in two runs, whatever their numbers are.
package struct AnswerDelays: Sendable, Equatable {
    /// A request that two runs have in common.
    package struct Request: Hashable, Sendable {
        /// What was asked for.
        package let url: String
        /// How often it had been asked for before.
        package let earlier: Int

        /// The request of a URL that had been asked for so often before.
        package init(url: String, earlier: Int) { (self.url, self.earlier) = (url, earlier) }
    }

    /// Tells the requests of one URL apart, as they come.
    package struct Counter {
        private var asked: [String: Int] = [:]

        /// Has counted nothing yet.
        package init() {}

        /// The next request of a URL.
        package mutating func next(_ url: String) -> Request {
            defer { asked[url, default: 0] += 1 }
            return Request(url: url, earlier: asked[url] ?? 0)
        }
    }

    /// The delays, of requests that were answered.
    package let times: [Request: Duration]

    /// The delays that a log tells of.
    package init(_ log: EventLog) {
        var counter = Counter()
        var open: [Int: (request: Request, at: Instant)] = [:]
        var times: [Request: Duration] = [:]
        for event in log.events {
            switch event.kind {
            case .requestBegan(let number, let url, _): open[number] = (counter.next(url), event.at)
            case .requestAnswered(let number, _):
                guard let (request, began) = open.removeValue(forKey: number) else { continue }
                times[request] = event.at - began
            default: continue
            }
        }
        self.times = times
    }
}
