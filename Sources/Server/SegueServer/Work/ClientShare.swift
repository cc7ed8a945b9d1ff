/// What one client may have of the threads that compute.
struct ClientShare: Sendable, Equatable {
    /// How many clients are remembered.
    static let mostClients = 1024

    /// How many pieces of work that run or wait make a client one that crowds the threads.
    static let crowd = 5
    /// How many times the processor time of its last work such a client rests where others need the processors.
    ///
    /// So it has a fifth of one. What is begun is not interrupted.
    static let rest = 4

    /// How many processors there are.
    var processors: Int
    /// How much of its long work may be under way or wait.
    var encodings: Int
    /// How long one counts as there that has asked for something.
    var presence = Duration.seconds(10)

    /// How long after it asked for something one counts as about to ask for the next.
    var moment = Duration.seconds(1)

    /// All of it.
    static let all = ClientShare(processors: .max, encodings: .max)

    /// How many pieces of work of one client run at once.
    ///
    /// One who is alone has all threads. Where others were there a moment ago, one processor stays free for them, so that
    /// what they ask next need not wait; where they are there now, processors are shared alike.
    ///
    /// - Parameters:
    ///   - clients: How many clients have work that runs or waits.
    ///   - isAlone: Whether nobody else has asked for anything lately.
    /// - Returns: How many; at least 1.
    func work(at clients: Int, isAlone: Bool) -> Int {
        if clients > 1 { return max(1, processors / clients) }
        return isAlone ? .max : max(1, processors - 1)
    }
}
