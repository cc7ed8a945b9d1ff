/// The share of one client in the computing threads.
struct ClientShare: Sendable, Equatable {
    /// The maximum number of remembered clients.
    static let clientLimit = 1024

    /// The number of running or queued jobs above which a client is throttled.
    static let crowd = 5
    /// The pause of a throttled client as a multiple of its last job's processor time, while others need the
    /// processors.
    ///
    /// It therefore gets a fifth of a processor. Running jobs are not interrupted.
    static let rest = 4

    var processors: Int
    /// The maximum number of long jobs, running or queued.
    var encodings: Int
    /// The time a client counts as active after a request.
    var presence = Duration.seconds(10)

    /// The time after a request in which the next one is expected.
    var moment = Duration.seconds(1)

    /// No limits.
    static let all = ClientShare(processors: .max, encodings: .max)

    /// The maximum number of jobs of one client that run at once.
    ///
    /// A client that is alone may use all threads. If others were active a moment ago, one processor stays free for
    /// their next requests; if they are active now, the processors are shared equally.
    ///
    /// - Parameters:
    ///   - clients: The number of clients with running or queued jobs.
    ///   - isAlone: True if no other client was active recently.
    /// - Returns: The number; at least 1.
    func work(at clients: Int, isAlone: Bool) -> Int {
        if clients > 1 { return max(1, processors / clients) }
        return isAlone ? .max : max(1, processors - 1)
    }
}
