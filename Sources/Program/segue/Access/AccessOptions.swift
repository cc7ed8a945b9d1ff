import ArgumentParser
import Foundation
import SegueAccess
import SegueEvents
import SegueOrigin
import SegueServer
import SegueStores
import Synchronization

/// The options for the location of keys, people, and certificates.
struct DataFolderOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder for keys, people, certificates, resume positions, and ids of files. (default: segue in your data folder)",
            valueName: "dir"
        ),
        completion: .directory
    )
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database for keys, people, resume positions, and ids of files, which several servers may share; its password belongs in ~/.pgpass or PGPASSWORD.",
            valueName: "postgresql://user@host/name"
        )
    )
    var database: String?

    /// The keys, people, and sessions.
    ///
    /// - Throws: ``CommandFailure`` or ``AccessFailure``.
    func records() throws -> any AccessRecords {
        guard let database = try sharedDatabase() else { return try AccessStore(folder: try folder()) }
        return SharedAccess(database)
    }

    /// The shared database; nil without one.
    ///
    /// - Throws: ``CommandFailure``.
    func sharedDatabase() throws -> SharedDatabase? {
        guard let database else { return nil }
        do {
            return try SharedDatabase(database)
        } catch {
            throw CommandFailure("--database", "\(error)")
        }
    }

    /// The folder.
    ///
    /// - Throws: ``CommandFailure`` if there is no default.
    func folder() throws -> String {
        if let folder = data ?? UserData.folder() { return folder }
        throw CommandFailure("--data", "there is no home folder for keys; name a folder")
    }
}

/// The options of `segue serve` for access control.
struct AccessOptions: ParsableArguments {
    @Flag(help: "Allow access without a key to everyone who reaches the server.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "An origin whose pages may read responses, such as https://player.example; '*' for all.",
            valueName: "origin"
        )
    )
    var allowOrigin: [String] = []

    @Option(.allowedHost) var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Serve over TLS with HTTP/2: a certificate and its key, or 'self' for a generated certificate.",
            valueName: "cert.pem,key.pem|self"
        )
    )
    var tls: String?

    @OptionGroup var data: DataFolderOption

    /// The pages that may read responses.
    ///
    /// - Throws: ``CommandFailure`` for an invalid origin.
    func origins() throws -> CrossOrigin {
        if let origins = CrossOrigin(allowOrigin) { return origins }
        throw CommandFailure(
            "--allow-origin \(allowOrigin.joined(separator: " "))",
            "must be a scheme and a host, with a port unless it is the default: https://player.example"
        )
    }

    /// Returns whether requests require a key.
    func needsKey(listeningOn host: String) -> Bool { !open && HostName(host)?.isLoopback != true }

    /// The access control of a server, and the key to print; nil if none is needed.
    ///
    /// - Throws: ``CommandFailure`` if keys and people cannot be read.
    func door(
        listeningOn host: String,
        televisions: AccessKey?,
        _ page: PageFiles,
        _ requests: LogStream?
    ) throws -> (door: AccessGate, key: String?) {
        let rules = AccessGate.Rules(
            isOpen: !needsKey(listeningOn: host),
            isSecure: tls != nil,
            origins: try origins(),
            televisions: televisions?.digest
        )
        do {
            guard !rules.isOpen else {
                if open, HostName(host)?.isLoopback != true {
                    StandardError.write(
                        "segue: --open: everyone who reaches this port can see and download everything without a key\n"
                    )
                }
                return (try AccessGate(rules), nil)
            }
            let store = try data.records()
            let key = try DefaultKey.find(in: store)
            return (try AccessGate(rules, guarded: (store, page), news: { AccessMessages.tell($0, requests) }), key)
        } catch let error as AccessFailure {
            throw CommandFailure(error)
        }
    }

    /// The host names that requests may use; nil for any, if other machines may use names that are unknown here.
    ///
    /// - Throws: ``OriginServerError`` if the certificate cannot be read.
    func hosts(listeningOn host: String, _ secured: Secured?) throws -> AllowedHosts? {
        if HostName(host)?.isLoopback == true { return AllowedHosts(listeningOn: host, named: allowHost) }
        // A certificate of Segue's own contains current and former names.
        let names = secured?.own == nil ? try secured?.certificate.files.names() : nil
        if names?.hasPattern == true, allowHost.isEmpty { return nil }
        guard open || secured != nil || !allowHost.isEmpty else { return nil }
        let own = Self.machineNames + LocalAddresses.reachable(listeningOn: host)
        return AllowedHosts(listeningOn: host, named: allowHost + (names?.hosts ?? []) + own)
    }

    /// A certificate, and its issuer if that is Segue.
    typealias Secured = (certificate: ServerCertificate, own: OwnCertificate?)

    /// The certificate, created or renewed if it is Segue's own; nil without TLS.
    ///
    /// - Throws: ``CommandFailure`` or ``OriginServerError``.
    func certificate(
        listeningOn host: String,
        naming named: NamedHosts
    ) throws -> Secured? {
        guard let tls else { return nil }
        let notice: @Sendable (String) -> Void = { StandardError.write("segue: \($0)\n") }
        guard tls == "self" else {
            let files = tls.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard files.count == 2, !files.contains("") else {
                throw CommandFailure("--tls \(tls)", "must be a certificate and its key, CERT.pem,KEY.pem, or 'self'")
            }
            return (ServerCertificate(CertificateFiles(certificate: files[0], key: files[1]), notice: notice), nil)
        }
        let folder = try data.folder() + "/tls"
        let own = OwnCertificate(
            folder: folder,
            hosts: {
                let around = Self.machineNames + LocalAddresses.reachable(listeningOn: host)
                return around + ["localhost", "127.0.0.1", "::1"] + named.now
            },
            write: { text, path in
                try PrivateFile.makeFolder(folder)
                try PrivateFile.write(text, to: path)
            }
        )
        let certificate = ServerCertificate(own, notice: notice)
        try certificate.prepare(Date())
        return (certificate, own)
    }

    /// The host names of this machine.
    private static var machineNames: [String] {
        let name = ProcessInfo.processInfo.hostName
        guard HostName(name)?.isLoopback == false, !name.isEmpty else { return [] }
        return name.contains(".") ? [name] : [name, name + ".local"]
    }
}

