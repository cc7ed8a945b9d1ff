import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import NIOCore
import SegueBase

extension OriginServer {
    /// The time limit of a TLS handshake.
    private static let handshakeLimit = TimeAmount.seconds(15)

    /// The setup of connections: TLS and HTTP/2 with a certificate, otherwise HTTP/1.1.
    ///
    /// - Parameters:
    ///   - configuration: The limits and the certificate.
    ///   - care: The handlers of connections.
    ///   - secure: Receives the channel whose certificate may be replaced.
    ///   - tasks: The tasks of connections.
    /// - Returns: A function that creates a channel for a responder.
    /// - Throws: ``OriginServerError`` if the certificate cannot be used.
    static func channels(
        _ configuration: Configuration,
        care: ConnectionServices,
        secure: CertificateWatch.Mutexed<SecureChannel?>,
        tasks: ConnectionTasks
    ) throws -> InheritedServer.MakeChannel {
        let idle = TimeAmount.nanoseconds(configuration.idleTimeLimit.wholeNanoseconds)
        let http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: care.handlers(),
            idleTimeout: idle
        )
        guard let certificate = configuration.certificate else {
            return { TaskedChannel(base: HTTP1Channel(responder: $0, configuration: http1), tasks: tasks) }
        }
        let tls = try certificate.files.configuration()
        // Longer than any response may take.
        let silence = configuration.timeLimit + configuration.idleTimeLimit
        return { responder in
            let channel = try SecureChannel(
                tls,
                configuration: .init(idleTimeout: configuration.idleTimeLimit, streamConfiguration: http1),
                limits: SecureChannel.Limits(
                    handshake: min(handshakeLimit, idle),
                    silence: .nanoseconds(silence.wholeNanoseconds)
                ),
                responder: responder
            )
            secure.set(channel)
            return TaskedChannel(base: channel, tasks: tasks)
        }
    }
}
