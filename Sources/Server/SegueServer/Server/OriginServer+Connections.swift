import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import NIOCore
import SegueBase

extension OriginServer {
    /// How long a client may take to agree on TLS.
    private static let handshakeLimit = TimeAmount.seconds(15)

    /// How connections are set up: with TLS and HTTP/2 where there is a certificate, else for HTTP/1.1.
    ///
    /// - Parameters:
    ///   - configuration: The limits, and the certificate.
    ///   - care: What looks after connections.
    ///   - secure: Where to put what shows the certificate.
    ///   - tasks: What serves each connection.
    /// - Returns: What makes that of whoever answers.
    /// - Throws: ``OriginServerError`` where the certificate cannot be used.
    static func channels(
        _ configuration: Configuration,
        _ care: ConnectionCare,
        _ secure: CertificateWatch.Mutexed<SecureChannel?>,
        _ tasks: ConnectionTasks
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
        // Longer than any answer may be in the making.
        let silence = configuration.timeLimit + configuration.idleTimeLimit
        return { responder in
            let channel = try SecureChannel(
                tls,
                .init(idleTimeout: configuration.idleTimeLimit, streamConfiguration: http1),
                SecureChannel.Limits(
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
