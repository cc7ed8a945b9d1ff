package import Foundation
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

/// The setup of TLS connections, with HTTP/2 or HTTP/1.1, and a certificate that can change while the server runs.
final class SecureChannel: ServerChildChannel {
    typealias Value = HTTP2UpgradeChannel.Value

    private let current: Mutex<HTTP2UpgradeChannel>
    private let limits: Limits
    private let configuration: HTTP2UpgradeChannel.Configuration
    private let responder: HTTPChannelHandler.Responder

    /// The time limits of a connection.
    struct Limits: Sendable {
        /// The time limit of the TLS handshake.
        var handshake: TimeAmount
        /// The time limit without any traffic.
        var silence: TimeAmount
    }

    init(
        _ tls: TLSConfiguration,
        configuration: HTTP2UpgradeChannel.Configuration,
        limits: Limits,
        responder: @escaping HTTPChannelHandler.Responder
    ) throws {
        (self.configuration, self.limits, self.responder) = (configuration, limits, responder)
        current = Mutex(
            try HTTP2UpgradeChannel(tlsConfiguration: tls, configuration: configuration, responder: responder)
        )
    }

    /// Replaces the certificate for new connections.
    func change(_ tls: TLSConfiguration) throws {
        let fresh = try HTTP2UpgradeChannel(tlsConfiguration: tls, configuration: configuration, responder: responder)
        current.withLock { $0 = fresh }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        try? channel.syncOptions?.setOption(ConnectionMonitor.unsentLimit, value: ConnectionMonitor.unsentBytes)
        let value = current.withLock { $0 }.setup(channel: channel, logger: logger)
        do {
            let secure = try channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
            try channel.pipeline.syncOperations.addHandlers(
                [IdleStateHandler(allTimeout: limits.silence), ConnectionLimit(limits.handshake)],
                position: .after(secure)
            )
        } catch {
            // The connection ended before its setup.
            channel.close(promise: nil)
        }
        return value
    }

    func handle(value: Value, logger: Logger) async {
        await current.withLock { $0 }.handle(value: value, logger: logger)
    }
}

/// A handler that closes connections without a completed handshake or without traffic.
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

/// A periodic check for a changed or expiring certificate.
struct CertificateWatch: Service {
    private static let interval = Duration.seconds(10)

    let certificate: ServerCertificate
    let channel: Mutexed<SecureChannel?>
    private let stamp: Mutexed<[String]?>

    init(certificate: ServerCertificate, channel: Mutexed<SecureChannel?>) {
        (self.certificate, self.channel) = (certificate, channel)
        stamp = Mutexed(certificate.files.stamp)
    }

    /// A value that is set once the server is created.
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
                    checkNow()
                    continuation.resume()
                }
            }
        }
    }

    /// Applies a changed certificate.
    ///
    /// An unusable one is reported, and the former stays.
    ///
    /// Blocks while files are read.
    func checkNow() {
        stamp.change { stamp in
            do {
                try certificate.prepare(Date())
                let now = certificate.files.stamp
                defer { stamp = now }
                guard now != stamp, now != nil else { return }
                try channel.get()?.change(try certificate.files.configuration())
                certificate.notice(
                    "\(certificate.files.certificate): the certificate has changed; new connections use it"
                )
            } catch {
                certificate.notice("\(error); the server continues with the former certificate")
                stamp = certificate.files.stamp
            }
        }
    }
}

package struct ServerCertificate: Sendable {
    package var files: CertificateFiles
    /// Renews the certificate if necessary, and reports hosts that it lacks, each once.
    ///
    /// - Throws: ``OriginServerError`` that names the file.
    package var prepare: @Sendable (Date) throws -> Void
    /// Receives one line when the certificate changes or cannot be used.
    var notice: @Sendable (String) -> Void

    /// A certificate of the operator; changed files apply within seconds.
    package init(_ files: CertificateFiles, notice: @escaping @Sendable (String) -> Void) {
        (self.files, self.notice) = (files, notice)
        prepare = { _ in }
    }

    /// A certificate of the server's own authority.
    package init(_ own: OwnCertificate, notice: @escaping @Sendable (String) -> Void) {
        (files, self.notice) = (own.files, notice)
        let reported = CertificateWatch.Mutexed<Set<String>>([])
        prepare = { date in
            let omitted = try own.prepare(at: date)
            reported.change { reported in
                for host in omitted where !reported.contains(host) { notice(own.omission(of: host)) }
                reported = Set(omitted)
            }
        }
    }
}