/// The additional host names of a server, which a reload may change.
final class NamedHosts: Sendable {
    private let names: Mutex<[String]>

    init(_ names: [String]) { self.names = Mutex(names) }

    var now: [String] { names.withLock { $0 } }

    func change(to names: [String]) { self.names.withLock { $0 = names } }
}

/// The key in the address that the server prints.
enum DefaultKey {
    static let name = "house"

    /// The key, created if there is none.
    static func find(in records: any AccessRecords) throws -> String {
        if let key = try records.book().keys.first(where: { $0.name == name })?.shown { return key }
        let key = AccessKey.make()
        do {
            let now = Int64(Date().timeIntervalSince1970)
            try records.add(key, name: name, grant: KeyGrant(isShown: true), now: now)
        } catch let error as AccessFailure {
            // Another server that starts at the same moment created it.
            guard let key = try records.book().keys.first(where: { $0.name == name })?.shown else { throw error }
            return key
        }
        return key.text
    }
}

/// The messages about refused access.
enum AccessMessages {
    /// Reports a refusal on standard error and in the log.
    static func tell(_ news: AccessGate.News, _ requests: LogStream?) {
        switch news {
        case .failedLogin(let name, let address, let isLookedAt):
            let reason = isLookedAt ? "wrong name or password" : "too many attempts; not checked"
            StandardError.write("segue: \(address): failed login as '\(plain(name))': \(reason)\n")
            requests?.write(.accessRefused(address: address, name: plain(name), reason: reason))
        case .wrongKey(let address, let count):
            let reason = count == 1 ? "an invalid key" : "invalid keys, \(count) times"
            StandardError.write("segue: \(address): \(reason)\n")
            requests?.write(.accessRefused(address: address, name: "", reason: reason))
        case .omitted(let count):
            StandardError.write("segue: \(count) more failed logins and invalid keys; too many to list\n")
        case .trouble(let message): StandardError.write("segue: \(message)\n")
        }
    }

    /// A name from a client, shortened and without control characters.
    private static func plain(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.prefix(64).map { scalar in
                    let isShown =
                        scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
                        && scalar.properties.generalCategory != .lineSeparator
                        && scalar.properties.generalCategory != .paragraphSeparator
                    return isShown ? scalar : "?"
                }
            )
        )
    }
}
