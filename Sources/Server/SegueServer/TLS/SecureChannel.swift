import Foundation
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import ServiceLifecycle
import Synchronization

/// Sets connections up for TLS, with HTTP/2 for those that can and HTTP/1.1 for the rest, and a certificate that may
/// change while the server runs.
final class SecureChannel: ServerChildChannel {
    typealias Value = HTTP2UpgradeChannel.Value

    private let current: Mutex<HTTP2UpgradeChannel>
    private let limits: Limits
    private let configuration: HTTP2UpgradeChannel.Configuration
    private let responder: HTTPChannelHandler.Responder

    /// How long things may take on a connection.
    struct Limits: Sendable {
        /// How long until TLS is agreed on.
        var handshake: TimeAmount
        /// How long nothing may come or go.
        var silence: TimeAmount
    }

    init(
        _ tls: TLSConfiguration,
        _ configuration: HTTP2UpgradeChannel.Configuration,
        _ limits: Limits,
        responder: @escaping HTTPChannelHandler.Responder
    ) throws {
        (self.configuration, self.limits, self.responder) = (configuration, limits, responder)
        current = Mutex(
            try HTTP2UpgradeChannel(tlsConfiguration: tls, configuration: configuration, responder: responder)
        )
    }

    /// Shows another certificate to connections that come from now on.
    func change(_ tls: TLSConfiguration) throws {
        let fresh = try HTTP2UpgradeChannel(tlsConfiguration: tls, configuration: configuration, responder: responder)
        current.withLock { $0 = fresh }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        try? channel.syncOptions?.setOption(ConnectionWatch.unsentLimit, value: ConnectionWatch.mostUnsent)
        let value = current.withLock { $0 }.setup(channel: channel, logger: logger)
        do {
            let secure = try channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
            try channel.pipeline.syncOperations.addHandlers(
                [IdleStateHandler(allTimeout: limits.silence), ConnectionLimit(limits.handshake)],
                position: .after(secure)
            )
        } catch {
            // It has ended before it began.
            channel.close(promise: nil)
        }
        return value
    }

    func handle(value: Value, logger: Logger) async {
        await current.withLock { $0 }.handle(value: value, logger: logger)
    }
}

/// Ends a connection that does not come to agree on TLS, and one on which nothing comes or goes.
private final class ConnectionLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let patience: TimeAmount
    private var end: Scheduled<Void>?

    init(_ patience: TimeAmount) { self.patience = patience }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        end = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { end?.cancel() }
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

/// Looks from time to time whether the certificate has changed, or has to.
struct CertificateWatch: Service {
    /// How often.
    private static let interval = Duration.seconds(10)

    let certificate: ServerCertificate
    let channel: Mutexed<SecureChannel?>
    private let stamp: Mutexed<[String]?>

    init(certificate: ServerCertificate, channel: Mutexed<SecureChannel?>) {
        (self.certificate, self.channel) = (certificate, channel)
        stamp = Mutexed(certificate.files.stamp)
    }

    /// Something that is set once the server is made.
    final class Mutexed<Value: Sendable>: Sendable {
        private let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
        func set(_ value: Value) { self.value.withLock { $0 = value } }
        func get() -> Value { value.withLock { $0 } }
        func change(_ body: (inout Value) -> Void) { value.withLock { body(&$0) } }
    }

    func run() async throws {
        while (try? await cancelWhenGracefulShutdown({ try await Task.sleep(for: Self.interval) })) != nil {
            await withCheckedContinuation { continuation in
                WorkThread.begin("certificate") {
                    lookNow()
                    continuation.resume()
                }
            }
        }
    }

    /// Shows what has changed; what cannot be used is told of, and the former goes on.
    ///
    /// Blocks while files are read.
    func lookNow() {
        stamp.change { stamp in
            do {
                try certificate.prepare(Date())
                let now = certificate.files.stamp
                defer { stamp = now }
                guard now != stamp, now != nil else { return }
                try channel.get()?.change(try certificate.files.configuration())
                certificate.notice(
                    "\(certificate.files.certificate): the certificate has changed, and is shown from now on"
                )
            } catch {
                certificate.notice("\(error); the former certificate is shown")
                stamp = certificate.files.stamp
            }
        }
    }
}

/// The certificate that a server shows.
package struct ServerCertificate: Sendable {
    /// Where it is.
    package var files: CertificateFiles
    /// Makes it anew where it has to be.
    var prepare: @Sendable (Date) throws -> Void
    /// Told in one line when it changes, or cannot.
    var notice: @Sendable (String) -> Void

    /// A certificate of somebody's own; changed files are shown within seconds.
    package init(_ files: CertificateFiles, notice: @escaping @Sendable (String) -> Void) {
        (self.files, self.notice) = (files, notice)
        prepare = { _ in }
    }

    /// A certificate that Segue makes.
    package init(_ own: OwnCertificate, notice: @escaping @Sendable (String) -> Void) {
        (files, self.notice) = (own.files, notice)
        prepare = { try own.prepare(at: $0) }
    }
}
