import Crypto
package import Foundation
import SegueFFmpeg
import SegueOrigin
import SwiftASN1
import X509

/// A certificate for this machine and its own certificate authority, which people can install on their devices.
///
/// The authority persists; the certificate is renewed before it expires, and when the names or addresses of the machine
/// change.
package struct OwnCertificate: Sendable {
    /// Writes a file that only its owner may read.
    package typealias Writing = @Sendable (_ text: String, _ path: String) throws -> Void

    private static let day: TimeInterval = 86_400
    /// The lifetimes of the authority and of a certificate, within the limits of systems (Apple: 825 days).
    private static let authorityDays = 3650.0
    private static let days = 397.0
    /// The time before the expiry at which a certificate and an authority are renewed.
    private static let spareDays = 30.0

    private let folder: String
    private let hosts: @Sendable () -> [String]
    private let write: Writing

    /// - Parameters:
    ///   - folder: The folder of the files.
    ///   - hosts: Returns the current names and addresses of this machine.
    ///   - write: Writes a file that only its owner may read.
    package init(folder: String, hosts: @escaping @Sendable () -> [String], write: @escaping Writing) {
        (self.folder, self.hosts, self.write) = (folder, hosts, write)
    }

    private var authorityFiles: CertificateFiles {
        CertificateFiles(certificate: folder + "/authority.pem", key: folder + "/authority.key")
    }

    package var files: CertificateFiles {
        CertificateFiles(certificate: folder + "/server.pem", key: folder + "/server.key")
    }

    /// The authority's certificate in PEM; nil before it is created.
    package var authority: String? { try? String(contentsOfFile: authorityFiles.certificate, encoding: .utf8) }

    /// The SHA-256 fingerprint of the authority's certificate; nil before it is created.
    package var fingerprint: String? {
        guard let authority, let document = try? PEMDocument(pemString: authority) else { return nil }
        let digits = Checksum.sha256(document.derBytes).uppercased()
        return stride(from: 0, to: digits.count, by: 2).map { String(digits.dropFirst($0).prefix(2)) }
            .joined(separator: ":")
    }

    /// Creates or renews the files if necessary.
    ///
    /// - Returns: The hosts that the certificate lacks, since they are unknown to the authority.
    /// - Throws: ``OriginServerError`` that names the file.
    @discardableResult
    package func prepare(at now: Date) throws -> [String] {
        do {
            let hosts = Self.distinct(hosts())
            let signer = try kept(authorityFiles, at: now) ?? makeAuthority(for: hosts.map(\.host), at: now)
            let constraints = try AuthorityConstraints(of: signer.certificate)
            let names = hosts.map(\.host).filter(constraints.permits).map(Self.name)
            let omitted = hosts.filter { !constraints.permits($0.host) }.map(\.text)
            if let own = try kept(files, at: now), own.certificate.issuer == signer.certificate.subject,
                signer.certificate.publicKey.isValidSignature(own.certificate.signature, for: own.certificate),
                let held = try own.certificate.extensions.subjectAlternativeNames,
                names.allSatisfy({ held.contains($0) })
            {
                return omitted
            }
            try make(names, signer, at: now)
            return omitted
        } catch let error as OriginServerError {
            throw error
        } catch {
            throw OriginServerError(file: folder, "cannot create a certificate: \(error)")
        }
    }

    /// The message that the certificate lacks a host.
    func omission(of host: String) -> String {
        "the certificate lacks \(host), which the authority was not made for; remove \(folder) for a new authority, and "
            + "install that on the devices"
    }

    private struct Signer {
        var certificate: Certificate
        var key: Certificate.PrivateKey
    }

    /// The existing files; nil if they are missing, damaged, or about to expire.
    private func kept(_ files: CertificateFiles, at now: Date) throws -> Signer? {
        guard let text = try? String(contentsOfFile: files.certificate, encoding: .utf8),
            let secret = try? String(contentsOfFile: files.key, encoding: .utf8),
            let document = try? PEMDocument.parseMultiple(pemString: text).first,
            let certificate = try? Certificate(pemDocument: document),
            let key = try? Certificate.PrivateKey(pemEncoded: secret), key.publicKey == certificate.publicKey,
            certificate.notValidAfter > now + Self.spareDays * Self.day, certificate.notValidBefore <= now
        else { return nil }
        return Signer(certificate: certificate, key: key)
    }

    private func makeAuthority(for hosts: [HostName], at now: Date) throws -> Signer {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName {
            OrganizationName("Segue")
            // Authorities of the same name would be confused.
            CommonName("Segue on \(ProcessInfo.processInfo.hostName) \(UInt32.random(in: 0 ... .max))")
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: .init(key.publicKey),
            notValidBefore: now - Self.day,
            notValidAfter: now + Self.authorityDays * Self.day,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                Critical(AuthorityConstraints(hosts: hosts).permitted ?? NameConstraints())
                try ExtendedKeyUsage([.serverAuth])
                SubjectKeyIdentifier(hash: .init(key.publicKey))
            },
            issuerPrivateKey: .init(key)
        )
        try write(key.pemRepresentation + "\n", authorityFiles.key)
        try write(try certificate.serializeAsPEM().pemString + "\n", authorityFiles.certificate)
        return Signer(certificate: certificate, key: .init(key))
    }

    private func make(_ names: [GeneralName], _ signer: Signer, at now: Date) throws {
        let key = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: .init(key.publicKey),
            notValidBefore: now - Self.day,
            notValidAfter: min(now + Self.days * Self.day, signer.certificate.notValidAfter),
            issuer: signer.certificate.subject,
            subject: try DistinguishedName {
                OrganizationName("Segue")
                CommonName("Segue")
            },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
                AuthorityKeyIdentifier(
                    keyIdentifier: try signer.certificate.extensions.subjectKeyIdentifier?.keyIdentifier
                )
            },
            issuerPrivateKey: signer.key
        )
        let chain = try [certificate, signer.certificate].map { try $0.serializeAsPEM().pemString + "\n" }
        try write(key.pemRepresentation + "\n", files.key)
        try write(chain.joined(), files.certificate)
    }

    private static func distinct(_ hosts: [String]) -> [(text: String, host: HostName)] {
        var seen: Set<HostName> = []
        return hosts.compactMap { text in HostName(text).map { (text, $0) } }.filter { seen.insert($0.1).inserted }
    }

    /// The subject alternative name of a host.
    private static func name(_ host: HostName) -> GeneralName {
        if case .name(let name) = host { return .dnsName(name) }
        return .ipAddress(ASN1OctetString(contentBytes: host.addressBytes[...]))
    }
}
