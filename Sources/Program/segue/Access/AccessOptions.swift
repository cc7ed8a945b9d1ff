import ArgumentParser
import Foundation
import SegueAccess
import SegueEvents
import SegueOrigin
import SegueServer
import SegueStores
import Synchronization

/// The option that says where keys, people and certificates are kept.
struct DataFolderOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where keys, people, certificates and the places where people stopped are kept; segue's folder under your data unless named.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database, which several servers may share, for keys, people and where people stopped; its password belongs into ~/.pgpass or PGPASSWORD.",
            valueName: "postgresql://user@host/name"
        )
    )
    var database: String?

    /// Keys, people and sessions.
    ///
    /// - Throws: ``CommandFailure`` or ``AccessFailure`` where they cannot be had.
    func records() throws -> any AccessRecords {
        guard let database = try sharedDatabase() else { return try AccessStore(folder: try folder()) }
        return SharedAccess(database)
    }

    /// The database that is shared; nil where none is named.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be used.
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
    /// - Throws: ``CommandFailure`` where nothing says where it is.
    func folder() throws -> String {
        if let folder = data ?? UserData.folder() { return folder }
        throw CommandFailure("--data", "there is no home in which to keep keys; name a folder")
    }
}

/// The options of `segue serve` that say who is let in.
struct AccessOptions: ParsableArguments {
    @Flag(help: "Let everybody in who reaches the server, without a key.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "Pages of this origin may read what is served, such as https://player.example; '*' for every page.",
            valueName: "origin"
        )
    )
    var allowOrigin: [String] = []

    @Option(.allowedHost) var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Serve over TLS, and HTTP/2: with a certificate and its key, or 'self' for one that segue makes.",
            valueName: "cert.pem,key.pem|self"
        )
    )
    var tls: String?

    @OptionGroup var data: DataFolderOption

    /// Whose pages may read the answers.
    ///
    /// - Throws: ``CommandFailure`` for what is no origin.
    func origins() throws -> CrossOrigin {
        if let origins = CrossOrigin(allowOrigin) { return origins }
        throw CommandFailure(
            "--allow-origin \(allowOrigin.joined(separator: " "))",
            "an origin is a scheme and a host, with a port where it is not the usual one: https://player.example"
        )
    }

    /// Who is let in by a server that listens on a host.
    ///
    /// - Parameters:
    ///   - page: The files of the page.
    /// - Returns: The door, and the key that is printed; nil where none is needed.
    /// - Throws: ``CommandFailure`` where keys and people cannot be read.
    func door(
        listeningOn host: String,
        _ page: PageFiles,
        _ requests: LogStream?
    ) throws -> (door: Door, key: String?) {
        let isLocal = HostName(host)?.isLoopback == true
        let rules = Door.Rules(isOpen: open || isLocal, isSecure: tls != nil, origins: try origins())
        do {
            guard !rules.isOpen else {
                if open, !isLocal {
                    StandardError.write(
                        "segue: --open: whoever reaches this port sees and downloads everything that is served, without a key\n"
                    )
                }
                return (try Door(rules), nil)
            }
            let store = try data.records()
            let key = try HouseKey.find(in: store)
            return (try Door(rules, guarded: (store, page), news: { AccessNews.tell($0, requests) }), key)
        } catch let error as AccessFailure {
            throw CommandFailure(error)
        }
    }

    /// The hosts under which it may be asked; nil for any, where other machines reach it by names that nobody has
    /// named.
    ///
    /// - Parameters:
    ///   - secured: Its certificate; nil without TLS.
    /// - Throws: ``OriginServerError`` where the certificate cannot be read.
    func hosts(listeningOn host: String, _ secured: Secured?) throws -> AllowedHosts? {
        if HostName(host)?.isLoopback == true { return AllowedHosts(listeningOn: host, named: allowHost) }
        // One that Segue makes names what is named here, and what was named before.
        let names = secured?.own == nil ? try secured?.certificate.files.names() : nil
        if names?.hasPattern == true, allowHost.isEmpty { return nil }
        guard open || secured != nil || !allowHost.isEmpty else { return nil }
        let own = Self.machineNames + LocalAddresses.reachable(listeningOn: host)
        return AllowedHosts(listeningOn: host, named: allowHost + (names?.hosts ?? []) + own)
    }

    /// A certificate, and who makes it where that is Segue.
    typealias Secured = (certificate: ServerCertificate, own: OwnCertificate?)

    /// The certificate that is shown, made or renewed where that is Segue's; nil without TLS.
    ///
    /// - Parameters:
    ///   - named: The hosts that are named, as they are whenever the certificate is looked at.
    /// - Returns: The certificate, and who made it where that is Segue.
    /// - Throws: ``CommandFailure`` or ``OriginServerError`` where there is none.
    func certificate(
        listeningOn host: String,
        naming named: NamedHosts
    ) throws -> Secured? {
        guard let tls else { return nil }
        let notice: @Sendable (String) -> Void = { StandardError.write("segue: \($0)\n") }
        guard tls == "self" else {
            let files = tls.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard files.count == 2, !files.contains("") else {
                throw CommandFailure("--tls \(tls)", "name a certificate and its key, CERT.pem,KEY.pem, or say 'self'")
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
        try own.prepare(at: Date())
        return (ServerCertificate(own, notice: notice), own)
    }

    /// The names under which this machine is known to others.
    private static var machineNames: [String] {
        let name = ProcessInfo.processInfo.hostName
        guard HostName(name)?.isLoopback == false, !name.isEmpty else { return [] }
        return name.contains(".") ? [name] : [name, name + ".local"]
    }
}

/// The hosts that a server may be asked under besides its own names, as they are named by now.
final class NamedHosts: Sendable {
    private let names: Mutex<[String]>

    init(_ names: [String]) { self.names = Mutex(names) }

    var now: [String] { names.withLock { $0 } }

    func change(to names: [String]) { self.names.withLock { $0 = names } }
}

/// The key that stands in the address that is printed.
enum HouseKey {
    /// What it is called.
    static let name = "house"

    /// The key, made where there is none.
    static func find(in records: any AccessRecords) throws -> String {
        if let key = try records.book().keys.first(where: { $0.name == name })?.shown { return key }
        let key = AccessKey.make()
        do {
            try records.add(
                key,
                name: name,
                isShown: true,
                folders: nil,
                until: nil,
                now: Int64(Date().timeIntervalSince1970)
            )
        } catch let error as AccessFailure {
            // Another server that starts at the same moment has made it.
            guard let key = try records.book().keys.first(where: { $0.name == name })?.shown else { throw error }
            return key
        }
        return key.text
    }
}

/// What is said of those who are not let in.
enum AccessNews {
    /// Says it on standard error, and in the log.
    static func tell(_ news: Door.News, _ requests: LogStream?) {
        switch news {
        case .failedLogin(let name, let address, let isLookedAt):
            let reason = isLookedAt ? "wrong name or password" : "too many tries; not looked at"
            StandardError.write("segue: \(address): failed login as '\(plain(name))': \(reason)\n")
            requests?.write(.accessRefused(address: address, name: plain(name), reason: reason))
        case .wrongKey(let address, let count):
            let reason = count == 1 ? "a key that opens nothing" : "keys that open nothing, \(count) times"
            StandardError.write("segue: \(address): \(reason)\n")
            requests?.write(.accessRefused(address: address, name: "", reason: reason))
        case .trouble(let message): StandardError.write("segue: \(message)\n")
        }
    }

    /// A name as its sender's word: short, and nothing in it that a terminal obeys.
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
