import Foundation
import NIOSSL
import SegueOrigin
import SwiftASN1
import X509

/// A certificate chain and its private key in PEM files.
package struct CertificateFiles: Sendable, Equatable {
    /// The file of the certificate, followed by its issuers.
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }

    /// The cipher suites of TLS 1.2: with forward secrecy and authenticated encryption, as all of TLS 1.3 have.
    private static let cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// The configuration for TLS 1.2 and 1.3; RFC 8996 forbids earlier versions.
    ///
    /// - Throws: ``OriginServerError`` that names the file.
    func configuration() throws -> TLSConfiguration {
        let chain = try reading(certificate) { try NIOSSLCertificate.fromPEMFile($0) }
        let key = try reading(key) { try NIOSSLPrivateKey(file: $0, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = Self.cipherSuites
        // This detects a key that does not match the certificate.
        _ = try reading(certificate) { _ in try NIOSSLContext(configuration: configuration) }
        return configuration
    }

    /// The host names of the certificate, and whether it has wildcards.
    ///
    /// - Throws: ``OriginServerError`` that names the file.
    package func names() throws -> (hosts: [String], hasPattern: Bool) {
        let text = try reading(certificate) { try String(contentsOfFile: $0, encoding: .utf8) }
        let names = try reading(certificate) { _ -> [String] in
            guard let first = try PEMDocument.parseMultiple(pemString: text).first else { return [] }
            let certificate = try Certificate(pemDocument: first)
            return try certificate.extensions.subjectAlternativeNames?.compactMap { name in
                if case .dnsName(let name) = name { return name }
                return nil
            } ?? []
        }
        return (names.filter { !$0.contains("*") }, names.contains { $0.contains("*") })
    }

    /// A stamp that changes with the files; nil if a file is inaccessible.
    var stamp: [String]? {
        var stamps: [String] = []
        for path in [certificate, key] {
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard let facts = try? FileManager.default.attributesOfItem(atPath: resolved) else { return nil }
            let date = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
            stamps += ["\(date)", "\(facts[.size] ?? 0)", "\(facts[.systemFileNumber] ?? 0)"]
        }
        return stamps
    }

    private func reading<Value>(_ path: String, _ work: (String) throws -> Value) throws -> Value {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw OriginServerError(file: path, "the file does not exist or is not readable")
        }
        do {
            return try work(path)
        } catch {
            throw OriginServerError(file: path, "cannot be used for TLS: \(error)")
        }
    }
}
