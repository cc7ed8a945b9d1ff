/// The server's end of a connection: the attempts to get one, and then its socket.
struct ServerSocket {
    /// What became of an attempt.
    enum Conclusion {
        case connected
        /// Another address is being tried, with another socket.
        case again
        case failed
    }

    private var upstream: Upstream
    private let receiveBuffer: Int
    private(set) var isConnecting = false
    private(set) var failure = ""
    var socket = ProxiedSocket(-1)
    /// This machine's end of it.
    private(set) var local: Endpoint?

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - upstream: The server.
    ///   - receiveBuffer: The size of the socket's receive buffer; 0 for the system's.
    init(_ upstream: Upstream, receiveBuffer: Int) {
        self.upstream = upstream
        self.receiveBuffer = receiveBuffer
        begin()
    }

    var endpoint: Endpoint { upstream.endpoint }

    var hasFailed: Bool { !failure.isEmpty }

    private mutating func begin() {
        switch upstream.connect(receiveBuffer: receiveBuffer) {
        case .begun(let descriptor):
            socket = ProxiedSocket(descriptor)
            local = socket.local
            isConnecting = true
        case .failed(let code): giveUp(SystemError.words(code))
        }
    }

    /// No server: for this reason.
    mutating func giveUp(_ reason: String) {
        socket.reset()
        (isConnecting, failure) = (false, reason)
    }

    /// No server is needed any more.
    mutating func abandon() {
        socket.reset()
        isConnecting = false
    }

    /// The socket became ready: it is connected, or could not be.
    mutating func conclude() -> Conclusion {
        let code = socket.error
        guard code != 0 else {
            isConnecting = false
            return .connected
        }
        guard upstream.hasAnother else {
            giveUp(SystemError.words(code))
            return .failed
        }
        socket.close()
        begin()
        return hasFailed ? .failed : .again
    }
}
