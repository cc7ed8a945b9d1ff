/// The server's end of a connection: the connection attempts, and then its socket.
struct ServerSocket {
    /// The result of an attempt.
    enum Conclusion {
        case connected
        /// An attempt with another address has begun, on another socket.
        case again
        case failed
    }

    private var upstream: Upstream
    private let receiveBuffer: Int
    private(set) var isConnecting = false
    private(set) var failure: ServerFailure?
    var socket = ProxiedSocket(-1)
    /// The local address.
    private(set) var local: Endpoint?

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - receiveBuffer: The size of the receive buffer; 0 for the system's default.
    init(_ upstream: Upstream, receiveBuffer: Int) {
        self.upstream = upstream
        self.receiveBuffer = receiveBuffer
        begin()
    }

    var endpoint: Endpoint { upstream.endpoint }

    var hasFailed: Bool { failure != nil }

    private mutating func begin() {
        switch upstream.connect(receiveBuffer: receiveBuffer) {
        case .begun(let descriptor):
            socket = ProxiedSocket(descriptor)
            local = socket.local
            isConnecting = true
        case .failed(let code): giveUp(.system(code))
        }
    }

    /// Gives up, for a reason.
    mutating func giveUp(_ failure: ServerFailure) {
        socket.reset()
        (isConnecting, self.failure) = (false, failure)
    }

    /// Ends the connection, which is not needed any more.
    mutating func abandon() {
        socket.reset()
        isConnecting = false
    }

    /// Processes the end of an attempt, when the socket becomes ready.
    mutating func conclude() -> Conclusion {
        let code = socket.error
        guard code != 0 else {
            isConnecting = false
            return .connected
        }
        guard upstream.hasAnother else {
            giveUp(.system(code))
            return .failed
        }
        socket.close()
        begin()
        return hasFailed ? .failed : .again
    }
}
