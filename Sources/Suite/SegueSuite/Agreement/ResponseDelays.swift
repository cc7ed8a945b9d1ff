internal import SegueBase
package import SegueEvents

/// The time of each request of a run from its sending to the head of its response.
///
/// The n-th request of a URL is the same in two runs, whatever their numbers.
package struct ResponseDelays: Sendable, Equatable {
    /// A request that two runs share.
    package struct Request: Hashable, Sendable {
        package let url: String
        /// The number of earlier requests of the URL.
        package let earlier: Int

        package init(url: String, earlier: Int) { (self.url, self.earlier) = (url, earlier) }
    }

    /// A counter that identifies the requests of each URL.
    package struct Counter {
        private var asked: [String: Int] = [:]

        package init() {}

        package mutating func next(_ url: String) -> Request {
            defer { asked[url, default: 0] += 1 }
            return Request(url: url, earlier: asked[url] ?? 0)
        }
    }

    /// The delays of requests with a response.
    package let times: [Request: Duration]

    /// The delays that a log records.
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
