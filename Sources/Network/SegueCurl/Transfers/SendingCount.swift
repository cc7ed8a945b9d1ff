internal import SegueFetch

/// The sendings of one request on kept and new connections.
///
/// If a kept connection ends without a response, libcurl sends the request again on a new one, and reports only the
/// second outcome.
struct SendingCount {
    private var connections = 0
    /// True from a sending until its response.
    private var isOpen = false
    private var isOnKept = false

    /// The use of kept connections so far.
    private(set) var use = ConnectionUse()

    /// Notes that the request is sent; `connections` is the number of connections that the request opened so far.
    mutating func send(connections: Int) {
        if isOpen, isOnKept { use.lost += 1 }
        isOnKept = connections == self.connections
        if isOnKept { use.kept += 1 }
        (isOpen, self.connections) = (true, connections)
    }

    /// Notes the head of a response, such as that of a redirect, after which the next request is sent.
    mutating func receiveHead() { isOpen = false }
}
